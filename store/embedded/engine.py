"""Own the embedded engine: one folder with the truth, what is derived from it, and the lock of its writer.

    store.sqlite   the truth        derived/   terms, columns, vectors        lock   held while somebody writes

A search takes a view of what is derived. Where that is behind the truth because a writer was interrupted, or damaged,
whoever comes next and gets the lock mends it; while a writer is at work, searches see the sequence before.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from mappings.document import Code
from mappings.errors import BadValueError
from mappings.interval import BEGIN
from mappings.series import SeriesRecord
from mappings.timeline import Timeline
from store.embedded import checking, counting, searching
from store.embedded.boundary import Damage, Gone, guarded, translated
from store.embedded.derived import Derived, View
from store.embedded.lock import WriterLock
from store.embedded.rejecting import RejectionFile
from store.embedded.schema import check_format, connect, is_blank, lay_out
from store.embedded.truth import Truth
from store.embedded.upgrading import is_older, upgrade
from store.embedded.writing import EmbeddedWriter
from store.engine import (
    Columns,
    Content,
    Difference,
    EmbedderId,
    EngineInfo,
    Link,
    PassageText,
    ReleaseDay,
    Statistics,
    StoredPassage,
    Vector,
    Where,
)
from store.errors import (
    EmbedderError,
    EmbedderMismatchError,
    NotAStoreError,
    StoreError,
    StoreMissingError,
    StoreUnavailableError,
)
from store.rejections import Rejections
from store.timelines import TimelineCache

T = TypeVar("T")

_TRUTH: Final = "store.sqlite"
_LOCK: Final = "lock"
_DERIVED: Final = "derived"

# Somebody else may be building what is derived; a search waits this often and long before it says so.
_TRIES: Final = 40
_PAUSE_S: Final = 0.05


class EmbeddedEngine:
    """An index in one folder; see `store.engine.Engine` for what each method does."""

    def __init__(self, path: Path, truth: Truth, derived: Derived, embedder: EmbedderId) -> None:
        self.path = path
        self.embedder = embedder
        self._truth = truth
        self._derived = derived
        self._timelines = TimelineCache(truth)
        self._rejections = RejectionFile(path)
        self._mutex = threading.RLock()
        self._view: View | None = None
        self._pid = os.getpid()

    @classmethod
    def open(cls, path: Path, *, embedder: EmbedderId | None = None, create: bool = False) -> EmbeddedEngine:
        """Open the index in a folder, or make one; see `store.opening.open_engine`."""
        with translated(path):
            if create:
                _create(path, embedder)
            elif not (path / _TRUTH).exists():
                raise _absent(path)
            if is_older(path / _TRUTH):
                with _held(path):
                    upgrade(path / _TRUTH)
            truth = Truth(path / _TRUTH)
            recorded = truth.embedder()
        if embedder is not None and embedder != recorded:
            truth.close()
            raise EmbedderMismatchError(
                f"index {path.name!r} was made with embedder {_named(recorded)}, got {_named(embedder)}",
                remedy=f"use {recorded.name}, or ingest into a new place",
            )
        return cls(path, truth, Derived(path / _DERIVED, truth, recorded.dimension), recorded)

    @guarded
    def info(self) -> EngineInfo:
        """Return what lies here."""
        view = self._current()
        return EngineInfo(
            engine="embedded",
            index=self.path.name,
            generation=int(self._truth.meta("generation")),
            sequence=view.marker.sequence,
            embedder=self.embedder,
            documents=self._truth.count("documents"),
            series=self._truth.count("records"),
            versions=self._truth.versions(),
            passages=int(np.count_nonzero(view.columns.alive)),
            undated=int(np.count_nonzero(view.columns.alive & (view.columns.observed == BEGIN))),
            pending=self._truth.count("work"),
        )

    @guarded
    def search(self, terms: Sequence[str], vector: Vector | None, where: Where, *, depth: int) -> Columns:
        """Return the union of both legs."""
        if depth < 1:
            raise BadValueError(f"depth must be at least 1, got {depth!r}")
        if vector is not None and vector.shape != (self.embedder.dimension,):
            raise BadValueError(f"vector must have shape ({self.embedder.dimension},), got {vector.shape}")
        return self._ask(lambda view: searching.find(view, self._truth, terms, vector, where, depth=depth))

    @guarded
    def newest(self, terms: Sequence[str], vector: Vector | None, where: Where, *, limit: int) -> Columns:
        """Return the passages that were observed last."""
        if limit < 1:
            raise BadValueError(f"limit must be at least 1, got {limit!r}")
        return self._ask(lambda view: searching.newest(view, self._truth, terms, vector, where, limit=limit))

    @guarded
    def statistics(self, terms: Sequence[str]) -> Statistics:
        """Return exact statistics for the distinct terms."""
        return self._ask(lambda view: counting.statistics(view, terms))

    @guarded
    def excluded(self, terms: Sequence[str], where: Where) -> dict[Code, int]:
        """Count passages that hold any of the terms by the first stamp that excludes them."""
        return self._ask(lambda view: counting.excluded(view, terms, where))

    @guarded
    def texts(self, passage_ids: Sequence[str]) -> dict[str, PassageText]:
        """Return the texts of passages."""
        return self._truth.texts(passage_ids)

    @guarded
    def stored(self, series: Iterable[str]) -> dict[str, StoredPassage]:
        """Return everything stored for these series by passage_id."""
        return self._truth.stored(series)

    @guarded
    def records(self, series: Iterable[str]) -> dict[str, SeriesRecord]:
        """Return records as they are at this moment."""
        return self._truth.records(series)

    @guarded
    def timelines(self, series: Iterable[str]) -> dict[str, Timeline]:
        """Return what follows from the records at this moment."""
        self._leave_parent()
        return self._timelines.get(series)

    def series_keys(self) -> Iterator[str]:
        """Yield the keys of all series in order."""
        with translated(self.path):
            yield from self._truth.series_keys()

    @guarded
    def series_of(self, doc_ids: Iterable[str]) -> dict[str, str]:
        """Return the series of documents."""
        return self._truth.series_of(doc_ids)

    @guarded
    def inbound_links(self, doc_ids: Iterable[str]) -> dict[str, tuple[Link, ...]]:
        """Return who declares to replace these documents."""
        return self._truth.inbound_links(doc_ids)

    @guarded
    def waiting_links(self) -> tuple[Link, ...]:
        """Return declared replacements of documents that are not here."""
        return self._truth.waiting_links()

    @guarded
    def releases(self, principals: Iterable[str] = ()) -> tuple[ReleaseDay, ...]:
        """Return the first day of each release that a reader may know of."""
        return self._truth.releases(principals)

    @guarded
    def contents(self, hashes: Iterable[str]) -> dict[str, Content]:
        """Return whole readings by content hash."""
        return self._truth.contents(hashes)

    @guarded
    def note(self, key: str) -> str | None:
        """Return a text that was kept by its key."""
        return self._truth.note(key)

    @guarded
    def log_rejections(self, entry: Rejections, *, keep: int) -> None:
        """Keep what a question left out."""
        self._rejections.put(entry, keep=keep)

    @guarded
    def rejections(self, query_id: str, principals: Iterable[str] = ()) -> Rejections | None:
        """Return what a question left out, for the reader who asked it."""
        return self._rejections.get(query_id, tuple(principals))

    @guarded
    def strays(self) -> tuple[str, ...]:
        """Return the passages whose series has no record."""
        return self._truth.strays()

    @guarded
    def pending_work(self) -> tuple[str, ...]:
        """Return the series whose write was begun and not finished."""
        return self._truth.pending_work()

    @guarded
    def check(self) -> tuple[Difference, ...]:
        """Compare everything derived with the truth."""
        return self._ask(lambda view: tuple(checking.differences(view, self._truth)))

    @contextmanager
    def writer(self, *, wait_s: float = 0.0) -> Iterator[EmbeddedWriter]:
        """Open the one writer."""
        with ExitStack() as stack:
            with translated(self.path):
                lock = WriterLock(self.path / _LOCK)
                lock.acquire(wait_s)
                stack.callback(lock.release)
                truth = Truth(self._truth.path)
                stack.callback(truth.close)
                connection = connect(truth.path, write=True)
                stack.callback(connection.close)
                checked = self._derived.checked
                derived = Derived(self.path / _DERIVED, truth, self.embedder.dimension, checked)
                derived.mend()
                stack.callback(derived.settle)
            writer = EmbeddedWriter(self.path, connection, derived, self.embedder.dimension)
            stack.callback(writer.abandon)
            try:
                yield writer
                writer.refresh()
            finally:
                if writer.is_of_parent:
                    _OF_PARENTS.append(stack.pop_all())

    def close(self) -> None:
        """Let go of files and connections."""
        with self._mutex:
            self._view = None
            self._derived.distrust()
            self._truth.close()

    def _ask(self, question: Callable[[View], T]) -> T:
        """Put a question to a view. What is being removed at the moment is waited for; damage is mended, once."""
        for _ in range(_TRIES):
            view = self._current()
            try:
                return question(view)
            except Gone:
                if view.marker.sequence == self._truth.sequence():
                    break
                time.sleep(_PAUSE_S)  # a writer is about to make the sequence visible
            except Damage:
                break
        else:
            raise self._busy("what was found is being removed")
        self._mend(rebuild=True)
        return question(self._current())

    def _current(self) -> View:
        """Return a view at the newest sequence that is visible."""
        self._leave_parent()
        with self._mutex:
            sequence = self._truth.sequence()
            if self._view is None or self._view.marker.sequence != sequence:
                self._view = self._load(sequence)
            return self._view

    def _load(self, sequence: int) -> View:
        finding: Damage | None = None
        for _ in range(_TRIES):
            view: View | None = None
            try:
                view = self._derived.view()
            except Damage as damage:
                finding = damage
                self._derived.distrust()
            if view is not None and view.marker.sequence >= sequence:
                return view
            if self._mend():
                continue
            if view is not None:
                return view  # a writer is about to make the sequence visible
            time.sleep(_PAUSE_S)
        raise self._busy(str(finding))

    def _busy(self, why: str) -> StoreError:
        return StoreUnavailableError(
            f"store {self.path.name!r} is being built again by another process: {why}",
            remedy="try again when it has finished",
        )

    def _mend(self, *, rebuild: bool = False) -> bool:
        """Make what is derived equal to the truth, unless somebody is writing; tell whether it was done."""
        with self._mutex:
            self._view = None
            lock = WriterLock(self.path / _LOCK)
            if not lock.try_acquire():
                return False
            try:
                if rebuild:
                    self._derived.distrust()
                    self._derived.rebuild()
                self._derived.mend()
            finally:
                lock.release()
            return True

    def _leave_parent(self) -> None:
        """Start anew in a forked child: what the parent has open, or locked, is neither used nor closed here."""
        if self._pid == os.getpid():
            return
        _OF_PARENTS.append((self._view, self._derived))
        self._mutex = threading.RLock()
        self._view = None
        self._truth = Truth(self._truth.path)
        self._derived = Derived(self.path / _DERIVED, self._truth, self.embedder.dimension)
        self._timelines = TimelineCache(self._truth)
        self._pid = os.getpid()


# What belongs to a parent process, kept from the collector so that it is not closed under the parent.
_OF_PARENTS: Final[list[object]] = []


def _create(path: Path, embedder: EmbedderId | None) -> None:
    """Make an empty index unless there is one."""
    if (path / _TRUTH).exists() and _is_laid_out(path / _TRUTH):
        return
    if path.is_file() or (path.is_dir() and not _is_ours(path)):
        raise _foreign(path)
    if embedder is None:
        raise EmbedderError(f"index {path.name!r} must be made with an embedder", remedy="name one")
    path.mkdir(parents=True, exist_ok=True)
    with _held(path), closing(connect(path / _TRUTH, write=True, create=True)) as connection:
        if is_blank(connection):
            lay_out(connection, embedder)


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Hold the lock of the writer for a moment."""
    lock = WriterLock(path / _LOCK)
    lock.acquire(wait_s=_TRIES * _PAUSE_S)
    try:
        yield
    finally:
        lock.release()


def _is_laid_out(path: Path) -> bool:
    connection = connect(path, create=True)
    try:
        if is_blank(connection):
            return False
        check_format(connection, path)
        return True
    finally:
        connection.close()


def _is_ours(path: Path) -> bool:
    """Tell whether a folder is empty, or holds nothing but what an interrupted creation leaves."""
    return all(entry.name in (_TRUTH, _LOCK) or entry.name.startswith(f"{_TRUTH}-") for entry in path.iterdir())


def _absent(path: Path) -> StoreError:
    if path.is_file() or (path.is_dir() and not _is_ours(path)):
        return _foreign(path)
    return StoreMissingError(f"no index at {path.name!r}", remedy="make one with: stilltrue ingest SOURCE")


def _foreign(path: Path) -> StoreError:
    return NotAStoreError(f"{path.name!r} holds something that is not an index", remedy="choose another place")


def _named(embedder: EmbedderId) -> str:
    return f"{embedder.name} {embedder.version} ({embedder.dimension} numbers)"
