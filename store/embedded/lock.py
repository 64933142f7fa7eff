"""Own who may write: one writer at a time, over all processes, by a lock that ends with the process that holds it."""

from __future__ import annotations

import fcntl
import os
import time
import weakref
from pathlib import Path
from typing import Final

from store.errors import StoreLockedError

# How long to sleep between two tries while waiting for another writer.
_PAUSE_S: Final = 0.05


class WriterLock:
    """The right to write to one store; not carried over a fork."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        _HELD.add(self)

    def acquire(self, wait_s: float = 0.0) -> None:
        """Take the lock, waiting for at most *wait_s* seconds.

        Raises:
            StoreLockedError: somebody else holds it.
        """
        for _ in range(int(wait_s / _PAUSE_S)):
            if self.try_acquire():
                return
            time.sleep(_PAUSE_S)
        if not self.try_acquire():
            holder = self._path.read_text("ascii", "replace").strip() or "unknown"
            raise StoreLockedError(
                f"store {self._path.parent.name!r} is being written by process {holder}",
                remedy="wait for it to finish, then try again; reading is possible meanwhile",
            )

    def try_acquire(self) -> bool:
        """Take the lock if nobody holds it, another writer of this process included."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        os.truncate(file, 0)
        os.write(file, str(os.getpid()).encode("ascii"))
        self._file = file
        return True

    def release(self) -> None:
        """Let go; without the lock this does nothing."""
        if self._file is not None:
            # Unlocked, not only closed: a child that was just forked may still have the file open.
            fcntl.flock(self._file, fcntl.LOCK_UN)
            self.forget()

    def forget(self) -> None:
        """Close the file of a parent's lock in its child; the parent still holds the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


_HELD: Final[weakref.WeakSet[WriterLock]] = weakref.WeakSet()


def _let_go_in_child() -> None:
    # A forked child has a copy of the open file, and would keep the lock after its parent has died.
    for lock in list(_HELD):
        lock.forget()


os.register_at_fork(after_in_child=_let_go_in_child)
