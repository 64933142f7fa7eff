"""Own what a writer holds back until it refreshes, as documents by their key, over what is stored.

A passage that is not in here is as it is stored. What is stored is found by searching: everything that the one writer
wrote is visible after its refresh.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from store.opensearch.cluster import Cluster
from store.opensearch.control import Control
from store.opensearch.documents import (
    PAGE,
    WHOLE,
    Document,
    bytes_in,
    document_in,
    key_of,
    newest_copies,
    reader_keywords,
    value_in,
)
from store.opensearch.filters import one_of

# Values a query takes at once.
_AT_ONCE: Final = 1_000

Hit = Mapping[str, Any]


class Pending:
    """Passages that are about to change, None where one is to go."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.documents: dict[str, Document | None] = {}

    def clear(self) -> None:
        """Forget what was held back."""
        self.documents.clear()

    def put(self, document: Document) -> None:
        """Hold back a new document, or one that takes the place of another."""
        self.documents[key_of(document["passage_id"])] = document

    def remove(self, passage_id: str) -> None:
        """Hold back that a passage goes."""
        self.documents[key_of(passage_id)] = None

    def load(self, control: Control, passage_ids: Iterable[str]) -> dict[str, Document]:
        """Return passages as they will be, by id; those that will not be there are absent."""
        wanted = {key_of(passage_id): passage_id for passage_id in passage_ids}
        stored = find(self._cluster, control, "_id", [key for key in wanted if key not in self.documents], WHOLE, True)
        documents = {hit["_id"]: document_in(hit) for hit in newest_copies(stored).values()}
        whole = documents | {key: self.documents[key] for key in wanted if key in self.documents}
        return {passage_id: whole[key] for key, passage_id in wanted.items() if whole.get(key) is not None}  # type: ignore[misc]

    def of_documents(self, control: Control, doc_ids: Sequence[str]) -> Iterator[Document]:
        """Yield all passages of documents as they will be."""
        wanted = set(doc_ids)
        held = [each for each in self.documents.values() if each is not None and each["doc_id"] in wanted]
        stored = find(self._cluster, control, "doc_id", doc_ids, WHOLE, True)
        yield from held
        yield from (document_in(hit) for key, hit in newest_copies(stored).items() if key not in self.documents)

    def set_readers(self, control: Control, readers: Mapping[str, tuple[str, ...]]) -> None:
        """Hold back other readers of all passages of documents."""
        for document in list(self.of_documents(control, list(readers))):
            wanted = reader_keywords(readers[document["doc_id"]])
            if document["readers"] != wanted:
                self.put({**document, "readers": wanted})

    def vectors(self, control: Control, text_keys: Iterable[str]) -> dict[str, bytes]:
        """Return the vectors that are stored, or held back, for these text keys."""
        wanted = set(text_keys)
        held = [each for each in self.documents.values() if each is not None and each["text_key"] in wanted]
        found = {each["text_key"]: base64.b64decode(each["exact"]) for each in held}
        missing = sorted(wanted - found.keys())
        more = {"collapse": {"field": "text_key"}}
        for hit in find(self._cluster, control, "text_key", missing, ("text_key", "exact"), False, **more):
            found[value_in(hit, "text_key")] = bytes_in(hit, "exact")
        return found

    def known_vectors(self, control: Control, text_keys: Iterable[str]) -> set[str]:
        """Return for which text keys there is a vector."""
        wanted = set(text_keys)
        found = {each["text_key"] for each in self.documents.values() if each is not None} & wanted
        missing = sorted(wanted - found)
        for start in range(0, len(missing) if control.held else 0, _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            terms = {"field": "text_key", "include": part, "size": len(part)}
            body = {"size": 0, "query": one_of("text_key", part), "aggs": {"known": {"terms": terms}}}
            answer = self._cluster.search(control.all_dated(), {**body, "track_total_hits": False})
            found |= {bucket["key"] for bucket in answer["aggregations"]["known"]["buckets"]}
        return found


def find(
    cluster: Cluster,
    control: Control,
    name: str,
    values: Sequence[str],
    columns: Sequence[str],
    source: object,
    **more: object,
) -> Iterator[Hit]:
    """Yield every hit with one of these values in a keyword, a page at a time.

    Args:
        cluster: where to ask.
        control: names the indices.
        name: of the keyword, or `_id`.
        values: any number of them.
        columns: that come with each hit.
        source: which fields of the document come with it.
        more: of the body of the search; with it, at most one page is read for a thousand values.
    """
    distinct = list(dict.fromkeys(values)) if control.held else []
    for start in range(0, len(distinct), _AT_ONCE):
        query = {"terms": {name: distinct[start : start + _AT_ONCE]}}
        after: list[object] = []
        while True:
            # Two copies of a passage differ in when they were written.
            order = [{"passage_id": "asc"}, {"written": "asc"}]
            body: dict[str, object] = {"size": PAGE, "query": query, "track_total_hits": False, "_source": source}
            body |= {"docvalue_fields": list(columns), **(more or {"sort": order})}
            body |= {"search_after": after} if after else {}
            hits = cluster.search(control.all_dated(), body)["hits"]["hits"]
            yield from hits
            if len(hits) < PAGE or more:
                break
            after = hits[-1]["sort"]


def distinct_series(cluster: Cluster, control: Control) -> Iterator[list[str]]:
    """Yield the series of all passages, in order, many at once."""
    for buckets in distinct(cluster, control, "series"):
        yield [key for key, _ in buckets]


def distinct(cluster: Cluster, control: Control, name: str) -> Iterator[list[tuple[str, int]]]:
    """Yield every value of a keyword of passages with the number of its documents, in order, many at once."""
    after: dict[str, object] = {}
    while control.held:
        composite = {"size": _AT_ONCE, "sources": [{"value": {"terms": {"field": name}}}], **after}
        body = {"size": 0, "track_total_hits": False, "aggs": {"distinct": {"composite": composite}}}
        found = cluster.search(control.all_dated(), body)["aggregations"]["distinct"]
        yield [(bucket["key"]["value"], bucket["doc_count"]) for bucket in found["buckets"]]
        if "after_key" not in found:
            return
        after = {"after": found["after_key"]}
