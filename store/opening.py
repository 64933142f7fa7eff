"""Own which engine a URL means: one table from scheme to engine, and the errors of a URL that means none."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from store.engine import EmbedderId, Engine
from store.errors import StoreUrlError

Opener = Callable[[str, EmbedderId | None, bool], Engine]

# A single letter before the colon is a drive of a path, not a scheme.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(.*)\Z", re.DOTALL)


def open_engine(url: str, *, embedder: EmbedderId | None = None, create: bool = False) -> Engine:
    """Open the index that a URL names.

    Args:
        url: `embedded:PATH` or a plain path.
        embedder: checked against the one that made the index, and recorded in a new one; None: not checked.
        create: make an empty index where there is none (an embedder is then needed).

    Raises:
        StoreUrlError: the scheme is unknown or the path empty.
        StoreMissingError: nothing lies there and *create* is false.
        EmbedderMismatchError: the index was made with another embedder.
        StoreError: what lies there can not be read.
    """
    match = _SCHEME.match(url)
    scheme, rest = (match[1].lower(), match[2]) if match else (_DEFAULT_SCHEME, url)
    opener = _OPENERS.get(scheme)
    if opener is None:
        raise StoreUrlError(f"store url has an unknown scheme, got {url!r}", remedy=_known_schemes(scheme))
    if not rest.strip():
        raise StoreUrlError(f"store url names no place, got {url!r}", remedy="for example embedded:.stilltrue")
    return opener(rest, embedder, create)


def _open_embedded(place: str, embedder: EmbedderId | None, create: bool) -> Engine:
    from store.embedded.engine import EmbeddedEngine

    return EmbeddedEngine.open(Path(place).expanduser(), embedder=embedder, create=create)


_DEFAULT_SCHEME: Final = "embedded"
_OPENERS: Final[dict[str, Opener]] = {"embedded": _open_embedded}


def _known_schemes(scheme: str) -> str:
    known = sorted(_OPENERS)
    nearest = difflib.get_close_matches(scheme, known, n=1)
    hint = f"did you mean {nearest[0]}:PATH? " if nearest else ""
    return f"{hint}known schemes are {', '.join(known)}; a plain path is embedded"
