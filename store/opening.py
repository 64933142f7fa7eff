"""Own which engine a URL means: one table from scheme to engine, and the errors of a URL that means none."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from store.engine import EmbedderId, Engine
from store.errors import StoreError, StoreUrlError, masked

Opener = Callable[[str, EmbedderId | None, bool], Engine]

# A single letter before the colon is a drive of a path, not a scheme.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(.*)\Z", re.DOTALL)


def open_engine(url: str, *, embedder: EmbedderId | None = None, create: bool = False) -> Engine:
    """Open the index that a URL names.

    Args:
        url: `embedded:PATH` or a plain path, or `opensearch://HOST:9200/NAME` (`opensearch+https://` with TLS).
        embedder: checked against the one that made the index, and recorded in a new one; None: not checked.
        create: make an empty index where there is none (an embedder is then needed).

    Raises:
        StoreUrlError: the scheme is unknown, the path empty, or the address of a cluster is none.
        StoreMissingError: nothing lies there and *create* is false.
        EmbedderMismatchError: the index was made with another embedder.
        StoreError: what lies there can not be read.
    """
    match = _SCHEME.match(url)
    scheme, rest = (match[1].lower(), match[2]) if match else (_DEFAULT_SCHEME, url)
    opener = _OPENERS.get(scheme)
    if opener is None:
        raise StoreUrlError(
            f"store url has an unknown scheme, got {masked(url)!r}", remedy=_known_schemes(scheme)
        )
    if not rest.strip():
        raise StoreUrlError(f"store url names no place, got {url!r}", remedy="for example embedded:.stilltrue")
    return opener(rest, embedder, create)


def _open_embedded(place: str, embedder: EmbedderId | None, create: bool) -> Engine:
    from store.embedded.engine import EmbeddedEngine

    return EmbeddedEngine.open(Path(place).expanduser(), embedder=embedder, create=create)


def _open_opensearch(place: str, embedder: EmbedderId | None, create: bool) -> Engine:
    return _open_cluster(f"opensearch:{place}", embedder, create)


def _open_opensearch_tls(place: str, embedder: EmbedderId | None, create: bool) -> Engine:
    return _open_cluster(f"opensearch+https:{place}", embedder, create)


def _open_cluster(url: str, embedder: EmbedderId | None, create: bool) -> Engine:
    try:
        from store.opensearch.engine import OpenSearchEngine
    except ModuleNotFoundError as error:
        raise StoreError(
            f"a store on OpenSearch needs the package {error.name!r}", remedy="pip install 'stilltrue[opensearch]'"
        ) from error
    from store.opensearch.address import read_address

    return OpenSearchEngine.open(read_address(url), embedder=embedder, create=create)


_DEFAULT_SCHEME: Final = "embedded"
_OPENERS: Final[dict[str, Opener]] = {
    "embedded": _open_embedded,
    "opensearch": _open_opensearch,
    "opensearch+https": _open_opensearch_tls,
}


def _known_schemes(scheme: str) -> str:
    known = sorted(_OPENERS)
    nearest = difflib.get_close_matches(scheme, known, n=1)
    place = "PATH" if nearest == [_DEFAULT_SCHEME] else "//HOST:9200/NAME"
    hint = f"did you mean {nearest[0]}:{place}? " if nearest else ""
    return f"{hint}known schemes are {', '.join(known)}; a plain path is embedded"
