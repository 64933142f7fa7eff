"""Own what would be stored, and why: a source is read past the door, and nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from indexer.door import DocumentRead, Door, EndRead
from indexer.settings import IngestSettings
from indexer.sources.base import Refusal
from indexer.sources.dateorder import settle_dates
from indexer.sources.opening import SourceRequest, open_source
from mappings.interval import format_instant
from mappings.metadata import metadata_values
from mappings.profile import DEFAULT_PROFILES, Profile


@dataclass(frozen=True, slots=True)
class Preview:
    """What would become of one item of a source.

    Attributes:
        action: `store`, `end` or `refuse`.
        facts: for `store`: title, dates and what they were read from, type, kind, series, readers.
        reasons: why it is what it is; for `refuse`: what is wrong, and what puts it right.
    """

    action: str
    doc_id: str
    location: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        shown = {"action": self.action, "doc_id": self.doc_id, "location": self.location}
        return {**shown, **self.facts, "reasons": list(self.reasons)}


def preview_source(
    request: SourceRequest, settings: IngestSettings, *, now: int, profiles: Mapping[str, Profile] = DEFAULT_PROFILES
) -> Iterator[Preview]:
    """Yield what each item of a source would become, in reading order.

    What depends on the index (whether an edit is new, what has gone) is not known here.

    Raises:
        SourceError: the source can not be opened or read.
    """
    door = Door(settings, now, profiles)
    source = open_source(request, options=settings.reader_options())
    for item in settle_dates(source, order=settings.date_order):
        read = item if isinstance(item, Refusal) else door.read(item)
        if isinstance(read, Refusal):
            yield Preview("refuse", read.doc_id, read.location, {"code": read.code}, (read.detail, read.remedy))
        elif isinstance(read, EndRead):
            at = format_instant(read.end.at.start)
            yield Preview("end", read.doc_id, read.location, {"at": at}, (read.end.reason,))
        else:
            yield _stored(read)


def _stored(read: DocumentRead) -> Preview:
    reading, observation = read.reading, read.reading.observation
    attributes = observation.attributes
    facts = {
        "title": reading.title,
        "observed_at": format_instant(observation.observed.start) if observation.observed else None,
        "date_source": attributes.date_source,
        "date_confidence": attributes.date_confidence,
        "valid_from": format_instant(observation.valid_from),
        "valid_until": format_instant(observation.valid_until),
        "content_type": attributes.content_type,
        "kind": attributes.kind,
        "series": reading.series,
        "supersedes": list(observation.supersedes),
        "principals": list(reading.principals),
        "draft": observation.draft,
        "metadata": metadata_values(attributes.metadata),
    }
    dated = f"date: {attributes.date_source}" if observation.observed else "date: none"
    return Preview("store", reading.doc_id, read.location, facts, (dated, *attributes.reasons, *read.notes))
