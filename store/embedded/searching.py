"""Own the two legs: which passages a question's words and its vector bring, filtered before either is cut.

Both cuts are by score, then by a hash of the passage id, so they do not depend on what was put in when. What a
candidate is worth is for `reranker.core`: here its terms are counted and its cosine is computed, nothing is weighed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
import tantivy
from numpy.typing import NDArray

from mappings.document import Kind
from store.embedded.boundary import Gone, damage_to
from store.embedded.derived import View
from store.embedded.filters import Mask, admitted, admitted_clauses
from store.embedded.truth import Truth
from store.engine import Columns, Floats, Vector, Where
from store.passages import counted

Slots = NDArray[np.int64]

# Below this share of passages, gathering their vectors is faster than multiplying all and dropping the rest.
_GATHER_BELOW: Final = 0.25
# A float32 product is off by less than this; what is closer to the cut is computed exactly before it is cut.
_COSINE_NOISE: Final = 1e-5
# Digits of tantivy's float32 scores that do not depend on where a passage lies.
_SCORE_DIGITS: Final = 4
# Hits beyond the depth that are looked at for ties with the last one, and how that grows while they all tie.
_SLACK: Final = 20
_GROWTH: Final = 4
# Rows that are multiplied exactly at once: 16 MB of float64 at 512 numbers.
_BLOCK: Final = 4_096


def find(
    view: View, truth: Truth, terms: Sequence[str], vector: Vector | None, where: Where, *, depth: int
) -> Columns:
    """Return the union of both legs as columns."""
    mask = admitted(view, truth, where)
    question = _padded(view, vector)
    lexical = _lexical(view, terms, where, depth)
    dense = _dense(view, question, mask, depth)
    return _columns(view, truth, terms, question, (lexical, dense, np.union1d(lexical, dense)))


def newest(
    view: View, truth: Truth, terms: Sequence[str], vector: Vector | None, where: Where, *, limit: int
) -> Columns:
    """Return the passages that were observed last as columns."""
    slots = np.flatnonzero(admitted(view, truth, where))
    # Inverted bits sort like the negated number, and also where that does not fit.
    order = np.lexsort((view.columns.key[slots], ~view.columns.observed[slots]))
    none = np.empty(0, dtype=np.int64)
    return _columns(view, truth, terms, _padded(view, vector), (none, none, np.sort(slots[order[:limit]])))


def _columns(
    view: View, truth: Truth, terms: Sequence[str], question: Floats, legs: tuple[Slots, Slots, Slots]
) -> Columns:
    """Return slots, ascending, as columns: those of each leg, and all."""
    lexical, dense, union = legs
    hits = truth.hits([int(row) for row in view.columns.row[union]])
    if len(hits) < len(union):
        raise Gone(f"{len(union) - len(hits)} passages that were found are not stored")
    slots = view.columns.slots_of([hit.row for hit in hits])
    facets = [view.facets[number] for number in view.columns.facet[slots].tolist()]
    distinct = tuple(dict.fromkeys(terms))
    return Columns(
        terms=distinct,
        passage_ids=[hit.passage_id for hit in hits],
        doc_ids=[hit.doc_id for hit in hits],
        series=[hit.series for hit in hits],
        content_types=[facet.content_type for facet in facets],
        kinds=[Kind(facet.kind) for facet in facets],
        title_tf=counted([hit.title_terms for hit in hits], distinct),
        body_tf=counted([hit.body_terms for hit in hits], distinct),
        title_len=np.array([hit.title_len for hit in hits], dtype=np.int32),
        body_len=np.array([hit.body_len for hit in hits], dtype=np.int32),
        cosine=_cosines(view, slots, question),
        observed=view.columns.observed[slots],
        from_lexical=np.isin(slots, lexical),
        from_dense=np.isin(slots, dense),
    )


def _lexical(view: View, terms: Sequence[str], where: Where, depth: int) -> Slots:
    """Return the best slots by tantivy's BM25 over title and body."""
    clauses = admitted_clauses(view, where)
    if not terms or clauses is None:
        return np.empty(0, dtype=np.int64)
    query = tantivy.Query.boolean_query([(tantivy.Occur.Must, _words(view, terms)), *clauses])
    limit = depth + _SLACK
    with damage_to("terms"):
        while True:
            hits = view.searcher.search(query, limit, count=False).hits
            scores = np.round(np.array([score for score, _ in hits], dtype=np.float64), _SCORE_DIGITS)
            if len(hits) < limit or scores[-1] < scores[depth - 1]:
                break
            limit *= _GROWTH
        rows = view.searcher.fast_field_values("row", [address for _, address in hits])
        slots = view.columns.slots_of(np.array(rows, dtype=np.int64))
        order = np.lexsort((view.columns.key[slots], -scores))
    return slots[order[:depth]]


def _words(view: View, terms: Sequence[str]) -> tantivy.Query:
    """Return the query that weighs title and body as two fields; a repeated term counts as often as it stands."""
    should = tantivy.Occur.Should
    parts = []
    for term, count in Counter(terms).items():
        for name in ("title", "body"):
            query = tantivy.Query.term_query(view.schema, name, term)
            parts.append((should, query if count == 1 else tantivy.Query.boost_query(query, float(count))))
    return tantivy.Query.boolean_query(parts)


def _dense(view: View, question: Floats, mask: Mask, depth: int) -> Slots:
    """Return the best slots by cosine."""
    if not question.any():
        return np.empty(0, dtype=np.int64)
    # A vector of zeros is like nothing.
    slots = np.flatnonzero(mask & (view.columns.checksum != 0))
    rough = question.astype(np.float32)
    if len(slots) < _GATHER_BELOW * len(view.columns):
        products = view.vectors[slots] @ rough
    else:
        products = (view.vectors @ rough)[slots]
    if len(slots) > depth:
        last = np.partition(products, len(slots) - depth)[len(slots) - depth]
        slots = slots[products >= last - _COSINE_NOISE]
    order = np.lexsort((view.columns.key[slots], -_cosines(view, slots, question)))
    return slots[order[:depth]]


def _cosines(view: View, slots: Slots, question: Floats) -> Floats:
    """Return exact cosines: each is summed by itself, so it does not depend on what else is asked for."""
    blocks = [slots[start : start + _BLOCK] for start in range(0, len(slots), _BLOCK)]
    products = [(view.vectors[block].astype(np.float64) * question).sum(axis=1) for block in blocks]
    return np.concatenate([np.empty(0), *products])


def _padded(view: View, vector: Vector | None) -> Floats:
    padded = np.zeros(view.vectors.shape[1])
    if vector is not None:
        padded[: len(vector)] = vector
    return padded
