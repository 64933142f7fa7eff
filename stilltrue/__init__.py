"""Search that knows what is still true: what a person imports.

    import stilltrue
    index = stilltrue.open("handbook.store")

Names load when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from stilltrue.version import VERSION as __version__

if TYPE_CHECKING:
    from mappings.errors import StilltrueError
    from stilltrue.api import Index, open
    from stilltrue.reranking import rerank
    from stilltrue.settings import Settings, load_settings

__all__ = ["Index", "Settings", "StilltrueError", "__version__", "load_settings", "open", "rerank"]

_HOMES = {
    "Index": "stilltrue.api",
    "Settings": "stilltrue.settings",
    "StilltrueError": "mappings.errors",
    "load_settings": "stilltrue.settings",
    "open": "stilltrue.api",
    "rerank": "stilltrue.reranking",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'stilltrue' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
