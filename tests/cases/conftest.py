"""Owns the index that a case gets, in memory where the system has a place for that."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases.shelf import Shelf

_MEMORY = Path("/dev/shm")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """Give a folder for a short-lived index."""
    if not _MEMORY.is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(prefix="stilltrue-", dir=_MEMORY))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def shelf(place: Path) -> Shelf:
    """Give an empty index in strict mode."""
    return Shelf(place)


@pytest.fixture
def lenient(place: Path) -> Shelf:
    """Give an empty index in lenient mode."""
    return Shelf(place, mode="lenient")
