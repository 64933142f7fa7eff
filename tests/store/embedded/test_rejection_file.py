"""The file of the log of rejections costs at most its entries, and none of its errors leaves the engine."""

import sqlite3

import pytest

from store.errors import StoreError
from tests.store.test_rejections import entry


def test_damaged_log_is_begun_anew(engine, tmp_path):
    """A log that can not be read any more costs its entries, not the next ones."""
    (tmp_path / "index" / "rejections.sqlite").write_bytes(b"nonsense" * 200)
    engine.log_rejections(entry(), keep=10)
    assert engine.rejections("q") == entry()


def test_log_that_can_not_be_written_is_an_error_of_the_store(engine, tmp_path):
    """No exception of SQLite leaves the engine."""
    (tmp_path / "index" / "rejections.sqlite").mkdir()
    with pytest.raises(StoreError) as refusal:
        engine.log_rejections(entry(), keep=10)
    assert isinstance(refusal.value.__cause__, sqlite3.Error)
