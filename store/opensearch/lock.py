"""Own who may write: one writer at a time over all machines, by a document that its holder keeps renewing.

Whether a holder is alive is told without comparing clocks. On one machine: by its process. From elsewhere: by whether
its renewals still come, watched over a lease on the watcher's own clock. A holder that was taken over, because it could
not reach the cluster for that long, is refused when it writes its next control document.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from mappings.templates import CONTROL, index_name
from store.errors import StoreError, StoreLockedError
from store.opensearch import bulk
from store.opensearch.bulk import Operation
from store.opensearch.cluster import Cluster

_DOCUMENT: Final = "writer"
# How long to sleep between two tries while waiting for another writer.
_PAUSE_S: Final = 0.2
# A renewal each ten seconds, and six that fail to come: a long pause of a virtual machine is not yet a death.
_RENEWAL_S: Final = 10.0
LEASE_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class _Seen:
    """The lock as it was read, and when that state was first seen, on this process's own clock."""

    mark: tuple[int, int]
    holder: Mapping[str, Any]
    since_s: float


class WriterLock:
    """The right to write to one store; not carried over a fork."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._index = index_name(cluster.address.name, CONTROL)
        self._seen: _Seen | None = None
        self._mark: tuple[int, int] | None = None
        self._ended = threading.Event()
        self._renewing: threading.Thread | None = None
        self._guard = threading.Lock()

    def acquire(self, wait_s: float = 0.0) -> None:
        """Take the lock, waiting for at most *wait_s* seconds.

        Raises:
            StoreLockedError: somebody else holds it.
        """
        deadline = time.monotonic() + wait_s
        while not self._try():
            if time.monotonic() >= deadline:
                holder = self._seen.holder if self._seen else {}
                raise StoreLockedError(
                    f"store {self._cluster.place} is being written by process {holder.get('pid')}"
                    f" on {holder.get('host')}",
                    remedy="wait for it to finish, then try again; reading is possible meanwhile",
                )
            time.sleep(_PAUSE_S)
        self._ended = threading.Event()
        self._renewing = threading.Thread(target=self._renew, args=(self._ended,), daemon=True)
        self._renewing.start()

    def release(self) -> None:
        """Let go; without the lock this does nothing."""
        self._ended.set()
        with self._guard:
            mark, self._mark = self._mark, None
            if mark is not None:
                with suppress(StoreError):  # the lease runs out by itself
                    bulk.write(self._cluster, [Operation("delete", self._index, _DOCUMENT, mark=mark)])

    def _try(self) -> bool:
        now = self._look()
        if now is None:
            return self._write("create", None)
        gone = now.holder["host"] == socket.gethostname() and not _is_alive(now.holder["pid"])
        # Without renewals a holder of this machine is gone too: another process may have its number now.
        return (gone or time.monotonic() - now.since_s > LEASE_S) and self._write("index", now.mark)

    def _look(self) -> _Seen | None:
        document = self._cluster.get(self._index, _DOCUMENT)
        if document is None:
            self._seen = None
            return None
        mark = (document["_seq_no"], document["_primary_term"])
        if self._seen is None or self._seen.mark != mark:
            self._seen = _Seen(mark, document["_source"]["body"], time.monotonic())
        return self._seen

    def _write(self, action: str, mark: tuple[int, int] | None) -> bool:
        holder = {"host": socket.gethostname(), "pid": os.getpid()}
        document = {"what": _DOCUMENT, "key": _DOCUMENT, "body": holder}
        operation = Operation(action, self._index, _DOCUMENT, document, mark)
        (outcome,) = bulk.write(self._cluster, [operation])
        if not outcome.conflict:
            self._mark = outcome.mark
        return not outcome.conflict

    def _renew(self, ended: threading.Event) -> None:
        while not ended.wait(_RENEWAL_S):
            with self._guard:
                if self._mark is None or ended.is_set():
                    return
                with suppress(StoreError):  # the next one may come through; if none does, the lease runs out
                    if not self._write("index", self._mark):
                        return


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
