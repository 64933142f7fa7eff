"""Own reading the truth: records, links, contents, and the passages of the SQLite file.

Every thread has a connection of its own, and none is carried over a fork. What is written there is
`store.embedded.writing`; what is derived from it is `store.embedded.derived`.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import orjson

from mappings.document import Kind
from mappings.record_format import record_from_json
from mappings.series import SeriesRecord, can_read
from mappings.stamps import Stamps
from store.contents import content_in
from store.embedded.schema import connect
from store.engine import Content, EmbedderId, Link, PassageText, ReleaseDay, StoredPassage

T = TypeVar("T")

# Values a statement takes at once: below the smallest limit that SQLite builds have.
_AT_ONCE: Final = 500

# Keys of the texts that are kept for whoever ingests, in the table of what describes the index itself.
NOTE: Final = "note:"

# Connections from before a fork: SQLite forbids even closing them in the child, so they are kept from the collector.
_ABANDONED: Final[list[sqlite3.Connection]] = []


class _Owned(NamedTuple):
    pid: int
    thread: threading.Thread
    connection: sqlite3.Connection


class Facet(NamedTuple):
    """What many passages share, and what filters ask for besides stamps."""

    content_type: str
    kind: str
    source: str
    readers: tuple[str, ...]


class Hit(NamedTuple):
    """What a candidate needs of its row, in the order of the statement below."""

    row: int
    passage_id: str
    doc_id: str
    series: str
    title_len: int
    body_len: int
    title_terms: bytes
    body_terms: bytes


_HITS: Final = (
    "SELECT p.row, p.passage_id, o.doc_id, o.series, p.title_len, p.body_len, p.title_terms, p.body_terms"
    " FROM passages p JOIN owners o USING (owner) WHERE p.row IN"
)
_STORED: Final = (
    "SELECT p.passage_id, o.doc_id, o.series, f.source, f.content_type, f.kind, p.text_key, f.readers, p.observed,"
    " p.valid_from, p.until, p.withdrawn, p.closed, p.closed_by, p.event_end"
    " FROM passages p JOIN owners o USING (owner) JOIN facets f USING (facet) WHERE o.series IN"
)


class Truth:
    """Reads one SQLite file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mine = threading.local()
        self._all: list[_Owned] = []

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection of this thread in this process."""
        pid, connection = getattr(self._mine, "connection", (0, None))
        if connection is None or pid != os.getpid():
            self._tidy()
            connection = connect(self.path)
            self._mine.connection = (os.getpid(), connection)
            self._all.append(_Owned(os.getpid(), threading.current_thread(), connection))
        return connection

    def close(self) -> None:
        """Close every connection of this process."""
        self._tidy()
        for owned in self._all:
            owned.connection.close()
        self._all.clear()
        self._mine = threading.local()

    def _tidy(self) -> None:
        """Close connections of threads that have ended, and put aside those of a parent process."""
        kept = []
        for owned in self._all:
            if owned.pid != os.getpid():
                _ABANDONED.append(owned.connection)
            elif owned.thread.is_alive():
                kept.append(owned)
            else:
                owned.connection.close()
        self._all = kept

    def meta(self, name: str) -> str:
        """Return a value that was written when the index was made."""
        (value,) = self.connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(value)

    def note(self, key: str) -> str | None:
        """Return a text that was kept by its key, None where none was."""
        row = self.connection.execute("SELECT value FROM meta WHERE name = ?", (NOTE + key,)).fetchone()
        return None if row is None else str(row[0])

    def embedder(self) -> EmbedderId:
        """Return which embedder made the vectors."""
        return EmbedderId(*orjson.loads(self.meta("embedder")))

    def sequence(self) -> int:
        """Return how often something was made visible to search."""
        (sequence,) = self.connection.execute("SELECT max(sequence) FROM commits").fetchone()
        return int(sequence)

    def count(self, table: str) -> int:
        """Return the number of rows of a table."""
        (rows,) = self.connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        return int(rows)

    def versions(self) -> int:
        """Return the number of versions of all documents."""
        (versions,) = self.connection.execute("SELECT coalesce(sum(versions), 0) FROM records").fetchone()
        return int(versions)

    def facets(self) -> dict[int, Facet]:
        """Return all facets by number."""
        found = self.connection.execute("SELECT facet, content_type, kind, source, readers FROM facets")
        return {
            number: Facet(content_type, kind, source, tuple(orjson.loads(readers)))
            for number, content_type, kind, source, readers in found
        }

    def hits(self, rows: Sequence[int]) -> list[Hit]:
        """Return what candidates need of these rows, in the order of passage ids; rows that are gone are absent."""
        return sorted((Hit(*found) for found in self._select(_HITS, rows)), key=lambda hit: hit.passage_id)

    def rows_of(self, series: Iterable[str], doc_ids: Iterable[str]) -> list[int]:
        """Return the rows of passages of these series and documents; of either alone where the other is empty."""
        by_series = self._owners("series", series)
        by_document = self._owners("doc_id", doc_ids)
        owners = by_series & by_document if by_series and by_document else by_series | by_document
        found = self._select("SELECT row FROM passages WHERE owner IN", sorted(owners))
        return sorted(row for (row,) in found)

    def _owners(self, column: str, values: Iterable[str]) -> set[int]:
        return {owner for (owner,) in self._select(f"SELECT owner FROM owners WHERE {column} IN", values)}

    def texts(self, passage_ids: Sequence[str]) -> dict[str, PassageText]:
        """Return the texts of passages."""
        found = self._select("SELECT passage_id, title, section, text FROM passages WHERE passage_id IN", passage_ids)
        return {row[0]: PassageText(*row) for row in found}

    def stored(self, series: Iterable[str]) -> dict[str, StoredPassage]:
        """Return everything stored for these series by passage_id, in order."""
        return {row[0]: _stored(*row) for row in sorted(self._select(_STORED, series))}

    def revisions(self, series: Iterable[str]) -> dict[str, int]:
        """Return the stored revisions of records."""
        return dict(self._select("SELECT series, revision FROM records WHERE series IN", series))

    def current(self, known: Mapping[str, int | None]) -> Iterator[tuple[str, int, int, bytes | None]]:
        """Yield key, mark, revision and body of stored records: the revision is the mark."""
        revisions = self.revisions(known)
        yield from ((key, revision, revision, None) for key, revision in revisions.items() if known[key] == revision)
        changed = [key for key, revision in revisions.items() if known[key] != revision]
        yield from ((key, revision, revision, body) for key, revision, body in self.record_bodies(changed))

    def records(self, series: Iterable[str]) -> dict[str, SeriesRecord]:
        """Return records as they are at this moment."""
        return {
            key: record_from_json(body, revision=revision) for key, revision, body in self.record_bodies(series)
        }

    def record_bodies(self, series: Iterable[str]) -> Iterator[tuple[str, int, bytes]]:
        """Yield key, revision and bytes of records."""
        yield from self._select("SELECT series, revision, body FROM records WHERE series IN", series)

    def series_keys(self) -> Iterator[str]:
        """Yield the keys of all series in order, without holding a statement open between them."""
        last: str | None = None
        while True:
            found = self.connection.execute(
                "SELECT series FROM records WHERE ? IS NULL OR series > ? ORDER BY series LIMIT ?",
                (last, last, _AT_ONCE),
            ).fetchall()
            yield from (key for (key,) in found)
            if len(found) < _AT_ONCE:
                return
            last = found[-1][0]

    def series_of(self, doc_ids: Iterable[str]) -> dict[str, str]:
        """Return the series of documents."""
        return dict(self._select("SELECT doc_id, series FROM documents WHERE doc_id IN", doc_ids))

    def inbound_links(self, doc_ids: Iterable[str]) -> dict[str, tuple[Link, ...]]:
        """Return who declares to replace these documents."""
        links: dict[str, list[Link]] = {}
        for row in sorted(self._select("SELECT target, doc_id, series FROM links WHERE target IN", doc_ids)):
            links.setdefault(row[0], []).append(Link(*row))
        return {target: tuple(found) for target, found in links.items()}

    def waiting_links(self) -> tuple[Link, ...]:
        """Return declared replacements of documents that are not here."""
        found = self.connection.execute(
            "SELECT target, doc_id, series FROM links WHERE target NOT IN (SELECT doc_id FROM documents) ORDER BY 1, 2"
        )
        return tuple(Link(*row) for row in found)

    def releases(self, principals: Iterable[str]) -> tuple[ReleaseDay, ...]:
        """Return the first day of each release that a reader may know of."""
        mine = tuple(principals)
        days: dict[tuple[str, str], int] = {}
        rows = self.connection.execute(
            "SELECT source, release, readers, min(observed) FROM releases GROUP BY source, release, readers"
        )
        for source, release, readers, observed in rows:
            if can_read(tuple(orjson.loads(readers)), mine):
                days[source, release] = min(observed, days.get((source, release), observed))
        return tuple(ReleaseDay(*key, days[key]) for key in sorted(days))

    def contents(self, hashes: Iterable[str]) -> dict[str, Content]:
        """Return whole readings by content hash."""
        found = self._select("SELECT content_hash, body FROM contents WHERE content_hash IN", hashes)
        return {key: content_in(body) for key, body in found}

    def known(self, table: str, column: str, values: Iterable[str]) -> set[str]:
        """Return which of the values a column of a table holds."""
        return {value for (value,) in self._select(f"SELECT {column} FROM {table} WHERE {column} IN", values)}

    def strays(self) -> tuple[str, ...]:
        """Return the passages whose series has no record."""
        found = self.connection.execute(
            "SELECT p.passage_id FROM owners o JOIN passages p USING (owner)"
            " WHERE o.series NOT IN (SELECT series FROM records) ORDER BY p.passage_id"
        )
        return tuple(passage_id for (passage_id,) in found)

    def pending_work(self) -> tuple[str, ...]:
        """Return the series whose write was begun and not finished."""
        return tuple(key for (key,) in self.connection.execute("SELECT series FROM work ORDER BY series"))

    def _select(self, statement: str, values: Iterable[Any]) -> Iterator[Any]:
        return select_in(self.connection, statement, values)


def select_in(connection: sqlite3.Connection, statement: str, values: Iterable[Any]) -> Iterator[Any]:
    """Yield the rows of a statement that ends in IN, for any number of distinct values."""
    distinct = iter(dict.fromkeys(values))
    while chunk := list(islice(distinct, _AT_ONCE)):
        yield from connection.execute(f"{statement} ({', '.join('?' * len(chunk))})", chunk).fetchall()


def _stored(
    passage_id: str, doc_id: str, series: str, source: str, content_type: str, kind: str, text_key: str, *rest: Any
) -> StoredPassage:
    readers, *stamps = rest
    return StoredPassage(
        passage_id,
        doc_id,
        series,
        source,
        content_type,
        Kind(kind),
        text_key,
        tuple(orjson.loads(readers)),
        Stamps(*stamps),
    )
