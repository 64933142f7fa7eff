"""Own what is counted rather than found: statistics of terms, and what the stamps keep out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import tantivy

from mappings.document import EXPIRED_CODES, Code
from mappings.interval import BEGIN, OPEN
from mappings.stamps import CLOSED_BY_END
from store.embedded.boundary import damage_to
from store.embedded.columns import CLOSED_BY
from store.embedded.derived import View
from store.embedded.filters import (
    Bounds,
    Clause,
    is_only_kind,
    must_be_one_of,
    must_lie_in,
    of_kind,
    visible_clauses,
)
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


def excluded(view: View, terms: Sequence[str], where: Where) -> dict[Code, int]:
    """Count passages that hold any of the terms by the first stamp that excludes them."""
    if not terms:
        return {}
    base = [must_be_one_of(view.schema, "any", terms), *visible_clauses(view, where)]
    counts: dict[Code, int] = {}
    for reason in _reasons(where):
        ranges = must_lie_in(view, reason.bounds)
        if ranges is None or (reason.kind and not of_kind(view, reason.kind).any()):
            continue
        found = _count(view, [*base, *ranges, *_further(view, where, reason)])
        if found:
            counts[reason.code] = counts.get(reason.code, 0) + found
    return counts


class _Reason(NamedTuple):
    """One row of `mappings.stamps.excluded_by`, without the rows before it.

    Attributes:
        ended: whether the document must have ended (True) or must not (False); None: either.
    """

    code: Code
    bounds: dict[str, Bounds]
    ended: bool | None = None
    kind: str = ""


def _reasons(where: Where) -> list[_Reason]:
    as_of, known_at = where.as_of, where.known_at
    known = {"observed": (BEGIN, known_at)}
    standing = {**known, "withdrawn": (known_at + 1, OPEN)}
    begun = {**standing, "valid_from": (BEGIN, as_of)}
    expired = {**begun, "until": (BEGIN, as_of)}
    return [
        _Reason(Code.FUTURE_OBSERVED, {"observed": (known_at + 1, OPEN)}),
        _Reason(Code.RETRACTED, {**known, "withdrawn": (BEGIN, known_at)}),
        _Reason(Code.RETRACTED, {**standing, "closed": (BEGIN, _gone(where))}, ended=True),
        _Reason(Code.NOT_YET_VALID, {**standing, "valid_from": (as_of + 1, OPEN)}, ended=False),
        *(_Reason(code, expired, ended=False, kind=kind.value) for kind, code in EXPIRED_CODES.items()),
        _Reason(
            Code.SUPERSEDED,
            {**begun, "until": (as_of + 1, OPEN), "closed": (BEGIN, _gone(where))},
            ended=False,
        ),
    ]


def _further(view: View, where: Where, reason: _Reason) -> list[Clause]:
    """Return the clauses of a reason that are no bounds."""
    by_end = must_be_one_of(view.schema, "closed_by", [CLOSED_BY_END])
    clauses = []
    if reason.kind and not is_only_kind(view, reason.kind):
        clauses.append(must_be_one_of(view.schema, "kind", [reason.kind]))
    if reason.ended:
        clauses.append(by_end)
    elif reason.ended is False and CLOSED_BY.index(CLOSED_BY_END) in view.columns.closed_by:
        gone = must_lie_in(view, {"closed": (BEGIN, _gone(where))})
        if gone is not None:
            clauses.append((_MUST_NOT, tantivy.Query.boolean_query([by_end, *gone])))
    return clauses


def _gone(where: Where) -> int:
    """The last moment at which an end or a replacement counts."""
    return min(where.as_of, where.known_at)


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
