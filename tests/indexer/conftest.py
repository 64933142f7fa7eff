"""Owns a place for short-lived indexes."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

# Where the system keeps files in memory; an index flushes to disk at every step, and a test reads it but once.
_MEMORY = Path("/dev/shm")


@contextmanager
def quick_folder() -> Iterator[Path]:
    """Give a folder for as long as it is needed, in memory where the system has one."""
    with tempfile.TemporaryDirectory(prefix="stilltrue-", dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture
def quick_path() -> Iterator[Path]:
    """Give a folder for one test, in memory where the system has one."""
    with quick_folder() as folder:
        yield folder
