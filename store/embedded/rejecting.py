"""Own the file in which an embedded index keeps the log of rejections; readers of the index write it, one row each.

It is a database of its own, so that a question never waits for a writer of the truth, and each use opens it anew, so
that threads and forks share nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import orjson

from store.rejections import Rejections, rejections_from, rejections_to

FILE: Final = "rejections.sqlite"
# How long a question waits for another that writes its row.
_WAIT_S: Final = 0.25
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

_LAYOUT: Final = (
    "CREATE TABLE IF NOT EXISTS rejections (number INTEGER PRIMARY KEY, query_id TEXT NOT NULL UNIQUE,"
    " principals BLOB NOT NULL, entry BLOB NOT NULL)"
)
_PUT: Final = (
    "INSERT INTO rejections (number, query_id, principals, entry)"
    " VALUES ((SELECT coalesce(max(number), 0) + 1 FROM rejections), ?, ?, ?)"
    " ON CONFLICT (query_id) DO UPDATE SET number = excluded.number, principals = excluded.principals,"
    " entry = excluded.entry"
)
_FORGET: Final = "DELETE FROM rejections WHERE number <= (SELECT max(number) FROM rejections) - ?"
_GET: Final = "SELECT entry FROM rejections WHERE query_id = ? AND principals = ?"


class RejectionFile:
    """The log of one index."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def put(self, entry: Rejections, *, keep: int) -> None:
        """Write an entry and forget all but the newest `keep`; a damaged file is begun anew."""
        try:
            self._put(entry, keep)
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", None) not in _DAMAGED:
                raise
            self._path.unlink(missing_ok=True)
            self._put(entry, keep)

    def _put(self, entry: Rejections, keep: int) -> None:
        with self._connected() as connection, connection:
            connection.execute(_LAYOUT)
            values = orjson.dumps(rejections_to(entry))
            connection.execute(_PUT, (entry.query_id, _principals(entry.principals), values))
            connection.execute(_FORGET, (keep,))

    def get(self, query_id: str, principals: tuple[str, ...]) -> Rejections | None:
        """Return the entry of a question, for who asked it."""
        if not self._path.exists():
            return None
        with self._connected() as connection:
            connection.execute(_LAYOUT)
            row = connection.execute(_GET, (query_id, _principals(principals))).fetchone()
        return None if row is None else rejections_from(query_id, orjson.loads(row[0]))

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=_WAIT_S)) as connection:
            # A crash may cost the log: it is worth less than the time to make each entry sure.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA journal_mode = MEMORY")
            yield connection


def _principals(principals: tuple[str, ...]) -> bytes:
    return orjson.dumps(sorted(set(principals)))
