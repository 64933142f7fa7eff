"""Own which embedder a name means."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from store.embed.base import Embedder
from store.errors import ModelError, UnknownEmbedderError


def get_embedder(name: str, *, folder: Path | None = None) -> Embedder:
    """Return the embedder of a name.

    Args:
        name: as in the settings.
        folder: where its model lies, for those that have one.

    Raises:
        UnknownEmbedderError: no embedder has the name.
        ModelError: its model is not there, or is none.
    """
    make = _EMBEDDERS.get(name)
    if make is None:
        nearest = difflib.get_close_matches(name, _EMBEDDERS, n=1)
        hint = f"did you mean {nearest[0]!r}? " if nearest else ""
        raise UnknownEmbedderError(
            f"embedder is unknown, got {name!r}", remedy=f"{hint}known are {', '.join(sorted(_EMBEDDERS))}"
        )
    return make(folder)


def _hashing(_: Path | None) -> Embedder:
    from store.embed.hashing import HashingEmbedder

    return HashingEmbedder()


def _minilm(folder: Path | None) -> Embedder:
    from store.embed.minilm import MiniLmEmbedder

    if folder is None:
        raise ModelError(
            "embedder 'minilm' needs the folder of its model",
            remedy="name a folder that holds model.safetensors and vocab.txt; stilltrue model fetch minilm makes one",
        )
    return MiniLmEmbedder(folder)


_EMBEDDERS: Final[dict[str, Callable[[Path | None], Embedder]]] = {"hashing": _hashing, "minilm": _minilm}
