"""Own what engines look up beside a record: links, releases, how many versions, readers as one text; alike on all."""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from mappings.series import SeriesRecord
from mappings.version import versions_of


def links_of(record: SeriesRecord) -> set[tuple[str, str, str]]:
    """Return who replaces whom by what the documents of a record declare; a draft declares nothing."""
    return {
        (target, doc_id, record.series)
        for doc_id, document in record.documents.items()
        for observation in document.observations
        if not observation.draft
        for target in observation.supersedes
    }


def releases_of(record: SeriesRecord) -> set[tuple[str, str, str, str, int, str]]:
    """Return which releases the dated readings of a record name, each with its first day and its readers."""
    days: dict[tuple[str, str, str], int] = {}
    for doc_id, document in record.documents.items():
        for observation in document.observations:
            attributes = observation.attributes
            if attributes.release and observation.observed is not None and not observation.draft:
                key = (doc_id, attributes.source, attributes.release)
                days[key] = min(observation.observed.start, days.get(key, observation.observed.start))
    readers = {doc_id: readers_key(document.principals) for doc_id, document in record.documents.items()}
    return {(key[0], record.series, key[1], key[2], day, readers[key[0]]) for key, day in days.items()}


def versions_in(record: SeriesRecord) -> int:
    """Return how many versions the documents of a record have."""
    return sum(len(versions_of(document)) for document in record.documents.values())


def readers_key(readers: Iterable[str]) -> str:
    """Return readers as one text, equal for equal sets."""
    return orjson.dumps(sorted(set(readers))).decode("utf-8")
