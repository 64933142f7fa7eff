"""Own the records that a batch works on: those of the index with the changes of the batch laid over them.

Nothing is written here. A document has one home, the series of its record; where it goes, its whole record goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mappings.series import DocumentRecord, SeriesRecord
from store.engine import Engine


class Desk:
    """Records read once, changed in memory, and compared with what they were."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._before: dict[str, SeriesRecord] = {}
        self._now: dict[str, SeriesRecord] = {}
        self._homes: dict[str, str | None] = {}
        self._changed_documents: dict[str, None] = {}

    def fetch_documents(self, doc_ids: Iterable[str]) -> None:
        """Read the homes of documents and the records there, in two requests."""
        asked = [doc_id for doc_id in dict.fromkeys(doc_ids) if doc_id not in self._homes]
        if not asked:
            return
        found = self._engine.series_of(asked)
        for doc_id in asked:
            self._homes[doc_id] = found.get(doc_id)
        self.fetch_series(series for doc_id in asked if (series := self._homes[doc_id]) is not None)

    def fetch_series(self, series: Iterable[str]) -> None:
        """Read records that are not here yet."""
        asked = [key for key in dict.fromkeys(series) if key not in self._before]
        if not asked:
            return
        found = self._engine.records(asked)
        for key in asked:
            self._before[key] = self._now[key] = found.get(key) or SeriesRecord(key)

    def record(self, series: str) -> SeriesRecord:
        """Return a record as it now is; one that the index does not hold is empty."""
        if series not in self._now:
            self.fetch_series([series])
        return self._now[series]

    def home(self, doc_id: str) -> str | None:
        """Return the series of a document, None for one that the index does not hold."""
        if doc_id not in self._homes:
            self.fetch_documents([doc_id])
        return self._homes[doc_id]

    def document(self, doc_id: str) -> DocumentRecord | None:
        """Return a document as it now is."""
        home = self.home(doc_id)
        return None if home is None else self.record(home).documents.get(doc_id)

    def put(self, document: DocumentRecord, series: str) -> None:
        """Lay a changed document down in a series, taking it away from where it was."""
        home = self.home(document.doc_id)
        if home is not None and home != series:
            self._now[home] = self.record(home).without_document(document.doc_id)
        self._now[series] = self.record(series).with_document(document)
        self._homes[document.doc_id] = series
        self._changed_documents[document.doc_id] = None

    def change(self, record: SeriesRecord) -> None:
        """Lay down a record whose documents are the same."""
        self._now[record.series] = record

    @property
    def changed_documents(self) -> tuple[str, ...]:
        """Ids of the documents that were laid down, in order."""
        return tuple(sorted(self._changed_documents))

    @property
    def present(self) -> tuple[str, ...]:
        """Keys of the records that are here, in order."""
        return tuple(sorted(self._now))

    def changed(self) -> Iterator[tuple[SeriesRecord, SeriesRecord]]:
        """Yield (before, now) of the records that differ, apart from the passages that are not placed yet."""
        for key in self.present:
            before, now = self._before[key], self._now[key]
            if replace(now, passages=before.passages) != before:
                yield before, now
