"""Own the filter of a question as clauses of a query; the rule of the stamps is `mappings.stamps`."""

from __future__ import annotations

from collections.abc import Collection

from mappings.document import Kind
from mappings.interval import BEGIN, OPEN
from mappings.stamps import Clause, admits_clauses, bound
from store.opensearch.documents import asked_readers
from store.values import Where


def visible(where: Where) -> list[Clause]:
    """Return what all must match for this reader to see a passage whose attributes are asked for."""
    asked: tuple[tuple[str, Collection[str]], ...] = (
        ("content_type", where.content_types),
        ("kind", [kind.value for kind in where.kinds]),
        ("source", where.sources),
        ("series", where.series),
        ("doc_id", where.doc_ids),
    )
    readers = one_of("readers", asked_readers(where.principals))
    return [readers, *(one_of(name, values) for name, values in asked if values)]


def admitted(where: Where) -> list[Clause]:
    """Return what all must match for a passage to be a candidate."""
    clauses = visible(where)
    if where.states:
        clauses += admits_clauses(where.as_of, where.known_at)
    else:
        clauses.append(bound("observed", lte=where.known_at))
    if not where.undated:
        clauses.append(bound("observed", gt=BEGIN))
    if where.period is not None:
        clauses.append(_overlaps(*where.period))
    return clauses


def one_of(name: str, values: Collection[str]) -> Clause:
    """Return the clause that a keyword is one of some values."""
    return {"terms": {name: list(dict.fromkeys(values))}}


def all_of(clauses: list[Clause]) -> Clause:
    """Return the query that weighs nothing and matches what all clauses match."""
    return {"bool": {"filter": clauses}}


def _overlaps(start: int, until: int) -> Clause:
    """Return the clause of what overlaps a period: windows, events by their recorded end or as points, the undated."""
    point = all_of([{"term": {"kind": Kind.EVENT.value}}, bound("event_end", gte=OPEN)])
    window = [bound("valid_from", lt=until), bound("event_end", gt=start), bound("closed", gt=start)]
    standing = {"bool": {"filter": window, "must_not": [point]}}
    seen = all_of([point, bound("observed", gte=start, lt=until)])
    return {"bool": {"should": [standing, seen, bound("observed", lte=BEGIN)], "minimum_should_match": 1}}
