"""Own what a user would pick instead, each from its package with its own defaults, over the same passages and vectors.

    hybrid            rank_bm25 and cosine, each stretched to 0..1 over its best hundred, half and half
    hybrid + date     the same over what was observed by the moment
    rrf + date        reciprocal rank fusion of the two, k = 60, over what was observed by the moment
    langchain         its TimeWeightedVectorStoreRetriever: cosine + (1 - 0.01) ** hours
    llamaindex fixed  its FixedRecencyPostprocessor: the ten nearest, newest first
    llamaindex decay  its TimeWeightedPostprocessor: cosine + (1 - 0.99) ** hours

The three of frameworks are given only what was observed by the moment asked for, and a clock that stands there: their
best case. LangChain reads the clock itself, so its documents' times are moved by as much. What they write back into a
document when it is read is taken out again before the next question.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, Final

import numpy as np
from shelf import DEPTH, Asked, Shelf, best

from store.analysis import analyze

SHOWN: Final = 30
# A first page: what recency alone reorders, and how many of the newest LangChain adds whatever they are about.
PAGE: Final = 10
RRF_K: Final = 60
INSTALL: Final = "install them beside stilltrue: pip install -c benchmarks/peers.txt -e '.[peers]'"
PACKAGES: Final = ("rank_bm25", "langchain_classic", "langchain_core", "llama_index.core", "pandas")

Ranker = Callable[[Asked], list[str]]


def missing() -> list[str]:
    """Return the packages of peers that are not installed."""
    return [name for name in PACKAGES if not _is_there(name)]


def _is_there(name: str) -> bool:
    try:
        import_module(name)
    except ImportError:
        return False
    return True


def rankers(shelf: Shelf) -> dict[str, Ranker]:
    """Return each peer by name: question → documents, best first."""
    words = _Words(shelf)
    return {
        "hybrid": lambda asked: _stretched(shelf, words, asked, known_only=False),
        "hybrid + date": lambda asked: _stretched(shelf, words, asked, known_only=True),
        "rrf + date": lambda asked: _fused(shelf, words, asked),
        "langchain": _langchain(shelf),
        "llamaindex fixed": _fixed(shelf),
        "llamaindex decay": _decay(shelf),
    }


class _Words:
    """BM25 of all passages of a shelf."""

    def __init__(self, shelf: Shelf) -> None:
        # It divides by the mean length, so an empty text needs a token.
        self._index = import_module("rank_bm25").BM25Okapi([tokens or [""] for tokens in shelf.tokens])

    def best(self, asked: Asked, *, known_only: bool) -> list[tuple[int, float]]:
        """Return the passages that hold a word of the question, best first."""
        scores = self._index.get_scores(analyze(asked.text))
        found = best(scores[: asked.known] if known_only else scores, DEPTH)
        return [(at, score) for at, score in found if score != 0.0]


def _stretched(shelf: Shelf, words: _Words, asked: Asked, *, known_only: bool) -> list[str]:
    total: dict[int, float] = {}
    for leg in (words.best(asked, known_only=known_only), shelf.nearest(asked, known_only=known_only)):
        low, high = (bound((score for _, score in leg), default=0.0) for bound in (min, max))
        for at, score in leg:
            total[at] = total.get(at, 0.0) + 0.5 * ((score - low) / (high - low) if high > low else 1.0)
    return _by_score(shelf, total)


def _fused(shelf: Shelf, words: _Words, asked: Asked) -> list[str]:
    total: dict[int, float] = {}
    for leg in (words.best(asked, known_only=True), shelf.nearest(asked)):
        for rank, (at, _) in enumerate(leg, start=1):
            total[at] = total.get(at, 0.0) + 1.0 / (RRF_K + rank)
    return _by_score(shelf, total)


def _by_score(shelf: Shelf, scores: Mapping[int, float]) -> list[str]:
    return shelf.documents(sorted(scores, key=lambda at: (-scores[at], at)))[:SHOWN]


def _langchain(shelf: Shelf) -> Ranker:
    retrievers = import_module("langchain_classic.retrievers.time_weighted_retriever")
    document = import_module("langchain_core.documents").Document
    base: Any = import_module("langchain_core.vectorstores").VectorStore
    everything = [document(page_content="", metadata={"buffer_idx": at}) for at in range(len(shelf.doc_ids))]

    class Store(base):  # type: ignore[misc]
        """The vectors of the shelf as its vector store; relevance is the cosine."""

        asked: Asked

        def similarity_search(self, query: str, k: int = DEPTH, **options: Any) -> list[Any]:
            return [found for found, _ in self.similarity_search_with_relevance_scores(query, k, **options)]

        def similarity_search_with_relevance_scores(
            self, query: str, k: int = DEPTH, **options: Any
        ) -> list[tuple[Any, float]]:
            return [(everything[at], score) for at, score in shelf.nearest(self.asked)[:k]]

        @classmethod
        def from_texts(cls, *arguments: Any, **options: Any) -> Any:
            raise NotImplementedError  # abstract in the base class; a store over ready vectors is never made from texts

    store = Store()
    retriever = retrievers.TimeWeightedVectorStoreRetriever(vectorstore=store, k=PAGE)

    def rank(asked: Asked) -> list[str]:
        store.asked = asked
        retriever.memory_stream = everything[: asked.known]
        later = time.time() - asked.at
        for found in retriever.memory_stream:
            found.metadata["last_accessed_at"] = float(shelf.observed[found.metadata["buffer_idx"]] + later)
        return shelf.documents([found.metadata["buffer_idx"] for found in retriever.invoke(asked.text)])

    return rank


def _fixed(shelf: Shelf) -> Ranker:
    recency = import_module("llama_index.core.postprocessor").FixedRecencyPostprocessor(top_k=PAGE)
    return lambda asked: _processed(shelf, asked, recency, shelf.nearest(asked)[:PAGE])


def _decay(shelf: Shelf) -> Ranker:
    weighted = import_module("llama_index.core.postprocessor").TimeWeightedPostprocessor

    def rank(asked: Asked) -> list[str]:
        recency = weighted(top_k=SHOWN, now=asked.at, time_access_refresh=False)
        return _processed(shelf, asked, recency, shelf.nearest(asked))

    return rank


def _processed(shelf: Shelf, asked: Asked, recency: Any, nearest: Sequence[tuple[int, float]]) -> list[str]:
    """Let a postprocessor of LlamaIndex order the nearest passages."""
    schema = import_module("llama_index.core.schema")
    nodes = [
        schema.NodeWithScore(node=schema.TextNode(id_=str(at), text="", metadata=_dated(shelf, at)), score=score)
        for at, score in nearest
    ]
    if not nodes:
        return []
    ordered = recency.postprocess_nodes(nodes, query_str=asked.text)
    return shelf.documents([int(found.node.node_id) for found in ordered])


def _dated(shelf: Shelf, at: int) -> dict[str, Any]:
    seconds = float(np.float64(shelf.observed[at]))
    return {"date": datetime.fromtimestamp(seconds, UTC).isoformat(), "__last_accessed__": seconds}
