"""Own the comparison of everything derived with the truth, passage by passage."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import tantivy

from store.embedded.boundary import damage_to
from store.embedded.derived import View
from store.embedded.rows import passages_in_order
from store.embedded.terms import STAMP_FIELDS
from store.embedded.truth import Truth
from store.engine import Difference


def differences(view: View, truth: Truth) -> Iterator[Difference]:
    """Yield what does not agree."""
    yield from _in_truth(truth)
    if view.marker.sequence != truth.sequence():
        yield Difference("columns", "", f"at sequence {view.marker.sequence}, the truth at {truth.sequence()}")
    slot = 0
    alive = np.flatnonzero(view.columns.alive)
    stamps = dict(_term_stamps(view))
    for row in passages_in_order(truth.connection):
        if slot >= len(alive) or view.columns.row[alive[slot]] != row.row:
            yield Difference("columns", row.passage_id, "not in the columns")
            continue
        here = int(alive[slot])
        slot += 1
        if row.entry(int(view.columns.checksum[here])) != view.columns.entry(here):
            yield Difference("columns", row.passage_id, "other stamps, readers or attributes than in the truth")
        vector = np.frombuffer(row.vector, np.float32)
        if not np.array_equal(view.vectors[here, : len(vector)], vector):
            yield Difference("vectors", row.passage_id, "another vector than in the truth")
        if stamps.pop(row.row, None) != tuple(getattr(row.stamps, name) for name in STAMP_FIELDS):
            yield Difference("terms", row.passage_id, "absent, or with other stamps than in the truth")
    if slot < len(alive) or stamps:
        yield Difference("columns", "", f"{len(alive) - slot} passages that the truth does not have")


def _in_truth(truth: Truth) -> Iterator[Difference]:
    for (finding,) in truth.connection.execute("PRAGMA quick_check"):
        if finding != "ok":
            yield Difference("truth", "", str(finding))


def _term_stamps(view: View) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield row and stamps of every passage as tantivy has them."""
    with damage_to("terms"):
        query = tantivy.Query.range_query(view.schema, "row", tantivy.FieldType.Integer, lower_bound=0)
        hits = view.searcher.search(query, max(view.searcher.num_docs, 1), count=False).hits
        addresses = [address for _, address in hits]
        columns = [view.searcher.fast_field_values(name, addresses) for name in ("row", *STAMP_FIELDS)]
    for row, *values in zip(*columns, strict=True):
        yield int(row), tuple(int(value) for value in values)
