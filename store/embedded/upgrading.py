"""Own bringing the SQLite file of an older program to the present layout, in one transaction.

    format 1 → 2   each record keeps the number of its versions
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from mappings.record_format import record_from_json
from store.embedded.schema import FORMAT, connect
from store.recorded import versions_in


def is_older(path: Path) -> bool:
    """Tell whether a file was laid out by an older program."""
    with closing(connect(path)) as connection:
        return _format(connection) < FORMAT


def upgrade(path: Path) -> None:
    """Bring a file to the present layout; the caller holds the writer's lock."""
    with closing(connect(path, write=True)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        if _format(connection) < FORMAT:  # somebody else may have done it meanwhile
            _count_versions(connection)
            connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute("COMMIT")


def _count_versions(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE records ADD COLUMN versions INTEGER NOT NULL DEFAULT 0")
    bodies = connection.execute("SELECT series, body FROM records ORDER BY series")
    counts = [(versions_in(record_from_json(body)), series) for series, body in bodies]
    connection.executemany("UPDATE records SET versions = ? WHERE series = ?", counts)


def _format(connection: sqlite3.Connection) -> int:
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    return int(found)
