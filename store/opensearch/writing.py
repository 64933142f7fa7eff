"""Own writing to a cluster: what is put is held back until `refresh`, then sent in an order that a crash can not break.

    refresh   work that is begun, readings → control says unfinished → passages → made visible → control counts them →
              work that is finished, notes, readings that go
    commit    refresh, then records by compare-and-set

Until then nothing is on the cluster, so an exception drops it. The control document is written by compare-and-set, so
a writer that another has taken over is told before its passages are sent.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mappings.names import label_of
from mappings.series import SeriesRecord
from mappings.stamps import Stamps
from store.contents import content_out
from store.errors import RowError, StoreLockedError
from store.opensearch import bulk
from store.opensearch.bulk import Operation
from store.opensearch.cluster import Cluster
from store.opensearch.control import Control, Held, recount, save_control
from store.opensearch.documents import Document, document_of, key_of, numbers, sent, stamped, stamps_of, value_in
from store.opensearch.layout import make_dated
from store.opensearch.pending import Pending, distinct, find
from store.opensearch.reading import Reader
from store.opensearch.records import Records
from store.passages import check_rows, check_stamps
from store.values import Content, PassageRow, Vector

WORK = "work"
NOTE = "note"


class OpenSearchWriter:
    """Writes to one store; made by the holder of the writer's lock."""

    def __init__(self, reader: Reader, records: Records) -> None:
        self._reader, self._records = reader, records
        self._cluster: Cluster = reader.cluster
        self._pid = os.getpid()
        self._pending = Pending(self._cluster)
        self._contents: dict[str, Content | None] = {}
        self._work: dict[str, bool] = {}  # by series: whether it is begun, else finished
        self._begun: set[str] = set()
        self._notes: dict[str, str] = {}

    @property
    def _control(self) -> Control:
        return self._reader.control()

    def begin_work(self, series: Iterable[str]) -> None:
        """Record which series are about to change."""
        for key in series:
            self._work[key] = True
            self._begun.add(key)

    def finish_work(self, series: Iterable[str]) -> None:
        """Record that the write of these series is complete."""
        self._work |= dict.fromkeys(series, False)

    def known_contents(self, hashes: Iterable[str]) -> set[str]:
        """Return which content hashes are kept."""
        wanted = set(hashes)
        asked = sorted(wanted - self._contents.keys())
        found = self._cluster.documents(self._control.contents, map(key_of, asked), False)
        held = {key for key in wanted if self._contents.get(key) is not None}
        return held | {key for key in asked if key_of(key) in found}

    def keep_contents(self, contents: Mapping[str, Content]) -> None:
        """Keep whole readings by content hash."""
        known = self.known_contents(contents)
        self._contents |= {key: content for key, content in contents.items() if key not in known}

    def drop_contents(self, hashes: Iterable[str]) -> None:
        """Erase readings for good."""
        self._contents |= dict.fromkeys(hashes)

    def known_vectors(self, text_keys: Iterable[str]) -> set[str]:
        """Return for which text keys a vector is stored."""
        return self._pending.known_vectors(self._control, text_keys)

    def put(self, rows: Sequence[PassageRow], vectors: Mapping[str, Vector]) -> None:
        """Hold back passages with their vectors; nothing is kept where a row is refused."""
        absent = {row.text_key for row in rows} - vectors.keys()
        known = self._pending.vectors(self._control, absent) if absent else {}
        check_rows(rows, vectors, known, self._control.embedder.dimension)
        given = known | {key: numbers(vectors[key]) for key in sorted({row.text_key for row in rows} - absent)}
        for row in rows:
            self._pending.put(document_of(row, given[row.text_key]))

    def stamp(self, stamps: Mapping[str, Stamps]) -> None:
        """Hold back other stamps of stored passages; equal ones cost nothing."""
        check_stamps(stamps)
        stored = self._pending.load(self._control, stamps)
        absent = sorted(stamps.keys() - stored.keys())
        if absent:
            raise RowError(f"passage must be stored before it is stamped, got {absent[0]!r}", remedy="put it first")
        for key, new in stamps.items():
            if stamps_of(stored[key]) != new:
                self._pending.put(stamped(stored[key], new))

    def set_readers(self, readers: Mapping[str, tuple[str, ...]]) -> None:
        """Hold back who may read the passages of documents."""
        self._pending.set_readers(self._control, readers)

    def remove(self, passage_ids: Iterable[str]) -> None:
        """Hold back that passages go, and with them vectors that no other passage uses."""
        for passage_id in passage_ids:
            self._pending.remove(passage_id)

    def keep_note(self, key: str, text: str) -> None:
        """Keep a text by key."""
        self._notes[key] = text

    def refresh(self) -> None:
        """Make everything so far durable and visible to search."""
        self._stay_home()
        self._send_rows(self._row(WORK, key) for key in sorted(self._begun))
        self._begun.clear()
        kept = {key: content for key, content in sorted(self._contents.items()) if content is not None}
        bulk.write(self._cluster, (self._content(key, content) for key, content in kept.items()))
        if self._pending.documents:
            self._send_passages()
        self._send_rows(self._last_rows())
        gone = sorted(key for key, content in self._contents.items() if content is None)
        index = self._control.contents
        bulk.write(self._cluster, (Operation("delete", index, key_of(key)) for key in gone))
        self.abandon()

    def commit(self, records: Sequence[SeriesRecord]) -> dict[str, int]:
        """Store records, all or none, each on the revision that it was read at."""
        self.refresh()
        return self._records.commit(records)

    def rebuild(self) -> None:
        """Build again what is derived: what is looked up beside records, and what the control document counts."""
        self.refresh()
        self._records.mend()
        self.mend(everything=True)

    def mend(self, *, everything: bool = False) -> None:
        """Finish what an interrupted writer left: copies of passages that were on their way, and the counts."""
        control = self._control
        if not (control.unfinished or everything):
            return
        self._cluster.refresh(control.all_dated())
        self._drop_old_copies(control)
        counted = recount(self._cluster, control, control.held)
        # Something may have become visible since the last count.
        more = control.unfinished
        self._save(replace(counted, unfinished=False, sequence=control.sequence + more))

    def abandon(self) -> None:
        """Drop what was not refreshed."""
        self._pending.clear()
        for held in (self._contents, self._work, self._begun, self._notes):
            held.clear()

    def _stay_home(self) -> None:
        if self._pid != os.getpid():
            raise StoreLockedError(
                f"a writer must not be used after a fork, process {self._pid} is writing",
                remedy="open a writer in the child when the parent's is closed",
            )

    def _save(self, control: Control) -> Control:
        return self._reader.learn(save_control(self._cluster, control))

    def _send_passages(self) -> None:
        """Send what is held back, and count what the indices hold then."""
        documents = self._pending.documents
        places = self._places(list(documents))
        if not places and not any(documents.values()):
            return
        # What an attempt that failed has left uncounted is counted with this one.
        left = set(self._control.all_dated()) if self._control.unfinished else set()
        control = self._begin(documents.values())
        operations = list(self._operations(control, places))
        bulk.write(self._cluster, operations)
        touched = left | {operation.index for operation in operations}
        self._cluster.refresh(touched)
        labels = [label for label in control.held if control.dated(label) in touched]
        counted = recount(self._cluster, control, labels)
        self._save(replace(counted, unfinished=False, sequence=control.sequence + 1))

    def _places(self, keys: Sequence[str]) -> dict[str, set[str]]:
        """Return in which indices passages are stored, by key."""
        places: dict[str, set[str]] = {}
        for hit in find(self._cluster, self._control, "_id", keys, ("written",), False):
            places.setdefault(hit["_id"], set()).add(hit["_index"])
        return places

    def _begin(self, documents: Iterable[Document | None]) -> Control:
        """Make the dated indices that are needed, and say that passages are on their way."""
        control = self._control
        needed = {label_of(each["observed"], control.period) for each in documents if each is not None}
        fresh = sorted(needed - control.held.keys())
        for label in fresh:
            make_dated(self._cluster, control, label)
        return self._save(replace(control, held={**control.held, **dict.fromkeys(fresh, Held())}, unfinished=True))

    def _operations(self, control: Control, places: Mapping[str, set[str]]) -> Iterator[Operation]:
        """Yield each write of a passage, and then that its copies elsewhere go."""
        for key, document in self._pending.documents.items():
            stored = places.get(key, set())
            if document is not None:
                index = control.dated(label_of(document["observed"], control.period))
                stored = stored - {index}
                yield Operation("index", index, key, sent(document, control.sequence + 1))
            yield from (Operation("delete", index, key) for index in sorted(stored))

    def _drop_old_copies(self, control: Control) -> None:
        """Erase all copies of passages but those written last."""
        operations = [Operation("delete", index, key) for index, key in old_copies(self._cluster, control)]
        bulk.write(self._cluster, operations)
        self._cluster.refresh({operation.index for operation in operations})

    def _last_rows(self) -> Iterator[Operation]:
        """Yield what is recorded after the passages are visible."""
        for key in sorted(key for key, begun in self._work.items() if not begun):
            yield self._row(WORK, key, gone=True)
        for key in sorted(self._notes):
            yield self._row(NOTE, key, {"text": self._notes[key]})

    def _send_rows(self, operations: Iterable[Operation]) -> None:
        bulk.write(self._cluster, operations, refresh=True)

    def _row(self, what: str, key: str, body: Mapping[str, str] | None = None, *, gone: bool = False) -> Operation:
        document = {"what": what, "key": key, "body": body or {}}
        index, row_id = self._control.own, row_key(what, key)
        return Operation("delete", index, row_id) if gone else Operation("index", index, row_id, document)

    def _content(self, key: str, content: Content) -> Operation:
        body = base64.b64encode(content_out(content)).decode("ascii")
        return Operation("index", self._control.contents, key_of(key), {"body": body})


def row_key(what: str, key: str) -> str:
    """Return the id of a small document beside the control."""
    return key_of(f"{what}:{key}")


def old_copies(cluster: Cluster, control: Control) -> Iterator[tuple[str, str]]:
    """Yield index and key of every copy of a passage that is not the one written last; reads the whole index."""
    for values in distinct(cluster, control, "passage_id"):
        twice = [key_of(passage_id) for passage_id, count in values if count > 1]
        copies: dict[str, list[tuple[int, str]]] = {}
        for hit in find(cluster, control, "_id", twice, ("written",), False):
            copies.setdefault(hit["_id"], []).append((value_in(hit, "written", 0), hit["_index"]))
        for key, places in copies.items():
            yield from ((index, key) for _, index in sorted(places)[:-1])
