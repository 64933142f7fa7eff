"""Own how what was read joins the records: readings, ends and withdrawals of a batch, document by document.

The records that come out do not depend on the order of arrival. Two things that a document has only one of, its
readers and its series, are those of its latest reading in the order of the document; of two readings at one place the
one read last decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from indexer.classify import KIND_BY_DEFAULT, KIND_BY_STATES
from indexer.desk import Desk
from indexer.door import DocumentRead, EndRead, ReadItem
from indexer.report import IngestReport, Note
from indexer.settings import IngestSettings
from indexer.sources.base import Refusal, RefusalCode
from mappings.document import Attributes, Kind, Observation
from mappings.interval import DAY, Span, format_instant
from mappings.series import DocumentRecord, Withdrawal, observation_key, principals_key
from mappings.version import precedes

# A day in a zone other than UTC touches two; what touches more was given as a month or a year, and is rare.
_FEW_DAYS: Final = 2


@dataclass(frozen=True, slots=True)
class WithdrawalRead:
    """A withdrawal of a text of a document, from the command line or a service."""

    location: str
    doc_id: str
    withdrawal: Withdrawal


Change = ReadItem | WithdrawalRead


def doc_id_of(change: Change) -> str:
    """Return which document a change is about."""
    return change.reading.doc_id if isinstance(change, DocumentRead) else change.doc_id


def merge_batch(changes: Sequence[Change], desk: Desk, settings: IngestSettings, report: IngestReport) -> None:
    """Lay a batch on the desk, and count and note what became of it."""
    by_document: dict[str, list[Change]] = {}
    for change in changes:
        by_document.setdefault(doc_id_of(change), []).append(change)
    desk.fetch_documents(by_document)
    desk.fetch_series(c.reading.series for c in changes if isinstance(c, DocumentRead))
    for doc_id, mine in by_document.items():
        _Document(doc_id, desk, report, strict=settings.mode == "strict").merge(mine)


class _Document:
    """One document taking in what a batch says about it."""

    def __init__(self, doc_id: str, desk: Desk, report: IngestReport, *, strict: bool) -> None:
        self._desk, self._report, self._strict = desk, report, strict
        self._home = desk.home(doc_id) or doc_id
        self._record = self._before = desk.document(doc_id) or DocumentRecord(doc_id)
        self._held = {_place(o): o for o in self._before.observations}
        self._near = _Near(self._before.observations)
        self._where: dict[tuple[object, ...], str] = {}
        self._new: list[Observation] = []

    def merge(self, changes: Iterable[Change]) -> None:
        """Take all changes in and lay the document down if it is another one than before."""
        ends, withdrawals = [], []
        for change in changes:
            if isinstance(change, DocumentRead):
                if refusal := self._read(change):
                    self._report.refused.append(refusal)
                elif change.withdrawal:
                    withdrawals.append(change.withdrawal)
            elif isinstance(change, EndRead):
                ends.append(change.end)
            else:
                withdrawals.append(change.withdrawal)
        merged = settled(self._record.merge(self._new, ends, withdrawals))
        self._report.ended += len(merged.ends) - len(self._before.ends)
        self._report.withdrawn += len(merged.withdrawals) - len(self._before.withdrawals)
        if merged != self._before or self._home != self._desk.home(merged.doc_id):
            self._desk.put(merged, self._home)

    def _read(self, change: DocumentRead) -> Refusal | None:
        observation = change.reading.observation
        place = _place(observation)
        if self._strict and (clash := self._clash(observation)):
            return self._refusal(change, clash)
        held = self._held.get(place)
        self._count(observation, held)
        # When an undated text was read last decides whether an end closes it, so a repeat of it counts.
        later = observation.observed is None and held is not None and observation.read_at > held.read_at
        if held is None or later or not _alike(observation, held):
            self._take(observation)
            self._where[place] = change.location
        self._take_readers_and_series(change)
        self._report.notes += [Note(change.location, change.reading.doc_id, note) for note in change.notes]
        return None

    def _take(self, observation: Observation) -> None:
        """Keep a reading; of undated ones the one read last stands alone."""
        if observation.observed is None:
            others = [o for o in self._held.values() if o.observed is None and o.draft == observation.draft]
            if any(other.read_at > observation.read_at for other in others):
                return
            self._new = [o for o in self._new if o not in others]
            self._held = {place: o for place, o in self._held.items() if o not in others}
        self._held[_place(observation)] = observation
        self._near.add(observation)
        self._new.append(observation)

    def _count(self, observation: Observation, held: Observation | None) -> None:
        if held is None:
            self._report.added += 1
            self._report.undated += observation.observed is None
        elif _alike(observation, held):
            self._report.unchanged += 1
        else:
            self._report.updated += 1

    def _take_readers_and_series(self, change: DocumentRead) -> None:
        reading = change.reading
        if reading.observation.draft:
            return  # it replaces nothing, so it says nothing about readers, and has no place among others
        if principals_key(reading.observation) >= self._record.principals_key:
            self._home = reading.series
        self._record = self._record.with_principals(reading.principals, reading.observation)

    def _clash(self, observation: Observation) -> Observation | None:
        """Return a reading of the document that this one can not be ordered against, None where there is none."""
        if observation.observed is None or observation.draft:
            return None
        for other in self._near.overlapping(observation):
            ordered = precedes(other, observation) or precedes(observation, other)
            if other.declared != observation.declared and not ordered:
                return other
        return None

    def _refusal(self, change: DocumentRead, other: Observation) -> Refusal:
        span = change.reading.observation.observed
        assert span is not None
        where = self._where.get(_place(other), "the index")
        same_text = other.content_hash == change.reading.observation.content_hash
        what = "other dates" if same_text else "another text"
        return Refusal(
            change.location,
            change.reading.doc_id,
            RefusalCode.UNORDERED,
            f"id {change.reading.doc_id!r} stands twice at {format_instant(span.start)} with {what} "
            f"(also at {where}), and nothing says which is the later",
            "give each document its own id, a more exact observed_at or a sequence; or ingest with --lenient",
        )


class _Near:
    """Find the dated readings that share an instant with one: those of its days, and those given as months or years."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        self._by_day: dict[int, list[Observation]] = {}
        self._long: list[Observation] = []
        for observation in observations:
            self.add(observation)

    def add(self, observation: Observation) -> None:
        """Take in a reading; drafts and undated ones are in no order."""
        if observation.draft or observation.observed is None:
            return
        days = _days(observation.observed)
        if len(days) > _FEW_DAYS:
            self._long.append(observation)
            return
        for day in days:
            self._by_day.setdefault(day, []).append(observation)

    def overlapping(self, observation: Observation) -> Iterator[Observation]:
        """Yield the readings that overlap a dated one; one may come twice."""
        assert observation.observed is not None
        days = _days(observation.observed)
        few = days if len(days) <= _FEW_DAYS else sorted(self._by_day)
        near = (other for day in few for other in self._by_day.get(day, ()))
        for other in (*near, *self._long):
            if other.observed is not None and other.observed.overlaps(observation.observed):
                yield other


def _days(span: Span) -> range:
    return range(span.start // DAY, (span.end - 1) // DAY + 1)


def settled(document: DocumentRecord) -> DocumentRecord:
    """Return a document whose kind, where nothing else decides it, tells whether it has several states."""
    states = {o.declared for o in document.observations if not o.draft}
    if len(states) < 2 or all(o.attributes.kind is not Kind.STATIC for o in document.observations):
        return document
    cache: dict[Attributes, Attributes] = {}
    observations = tuple(
        replace(o, attributes=cache.setdefault(o.attributes, _versioned(o.attributes))) for o in document.observations
    )
    return replace(document, observations=observations)


def _versioned(attributes: Attributes) -> Attributes:
    if KIND_BY_DEFAULT not in attributes.reasons:
        return attributes
    reasons = tuple(KIND_BY_STATES if reason == KIND_BY_DEFAULT else reason for reason in attributes.reasons)
    return replace(attributes, kind=Kind.VERSIONED, reasons=reasons)


def _place(observation: Observation) -> tuple[object, ...]:
    """Return what makes two readings one: an undated one is told by its text alone."""
    if observation.observed is None:
        return (observation.draft, *observation.declared)
    return observation_key(observation)


def _alike(new: Observation, held: Observation) -> bool:
    """Tell whether a reading says nothing that is not held, whenever it was read."""
    same = replace(new, read_at=held.read_at)
    return same == held or replace(same, attributes=_versioned(new.attributes)) == held
