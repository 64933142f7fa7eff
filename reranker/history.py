"""Own the time line of a document or series: its versions, and how each stands for a reader at a moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mappings.document import Code, Kind, State
from mappings.interval import format_instant
from mappings.metadata import metadata_values
from mappings.timeline import Standing
from reranker.hits import codes_of, dated, verified_at
from reranker.labels import label
from store.engine import Engine


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One version of a document, as it stands.

    Attributes:
        ended_at: when its document ended after it, as far as known, µs.
        observed_at, valid_from, valid_until, superseded_at, verified_at: µs; None: open, or not known.
        date_source: key, label or commit that `observed_at` was read from.
        reasons: why content type, kind and series are what they are.
        metadata: what its author declares that stilltrue has no word for.
    """

    doc_id: str
    version_id: str
    series: str
    title: str
    url: str | None
    source: str
    content_type: str
    kind: Kind
    state: State
    label: str
    observed_at: int | None
    valid_from: int | None
    valid_until: int | None
    superseded_at: int | None
    superseded_by: tuple[str, ...]
    ended_at: int | None
    verified_at: int | None
    release: str | None
    date_source: str
    date_confidence: str
    content_hash: str
    codes: tuple[Code, ...]
    reasons: tuple[str, ...]
    metadata: Mapping[str, Any] = field(hash=False)

    def to_json(self) -> dict[str, Any]:
        """Return the entry as plain data; instants as RFC 3339 in UTC."""
        instants = ("observed_at", "valid_from", "valid_until", "superseded_at", "ended_at", "verified_at")
        data = {name: getattr(self, name) for name in self.__slots__}
        data |= {name: format_instant(data[name]) for name in instants}
        return data | {name: list(map(str, data[name])) for name in ("superseded_by", "codes", "reasons")}


def history(
    engine: Engine, key: str, *, as_of: int, known_at: int, principals: Sequence[str] = ()
) -> tuple[HistoryEntry, ...]:
    """Return the versions of a document, or of all documents of a series, in the order in which they hold.

    Args:
        engine: index to read.
        key: a doc_id, else the key of a series.
        as_of: the moment that states are for, µs since 1970.
        known_at: the moment up to which something may have been known, µs; later readings do not show.
        principals: of the reader.

    Returns:
        Entries, the earliest first; none where there is nothing that this reader may know of.
    """
    series = engine.series_of([key]).get(key)
    timeline = engine.timelines([series or key]).get(series or key)
    if timeline is None:
        return ()
    rows = [
        row
        for row in timeline.standings(as_of, known_at, principals)
        if row.state is not State.FUTURE and (series is None or row.version.doc_id == key)
    ]
    rows.sort(key=lambda row: (row.version.valid_from, row.version.observed, row.version.doc_id, row.version.position))
    return tuple(_entry(row, series or key, as_of=as_of, known_at=known_at) for row in rows)


def _entry(row: Standing, series: str, *, as_of: int, known_at: int) -> HistoryEntry:
    version = row.version
    attributes = version.attributes_at(known_at)
    return HistoryEntry(
        doc_id=version.doc_id,
        version_id=version.version_id,
        series=series,
        title=attributes.title,
        url=attributes.url,
        source=attributes.source,
        content_type=attributes.content_type,
        kind=attributes.kind,
        state=row.state,
        label=label(row, as_of=as_of, known_at=known_at),
        observed_at=dated(version.observed),
        valid_from=dated(version.valid_from),
        valid_until=dated(version.valid_until),
        superseded_at=row.superseded_at,
        superseded_by=tuple(successor.doc_id for successor in row.superseded_by),
        ended_at=version.ended_at if version.ended_at <= known_at else None,
        verified_at=verified_at(version, attributes, known_at),
        release=attributes.release,
        date_source=attributes.date_source,
        date_confidence=attributes.date_confidence,
        content_hash=version.content_hash,
        codes=codes_of(row, attributes),
        reasons=attributes.reasons,
        metadata=metadata_values(attributes.metadata),
    )
