"""Own the filter in the two forms that this engine needs: a mask over columns and clauses of a tantivy query.

Both say the same, which a test holds; the rule itself is `mappings.stamps`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Final

import numpy as np
import tantivy
from numpy.typing import NDArray

from mappings.document import Kind
from mappings.interval import BEGIN, OPEN
from mappings.series import can_read
from mappings.stamps import admits_array
from store.embedded.derived import View
from store.embedded.terms import PUBLIC, reader_keyword
from store.embedded.truth import Facet, Truth
from store.engine import Where

Mask = NDArray[np.bool_]
Clause = tuple[tantivy.Occur, tantivy.Query]
Bounds = tuple[int, int]

_MUST: Final = tantivy.Occur.Must


def visible(view: View, truth: Truth, where: Where) -> Mask:
    """Return (slots,) which passages this reader may see and whose attributes are asked for, whatever their state."""
    rule = ("visible", where.principals, *_asked(where).values())
    mask: Mask = view.chosen(rule, partial(_wants, where))[view.columns.facet + 1]
    if where.series or where.doc_ids:
        named = np.zeros(len(mask), dtype=np.bool_)
        named[view.columns.slots_of(truth.rows_of(where.series, where.doc_ids))] = True
        mask &= named
    return mask


def admitted(view: View, truth: Truth, where: Where) -> Mask:
    """Return (slots,) which passages may be candidates."""
    columns = view.columns
    mask = visible(view, truth, where)
    if where.states:
        mask &= admits_array(columns.stamps, where.as_of, where.known_at)
    else:
        mask &= columns.observed <= where.known_at
    if not where.undated:
        mask &= columns.observed != BEGIN
    if where.period is not None:
        mask &= _overlaps(view, *where.period)
    return mask


def visible_clauses(view: View, where: Where) -> list[Clause]:
    """Return the clauses of `visible`; they weigh nothing, and those that everything here keeps are left out."""
    clauses = []
    if not view.keeps_all(("readers", where.principals), lambda facet: can_read(facet.readers, where.principals)):
        readers = [PUBLIC, *map(reader_keyword, where.principals)]
        clauses.append(must_be_one_of(view.schema, "readers", readers))
    for name, values in _asked(where).items():
        if values and not view.keeps_all((name, values), partial(_is_of, name, values)):
            clauses.append(must_be_one_of(view.schema, name, values))
    for name, values in (("series", where.series), ("doc_id", where.doc_ids)):
        if values:
            clauses.append(must_be_one_of(view.schema, name, values))
    return clauses


def admitted_clauses(view: View, where: Where) -> list[Clause] | None:
    """Return the clauses of `admitted`; None where nothing can be admitted."""
    bounds: dict[str, Bounds] = {"observed": (BEGIN if where.undated else BEGIN + 1, where.known_at)}
    if where.states:
        bounds["valid_from"] = (BEGIN, where.as_of)
        bounds["until"] = (where.as_of + 1, OPEN)
        bounds["withdrawn"] = (where.known_at + 1, OPEN)
        bounds["closed"] = (min(where.as_of, where.known_at) + 1, OPEN)
    ranges = must_lie_in(view, bounds)
    if ranges is None:
        return None
    overlap = [] if where.period is None else [_must_overlap(view, *where.period)]
    return visible_clauses(view, where) + ranges + overlap


def must_lie_in(view: View, bounds: Mapping[str, Bounds]) -> list[Clause] | None:
    """Return the clauses that stamps lie between two bounds, both included.

    Bounds that everything here keeps need no clause; where one is kept by nothing, there is nothing to ask: None.
    """
    clauses = []
    for name, (low, high) in bounds.items():
        least, most = _extremes(view, name)
        if most < low or high < least:
            return None
        if least < low or high < most:
            kind = tantivy.FieldType.Integer
            query = tantivy.Query.range_query(view.schema, name, kind, lower_bound=low, upper_bound=high)
            clauses.append(_weightless(query))
    return clauses


def _overlaps(view: View, start: int, until: int) -> Mask:
    """Return (slots,) what overlaps a period: windows, events by their recorded end or as points, and the undated."""
    columns = view.columns
    point = of_kind(view, Kind.EVENT)[columns.facet + 1] & (columns.event_end == OPEN)
    standing = (columns.valid_from < until) & (columns.event_end > start) & (columns.closed > start)
    seen = (columns.observed >= start) & (columns.observed < until)
    overlapping: Mask = np.where(point, seen, standing) | (columns.observed == BEGIN)
    return overlapping


def _must_overlap(view: View, start: int, until: int) -> Clause:
    """Return the clause of `_overlaps`."""
    schema, query = view.schema, tantivy.Query
    should, must, never = tantivy.Occur.Should, tantivy.Occur.Must, tantivy.Occur.MustNot

    def lies(name: str, low: int, high: int) -> tantivy.Query:
        kind = tantivy.FieldType.Integer
        return query.range_query(schema, name, kind, lower_bound=low, upper_bound=high)

    event = query.term_query(schema, "kind", Kind.EVENT.value)
    point = query.boolean_query([(must, event), (must, lies("event_end", OPEN, OPEN))])
    standing = [
        (must, lies("valid_from", BEGIN, until - 1)),
        (must, lies("event_end", start + 1, OPEN)),
        (must, lies("closed", start + 1, OPEN)),
        (never, point),
    ]
    seen = [(must, point), (must, lies("observed", start, until - 1))]
    parts = (query.boolean_query(standing), query.boolean_query(seen), lies("observed", BEGIN, BEGIN))
    return _weightless(query.boolean_query([(should, part) for part in parts]))


def must_be_one_of(schema: tantivy.Schema, name: str, values: Iterable[str]) -> Clause:
    """Return the clause that a keyword is one of some values."""
    return _weightless(one_of(schema, name, values))


def one_of(schema: tantivy.Schema, name: str, values: Iterable[str]) -> tantivy.Query:
    """Return the query for any of some values; unlike a set query of tantivy it does not read all it could find."""
    queries = [tantivy.Query.term_query(schema, name, value) for value in dict.fromkeys(values)]
    if len(queries) == 1:
        return queries[0]
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])


def _weightless(query: tantivy.Query) -> Clause:
    return _MUST, tantivy.Query.const_score_query(query, 0.0)


def of_kind(view: View, kind: str) -> Mask:
    """Return which facets are of a kind, placed as in `View.chosen`."""
    return view.chosen(("kind", (kind,)), partial(_is_of, "kind", (kind,)))


def is_only_kind(view: View, kind: str) -> bool:
    """Return whether everything here is of one kind."""
    return view.keeps_all(("kind", (kind,)), partial(_is_of, "kind", (kind,)))


def _is_of(name: str, values: Collection[str], facet: Facet) -> bool:
    return getattr(facet, name) in values


def _wants(where: Where, facet: Facet) -> bool:
    return can_read(facet.readers, where.principals) and all(
        not values or getattr(facet, name) in values for name, values in _asked(where).items()
    )


def _asked(where: Where) -> dict[str, tuple[str, ...]]:
    """Return the attributes that are asked for, by their name in a facet."""
    return {"content_type": where.content_types, "kind": where.kinds, "source": where.sources}


def _extremes(view: View, name: str) -> Bounds:
    """Return the smallest and largest value of a column, dead slots included."""
    if name not in view.extremes:
        column: NDArray[np.int64] = getattr(view.columns, name)
        view.extremes[name] = (int(column.min(initial=OPEN)), int(column.max(initial=BEGIN)))
    return view.extremes[name]
