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
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mappings.document import Code, Kind, Section
from mappings.errors import BadValueError
from mappings.interval import BEGIN, OPEN
from mappings.series import SeriesRecord
from mappings.stamps import Stamps
from mappings.timeline import Timeline

Vector: TypeAlias = NDArray[np.float32]
Counts: TypeAlias = NDArray[np.int32]
Instants: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class EmbedderId:
    """Which embedder made the vectors of an index; an index holds those of one only."""

    name: str
    version: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Where:
    """Which passages may be candidates. Both legs apply all of it before they cut to their depth.

    Attributes:
        as_of: T, the moment for which the answer must hold.
        known_at: K, the moment up to which something may have been known.
        principals: of the reader; without them only passages that everybody may read are seen.
        states: whether stamps are applied; without them everything observed by K is a candidate, also what is out.
        undated: whether passages without a usable date may be candidates.
        content_types, kinds, sources, series, doc_ids: where not empty, a passage must have one of them.
        period: [start, until) in µs that a passage must overlap; an event without a recorded end must have been
            observed inside it, and what carries no date stays. None: no such bound.
    """

    as_of: int
    known_at: int
    principals: tuple[str, ...] = ()
    states: bool = True
    undated: bool = True
    content_types: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    sources: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    period: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        for name in ("as_of", "known_at"):
            if not BEGIN < getattr(self, name) < OPEN:
                raise BadValueError(f"{name} must be an instant in µs since 1970, got {getattr(self, name)!r}")


@dataclass(frozen=True, slots=True)
class PassageRow:
    """One passage as it is stored.

    Attributes:
        passage_id: unique in the index; putting it again replaces what is there.
        title: of the document; section: heading path, empty at the top of a document.
        text: what a reader is shown.
        title_terms: analysed title and section heading; body_terms: analysed text (`store.analysis`).
        text_key: identity of what was embedded; passages with equal keys have equal vectors.
        readers: principals who may read it; empty: everybody.
    """

    passage_id: str
    doc_id: str
    series: str
    source: str
    content_type: str
    kind: Kind
    title: str
    section: str
    text: str
    title_terms: tuple[str, ...]
    body_terms: tuple[str, ...]
    text_key: str
    readers: tuple[str, ...]
    stamps: Stamps


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """What is stored of a passage besides its words: for recovery and for checking an index against its records."""

    passage_id: str
    doc_id: str
    series: str
    source: str
    content_type: str
    kind: Kind
    text_key: str
    readers: tuple[str, ...]
    stamps: Stamps


@dataclass(frozen=True, slots=True)
class PassageText:
    """What a reader is shown of a passage."""

    passage_id: str
    title: str
    section: str
    text: str


@dataclass(frozen=True, slots=True)
class Content:
    """What one content hash stands for: the whole reading of a document, kept once."""

    title: str
    text: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """Candidates of both legs as columns: n passages, sorted by passage_id, and q distinct terms of the question.

    Attributes:
        terms: (q,) the distinct terms, in the order in which the question first has them.
        passage_ids, doc_ids, series, content_types, kinds: (n,).
        title_tf, body_tf: (n, q) how often each term stands in title and body.
        title_len, body_len: (n,) number of terms.
        cosine: (n,) exact cosine with the question's vector, for every candidate of either leg; 0 without a vector.
        observed: (n,) µs, from which the age counts; `mappings.interval.BEGIN` where undated.
        from_lexical, from_dense: (n,) which leg brought it.
    """

    terms: tuple[str, ...]
    passage_ids: list[str]
    doc_ids: list[str]
    series: list[str]
    content_types: list[str]
    kinds: list[Kind]
    title_tf: Counts
    body_tf: Counts
    title_len: Counts
    body_len: Counts
    cosine: Floats
    observed: Instants
    from_lexical: Bools
    from_dense: Bools

    def __len__(self) -> int:
        return len(self.passage_ids)


@dataclass(frozen=True, slots=True)
class Statistics:
    """Exact statistics over all passages of the index, live or not, readable or not.

    Attributes:
        terms: (q,) the distinct terms asked for; df: (q,) passages that hold the term in title or body.
        title_avg, body_avg: mean number of terms per passage; 0 in an empty index.
    """

    terms: tuple[str, ...]
    passages: int
    df: Instants
    title_avg: float
    body_avg: float


@dataclass(frozen=True, slots=True)
class Link:
    """A declared replacement: document `doc_id` of `series` takes the place of document `target`."""

    target: str
    doc_id: str
    series: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of the index that does not agree with the truth.

    Attributes:
        part: "truth", "terms", "vectors" or "columns".
        key: what it is about, a passage_id where there is one.
    """

    part: str
    key: str
    detail: str


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What lies in an index.

    Attributes:
        sequence: counts what was made visible to search.
        embedder: None while nothing was written.
        undated: passages without a usable date; pending: series whose write is not finished.
    """

    engine: str
    index: str
    generation: int
    sequence: int
    embedder: EmbedderId | None
    documents: int
    series: int
    passages: int
    undated: int
    pending: int


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

    def contents(self, hashes: Iterable[str]) -> dict[str, Content]:
        """Return whole readings by content hash; unknown ones are absent."""
        ...

    def note(self, key: str) -> str | None:
        """Return what `Writer.keep_note` kept, None where nothing was."""
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
