"""Own writing many documents: parted by bytes and number, answered item by item, sent again where the cluster is busy.

Every operation names its document, so sending one twice changes nothing. What the server refuses for good is an error
that names the document and what the server says of its field; nothing is dropped silently.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from store.errors import StoreUnavailableError
from store.opensearch.boundary import REFUSED, from_failure
from store.opensearch.cluster import Cluster

# A request of about 5 MB keeps a small node busy for some tenths of a second; more does not go faster.
_BYTES: Final = 5_000_000
_OPERATIONS: Final = 2_000
# A busy cluster is given half a second, then twice as long each time: about two minutes in all.
_TRIES: Final = 9
_PAUSE_S: Final = 0.5

_BUSY: Final = 429
# Failures of that status that do not pass by themselves.
_LASTING: Final = ("cluster_block_exception",)
_CONFLICT: Final = 409
_ABSENT: Final = 404


@dataclass(frozen=True, slots=True)
class Operation:
    """One write.

    Attributes:
        action: "index", "create" or "delete".
        document: None for a delete.
        mark: number and term of the reading that it was made from; None: whatever is there is replaced.
    """

    action: str
    index: str
    key: str
    document: Mapping[str, object] | None = None
    mark: tuple[int, int] | None = None

    def lines(self) -> bytes:
        """Return the operation as the server reads it."""
        meta: dict[str, object] = {"_index": self.index, "_id": self.key}
        if self.mark is not None:
            meta |= {"if_seq_no": self.mark[0], "if_primary_term": self.mark[1]}
        head = orjson.dumps({self.action: meta}) + b"\n"
        return head if self.document is None else head + orjson.dumps(self.document) + b"\n"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an operation: done, or refused because the document was changed meanwhile."""

    operation: Operation
    mark: tuple[int, int]
    conflict: bool = False


def write(cluster: Cluster, operations: Iterable[Operation], *, refresh: bool = False) -> list[Outcome]:
    """Do operations in order and return what became of each; raises StoreError where one was refused for good."""
    outcomes: list[Outcome] = []
    for part in _parts(operations):
        outcomes += _write_part(cluster, part, refresh=refresh)
    return outcomes


def _parts(operations: Iterable[Operation]) -> Iterator[list[tuple[Operation, bytes]]]:
    part: list[tuple[Operation, bytes]] = []
    size = 0
    for operation in operations:
        lines = operation.lines()
        if part and (size + len(lines) > _BYTES or len(part) >= _OPERATIONS):
            yield part
            part, size = [], 0
        part.append((operation, lines))
        size += len(lines)
    if part:
        yield part


def _write_part(
    cluster: Cluster, part: Sequence[tuple[Operation, bytes]], *, refresh: bool
) -> list[Outcome]:
    done: dict[int, Outcome] = {}
    waiting = list(enumerate(part))
    for pause in range(_TRIES):
        items = _send(cluster, [lines for _, (_, lines) in waiting], refresh=refresh)
        busy = []
        for place, item in zip(waiting, items, strict=True):
            at, (operation, _) = place
            if _is_busy(item):
                busy.append(place)
            else:
                done[at] = _outcome(cluster, operation, item)
        if not busy:
            return [done[at] for at in range(len(part))]
        waiting = busy
        time.sleep(_PAUSE_S * 2**pause)
    raise StoreUnavailableError(
        f"store {cluster.place} was too busy for {len(waiting)} of {len(part)} documents, the first is"
        f" {waiting[0][1][0].key!r}",
        remedy="try again when the cluster has less to do",
    )


def _is_busy(item: Mapping[str, Any]) -> bool:
    """Tell whether an operation may succeed later; a full disk has the status of a busy cluster, and stays full."""
    return int(item["status"]) == _BUSY and item.get("error", {}).get("type") not in _LASTING


def _send(cluster: Cluster, lines: Sequence[bytes], *, refresh: bool) -> list[dict[str, Any]]:
    """Return one item an operation; a request that was refused as a whole counts for each."""
    answer = cluster.bulk(b"".join(lines), refresh=refresh)
    if answer is None:
        return [{"status": _BUSY}] * len(lines)
    items = [next(iter(item.values())) for item in answer["items"]]
    if len(items) != len(lines):
        raise StoreUnavailableError(f"store {cluster.place} answered {len(items)} of {len(lines)} operations")
    return items


def _outcome(cluster: Cluster, operation: Operation, item: Mapping[str, Any]) -> Outcome:
    status = int(item["status"])
    mark = (int(item.get("_seq_no", 0)), int(item.get("_primary_term", 0)))
    if status < 300 or (status == _ABSENT and operation.action == "delete" and "error" not in item):
        return Outcome(operation, mark)
    if status == _CONFLICT:
        return Outcome(operation, mark, conflict=True)
    failure = dict(item["error"])
    failure["reason"] = f"document {operation.key!r}: {failure.get('reason')}"
    raise from_failure(failure, status, cluster.place, otherwise=REFUSED)
