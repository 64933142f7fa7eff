"""Own the comparison of what is derived with the truth, passage by passage and record by record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mappings.names import label_of
from store.opensearch.cluster import Cluster
from store.opensearch.control import Control, recount
from store.opensearch.documents import bytes_in, value_in
from store.opensearch.records import Records
from store.opensearch.writing import old_copies
from store.values import Difference

_COLUMNS: Final = ("passage_id", "observed", "exact")
_PAGE: Final = 1_000


def differences(cluster: Cluster, control: Control, records: Records) -> Iterator[Difference]:
    """Yield what does not agree."""
    if control.unfinished:
        yield Difference("columns", "", "passages are on their way, or were when a writer was interrupted")
    for index, key in old_copies(cluster, control):
        yield Difference("truth", key, f"a copy in {index} beside the one written last")
    for hit in records.wrong():
        yield Difference("columns", hit["_source"]["series"], "what is looked up beside the record is not what it says")
    counted = recount(cluster, control, control.held)
    for label in control.held:
        if counted.held[label] != control.held[label]:
            yield Difference("columns", "", f"{control.dated(label)} holds {counted.held[label]}, not what was counted")
    for label in control.held:
        yield from _in_index(cluster, control, label)


def _in_index(cluster: Cluster, control: Control, label: str) -> Iterator[Difference]:
    for hit in _hits(cluster, control.dated(label)):
        passage_id = str(value_in(hit, "passage_id", hit["_id"]))
        if label_of(value_in(hit, "observed", 0), control.period) != label:
            yield Difference("terms", passage_id, f"in {control.dated(label)}, which is not that of its date")
        if len(bytes_in(hit, "exact")) != 4 * control.embedder.dimension:  # float32
            yield Difference("vectors", passage_id, "a vector of another length")


def _hits(cluster: Cluster, index: str) -> Iterator[Mapping[str, Any]]:
    after: list[object] = []
    while True:
        body: dict[str, object] = {"size": _PAGE, "sort": [{"passage_id": "asc"}], "_source": False}
        body |= {"docvalue_fields": list(_COLUMNS), "track_total_hits": False}
        body |= {"search_after": after} if after else {}
        hits = cluster.search(index, body)["hits"]["hits"]
        yield from hits
        if len(hits) < _PAGE:
            return
        after = hits[-1]["sort"]
