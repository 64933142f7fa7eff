"""Own records on a cluster: one document each, with what is looked up beside it, changed by compare-and-set.

Reading by key sees every write at once; what is found by searching (the series of a document, links, releases) is
visible when the commit returns, because each commit makes it so.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import orjson

from mappings.record_format import record_from_json, record_to_json
from mappings.series import SeriesRecord, can_read
from store.errors import StaleRecordError
from store.opensearch import bulk
from store.opensearch.bulk import Operation, Outcome
from store.opensearch.cluster import Cluster
from store.opensearch.documents import key_of
from store.recorded import links_of, releases_of, versions_in
from store.values import Link, ReleaseDay

# Values a query takes at once, and records read in one page.
_AT_ONCE: Final = 1_000


class Records:
    """Reads the records of one index, and writes them for the holder of the writer's lock."""

    def __init__(self, cluster: Cluster, index: Callable[[], str]) -> None:
        self._cluster = cluster
        self._index = index

    def current(self, known: Mapping[str, int | None]) -> Iterator[tuple[str, int, int, bytes | None]]:
        """Yield key, mark, revision and body of stored records; no body where the mark is known."""
        index, changed = self._index(), []
        for key, document in self._by_key(index, known, lambda key: False if known[key] is not None else _BODY):
            if known[key] is None:
                yield key, _mark(document), document["_source"]["revision"], _body_in(document)
            elif known[key] == _mark(document):
                yield key, _mark(document), 0, None
            else:
                changed.append(key)
        for key, document in self._by_key(index, changed, lambda _: _BODY):
            yield key, _mark(document), document["_source"]["revision"], _body_in(document)

    def get(self, series: Iterable[str]) -> dict[str, SeriesRecord]:
        """Return records as they are at this moment."""
        found = self._by_key(self._index(), series, lambda _: _BODY)
        return {key: record_from_json(_body_in(d), revision=d["_source"]["revision"]) for key, d in found}

    def absent(self, series: Sequence[str]) -> set[str]:
        """Return which of these series have no record."""
        return set(series) - {key for key, _ in self._by_key(self._index(), series, lambda _: False)}

    def keys(self) -> Iterator[str]:
        """Yield the keys of all series in order."""
        for hit in self.pages({"match_all": {}}, _source=["series"]):
            yield hit["_source"]["series"]

    def series_of(self, doc_ids: Iterable[str]) -> dict[str, str]:
        """Return the series of documents."""
        wanted = list(dict.fromkeys(doc_ids))
        found: dict[str, str] = {}
        for part in _chunks(wanted):
            for hit in self.pages({"terms": {"doc_ids": part}}, _source=["series", "doc_ids"]):
                found |= dict.fromkeys(set(part).intersection(hit["_source"]["doc_ids"]), hit["_source"]["series"])
        return {doc_id: found[doc_id] for doc_id in wanted if doc_id in found}

    def inbound_links(self, doc_ids: Iterable[str]) -> dict[str, tuple[Link, ...]]:
        """Return who declares to replace these documents."""
        links: dict[str, list[Link]] = {}
        for part in _chunks(list(dict.fromkeys(doc_ids))):
            wanted = set(part)
            for hit in self.pages({"terms": {"targets": part}}, _source=["links"]):
                for row in hit["_source"]["links"]:
                    if row[0] in wanted:
                        links.setdefault(row[0], []).append(Link(*row))
        return {target: tuple(sorted(links[target], key=_link_order)) for target in sorted(links)}

    def waiting_links(self) -> tuple[Link, ...]:
        """Return declared replacements of documents that are not here."""
        targets = [key["value"] for key in self._distinct("targets")]
        waiting = self.inbound_links(set(targets) - self.series_of(targets).keys())
        return tuple(link for links in waiting.values() for link in links)

    def releases(self, principals: Iterable[str]) -> tuple[ReleaseDay, ...]:
        """Return the first day of each release that a reader may know of."""
        mine = tuple(principals)
        days: dict[tuple[str, str], int] = {}
        for key in self._distinct("releases"):
            source, release, observed, readers = orjson.loads(key["value"])
            if can_read(tuple(readers), mine):
                days[source, release] = min(observed, days.get((source, release), observed))
        return tuple(ReleaseDay(*key, days[key]) for key in sorted(days))

    def commit(self, records: Sequence[SeriesRecord]) -> dict[str, int]:
        """Store records, all or none, each on the revision that it was read at; see `store.engine.Writer.commit`."""
        index = self._index()
        before = self._cluster.documents(index, [key_of(record.series) for record in records])
        for record in records:
            found = _revision(before.get(key_of(record.series)))
            if found != record.revision:
                raise StaleRecordError(record.series, expected=record.revision, found=found)
        writes = [_write(index, record, before.get(key_of(record.series))) for record in records]
        outcomes = bulk.write(self._cluster, [write for write in writes if write], refresh=True)
        lost = [outcome for outcome in outcomes if outcome.conflict and not self._is_ours(outcome.operation)]
        if lost:
            self._take_back(outcomes, before)
            raise self._stale(lost[0].operation, records)
        return {record.series: record.revision + 1 if record.documents else 0 for record in records}

    def mend(self) -> None:
        """Write again what is looked up beside each record, where it is not what the record says."""
        for hit in self.wrong():
            found = self._cluster.documents(self._index(), [hit["_id"]])[hit["_id"]]
            record = record_from_json(_body_in(found), revision=found["_source"]["revision"])
            document = _document(record, record.revision)
            bulk.write(self._cluster, [Operation("index", self._index(), hit["_id"], document)], refresh=True)

    def wrong(self) -> Iterator[Mapping[str, Any]]:
        """Yield the documents in which what is looked up is not what the record says."""
        for hit in self.pages({"match_all": {}}, _source=True):
            source = hit["_source"]
            record = record_from_json(_body_in(hit), revision=source["revision"])
            if orjson.dumps(_document(record, record.revision), option=_SORTED) != orjson.dumps(source, option=_SORTED):
                yield hit

    def pages(self, query: Mapping[str, object], **more: object) -> Iterator[Mapping[str, Any]]:
        """Yield every hit of a query in the order of the series, a page at a time."""
        after: list[object] = []
        while True:
            body: dict[str, object] = {"size": _AT_ONCE, "query": query, "sort": [{"series": "asc"}], **more}
            body |= {"track_total_hits": False} | ({"search_after": after} if after else {})
            hits = self._cluster.search(self._index(), body)["hits"]["hits"]
            yield from hits
            if len(hits) < _AT_ONCE:
                return
            after = hits[-1]["sort"]

    def _distinct(self, name: str) -> Iterator[dict[str, str]]:
        """Yield every distinct value of a keyword, in order."""
        after: dict[str, object] = {}
        while True:
            composite = {"size": _AT_ONCE, "sources": [{"value": {"terms": {"field": name}}}], **after}
            body = {"size": 0, "track_total_hits": False, "aggs": {"distinct": {"composite": composite}}}
            found = self._cluster.search(self._index(), body)["aggregations"]["distinct"]
            yield from (bucket["key"] for bucket in found["buckets"])
            if "after_key" not in found:
                return
            after = {"after": found["after_key"]}

    def _by_key(
        self, index: str, series: Iterable[str], source: Callable[[str], object]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        for part in _chunks(list(dict.fromkeys(series))):
            items = [{"_index": index, "_id": key_of(key), "_source": source(key)} for key in part]
            for key, document in zip(part, self._cluster.gets(items), strict=True):
                if document["found"]:
                    yield key, document

    def _is_ours(self, operation: Operation) -> bool:
        """Tell whether a write was refused only because it had been done already, and its answer was lost."""
        now = self._cluster.documents(operation.index, [operation.key]).get(operation.key)
        if operation.document is None or now is None:
            return now is operation.document
        return bool(now["_source"] == operation.document)

    def _take_back(self, outcomes: Sequence[Outcome], before: Mapping[str, Mapping[str, Any]]) -> None:
        """Put back what a commit that failed has replaced, unless somebody has changed it since."""
        undo = []
        for outcome in outcomes:
            key, old = outcome.operation.key, before.get(outcome.operation.key)
            if not outcome.conflict and old is None:
                undo.append(Operation("delete", outcome.operation.index, key, mark=outcome.mark))
            elif not outcome.conflict and outcome.operation.action == "delete":
                undo.append(Operation("create", outcome.operation.index, key, old and old["_source"]))
            elif not outcome.conflict:
                undo.append(
                    Operation("index", outcome.operation.index, key, old and old["_source"], mark=outcome.mark)
                )
        bulk.write(self._cluster, undo, refresh=True)

    def _stale(self, operation: Operation, records: Sequence[SeriesRecord]) -> StaleRecordError:
        record = next(record for record in records if key_of(record.series) == operation.key)
        found = _revision(self._cluster.documents(operation.index, [operation.key]).get(operation.key))
        return StaleRecordError(record.series, expected=record.revision, found=found)


_BODY: Final = ["body", "revision"]
_SORTED: Final = orjson.OPT_SORT_KEYS


def _write(index: str, record: SeriesRecord, before: Mapping[str, Any] | None) -> Operation | None:
    key = key_of(record.series)
    mark = (before["_seq_no"], before["_primary_term"]) if before else None
    if record.documents:
        document = _document(record, record.revision + 1)
        return Operation("index" if mark else "create", index, key, document, mark)
    return Operation("delete", index, key, mark=mark) if mark else None


def _document(record: SeriesRecord, revision: int) -> dict[str, Any]:
    links = sorted(links_of(record))
    releases = {
        orjson.dumps([source, release, day, orjson.loads(readers)]).decode("utf-8")
        for _, _, source, release, day, readers in releases_of(record)
    }
    return {
        "series": record.series,
        "revision": revision,
        "versions": versions_in(record),
        # Level 1: a third of the size at a tenth of the time of the default.
        "body": base64.b64encode(zlib.compress(record_to_json(record), 1)).decode("ascii"),
        "doc_ids": sorted(record.documents),
        "targets": sorted({target for target, _, _ in links}),
        "links": [list(link) for link in links],
        "releases": sorted(releases),
    }


def _body_in(document: Mapping[str, Any]) -> bytes:
    return zlib.decompress(base64.b64decode(document["_source"]["body"]))


def _mark(document: Mapping[str, Any]) -> int:
    """Return the number of a write; after a change of the primary, numbers may be given again in a new term."""
    return int(document["_primary_term"]) << 64 | int(document["_seq_no"])


def _revision(document: Mapping[str, Any] | None) -> int:
    return int(document["_source"]["revision"]) if document else 0


def _chunks(values: Sequence[str]) -> Iterator[list[str]]:
    for start in range(0, len(values), _AT_ONCE):
        yield list(values[start : start + _AT_ONCE])


def _link_order(link: Link) -> tuple[str, str, str]:
    return link.target, link.doc_id, link.series


