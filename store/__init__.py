"""Own where things lie: one engine protocol, the engines behind it, and what all of them need to be alike.

What a record means is `mappings`; what is put here is decided by `indexer`; what is found is ranked by `reranker`.
"""

from store.engine import Columns, EmbedderId, Engine, PassageRow, Statistics, Where, Writer
from store.opening import open_engine

__all__ = ["Columns", "EmbedderId", "Engine", "PassageRow", "Statistics", "Where", "Writer", "open_engine"]
