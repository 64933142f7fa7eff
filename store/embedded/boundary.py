"""Own the edge to foreign code: exceptions of SQLite and the operating system become errors of the store.

Damage to what is derived is no error: it is `Damage`, and answered by building it again.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar

from store.errors import (
    NotAStoreError,
    StoreCorruptError,
    StoreError,
    StoreLockedError,
    StoreUnavailableError,
)

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="Placed")


class Damage(Exception):  # noqa: N818  # it is a finding, and never leaves this package
    """Say that something derived is missing or is not what was written."""


class Gone(Damage):
    """Say that the truth no longer has what a view has: somebody has removed it since, or it never was there."""


# By SQLite's primary result code (https://www.sqlite.org/rescode.html): what it means here, and the way out.
_BY_CODE: Final[dict[int, tuple[type[StoreError], str]]] = {
    sqlite3.SQLITE_BUSY: (StoreLockedError, "wait for the other process to finish, then try again"),
    sqlite3.SQLITE_LOCKED: (StoreLockedError, "wait for the other process to finish, then try again"),
    sqlite3.SQLITE_NOTADB: (NotAStoreError, "choose another place; this file is not an index"),
    sqlite3.SQLITE_CORRUPT: (StoreCorruptError, "restore the file from a copy, or ingest into a new place"),
    sqlite3.SQLITE_FORMAT: (StoreCorruptError, "restore the file from a copy, or ingest into a new place"),
    sqlite3.SQLITE_FULL: (StoreUnavailableError, "free space on the disk, then try again"),
    sqlite3.SQLITE_READONLY: (StoreUnavailableError, "make the folder writable for this user"),
    sqlite3.SQLITE_PERM: (StoreUnavailableError, "make the folder readable and writable for this user"),
    sqlite3.SQLITE_CANTOPEN: (StoreUnavailableError, "make the folder readable and writable for this user"),
    sqlite3.SQLITE_IOERR: (StoreUnavailableError, "check the disk"),
    sqlite3.SQLITE_NOMEM: (StoreUnavailableError, "free memory, then try again"),
}

# Where SQLite gives no code: by class, most specific first.
_BY_CLASS: Final[tuple[tuple[type[sqlite3.Error], type[StoreError]], ...]] = (
    (sqlite3.IntegrityError, StoreCorruptError),
    (sqlite3.OperationalError, StoreUnavailableError),
    (sqlite3.DataError, StoreError),
    (sqlite3.NotSupportedError, StoreError),
    (sqlite3.ProgrammingError, StoreError),
    (sqlite3.InternalError, StoreError),
    (sqlite3.InterfaceError, StoreError),
    (sqlite3.DatabaseError, StoreCorruptError),
    (sqlite3.Error, StoreError),
)


@contextmanager
def translated(place: Path) -> Iterator[None]:
    """Turn exceptions of SQLite and of the operating system into errors of the store that name the place."""
    try:
        yield
    except sqlite3.Error as error:
        raise from_sqlite(error, place) from error
    except Damage as error:
        raise StoreUnavailableError(
            f"store {place.name!r} can not build what it derives: {error}",
            remedy="check that the folder is writable and the disk not full, then try again",
        ) from error
    except OSError as error:
        raise StoreUnavailableError(
            f"store {place.name!r} can not be used: {error.strerror or error}",
            remedy="check that the folder exists, is writable, and that the disk is not full",
        ) from error


def from_sqlite(error: sqlite3.Error, place: Path) -> StoreError:
    """Return the error of the store that an exception of SQLite means."""
    primary = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF  # the low byte of an extended code
    known = _BY_CODE.get(primary)
    kind = known[0] if known else next(kind for foreign, kind in _BY_CLASS if isinstance(error, foreign))
    return kind(f"store {place.name!r} can not be used: {error}", remedy=known[1] if known else "")


@contextmanager
def damage_to(part: str) -> Iterator[None]:
    """Turn whatever reading a derived part raises into `Damage`: any of it is mended by building the part again.

    A panic of tantivy is a BaseException by the name of PanicException; every other one passes.
    """
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, IndexError, OverflowError, struct.error) as error:
        raise Damage(f"{part}: {error}") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise Damage(f"{part}: {error}") from error


class Placed(Protocol):
    """Something that lies at a place that errors can name."""

    @property
    def path(self) -> Path:
        """Folder of the store."""
        ...


def guarded(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Make a public method raise errors of the store only."""

    @wraps(method)
    def guard(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with translated(self.path):
            return method(self, *args, **kwargs)

    return guard
