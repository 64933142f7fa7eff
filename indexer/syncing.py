"""Own what it means that a source was read as it stands now: what came without a date of its own, and what is gone.

A reading that its own date puts last among the states of its document is an observation of that date. Any other one
(a page put back to an old text, a page that returned, an edit that left the date alone) is an observation of the
moment of the reading, with its own date kept beside; read again, it changes nothing. What a git history or an export
told is left to it: here only documents end that a reading like this one brought.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Protocol

from indexer import keys
from indexer.door import DocumentRead, Door
from indexer.sources.base import FoundDate, RawDocument, RawEnd, RawItem, Refusal, RefusalCode
from mappings.document import Observation
from mappings.interval import format_instant
from mappings.series import DocumentRecord
from mappings.version import Version, precedes, versions_of
from store.engine import Engine

SYNC: Final = "sync"
# Records read at once while looking for documents that are gone.
_BATCH: Final = 256


class Synced(Protocol):
    """A source that was read as it stands now.

    Attributes:
        source: the first part of the ids of its documents.
        seen: ids of the documents that are there; complete when the iteration has ended.
        closed: beginnings of ids below which nothing could be looked at.
    """

    source: str
    seen: list[str]
    closed: list[str]

    def __iter__(self) -> Iterator[RawItem]:
        """Yield what is there."""
        ...


@dataclass(frozen=True, slots=True)
class SyncRules:
    """How a sync deals with what is gone.

    Attributes:
        keep_missing: leave what is gone as it is.
        force: end even more than half of the documents of the source.
    """

    keep_missing: bool = False
    force: bool = False


def sync(
    source: Synced, items: Iterator[RawItem], engine: Engine, door: Door, *, rules: SyncRules = SyncRules()
) -> Iterator[RawItem]:
    """Yield the items of a source that was read as it stands now, placed in time, and then the ends of what is gone.

    Args:
        source: tells, once `items` is used up, what is there.
        items: of the source, in any form that a wrapper gave them.
        engine: holds what is known so far.
        door: reads items, and knows the moment of the reading.
        rules: see `SyncRules`.
    """
    for item in items:
        yield _placed(item, engine, door) if isinstance(item, RawDocument) and item.sync else item
    if not rules.keep_missing:
        yield from _ends(source, engine, door.now, force=rules.force)


def _placed(raw: RawDocument, engine: Engine, door: Door) -> RawDocument:
    series = engine.series_of([raw.doc_id]).get(raw.doc_id)
    if series is None:
        return raw
    read = door.read(raw)
    if not isinstance(read, DocumentRead) or read.reading.observation.draft:
        return raw  # refused by whoever reads it again, or in no order at all
    document = engine.records([series])[series].documents[raw.doc_id]
    moment = moment_of(document, read.reading.observation, now=door.now)
    return raw if moment is None else _redated(raw, moment)


def moment_of(document: DocumentRecord, new: Observation, *, now: int) -> int | None:
    """Return the moment, µs, at which a reading as of now is an observation; None: its own date is the right one.

    Args:
        document: what is known of it.
        new: the reading, not a draft.
        now: the moment of the reading.
    """
    known = [o for o in document.observations if o.observed is not None and not o.draft]
    if not known:
        return None if new.observed is None or not document.ends else _unless_leading(document, new, now)
    last = _last(document)
    if _leads(document, new, now):
        return None
    if last is not None and last.first.declared == new.declared and not _is_over(last, now):
        seen = last.observations[-1].observed
        assert seen is not None
        return seen.start
    return now


def _unless_leading(document: DocumentRecord, new: Observation, now: int) -> int | None:
    return None if _leads(document, new, now) else now


def _leads(document: DocumentRecord, new: Observation, now: int) -> bool:
    """Tell whether its own date makes a reading the last state of its document, with nothing ended after it."""
    if new.observed is None:
        return False
    others = [o for o in document.observations if o.observed is not None and not o.draft and o.declared != new.declared]
    if any(not precedes(other, new) for other in others):
        return False
    last = _last(document.merge([new]))
    return last is not None and last.first.declared == new.declared and not _is_over(last, now)


def _last(document: DocumentRecord) -> Version | None:
    dated = [version for version in versions_of(document) if not version.undated]
    return dated[-1] if dated else None


def _is_over(version: Version, now: int) -> bool:
    return version.ended_at <= now


def _redated(raw: RawDocument, moment: int) -> RawDocument:
    """Return a document observed at a moment; the dates that it has itself stand beside."""
    own = {date.key: date.value for date in raw.found if keys.field_of(date.key) == keys.OBSERVED}
    others = tuple(date for date in raw.found if keys.field_of(date.key) != keys.OBSERVED)
    found = FoundDate(keys.OBSERVED, str(format_instant(moment)), SYNC)
    return replace(raw, metadata={**own, **raw.metadata}, found=(found, *others), found_rules=True)


def _ends(source: Synced, engine: Engine, now: int, *, force: bool) -> Iterator[RawItem]:
    there, closed = set(source.seen), tuple(source.closed)
    live = [document.doc_id for document in _documents(engine, source.source) if _is_live(document, now)]
    gone = [doc_id for doc_id in live if doc_id not in there and not doc_id.startswith(closed)]
    if len(gone) * 2 > len(live) and not force:
        yield Refusal(
            source.source,
            "",
            RefusalCode.TOO_MANY_ENDS,
            f"{len(gone):,} of {len(live):,} documents of {source.source!r} are gone, more than half: none was ended",
            "use --force if that is so, --keep-missing if they are elsewhere",
        )
        return
    date = FoundDate(keys.OBSERVED, str(format_instant(now)), SYNC)
    for doc_id in gone:
        yield RawEnd(doc_id, {}, source.source, (date,), reason="gone from its source", source=SYNC)


def _documents(engine: Engine, source: str) -> Iterator[DocumentRecord]:
    """Yield the documents that readings of a source as it stood have brought, by series."""
    names = engine.series_keys()
    while batch := list(islice(names, _BATCH)):
        for record in engine.records(batch).values():
            yield from (document for document in record.documents.values() if _is_of(document, source))


def _is_of(document: DocumentRecord, source: str) -> bool:
    readings: Sequence[Observation] = document.observations
    if not document.doc_id.startswith(f"{source}/") or not readings:
        return False
    # A place in a declared order is what histories give; they tell their own ends.
    return readings[-1].attributes.source == source and any(reading.sequence is None for reading in readings)


def _is_live(document: DocumentRecord, now: int) -> bool:
    return any(version.ended_at > now for version in versions_of(document))
