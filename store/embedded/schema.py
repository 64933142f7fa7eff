"""Own the layout of the SQLite file: its tables, its format version, and how a connection to it is made."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

import orjson

from store.engine import EmbedderId
from store.errors import NewerFormatError, NotAStoreError

# Raised with every change of the tables that an older program could not read.
FORMAT: Final = 2
# "STLT": tells an index from any other SQLite file.
APPLICATION_ID: Final = 0x53544C54

# How long a statement waits for another connection's commit before it gives up; commits take milliseconds.
_BUSY_MS: Final = 10_000
# A vector of 512 numbers takes 2 KiB: of smaller pages, half would be empty.
_PAGE_BYTES: Final = 16_384
# Pages that the write-ahead log holds before it is copied back (32 MB): large, since an ingest writes much at once.
_CHECKPOINT_PAGES: Final = 2_000
# KiB of pages a connection keeps in memory (negative: SQLite's notation for KiB).
_CACHE_KIB: Final = -16_000

# Facets and owners are interned: most passages share them. `row` is the number of a passage for everything derived;
# it is never used again, so that an old derived part can not mistake one passage for another. A vector counts the
# passages that use it. `changes` names the rows that a sequence touched, `commits` chains the sequences by a hash.
_TABLES: Final = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (
    series TEXT PRIMARY KEY, revision INTEGER NOT NULL, body BLOB NOT NULL, versions INTEGER NOT NULL
);
CREATE TABLE documents (doc_id TEXT PRIMARY KEY, series TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX documents_series ON documents (series);
CREATE TABLE links (
    target TEXT NOT NULL, doc_id TEXT NOT NULL, series TEXT NOT NULL, PRIMARY KEY (target, doc_id)
) WITHOUT ROWID;
CREATE INDEX links_series ON links (series);
CREATE TABLE releases (
    doc_id TEXT NOT NULL, series TEXT NOT NULL, source TEXT NOT NULL, release TEXT NOT NULL, observed INTEGER NOT NULL,
    readers TEXT NOT NULL, PRIMARY KEY (doc_id, source, release)
) WITHOUT ROWID;
CREATE INDEX releases_series ON releases (series);
CREATE TABLE contents (content_hash TEXT PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE facets (
    facet INTEGER PRIMARY KEY, content_type TEXT NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL,
    readers TEXT NOT NULL, UNIQUE (content_type, kind, source, readers)
);
CREATE TABLE owners (owner INTEGER PRIMARY KEY, doc_id TEXT NOT NULL, series TEXT NOT NULL, UNIQUE (doc_id, series));
CREATE INDEX owners_series ON owners (series);
CREATE TABLE passages (
    row INTEGER PRIMARY KEY, passage_id TEXT NOT NULL UNIQUE, owner INTEGER NOT NULL, facet INTEGER NOT NULL,
    observed INTEGER NOT NULL, valid_from INTEGER NOT NULL, until INTEGER NOT NULL, withdrawn INTEGER NOT NULL,
    closed INTEGER NOT NULL, closed_by TEXT NOT NULL, event_end INTEGER NOT NULL,
    title_len INTEGER NOT NULL, body_len INTEGER NOT NULL, title_terms BLOB NOT NULL, body_terms BLOB NOT NULL,
    text_key TEXT NOT NULL, title TEXT NOT NULL, section TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX passages_owner ON passages (owner);
CREATE TABLE vectors (text_key TEXT PRIMARY KEY, uses INTEGER NOT NULL, vector BLOB NOT NULL);
CREATE TABLE changes (sequence INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (sequence, row)) WITHOUT ROWID;
CREATE TABLE commits (sequence INTEGER PRIMARY KEY, token TEXT NOT NULL);
CREATE TABLE work (series TEXT PRIMARY KEY) WITHOUT ROWID;
"""


def connect(path: Path, *, write: bool = False, create: bool = False) -> sqlite3.Connection:
    """Open a connection in autocommit mode; one that does not write can not change anything."""
    mode = "rwc" if create else "rw"
    connection = sqlite3.connect(
        f"file:{_quoted(path)}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        connection.execute(f"PRAGMA cache_size = {_CACHE_KIB}")
        if not create:
            check_format(connection, path)
        if write:
            # FULL: the truth is on the disk before anything is derived from it.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
            # What is erased is overwritten, not only unlinked.
            connection.execute("PRAGMA secure_delete = ON")
        else:
            connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def is_blank(connection: sqlite3.Connection) -> bool:
    """Tell whether a file holds nothing yet."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    return not tables and not application


def check_format(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is no index, or one of a newer format."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise NotAStoreError(
            f"store {path.parent.name!r} holds a database that is not an index", remedy="choose another place"
        )
    if found > FORMAT:
        raise NewerFormatError(f"store {path.parent.name!r}", found=found, known=FORMAT)


def lay_out(connection: sqlite3.Connection, embedder: EmbedderId) -> None:
    """Create the tables in an empty file; all of it or nothing."""
    rows = (
        ("embedder", orjson.dumps([embedder.name, embedder.version, embedder.dimension]).decode("utf-8")),
        ("generation", "1"),
        ("rows", "0"),
    )
    connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    for statement in _TABLES.split(";"):
        connection.execute(statement)
    connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)
    connection.execute("INSERT INTO commits VALUES (0, '')")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("COMMIT")


def _quoted(path: Path) -> str:
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
