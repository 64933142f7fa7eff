"""Own the engine on a cluster; see `store.engine.Engine` for what each method does.

A question takes two round trips: its searches with their counts, then the records of the candidates' series.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mappings.document import Code
from mappings.errors import BadValueError
from mappings.names import labels_to_ask
from mappings.series import SeriesRecord
from mappings.timeline import Timeline
from store.contents import content_in
from store.errors import EmbedderMismatchError
from store.opensearch import checking, counting, searching
from store.opensearch.address import Address
from store.opensearch.cluster import Cluster
from store.opensearch.control import Control, averages, read_control
from store.opensearch.documents import STORED, TEXTS, key_of, newest_copies, stored_in, value_in
from store.opensearch.layout import make_store, open_store
from store.opensearch.lock import WriterLock
from store.opensearch.pending import distinct_series, find
from store.opensearch.reading import Asked, Reader
from store.opensearch.records import Records
from store.opensearch.rejecting import RejectionIndex
from store.opensearch.searching import Search
from store.opensearch.writing import NOTE, WORK, OpenSearchWriter, row_key
from store.rejections import Rejections
from store.timelines import TimelineCache
from store.values import (
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

# A writer that does not rest changes something between two counts; then those of the last try stand.
_TRIES: Final = 4
_AT_ONCE: Final = 1_000


class OpenSearchEngine:
    """An index on a cluster."""

    def __init__(self, cluster: Cluster, control: Control) -> None:
        self.embedder = control.embedder
        self._cluster = cluster
        self._begin(control)

    @classmethod
    def open(
        cls, address: Address, *, embedder: EmbedderId | None = None, create: bool = False
    ) -> OpenSearchEngine:
        """Open the index at an address, or make one; see `store.opening.open_engine`."""
        cluster = Cluster(address)
        try:
            control = make_store(cluster, embedder) if create else open_store(cluster)
            if embedder is not None and embedder != control.embedder:
                raise EmbedderMismatchError(
                    f"index {address.place} was made with embedder {_named(control.embedder)}, got {_named(embedder)}",
                    remedy=f"use {control.embedder.name}, or ingest under another name",
                )
        except BaseException:
            cluster.close()
            raise
        return cls(cluster, control)

    def info(self) -> EngineInfo:
        """Return what lies here."""
        control, _, answers = self._reader.ask(_inventory)
        return EngineInfo(
            engine="opensearch",
            index=control.name,
            generation=control.generation,
            sequence=control.sequence,
            embedder=control.embedder,
            documents=int(answers["records"]["aggregations"]["documents"]["value"]),
            versions=int(answers["records"]["aggregations"]["versions"]["value"]),
            series=_total(answers["records"]),
            passages=control.passages,
            undated=control.undated,
            pending=_total(answers["work"]),
        )

    def search(self, terms: Sequence[str], vector: Vector | None, where: Where, *, depth: int) -> Columns:
        """Return the union of both legs; what a question counts besides is counted with them."""
        _check_page("depth", depth)
        if vector is not None and vector.shape != (self.embedder.dimension,):
            raise BadValueError(f"vector must have shape ({self.embedder.dimension},), got {vector.shape}")
        like = vector if vector is not None and vector.any() else None

        def build(control: Control) -> dict[str, Search]:
            indices = _indices(control, where)
            legs: dict[str, Search] = {}
            if indices and terms:
                legs["words"] = searching.by_words(indices, terms, where, depth)
            if indices and like is not None:
                legs["vector"] = searching.by_vector(indices, like, where, depth)
            return legs | (self._counts(control, terms, where) if where.states else {})

        control, unchanged, answers = self._here.ask(build)
        if unchanged and where.states:
            self._remember(control, terms, where, answers)
        hits = {name: searching.hits_of(answers.get(name)) for name in ("words", "vector")}
        return searching.columns_of(hits, terms, vector, self.embedder.dimension)

    def newest(self, terms: Sequence[str], vector: Vector | None, where: Where, *, limit: int) -> Columns:
        """Return the passages that were observed last."""
        _check_page("limit", limit)

        def build(control: Control) -> dict[str, Search]:
            indices = _indices(control, where)
            return {"age": searching.by_age(indices, where, limit)} if indices else {}

        answers = self._here.ask(build)[2]
        return searching.columns_of(
            {"age": searching.hits_of(answers.get("age"))}, terms, vector, self.embedder.dimension
        )

    def statistics(self, terms: Sequence[str]) -> Statistics:
        """Return exact statistics for the distinct terms."""
        distinct = tuple(dict.fromkeys(terms))
        reader = self._here
        control = reader.fresh_control()
        counts = reader.frequencies(control) if control is not None else {}
        for _ in range(_TRIES):
            if control is not None and (not control.held or all(term in counts for term in distinct)):
                break
            control, unchanged, answers = reader.ask(lambda now: self._term_counts(now, distinct))
            counts = {**reader.frequencies(control), **_term_counts_in(answers)}
            if unchanged:
                reader.remember_terms(control, counts)
        assert control is not None
        title_avg, body_avg = averages(control)
        df = np.array([counts.get(term, 0) for term in distinct], dtype=np.int64)
        return Statistics(distinct, control.passages, df, title_avg, body_avg)

    def excluded(self, terms: Sequence[str], where: Where) -> dict[Code, int]:
        """Count passages that hold any of the terms by the first stamp that excludes them."""
        if not terms:
            return {}
        asked = _asked(terms, where)
        remembered = self._here.remembered_excluded(asked)
        if remembered is not None:
            return remembered

        def build(control: Control) -> dict[str, Search]:
            indices = control.all_dated()
            return {"excluded": counting.excluded(indices, asked[0], where)} if indices else {}

        answers = self._reader.ask(build)[2]
        return counting.excluded_in(where, answers["excluded"]) if answers else {}

    def texts(self, passage_ids: Sequence[str]) -> dict[str, PassageText]:
        """Return the texts of passages."""
        keys = [key_of(passage_id) for passage_id in dict.fromkeys(passage_ids)]

        def build(control: Control) -> dict[str, Search]:
            indices = control.all_dated()
            return {
                str(start): _texts_of(indices, keys[start : start + _AT_ONCE])
                for start in range(0, len(keys) if indices else 0, _AT_ONCE)
            }

        hits = [hit for answer in self._here.ask(build)[2].values() for hit in searching.hits_of(answer)]
        found = (hit["_source"] for hit in newest_copies(hits).values())
        return {row["passage_id"]: PassageText(**row) for row in found}

    def stored(self, series: Iterable[str]) -> dict[str, StoredPassage]:
        """Return everything stored for these series by passage_id."""
        hits = find(self._cluster, self._now(), "series", list(series), STORED, False)
        found = [stored_in(hit) for hit in newest_copies(hits).values()]
        return {row.passage_id: row for row in sorted(found, key=lambda row: row.passage_id)}

    def records(self, series: Iterable[str]) -> dict[str, SeriesRecord]:
        """Return records as they are at this moment."""
        return self._records.get(series)

    def timelines(self, series: Iterable[str]) -> dict[str, Timeline]:
        """Return what follows from the records at this moment."""
        _ = self._here
        return self._timelines.get(series)

    def series_keys(self) -> Iterator[str]:
        """Yield the keys of all series in order."""
        yield from self._records.keys()

    def series_of(self, doc_ids: Iterable[str]) -> dict[str, str]:
        """Return the series of documents."""
        return self._records.series_of(doc_ids)

    def inbound_links(self, doc_ids: Iterable[str]) -> dict[str, tuple[Link, ...]]:
        """Return who declares to replace these documents."""
        return self._records.inbound_links(doc_ids)

    def waiting_links(self) -> tuple[Link, ...]:
        """Return declared replacements of documents that are not here."""
        return self._records.waiting_links()

    def releases(self, principals: Iterable[str] = ()) -> tuple[ReleaseDay, ...]:
        """Return the first day of each release that a reader may know of."""
        return self._records.releases(principals)

    def contents(self, hashes: Iterable[str]) -> dict[str, Content]:
        """Return whole readings by content hash."""
        keys = {key_of(content_hash): content_hash for content_hash in hashes}
        found = self._cluster.documents(self._here.control().contents, keys)
        return {keys[key]: content_in(_body(document)) for key, document in found.items()}

    def note(self, key: str) -> str | None:
        """Return a text that was kept by its key."""
        found = self._cluster.get(self._here.control().own, row_key(NOTE, key))
        return None if found is None else str(found["_source"]["body"]["text"])

    def log_rejections(self, entry: Rejections, *, keep: int) -> None:
        """Keep what a question left out."""
        self._rejections().put(entry, keep=keep)

    def rejections(self, query_id: str, principals: Iterable[str] = ()) -> Rejections | None:
        """Return what a question left out, for the reader who asked it."""
        return self._rejections().get(query_id, tuple(principals))

    def pending_work(self) -> tuple[str, ...]:
        """Return the series whose write was begun and not finished."""
        found: list[str] = []
        while True:
            body = {**_WORK, "size": _AT_ONCE, "sort": [{"key": "asc"}], "_source": ["key"]}
            body |= {"search_after": [found[-1]]} if found else {}
            hits = self._cluster.search(self._here.control().own, body)["hits"]["hits"]
            found += [hit["_source"]["key"] for hit in hits]
            if len(hits) < _AT_ONCE:
                return tuple(found)

    def strays(self) -> tuple[str, ...]:
        """Return the passages whose series has no record."""
        control, found = self._now(), []
        for series in distinct_series(self._cluster, control):
            lost = find(self._cluster, control, "series", sorted(self._records.absent(series)), STORED, False)
            found += [value_in(hit, "passage_id") for hit in lost]
        return tuple(sorted(set(found)))

    def check(self) -> tuple[Difference, ...]:
        """Compare everything derived with the truth."""
        return tuple(checking.differences(self._cluster, self._now(), self._records))

    @contextmanager
    def writer(self, *, wait_s: float = 0.0) -> Iterator[OpenSearchWriter]:
        """Open the one writer."""
        pid = os.getpid()
        with ExitStack() as stack:
            reader = self._here
            self._lock.acquire(wait_s)
            stack.callback(self._lock.release)
            self._now()
            writer = OpenSearchWriter(reader, self._records)
            writer.mend()
            stack.callback(writer.abandon)
            try:
                yield writer
                writer.refresh()
            finally:
                if pid != os.getpid():
                    stack.pop_all()  # the lock is the parent's

    def close(self) -> None:
        """Let go of connections."""
        self._reader.forget()
        self._cluster.close()

    @property
    def _here(self) -> Reader:
        """The reader of this process: a forked child starts anew, since a lock may have been held at the fork."""
        if self._pid != os.getpid():
            self._begin(None)
        return self._reader

    def _begin(self, control: Control | None) -> None:
        self._pid = os.getpid()
        reader = self._reader = Reader(self._cluster)
        if control is not None:
            reader.learn(control)
        self._lock = WriterLock(self._cluster)
        self._records = Records(self._cluster, lambda: reader.control().records)
        self._timelines = TimelineCache(self._records)

    def _now(self) -> Control:
        return self._here.learn(read_control(self._cluster))

    def _rejections(self) -> RejectionIndex:
        return RejectionIndex(self._cluster, self._here.control().rejections)

    def _counts(self, control: Control, terms: Sequence[str], where: Where) -> dict[str, Search]:
        """Return the searches that count for a question: terms not yet counted, and what the filter removed."""
        asked, indices = _asked(terms, where), control.all_dated()
        if not terms or not indices:
            return {}
        counts = self._term_counts(control, asked[0])
        return counts | {"excluded": counting.excluded(indices, asked[0], where)}

    def _term_counts(self, control: Control, distinct: Sequence[str]) -> dict[str, Search]:
        known = self._reader.frequencies(control)
        missing = [term for term in distinct if term not in known] if control.held else []
        searches = counting.frequencies(control.all_dated(), missing)
        return {f"{_TERMS}{at}": search for at, search in enumerate(searches)}

    def _remember(self, control: Control, terms: Sequence[str], where: Where, answers: Mapping[str, Any]) -> None:
        self._reader.remember_terms(control, _term_counts_in(answers))
        if "excluded" in answers:
            counts = counting.excluded_in(where, answers["excluded"])
            self._reader.remember_excluded(control, _asked(terms, where), counts)


_TERMS: Final = "terms "
_WORK: Final = {"query": {"term": {"what": WORK}}}


def _inventory(control: Control) -> dict[str, Search]:
    count = {"size": 0, "track_total_hits": True}
    sums = {"documents": {"value_count": {"field": "doc_ids"}}, "versions": {"sum": {"field": "versions"}}}
    return {
        "records": ({"index": control.records}, {**count, "aggs": sums}),
        "work": ({"index": control.own}, {**count, **_WORK}),
    }


def _term_counts_in(answers: Mapping[str, Any]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name, answer in answers.items():
        if name.startswith(_TERMS):
            counts |= counting.frequencies_in(answer)
    return counts


def _total(answer: Mapping[str, Any]) -> int:
    return int(answer["hits"]["total"]["value"])


def _indices(control: Control, where: Where) -> list[str]:
    """Return the dated indices in which something may be admitted."""
    labels = labels_to_ask(
        control.extents, where.as_of, where.known_at, states=where.states, undated=where.undated
    )
    return [control.dated(label) for label in labels]


def _asked(terms: Sequence[str], where: Where) -> Asked:
    """Return what the counts of what the filter removed depend on."""
    return tuple(dict.fromkeys(terms)), replace(where, states=True, undated=True, period=None)


def _texts_of(indices: Sequence[str], keys: Sequence[str]) -> Search:
    query = {"terms": {"_id": list(keys)}}
    # Twice: an interrupted move leaves two copies.
    body = {"size": 2 * len(keys), "query": query, "_source": ["passage_id", *TEXTS], "docvalue_fields": ["written"]}
    return {"index": list(indices)}, {**body, "track_total_hits": False}


def _check_page(name: str, value: int) -> None:
    if value < 1:
        raise BadValueError(f"{name} must be at least 1, got {value!r}")
    if value > searching.DEEPEST:
        raise BadValueError(f"{name} must be at most {searching.DEEPEST}, got {value!r}")


def _body(document: Mapping[str, Any]) -> bytes:
    return base64.b64decode(document["_source"]["body"])


def _named(embedder: EmbedderId) -> str:
    return f"{embedder.name} {embedder.version} ({embedder.dimension} numbers)"
