"""Own the two legs as searches of a cluster, and how their hits become columns.

Both legs filter before they cut, and resolve ties by a hash of the passage id. BM25 asks for term statistics over all
indices first: without that, equal texts in two dated indices would differ by several times. What a candidate is worth
is for `reranker.core`: its terms are counted here, and its cosine is computed, from the bytes that were put.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

import numpy as np

from mappings.document import Kind
from mappings.interval import BEGIN
from store.opensearch.documents import bytes_in, newest_copies, value_in
from store.opensearch.filters import admitted, all_of
from store.passages import counted
from store.values import Columns, Floats, Vector, Where

Search = tuple[dict[str, object], dict[str, object]]

# What a server gives in one page.
DEEPEST: Final = 10_000
# The graph of vectors is looked at for this many, or twice the depth: fewer nearest are missed, and so many passages
# of equal vectors are told apart by their ids.
_NEAREST: Final = 500
# Distinct terms that are looked for: title and body are two clauses, of which a query may have 1,024.
_MOST_TERMS: Final = 400

_COLUMNS: Final = (
    *("passage_id", "doc_id", "series", "content_type", "kind", "observed", "written"),
    *("title_len", "body_len", "title_kept", "body_kept", "exact"),
)


def by_words(indices: Sequence[str], terms: Sequence[str], where: Where, depth: int) -> Search:
    """Return the search for the best passages by BM25; a repeated term counts as often as it stands."""
    words = [
        {"term": {name: {"value": term, "boost": count}}}
        for term, count in islice(Counter(terms).items(), _MOST_TERMS)
        for name in ("title_terms", "body_terms")
    ]
    query = {"bool": {"should": words, "minimum_should_match": 1, "filter": admitted(where)}}
    return {"index": list(indices), "search_type": "dfs_query_then_fetch"}, _page(query, "_score", depth)


def by_vector(indices: Sequence[str], vector: Vector, where: Where, depth: int) -> Search:
    """Return the search for the nearest passages."""
    nearest = min(max(2 * depth, _NEAREST), DEEPEST)
    leg = {"vector": vector.tolist(), "k": nearest, "filter": all_of(admitted(where))}
    return {"index": list(indices)}, _page({"knn": {"vector": leg}}, "_score", depth)


def by_age(indices: Sequence[str], where: Where, limit: int) -> Search:
    """Return the search for the passages that were observed last."""
    return {"index": list(indices)}, _page(all_of(admitted(where)), "observed", limit)


def _page(query: Mapping[str, object], by: str, size: int) -> dict[str, object]:
    return {
        "size": size,
        "query": query,
        "sort": [{by: {"order": "desc"}}, {"tie": {"order": "asc"}}],
        "track_total_hits": False,
        "_source": False,
        "docvalue_fields": list(_COLUMNS),
    }


def hits_of(answer: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Return the hits of an answer; none where nothing was asked."""
    return list(answer["hits"]["hits"]) if answer else []


def columns_of(
    legs: Mapping[str, Sequence[Mapping[str, Any]]], terms: Sequence[str], vector: Vector | None, dimension: int
) -> Columns:
    """Return the union of the hits of all legs as columns.

    Args:
        legs: hits by name of the leg, "words", "vector" or another.
        terms: of the question, repeats included.
        vector: (dimension,) of the question; None: every cosine is 0.
        dimension: of the vectors of this index.
    """
    copies = newest_copies(hit for leg in legs.values() for hit in leg)
    hits = sorted(copies.values(), key=lambda hit: str(value_in(hit, "passage_id", "")))
    brought = {name: {hit["_id"] for hit in leg} for name, leg in legs.items()}
    distinct = tuple(dict.fromkeys(terms))
    return Columns(
        terms=distinct,
        passage_ids=_column(hits, "passage_id"),
        doc_ids=_column(hits, "doc_id"),
        series=_column(hits, "series"),
        content_types=_column(hits, "content_type"),
        kinds=[Kind(value_in(hit, "kind")) for hit in hits],
        title_tf=counted([bytes_in(hit, "title_kept") for hit in hits], distinct),
        body_tf=counted([bytes_in(hit, "body_kept") for hit in hits], distinct),
        title_len=np.array(_column(hits, "title_len"), dtype=np.int32),
        body_len=np.array(_column(hits, "body_len"), dtype=np.int32),
        cosine=_cosines(hits, vector, dimension),
        observed=np.array([value_in(hit, "observed", BEGIN) for hit in hits], dtype=np.int64),
        from_lexical=np.array([hit["_id"] in brought.get("words", ()) for hit in hits], dtype=np.bool_),
        from_dense=np.array([hit["_id"] in brought.get("vector", ()) for hit in hits], dtype=np.bool_),
    )


def _column(hits: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    return [hit["fields"][name][0] for hit in hits]


def _cosines(hits: Sequence[Mapping[str, Any]], vector: Vector | None, dimension: int) -> Floats:
    """Return exact cosines, each summed by itself, as the embedded engine sums them."""
    width = dimension + dimension % 2
    question = np.zeros(width)
    if vector is not None:
        question[:dimension] = vector
    rows = np.zeros((len(hits), width), dtype=np.float32)
    for row, hit in zip(rows, hits, strict=True):
        row[:dimension] = np.frombuffer(bytes_in(hit, "exact"), dtype=np.float32)
    cosines: Floats = (rows.astype(np.float64) * question).sum(axis=1)
    return cosines
