"""An index of an older program is brought to the present layout when it is opened, and says what it said before."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from store.embedded import schema
from store.embedded.lock import WriterLock
from store.errors import StoreLockedError
from tests.store.worlds import Place, found, put, record, row


@pytest.fixture
def older(tmp_path) -> Place:
    """Give an index as format 1 had it: records without the number of their versions."""
    place = Place(f"embedded:{tmp_path / 'index'}", tmp_path / "index")
    with closing(place.make()) as engine:
        put(engine, row("a#1"))
        with engine.writer() as writer:
            writer.commit([record("s", "a", "b"), record("t", "c")])
    with closing(sqlite3.connect(place.path / "store.sqlite")) as connection:
        connection.execute("ALTER TABLE records DROP COLUMN versions")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    return place


def format_of(folder: Path) -> int:
    """Return the format that the file of an index names."""
    with closing(sqlite3.connect(folder / "store.sqlite")) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def test_is_upgraded_once_it_is_opened(older):
    """The versions are counted, nothing else changes, and the next opening finds the present format."""
    for _ in range(2):
        with closing(older.open()) as engine:
            assert (engine.info().versions, found(engine), engine.check()) == (3, ["a#1"], ())
        assert format_of(older.path) == schema.FORMAT


def test_waits_for_no_writer_for_ever(older, monkeypatch):
    """While another process writes, the index is left as it is, and that is said."""
    monkeypatch.setattr("store.embedded.engine._TRIES", 1)
    lock = WriterLock(older.path / "lock")
    lock.acquire(0.0)
    with pytest.raises(StoreLockedError):
        older.open()
    lock.release()
    assert format_of(older.path) == 1


def test_damaged_record_leaves_the_file_as_it_was(older, tmp_path):
    """An upgrade that can not be finished changes nothing."""
    with closing(sqlite3.connect(older.path / "store.sqlite")) as connection:
        connection.execute("UPDATE records SET body = 'none' WHERE series = 's'")
        connection.commit()
    shutil.copytree(older.path, tmp_path / "copy")
    with pytest.raises(Exception, match="record must be readable"):
        older.open()
    assert format_of(older.path) == 1
