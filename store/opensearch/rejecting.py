"""Own the log of rejections on a cluster: one document a question, the oldest erased with each new one."""

from __future__ import annotations

from typing import Final

from store.opensearch import bulk
from store.opensearch.bulk import Operation
from store.opensearch.cluster import Cluster
from store.opensearch.documents import key_of
from store.opensearch.searching import DEEPEST
from store.rejections import Rejections, rejections_from, rejections_to

# Entries that are erased at once: each question adds one, so there are more only where `keep` was made smaller.
_AT_ONCE: Final = 100


class RejectionIndex:
    """The log of one index."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self._cluster, self._index = cluster, index

    def put(self, entry: Rejections, *, keep: int) -> None:
        """Write an entry and forget all but the newest `keep`."""
        document = {"what": "rejections", "key": entry.query_id, "body": rejections_to(entry)}
        bulk.write(
            self._cluster, [Operation("index", self._index, key_of(entry.query_id), document)], refresh=True
        )
        first = min(keep, DEEPEST - _AT_ONCE)
        body = {"from": first, "size": _AT_ONCE, "sort": [{"_seq_no": "desc"}], "_source": False}
        old = [hit["_id"] for hit in self._cluster.search(self._index, body)["hits"]["hits"]]
        bulk.write(self._cluster, (Operation("delete", self._index, key) for key in old))

    def get(self, query_id: str, principals: tuple[str, ...]) -> Rejections | None:
        """Return the entry of a question, for who asked it."""
        found = self._cluster.get(self._index, key_of(query_id))
        entry = rejections_from(query_id, found["_source"]["body"]) if found else None
        return entry if entry is not None and set(entry.principals) == set(principals) else None
