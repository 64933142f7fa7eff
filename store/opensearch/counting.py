"""Own what is counted rather than found: how many passages hold a term, and what the stamps keep out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mappings.document import Code
from mappings.stamps import Clause, excluded_clauses
from store.opensearch.filters import all_of, one_of, visible
from store.opensearch.searching import Search
from store.values import Where

# Terms that are counted in one search: each is one bucket of an aggregation.
_AT_ONCE: Final = 500
_TERM: Final = "term "


def frequencies(indices: Sequence[str], terms: Sequence[str]) -> Iterator[Search]:
    """Yield the searches that count the passages with each of some distinct terms, whatever their state or readers."""
    for start in range(0, len(terms), _AT_ONCE):
        part = terms[start : start + _AT_ONCE]
        filters = {f"{_TERM}{term}": {"term": {"any_terms": term}} for term in part}
        yield _counts(indices, [one_of("any_terms", part)], filters)


def frequencies_in(answer: Mapping[str, Any]) -> dict[str, int]:
    """Return the counts by term from the answer to one of those searches."""
    return {name.removeprefix(_TERM): found for name, found in _buckets(answer).items()}


def excluded(indices: Sequence[str], terms: Sequence[str], where: Where) -> Search:
    """Return the search that counts passages with any of the terms by the first stamp that excludes them."""
    reasons = excluded_clauses(where.as_of, where.known_at)
    filters = {f"r{at}": clause for at, (_, clause) in enumerate(reasons)}
    return _counts(indices, [one_of("any_terms", terms), *visible(where)], filters)


def excluded_in(where: Where, answer: Mapping[str, Any]) -> dict[Code, int]:
    """Return the counts by code from the answer to that search, zeros left out."""
    buckets = _buckets(answer)
    counts: dict[Code, int] = {}
    for at, (code, _) in enumerate(excluded_clauses(where.as_of, where.known_at)):
        if found := buckets[f"r{at}"]:
            counts[code] = counts.get(code, 0) + found
    return counts


def _counts(indices: Sequence[str], among: list[Clause], filters: Mapping[str, Clause]) -> Search:
    body = {
        "size": 0,
        "track_total_hits": False,
        "query": all_of(among),
        "aggs": {"counts": {"filters": {"filters": dict(filters)}}},
    }
    return {"index": list(indices)}, body


def _buckets(answer: Mapping[str, Any]) -> dict[str, int]:
    return {name: bucket["doc_count"] for name, bucket in answer["aggregations"]["counts"]["buckets"].items()}
