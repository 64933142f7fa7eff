"""Own what is counted rather than found: statistics of terms, and what the stamps keep out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import tantivy

from mappings.document import EXPIRED_CODES, Code
from mappings.interval import BEGIN, OPEN
from mappings.stamps import CLOSED_BY_END, admits_array
from store.embedded.boundary import damage_to
from store.embedded.derived import View
from store.embedded.filters import Clause, must_be_one_of, must_lie_in, visible, visible_clauses
from store.embedded.truth import Truth
from store.engine import Statistics, Where

_MUST: Final = tantivy.Occur.Must
_MUST_NOT: Final = tantivy.Occur.MustNot


def statistics(view: View, terms: Sequence[str]) -> Statistics:
    """Return exact statistics: passages that are gone are not counted, though tantivy may still hold them."""
    distinct = tuple(dict.fromkeys(terms))
    alive = view.columns.alive
    passages = int(np.count_nonzero(alive))
    return Statistics(
        terms=distinct,
        passages=passages,
        df=np.array([_frequency(view, term) for term in distinct], dtype=np.int64),
        title_avg=int(view.columns.title_len[alive].sum(dtype=np.int64)) / max(passages, 1),
        body_avg=int(view.columns.body_len[alive].sum(dtype=np.int64)) / max(passages, 1),
    )


def excluded(view: View, truth: Truth, terms: Sequence[str], where: Where) -> dict[Code, int]:
    """Count passages that hold any of the terms by the first stamp that excludes them."""
    seen = visible(view, truth, where)
    out = seen & ~admits_array(view.columns.stamps, where.as_of, where.known_at)
    if not terms or not out.any():
        return {}
    word = tantivy.Query.term_set_query(view.schema, "any", list(dict.fromkeys(terms)))
    base = [(_MUST, tantivy.Query.const_score_query(word, 0.0)), *visible_clauses(view.schema, where)]
    counts: dict[Code, int] = {}
    for code, clauses in _reasons(view.schema, where):
        found = _count(view, [*base, *clauses])
        if found:
            counts[code] = counts.get(code, 0) + found
    return counts


def _reasons(schema: tantivy.Schema, where: Where) -> list[tuple[Code, list[Clause]]]:
    """Return the rows of `mappings.stamps.excluded_by` as clauses, each without those before it."""
    as_of, known_at = where.as_of, where.known_at
    gone = min(as_of, known_at)

    def lies(name: str, low: int, high: int) -> Clause:
        return must_lie_in(schema, name, low, high)

    known = [lies("observed", BEGIN, known_at)]
    standing = [*known, lies("withdrawn", known_at + 1, OPEN)]
    ended = [lies("closed", BEGIN, gone), must_be_one_of(schema, "closed_by", [CLOSED_BY_END])]
    lasting = [*standing, (_MUST_NOT, tantivy.Query.boolean_query(ended))]
    begun = [*lasting, lies("valid_from", BEGIN, as_of)]
    return [
        (Code.FUTURE_OBSERVED, [lies("observed", known_at + 1, OPEN)]),
        (Code.RETRACTED, [*known, lies("withdrawn", BEGIN, known_at)]),
        (Code.RETRACTED, [*standing, *ended]),
        (Code.NOT_YET_VALID, [*lasting, lies("valid_from", as_of + 1, OPEN)]),
        *(
            (code, [*begun, lies("until", BEGIN, as_of), must_be_one_of(schema, "kind", [kind.value])])
            for kind, code in EXPIRED_CODES.items()
        ),
        (Code.SUPERSEDED, [*begun, lies("until", as_of + 1, OPEN), lies("closed", BEGIN, gone)]),
    ]


def _frequency(view: View, term: str) -> int:
    known = view.frequencies.get(term)
    if known is None:
        known = _count(view, [(_MUST, tantivy.Query.term_query(view.schema, "any", term))])
        view.frequencies[term] = known
    return known


def _count(view: View, clauses: Sequence[Clause]) -> int:
    with damage_to("terms"):
        query = tantivy.Query.const_score_query(tantivy.Query.boolean_query(list(clauses)), 0.0)
        result = view.searcher.search(query, 1, count=True)
        return int(result.count or 0)  # type: ignore[attr-defined]  # it is there; the stub leaves it out
