"""Own the candidates of one question and what the records say of each.

An index may let through what does not hold; the record of its series decides, read by its key and current at once.
What a record does not know (a version half written, a document that this reader may not read) does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mappings.document import State
from mappings.timeline import Standing, Timeline, View
from store.engine import Bools, Columns

LIVE: Final = tuple(state for state in State if state.is_live)
PAST: Final = (State.RETRACTED, State.EXPIRED, State.SUPERSEDED)


@dataclass(frozen=True, slots=True)
class Pool:
    """Candidates as columns, and for each its standing.

    Attributes:
        columns: n candidates.
        standings: (n) of the version of its run that holds, else of the one that tells why none does.
    """

    columns: Columns
    standings: tuple[Standing, ...]

    def __len__(self) -> int:
        return len(self.standings)

    def where(self, *states: State) -> Pool:
        """Return the candidates in one of these states."""
        return self.take([at for at, row in enumerate(self.standings) if row.state in states])

    def where_true(self, kept: Bools) -> Pool:
        """Return the candidates of a mask, (n,) bool."""
        return self.take(np.flatnonzero(kept).tolist())

    def take(self, positions: Sequence[int]) -> Pool:
        """Return the candidates at these positions."""
        return Pool(take(self.columns, positions), tuple(self.standings[at] for at in positions))


class Court:
    """Decide what holds at one (as_of, known_at) for one reader, by the records of the candidates' series."""

    def __init__(
        self, timelines: Mapping[str, Timeline], *, as_of: int, known_at: int, principals: Sequence[str]
    ) -> None:
        self._timelines = timelines
        self._views: dict[str, View] = {
            key: timeline.at(as_of, known_at, principals) for key, timeline in timelines.items()
        }
        self._standings: dict[tuple[str, str], Standing] = {}

    def settle(self, columns: Columns) -> Pool:
        """Return the candidates that exist for this reader, each with its standing."""
        found: list[tuple[int, Standing]] = []
        for at, (passage_id, series) in enumerate(zip(columns.passage_ids, columns.series, strict=True)):
            standing = self._standing(passage_id, series)
            if standing is not None:
                found.append((at, standing))
        return Pool(take(columns, [at for at, _ in found]), tuple(standing for _, standing in found))

    def missing(self, columns: Columns, live: Pool) -> list[str]:
        """Return the documents with a version in force that did not come, in series where a candidate fell."""
        kept = set(live.columns.passage_ids)
        fallen = [s for p, s in zip(columns.passage_ids, columns.series, strict=True) if p not in kept]
        present = {row.version.version_id for row in live.standings}
        in_force = [
            row.version
            for series in dict.fromkeys(fallen)
            if series in self._views
            for row in self._views[series].in_force()
        ]
        return list(dict.fromkeys(version.doc_id for version in in_force if version.version_id not in present))

    def _standing(self, passage_id: str, series: str) -> Standing | None:
        timeline, view = self._timelines.get(series), self._views.get(series)
        versions = timeline.passage_versions(passage_id) if timeline is not None else ()
        if view is None or not versions or not view.can_read(versions[0].doc_id):
            return None
        rows = []
        for version in versions:
            key = series, version.version_id
            if key not in self._standings:
                self._standings[key] = view.standing(version)
            rows.append(self._standings[key])
        return _telling(rows)


def _telling(rows: Sequence[Standing]) -> Standing:
    """Return the standing that tells most of a run: in force, else the last that was, else the first to come."""
    return (
        next((row for row in reversed(rows) if row.state.is_live), None)
        or next((row for row in reversed(rows) if row.state in PAST), None)
        or next((row for row in rows if row.state is State.NOT_YET_VALID), None)
        or rows[-1]
    )


def take(columns: Columns, positions: Sequence[int]) -> Columns:
    """Return the candidates at these positions as columns of their own."""
    at = np.asarray(positions, dtype=np.intp)
    return Columns(
        terms=columns.terms,
        passage_ids=[columns.passage_ids[i] for i in positions],
        doc_ids=[columns.doc_ids[i] for i in positions],
        series=[columns.series[i] for i in positions],
        content_types=[columns.content_types[i] for i in positions],
        kinds=[columns.kinds[i] for i in positions],
        title_tf=columns.title_tf[at],
        body_tf=columns.body_tf[at],
        title_len=columns.title_len[at],
        body_len=columns.body_len[at],
        cosine=columns.cosine[at],
        observed=columns.observed[at],
        from_lexical=columns.from_lexical[at],
        from_dense=columns.from_dense[at],
    )


def union(first: Columns, second: Columns) -> Columns:
    """Return the candidates of both, each once, those of the first before the others."""
    present = set(first.passage_ids)
    second = take(second, [at for at, key in enumerate(second.passage_ids) if key not in present])
    return Columns(
        terms=first.terms,
        passage_ids=first.passage_ids + second.passage_ids,
        doc_ids=first.doc_ids + second.doc_ids,
        series=first.series + second.series,
        content_types=first.content_types + second.content_types,
        kinds=first.kinds + second.kinds,
        title_tf=np.concatenate((first.title_tf, second.title_tf)),
        body_tf=np.concatenate((first.body_tf, second.body_tf)),
        title_len=np.concatenate((first.title_len, second.title_len)),
        body_len=np.concatenate((first.body_len, second.body_len)),
        cosine=np.concatenate((first.cosine, second.cosine)),
        observed=np.concatenate((first.observed, second.observed)),
        from_lexical=np.concatenate((first.from_lexical, second.from_lexical)),
        from_dense=np.concatenate((first.from_dense, second.from_dense)),
    )
