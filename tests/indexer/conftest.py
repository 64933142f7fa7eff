"""Owns a place for short-lived indexes."""

import shutil
import tempfile
from pathlib import Path

import pytest

# Where the system keeps files in memory; an index flushes to disk at every step, and a test reads it but once.
_MEMORY = Path("/dev/shm")


@pytest.fixture
def quick_path(tmp_path: Path):
    """Give a folder in memory where the system has one, else on disk."""
    if not _MEMORY.is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(prefix="stilltrue-", dir=_MEMORY))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
