"""Own writing the truth: passages, stamps, readers, contents, records, and the log of what changed.

What is put lies in one open transaction until `refresh` commits it and has it derived; then searches see it. A commit
of records is a transaction of its own, after that. An exception drops what was not refreshed.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from mappings.record_format import record_to_json
from mappings.series import SeriesRecord
from mappings.stamps import Stamps
from store.contents import content_out
from store.embedded.boundary import guarded
from store.embedded.derived import Derived
from store.embedded.rows import passage_values, stamp_values
from store.embedded.truth import NOTE, select_in
from store.engine import Content, PassageRow, Vector
from store.errors import RowError, StaleRecordError, StoreLockedError
from store.passages import check_rows, check_stamps
from store.recorded import links_of, readers_key, releases_of, versions_in

# Changes that are kept to catch up from; a derived folder that is further behind is built again.
_LOG_ROWS: Final = 200_000

_PUT: Final = f"INSERT OR REPLACE INTO passages VALUES ({', '.join('?' * 19)})"
_STAMP: Final = (
    "UPDATE passages SET observed = ?, valid_from = ?, until = ?, withdrawn = ?, closed = ?, closed_by = ?,"
    " event_end = ? WHERE row = ?"
)
_STAMPS: Final = (
    "SELECT passage_id, row, observed, valid_from, until, withdrawn, closed, closed_by, event_end"
    " FROM passages WHERE passage_id IN"
)


class EmbeddedWriter:
    """Writes to one store; made by the holder of the writer's lock."""

    def __init__(self, path: Path, connection: sqlite3.Connection, derived: Derived, dimension: int) -> None:
        self.path = path
        self._connection = connection
        self._derived = derived
        self._dimension = dimension
        self._pid = os.getpid()
        self._touched: set[int] = set()
        self._unused: tuple[set[str], set[int]] = (set(), set())  # text keys and owners that may be used no more
        self._token = hashlib.blake2b(digest_size=16)

    @property
    def is_of_parent(self) -> bool:
        """Whether this is the child of the process that writes."""
        return self._pid != os.getpid()

    @guarded
    def begin_work(self, series: Iterable[str]) -> None:
        """Record which series are about to change."""
        self._begin()
        self._connection.executemany("INSERT OR IGNORE INTO work VALUES (?)", [(key,) for key in series])

    @guarded
    def finish_work(self, series: Iterable[str]) -> None:
        """Record that the write of these series is complete."""
        self._begin()
        self._connection.executemany("DELETE FROM work WHERE series = ?", [(key,) for key in series])

    @guarded
    def known_contents(self, hashes: Iterable[str]) -> set[str]:
        """Return which content hashes are kept."""
        return self._known("contents", "content_hash", hashes)

    @guarded
    def keep_contents(self, contents: Mapping[str, Content]) -> None:
        """Keep whole readings by content hash."""
        self._begin()
        missing = sorted(contents.keys() - self.known_contents(contents))
        rows = ((key, content_out(contents[key])) for key in missing)
        self._connection.executemany("INSERT INTO contents VALUES (?, ?)", rows)

    @guarded
    def drop_contents(self, hashes: Iterable[str]) -> None:
        """Erase readings for good."""
        self._begin()
        self._connection.executemany("DELETE FROM contents WHERE content_hash = ?", [(key,) for key in hashes])

    @guarded
    def known_vectors(self, text_keys: Iterable[str]) -> set[str]:
        """Return for which text keys a vector is stored."""
        return self._known("vectors", "text_key", text_keys)

    @guarded
    def put(self, rows: Sequence[PassageRow], vectors: Mapping[str, Vector]) -> None:
        """Store passages with their vectors; nothing is stored where a row is refused."""
        check_rows(rows, vectors, self.known_vectors({row.text_key for row in rows}), self._dimension)
        self._begin()
        numbers = self._number(rows, vectors)
        owners = self._intern("owners", [(row.doc_id, row.series) for row in rows])
        facets = self._intern("facets", [_facet(row) for row in rows])
        values = [
            passage_values(numbers[row.passage_id], row, owners[row.doc_id, row.series], facets[_facet(row)])
            for row in rows
        ]
        self._connection.executemany(_PUT, values)
        for row in rows:
            facet = facets[_facet(row)]
            self._touch(numbers[row.passage_id], row.passage_id, row.text_key, facet, *stamp_values(row.stamps))

    @guarded
    def stamp(self, stamps: Mapping[str, Stamps]) -> None:
        """Replace the stamps of stored passages; equal ones cost nothing."""
        check_stamps(stamps)
        self._begin()
        stored = {row[0]: (row[1], row[2:]) for row in select_in(self._connection, _STAMPS, stamps)}
        absent = sorted(stamps.keys() - stored.keys())
        if absent:
            raise RowError(f"passage must be stored before it is stamped, got {absent[0]!r}", remedy="put it first")
        changed = [
            (stored[key][0], stamp_values(new))
            for key, new in stamps.items()
            if stored[key][1] != stamp_values(new)
        ]
        self._connection.executemany(_STAMP, [(*values, row) for row, values in changed])
        for row, values in changed:
            self._touch(row, *values)

    @guarded
    def set_readers(self, readers: Mapping[str, tuple[str, ...]]) -> None:
        """Replace who may read the passages of documents."""
        self._begin()
        query = (
            "SELECT p.row, o.doc_id, f.content_type, f.kind, f.source, f.readers"
            " FROM passages p JOIN owners o USING (owner) JOIN facets f USING (facet) WHERE o.doc_id IN"
        )
        wanted = {
            row: (*facet, readers_key(readers[doc_id]))
            for row, doc_id, *facet, now in select_in(self._connection, query, readers)
            if now != readers_key(readers[doc_id])
        }
        numbers = self._intern("facets", list(wanted.values()))
        changed = [(numbers[facet], row) for row, facet in sorted(wanted.items())]
        self._connection.executemany("UPDATE passages SET facet = ? WHERE row = ?", changed)
        for facet, row in changed:
            self._touch(row, facet)

    @guarded
    def remove(self, passage_ids: Iterable[str]) -> None:
        """Erase passages, and vectors that no other passage uses."""
        self._begin()
        self._remove(passage_ids)

    @guarded
    def refresh(self) -> None:
        """Make everything so far durable and visible to search."""
        self._stay_home()
        if self._connection.in_transaction:
            self._log_changes()
            self._drop_unused()
            self._connection.execute("COMMIT")
        self._derived.catch_up()

    @guarded
    def commit(self, records: Sequence[SeriesRecord]) -> dict[str, int]:
        """Store records, all or none, each on the revision that it was read at."""
        self.refresh()
        self._begin()
        try:
            revisions = self._store_records(records)
        except BaseException:
            self.abandon()
            raise
        self._connection.execute("COMMIT")
        return revisions

    @guarded
    def keep_note(self, key: str, text: str) -> None:
        """Keep a text by key."""
        self._begin()
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (NOTE + key, text))

    @guarded
    def rebuild(self) -> None:
        """Build again everything that is derived from the truth."""
        self.refresh()
        self._derived.rebuild()

    def abandon(self) -> None:
        """Drop what was not refreshed."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._touched.clear()
        self._unused = (set(), set())

    def _stay_home(self) -> None:
        if self.is_of_parent:
            raise StoreLockedError(
                f"a writer must not be used after a fork, process {self._pid} is writing",
                remedy="open a writer in the child when the parent's is closed",
            )

    def _begin(self) -> None:
        self._stay_home()
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
            (token,) = self._connection.execute(
                "SELECT token FROM commits ORDER BY sequence DESC LIMIT 1"
            ).fetchone()
            self._token = hashlib.blake2b(token.encode("ascii"), digest_size=16)

    def _touch(self, row: int, *values: object) -> None:
        self._touched.add(row)
        self._token.update(repr((row, *values)).encode("utf-8"))

    def _log_changes(self) -> None:
        if not self._touched:
            return
        (last,) = self._connection.execute("SELECT max(sequence) FROM commits").fetchone()
        rows = [(last + 1, row) for row in sorted(self._touched)]
        self._connection.executemany("INSERT INTO changes VALUES (?, ?)", rows)
        self._connection.execute("INSERT INTO commits VALUES (?, ?)", (last + 1, self._token.hexdigest()))
        self._touched.clear()
        self._trim_log()

    def _trim_log(self) -> None:
        (kept,) = self._connection.execute("SELECT count(*) FROM changes").fetchone()
        if kept <= 2 * _LOG_ROWS:
            return
        query = "SELECT sequence FROM changes ORDER BY sequence DESC LIMIT 1 OFFSET ?"
        (oldest,) = self._connection.execute(query, (_LOG_ROWS,)).fetchone()
        # The commit itself stays: what has reached it can catch up from the changes after it.
        self._connection.execute("DELETE FROM changes WHERE sequence <= ?", (oldest,))
        self._connection.execute("DELETE FROM commits WHERE sequence < ?", (oldest,))

    def _known(self, table: str, column: str, values: Iterable[str]) -> set[str]:
        query = f"SELECT {column} FROM {table} WHERE {column} IN"
        return {value for (value,) in select_in(self._connection, query, values)}

    def _number(self, rows: Sequence[PassageRow], vectors: Mapping[str, Vector]) -> dict[str, int]:
        """Return the row of each passage by its id, with its vector kept.

        A passage whose text is there keeps its row: whoever searches what was visible before finds it all the while.
        """
        query = "SELECT passage_id, text_key, row, owner FROM passages WHERE passage_id IN"
        texts = {row.passage_id: row.text_key for row in rows}
        kept = [found for found in select_in(self._connection, query, texts) if texts[found[0]] == found[1]]
        numbers = {passage_id: number for passage_id, _, number, _ in kept}
        self._unused[1].update(owner for _, _, _, owner in kept)
        fresh = [row for row in rows if row.passage_id not in numbers]
        self._remove([row.passage_id for row in fresh])
        self._use_vectors(fresh, vectors)
        first = self._take_numbers(len(fresh))
        return numbers | {row.passage_id: first + at for at, row in enumerate(fresh)}

    def _take_numbers(self, count: int) -> int:
        (last,) = self._connection.execute("SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'rows'").fetchone()
        self._connection.execute("UPDATE meta SET value = ? WHERE name = 'rows'", (str(last + count),))
        return int(last) + 1

    def _intern(self, table: str, values: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
        """Return the numbers of rows of a table of distinct values, adding what is new in the order given."""
        names = {"owners": "doc_id, series", "facets": "content_type, kind, source, readers"}[table]
        marks = ", ".join("?" * (names.count(",") + 1))
        numbers: dict[tuple[str, ...], int] = {}
        for value in dict.fromkeys(values):
            self._connection.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", value)
            query = f"SELECT rowid FROM {table} WHERE ({names}) = ({marks})"
            (numbers[value],) = self._connection.execute(query, value).fetchone()
        return numbers

    def _use_vectors(self, rows: Sequence[PassageRow], vectors: Mapping[str, Vector]) -> None:
        uses = Counter(row.text_key for row in rows)
        stored = self.known_vectors(uses)
        new = [
            (key, count, np.asarray(vectors[key], dtype=np.float32).tobytes())
            for key, count in uses.items()
            if key not in stored
        ]
        self._connection.executemany("INSERT INTO vectors VALUES (?, ?, ?)", new)
        more = [(count, key) for key, count in uses.items() if key in stored]
        self._connection.executemany("UPDATE vectors SET uses = uses + ? WHERE text_key = ?", more)

    def _remove(self, passage_ids: Iterable[str]) -> None:
        query = "SELECT row, text_key, owner FROM passages WHERE passage_id IN"
        gone = sorted(select_in(self._connection, query, passage_ids))
        self._connection.executemany("DELETE FROM passages WHERE row = ?", [(row,) for row, _, _ in gone])
        uses = Counter(text_key for _, text_key, _ in gone)
        self._connection.executemany(
            "UPDATE vectors SET uses = uses - ? WHERE text_key = ?", [(count, key) for key, count in uses.items()]
        )
        for row, text_key, owner in gone:
            self._touch(row)
            self._unused[0].add(text_key)
            self._unused[1].add(owner)

    def _drop_unused(self) -> None:
        text_keys, owners = self._unused
        self._connection.executemany(
            "DELETE FROM vectors WHERE text_key = ? AND uses <= 0", [(key,) for key in sorted(text_keys)]
        )
        self._connection.executemany(
            "DELETE FROM owners WHERE owner = ? AND owner NOT IN (SELECT owner FROM passages)",
            [(owner,) for owner in sorted(owners)],
        )
        self._unused = (set(), set())

    def _store_records(self, records: Sequence[SeriesRecord]) -> dict[str, int]:
        query = "SELECT series, revision FROM records WHERE series IN"
        stored = dict(select_in(self._connection, query, [record.series for record in records]))
        for record in records:
            found = stored.get(record.series, 0)
            if found != record.revision:
                raise StaleRecordError(record.series, expected=record.revision, found=found)
        erased = [record for record in records if not record.documents]
        self._connection.executemany("DELETE FROM records WHERE series = ?", [(r.series,) for r in erased])
        kept = [record for record in records if record.documents]
        begun = self._first_revision(erased)
        revisions = {r.series: (r.revision + 1 if r.revision else begun) if r.documents else 0 for r in records}
        self._connection.executemany(
            "INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)",
            [(r.series, revisions[r.series], record_to_json(r), versions_in(r)) for r in kept],
        )
        self._store_table("documents", records, {(doc_id, r.series) for r in kept for doc_id in r.documents})
        self._store_table("links", records, {link for record in kept for link in links_of(record)})
        self._store_table("releases", records, {row for record in kept for row in releases_of(record)})
        return revisions

    def _first_revision(self, erased: Sequence[SeriesRecord]) -> int:
        """Return the revision of a new record: past all that were erased, so that no reader takes one for the other."""
        row = self._connection.execute("SELECT value FROM meta WHERE name = 'erased_revision'").fetchone()
        last = int(row[0]) if row else 0
        highest = max([last, *(record.revision for record in erased)])
        if highest > last:
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('erased_revision', ?)", (str(highest),))
        return highest + 1

    def _store_table(self, table: str, records: Sequence[SeriesRecord], wanted: set[tuple[Any, ...]]) -> None:
        """Make the rows of these series in a table those wanted; what a document left behind elsewhere goes."""
        stored = set(
            select_in(self._connection, f"SELECT * FROM {table} WHERE series IN", [r.series for r in records])
        )
        columns = _TABLE_COLUMNS[table]
        matching = " AND ".join(f"{column} = ?" for column in columns)
        self._connection.executemany(f"DELETE FROM {table} WHERE {matching}", sorted(stored - wanted))
        marks = ", ".join("?" * len(columns))
        self._connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", sorted(wanted - stored))


_TABLE_COLUMNS: Final = {
    "documents": ("doc_id", "series"),
    "links": ("target", "doc_id", "series"),
    "releases": ("doc_id", "series", "source", "release", "observed", "readers"),
}


def _facet(row: PassageRow) -> tuple[str, str, str, str]:
    return row.content_type, row.kind.value, row.source, readers_key(row.readers)
