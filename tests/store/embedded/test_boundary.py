"""No foreign exception leaves the engine: each class and code of SQLite has its error."""

import inspect
import sqlite3
from pathlib import Path

import pytest

from store.embedded.boundary import _BY_CLASS, _BY_CODE, Damage, damage_to, from_sqlite, translated
from store.errors import (
    NotAStoreError,
    StoreCorruptError,
    StoreError,
    StoreLockedError,
    StoreUnavailableError,
)

PLACE = Path("/some/where/index")
FOREIGN = sorted(
    (kind for _, kind in inspect.getmembers(sqlite3, inspect.isclass) if issubclass(kind, sqlite3.Error)),
    key=lambda kind: kind.__name__,
)


def coded(code: int) -> sqlite3.Error:
    """Return an exception of SQLite with a result code."""
    error = sqlite3.OperationalError("the words of SQLite")
    error.sqlite_errorcode = code
    return error


def test_every_class_of_sqlite_has_its_own_row():
    """A class that a newer Python brings is found here before it is found by a user."""
    assert sorted(kind.__name__ for kind, _ in _BY_CLASS) == [kind.__name__ for kind in FOREIGN]


def test_rows_go_from_special_to_general():
    """No row hides a later one."""
    kinds = [kind for kind, _ in _BY_CLASS]
    assert all(
        not issubclass(later, earlier) for at, earlier in enumerate(kinds) for later in kinds[at + 1 :]
    )


@pytest.mark.parametrize("kind", FOREIGN, ids=lambda kind: kind.__name__)
def test_every_exception_of_sqlite_is_translated(kind):
    """What is raised is an error of the store that names the place, with the original as its cause."""
    with pytest.raises(StoreError, match="store 'index' can not be used: words") as caught, translated(PLACE):
        raise kind("words")
    assert isinstance(caught.value.__cause__, kind)
    assert "/some" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_BUSY, StoreLockedError),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreLockedError),
        (sqlite3.SQLITE_NOTADB, NotAStoreError),
        (sqlite3.SQLITE_CORRUPT, StoreCorruptError),
        (sqlite3.SQLITE_CORRUPT_VTAB, StoreCorruptError),
        (sqlite3.SQLITE_FULL, StoreUnavailableError),
        (sqlite3.SQLITE_READONLY_DBMOVED, StoreUnavailableError),
        (sqlite3.SQLITE_IOERR_READ, StoreUnavailableError),
        (sqlite3.SQLITE_ERROR, StoreUnavailableError),
    ],
)
def test_codes_decide_before_classes(code, kind):
    """The result code, extended or not, says what it was; without a row for it, the class does."""
    assert type(from_sqlite(coded(code), PLACE)) is kind


@pytest.mark.parametrize("code", sorted(_BY_CODE))
def test_every_code_has_a_remedy(code):
    """Whatever can be done about it is said."""
    assert from_sqlite(coded(code), PLACE).remedy


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), FileNotFoundError(2, "No such file")])
def test_the_operating_system_is_translated(error):
    """Its refusals are errors of the store too."""
    with pytest.raises(StoreUnavailableError, match=error.strerror), translated(PLACE):
        raise error


def test_damage_that_can_not_be_mended_is_an_error():
    """What could not be built again is said, and does not leave as a finding."""
    with pytest.raises(StoreUnavailableError, match="can not build what it derives: vectors: cut"), translated(PLACE):
        raise Damage("vectors: cut")


def test_other_exceptions_pass():
    """An exception of the program itself is not dressed up."""
    with pytest.raises(ZeroDivisionError), translated(PLACE):
        _ = 1 / 0
    with pytest.raises(ZeroDivisionError), damage_to("part"):
        _ = 1 / 0


def test_a_panic_is_damage():
    """A panic of the library below is told by its name, since it is no Exception; an interrupt passes."""
    panic = type("PanicException", (BaseException,), {})
    with pytest.raises(Damage, match="terms: boom"), damage_to("terms"):
        raise panic("boom")
    with pytest.raises(KeyboardInterrupt), damage_to("terms"):
        raise KeyboardInterrupt
