"""Own the protocol that every engine speaks: what is put in, what comes out, and in which order it becomes visible.

An engine stores passages with their stamps, finds candidates in two legs (words and vectors), and keeps the series
records. It does not rank: a candidate comes back as counted terms and an exact cosine, and `reranker.core` makes the
score. It does not decide what holds: the filter (`mappings.stamps`) lets through what may be live, and the records
decide.

The order of writing, for any number of documents at once (a crash between two steps leaves nothing half in force;
`pending_work` then names the series to finish):

    begin_work → keep_contents, put, stamp (what opens) → refresh → commit → stamp (what closes) → refresh → finish_work

Instants are int64 µs since 1970. Results never depend on the order in which things were put.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from mappings.document import Code
from mappings.series import SeriesRecord
from mappings.stamps import Stamps
from mappings.timeline import Timeline
from store.rejections import Rejections
from store.values import (
    Bools,
    Columns,
    Content,
    Counts,
    Difference,
    EmbedderId,
    EngineInfo,
    Floats,
    Instants,
    Link,
    PassageRow,
    PassageText,
    ReleaseDay,
    Statistics,
    StoredPassage,
    Vector,
    Where,
)

__all__ = [  # the values are named here too: they are what the protocol speaks
    "Bools",
    "Columns",
    "Content",
    "Counts",
    "Difference",
    "EmbedderId",
    "Engine",
    "EngineInfo",
    "Floats",
    "Instants",
    "Link",
    "PassageRow",
    "PassageText",
    "ReleaseDay",
    "Statistics",
    "StoredPassage",
    "Vector",
    "Where",
    "Writer",
]


class Writer(Protocol):
    """Changes an index; one at a time over all processes. What it put is found after `refresh`."""

    def begin_work(self, series: Iterable[str]) -> None:
        """Record which series are about to change, so that an interrupted write is found and finished."""
        ...

    def finish_work(self, series: Iterable[str]) -> None:
        """Record that the write of these series is complete."""
        ...

    def known_contents(self, hashes: Iterable[str]) -> set[str]:
        """Return which content hashes are kept."""
        ...

    def keep_contents(self, contents: Mapping[str, Content]) -> None:
        """Keep whole readings by content hash; what is kept already stays as it is."""
        ...

    def drop_contents(self, hashes: Iterable[str]) -> None:
        """Erase readings for good."""
        ...

    def known_vectors(self, text_keys: Iterable[str]) -> set[str]:
        """Return for which text keys a vector is stored, so that it need not be computed again."""
        ...

    def put(self, rows: Sequence[PassageRow], vectors: Mapping[str, Vector]) -> None:
        """Store passages; each needs a vector by its text key, here or stored before.

        Args:
            rows: replace stored passages of the same ids, stamps and readers included.
            vectors: by text key, (dimension,) float32 of length 1 (or all zeros: found by words only).

        Raises:
            RowError: a vector is missing or has another dimension or is not finite, a term is empty or holds
                white space, or an instant does not fit 64 bits. Nothing of the call is stored.
        """
        ...

    def stamp(self, stamps: Mapping[str, Stamps]) -> None:
        """Replace the stamps of stored passages. Raises RowError for a passage that is not stored."""
        ...

    def set_readers(self, readers: Mapping[str, tuple[str, ...]]) -> None:
        """Replace who may read the passages of documents, by doc_id."""
        ...

    def remove(self, passage_ids: Iterable[str]) -> None:
        """Erase passages with their texts and, where no other passage shares them, vectors; unknown ids are fine."""
        ...

    def refresh(self) -> None:
        """Make everything so far durable and visible to search."""
        ...

    def commit(self, records: Sequence[SeriesRecord]) -> dict[str, int]:
        """Store records, all or none, and return the new revision of each series. Refreshes first.

        Each record's `revision` must be the stored one (0: not stored yet). A record without documents is erased.

        Raises:
            StaleRecordError: a record was changed since it was read.
        """
        ...

    def rebuild(self) -> None:
        """Build again everything that is derived from the truth."""
        ...

    def keep_note(self, key: str, text: str) -> None:
        """Keep a text of whoever ingests (how far a source was read), in place of an earlier one of that key."""
        ...


class Engine(Protocol):
    """An index: found in, read, and opened for writing. Safe to use from several threads and after a fork."""

    def info(self) -> EngineInfo:
        """Return what lies here."""
        ...

    def search(self, terms: Sequence[str], vector: Vector | None, where: Where, *, depth: int) -> Columns:
        """Return the union of the best `depth` passages by words and the best `depth` by vector.

        Args:
            terms: analysed terms of the question, repeats included; empty: the leg of words brings nothing.
            vector: (dimension,) of the question; None or all zeros: the leg of vectors brings nothing.
            where: applied inside both legs.
            depth: candidates per leg, at least 1. Ties at the cut are resolved by passage, never by arrival.
        """
        ...

    def newest(self, terms: Sequence[str], vector: Vector | None, where: Where, *, limit: int) -> Columns:
        """Return the `limit` passages that were observed last, as the same columns; neither leg brought them.

        Args:
            terms: counted, not looked for.
            vector: measured against, not looked for.
            where: which passages may be among them.
            limit: at least 1. Ties at the cut are resolved by passage.
        """
        ...

    def statistics(self, terms: Sequence[str]) -> Statistics:
        """Return exact statistics for the distinct terms, in the order in which they first stand."""
        ...

    def excluded(self, terms: Sequence[str], where: Where) -> dict[Code, int]:
        """Count passages that hold any of the terms by the first stamp that excludes them, zeros left out.

        Readers and attributes of `where` apply, so nothing is counted that this reader may not see.
        """
        ...

    def texts(self, passage_ids: Sequence[str]) -> dict[str, PassageText]:
        """Return the texts of passages; unknown ids are absent."""
        ...

    def stored(self, series: Iterable[str]) -> dict[str, StoredPassage]:
        """Return everything stored for these series by passage_id, whatever its state or readers."""
        ...

    def records(self, series: Iterable[str]) -> dict[str, SeriesRecord]:
        """Return records as they are at this moment; series without one are absent."""
        ...

    def timelines(self, series: Iterable[str]) -> dict[str, Timeline]:
        """Return what follows from the records at this moment; kept between calls while a record does not change."""
        ...

    def series_keys(self) -> Iterator[str]:
        """Yield the keys of all series in order."""
        ...

    def series_of(self, doc_ids: Iterable[str]) -> dict[str, str]:
        """Return the series of documents; unknown ones are absent."""
        ...

    def inbound_links(self, doc_ids: Iterable[str]) -> dict[str, tuple[Link, ...]]:
        """Return who declares to replace these documents, also from other series, sorted; without links: absent."""
        ...

    def waiting_links(self) -> tuple[Link, ...]:
        """Return declared replacements of documents that are not here, sorted."""
        ...

    def releases(self, principals: Iterable[str] = ()) -> tuple[ReleaseDay, ...]:
        """Return the named releases of what this reader may read, by source, with the day of each, sorted."""
        ...

    def contents(self, hashes: Iterable[str]) -> dict[str, Content]:
        """Return whole readings by content hash; unknown ones are absent."""
        ...

    def note(self, key: str) -> str | None:
        """Return what `Writer.keep_note` kept, None where nothing was."""
        ...

    def log_rejections(self, entry: Rejections, *, keep: int) -> None:
        """Keep what a question left out, and only the newest `keep` entries; an entry of the same id is replaced."""
        ...

    def rejections(self, query_id: str, principals: Iterable[str] = ()) -> Rejections | None:
        """Return what a question left out, for the reader who asked it; None for anybody else, and once forgotten."""
        ...

    def strays(self) -> tuple[str, ...]:
        """Return the passages whose series has no record, sorted; only a write that is not finished leaves some."""
        ...

    def pending_work(self) -> tuple[str, ...]:
        """Return the series whose write was begun and not finished, in order."""
        ...

    def check(self) -> tuple[Difference, ...]:
        """Compare everything derived with the truth; reads the whole index."""
        ...

    def writer(self, *, wait_s: float = 0.0) -> AbstractContextManager[Writer]:
        """Open the one writer; leaving the block refreshes, or drops what was not refreshed after an exception.

        Args:
            wait_s: seconds to wait for another writer.

        Raises:
            StoreLockedError: another process, or another writer of this one, is writing.
        """
        ...

    def close(self) -> None:
        """Let go of files and connections; a closed engine opens them again when it is used."""
        ...
