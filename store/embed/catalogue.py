"""Own which embedder a name means."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Final

from store.embed.base import Embedder
from store.errors import UnknownEmbedderError


def get_embedder(name: str) -> Embedder:
    """Return the embedder of a name.

    Raises:
        UnknownEmbedderError: no embedder has the name.
    """
    make = _EMBEDDERS.get(name)
    if make is None:
        nearest = difflib.get_close_matches(name, _EMBEDDERS, n=1)
        hint = f"did you mean {nearest[0]!r}? " if nearest else ""
        raise UnknownEmbedderError(
            f"embedder is unknown, got {name!r}", remedy=f"{hint}known are {', '.join(sorted(_EMBEDDERS))}"
        )
    return make()


def _hashing() -> Embedder:
    from store.embed.hashing import HashingEmbedder

    return HashingEmbedder()


_EMBEDDERS: Final[dict[str, Callable[[], Embedder]]] = {"hashing": _hashing}
