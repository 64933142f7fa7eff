"""Own the filter in the two forms that this engine needs: a mask over columns and clauses of a tantivy query.

Both say the same, which a test holds; the rule itself is `mappings.stamps`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
import tantivy
from numpy.typing import NDArray

from mappings.interval import BEGIN
from mappings.series import can_read
from mappings.stamps import admits_array
from store.embedded.columns import ColumnTable
from store.embedded.derived import View
from store.embedded.terms import PUBLIC, reader_keyword
from store.embedded.truth import Facet, Truth
from store.engine import Where

Mask = NDArray[np.bool_]
Clause = tuple[tantivy.Occur, tantivy.Query]

_MUST: Final = tantivy.Occur.Must


def visible(view: View, truth: Truth, where: Where) -> Mask:
    """Return (slots,) which passages this reader may see and whose attributes are asked for, whatever their state."""
    facets = view.facets
    # Place 0 stands for the facet of the dead, which is -1.
    allowed = np.zeros(max(facets, default=0) + 2, dtype=np.bool_)
    allowed[[number + 1 for number, facet in facets.items() if _wants(where, facet)]] = True
    mask: Mask = allowed[view.columns.facet + 1]
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
    return mask


def visible_clauses(schema: tantivy.Schema, where: Where) -> list[Clause]:
    """Return the clauses of `visible`; they weigh nothing."""
    keywords: dict[str, Iterable[str]] = {
        "readers": [PUBLIC, *map(reader_keyword, where.principals)],
        "content_type": where.content_types,
        "kind": [kind.value for kind in where.kinds],
        "source": where.sources,
        "series": where.series,
        "doc_id": where.doc_ids,
    }
    return [must_be_one_of(schema, name, values) for name, values in keywords.items() if values]


def admitted_clauses(view: View, where: Where) -> list[Clause]:
    """Return the clauses of `admitted`; bounds that exclude nothing here are left out."""
    bounds: dict[str, tuple[int | None, int | None]] = {
        "observed": (None if where.undated else BEGIN + 1, where.known_at)
    }
    if where.states:
        bounds["valid_from"] = (None, where.as_of)
        bounds["until"] = (where.as_of + 1, None)
        bounds["withdrawn"] = (where.known_at + 1, None)
        bounds["closed"] = (min(where.as_of, where.known_at) + 1, None)
    ranges = [
        must_lie_in(view.schema, name, low, high)
        for name, (low, high) in bounds.items()
        if _excludes(view.columns, name, low, high)
    ]
    return visible_clauses(view.schema, where) + ranges


def must_lie_in(schema: tantivy.Schema, name: str, low: int | None, high: int | None) -> Clause:
    """Return the clause that a stamp lies between two bounds, both included."""
    integer = tantivy.FieldType.Integer
    return _weightless(tantivy.Query.range_query(schema, name, integer, lower_bound=low, upper_bound=high))


def must_be_one_of(schema: tantivy.Schema, name: str, values: Iterable[str]) -> Clause:
    """Return the clause that a keyword is one of some values."""
    return _weightless(tantivy.Query.term_set_query(schema, name, list(dict.fromkeys(values))))


def _weightless(query: tantivy.Query) -> Clause:
    return _MUST, tantivy.Query.const_score_query(query, 0.0)


def _wants(where: Where, facet: Facet) -> bool:
    asked: Mapping[str, tuple[str, ...]] = {
        facet.content_type: where.content_types,
        facet.kind: where.kinds,
        facet.source: where.sources,
    }
    return can_read(facet.readers, where.principals) and all(
        not wanted or value in wanted for value, wanted in asked.items()
    )


def _excludes(columns: ColumnTable, name: str, low: int | None, high: int | None) -> bool:
    column: NDArray[np.int64] = getattr(columns, name)
    if not len(column):
        return False
    return bool((low is not None and column.min() < low) or (high is not None and column.max() > high))
