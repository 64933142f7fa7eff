"""Own the door: a raw document becomes a reading, a raw end an end, or the document is refused.

Past it values are trusted. Here the declared dates (`declared`), what the document is (`classify`) and its sections
(`sections`) come together; nothing here knows an index.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from indexer.classify import Classified, Subject, classify
from indexer.declared import Declared, read_declared, read_end
from indexer.errors import Refused
from indexer.sections import split_sections, without_blank_rim
from indexer.settings import IngestSettings
from indexer.sources.base import RawDocument, RawEnd, Refusal, RefusalCode
from mappings.document import Attributes, Observation, Reading, content_hash
from mappings.metadata import metadata_text
from mappings.profile import Profile
from mappings.series import End, Withdrawal


@dataclass(frozen=True, slots=True)
class DocumentRead:
    """A document past the door, with the withdrawal that it declares of itself."""

    location: str
    reading: Reading
    withdrawal: Withdrawal | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EndRead:
    """An end past the door."""

    location: str
    doc_id: str
    end: End


ReadItem = DocumentRead | EndRead


@dataclass(frozen=True, slots=True)
class Door:
    """What every document is read with.

    Attributes:
        now: moment of the reading, µs; kept as `read_at`, and the end of what ended without a date (lenient mode).
    """

    settings: IngestSettings
    now: int
    profiles: Mapping[str, Profile]

    def read(self, raw: RawDocument | RawEnd) -> ReadItem | Refusal:
        """Return the document or end, or its refusal with place, key and value."""
        try:
            return self._document(raw) if isinstance(raw, RawDocument) else self._end(raw)
        except Refused as refused:
            lines = raw.lines if isinstance(raw, RawDocument) else {}
            return refused.at(lines.get(refused.key, raw.location), raw.doc_id)

    def _end(self, raw: RawEnd) -> EndRead:
        at, sequence = read_end(raw, zone=self.settings.zone, mode=self.settings.mode, now=self.now)
        return EndRead(raw.location, raw.doc_id, End(at, sequence, raw.source, raw.reason))

    def _document(self, raw: RawDocument) -> DocumentRead:
        title, text = " ".join(raw.title.split()), clean_text(raw.text)
        sections = split_sections(title, text)
        if not sections:
            raise Refused(
                RefusalCode.EMPTY, "document has neither a title nor a text", "add text, or deleted: true if it ended"
            )
        declared = read_declared(raw, zone=self.settings.zone, mode=self.settings.mode)
        heading = next((section.path[0] for section in sections if section.path), "")
        subject = Subject(raw.doc_id, raw.path or raw.doc_id, title, heading)
        what = classify(subject, declared, self.settings, profiles=self.profiles)
        hashed = content_hash(title, text)
        reading = Reading(
            doc_id=raw.doc_id,
            series=what.series,
            observation=self._observation(raw, hashed, declared, what, title),
            principals=declared.principals,
            title=title,
            text=text,
            sections=sections,
        )
        return DocumentRead(raw.location, reading, _withdrawal(declared, hashed), raw.notes)

    def _observation(
        self, raw: RawDocument, hashed: str, declared: Declared, what: Classified, title: str
    ) -> Observation:
        return Observation(
            content_hash=hashed,
            observed=declared.observed,
            valid_from=declared.valid_from,
            valid_until=what.valid_until,
            until_source=what.until_source,
            supersedes=declared.supersedes,
            sequence=declared.sequence,
            draft=declared.draft,
            read_at=self.now,
            attributes=Attributes(
                content_type=what.content_type,
                kind=what.kind,
                chronicle=what.chronicle,
                title=title,
                source=declared.source or raw.source,
                url=declared.url,
                release=declared.release,
                topic=declared.topic,
                value=declared.value,
                tags=declared.tags,
                date_source=declared.date_source,
                date_confidence=declared.date_confidence,
                verified_at=declared.verified_at,
                review_by=declared.review_by,
                own_date=declared.own_date,
                reasons=what.reasons,
                metadata=metadata_text(declared.extra),
            ),
        )


def clean_text(text: str) -> str:
    """Return a text with plain line ends and nothing blank around it, so that an export's habits make no version."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(without_blank_rim(lines))


def _withdrawal(declared: Declared, hashed: str) -> Withdrawal | None:
    if declared.withdrawn is None:
        return None
    return Withdrawal(hashed, declared.withdrawn, reason=declared.withdrawn_reason)
