"""Own the retrieval of the candidates of each channel, and what was found but may not be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from mappings.document import Kind, State
from reranker.core import event
from reranker.core.gates import Bools
from reranker.period import lies_in
from reranker.pool import LIVE, PAST, Court, Pool, union
from reranker.question import Question
from reranker.request import SearchRequest
from store.engine import Columns, Engine, Where

OUT = tuple(state for state in State if not state.is_live)


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates of one question.

    Attributes:
        channels: by name: hits, history, upcoming, undated.
        fallen: let through by the index and kept out by the records.
        outside: of a second retrieval that asks for neither state nor period, those that hold outside the period.
        out: of the same, those that do not hold; both are empty where nobody asked for them.
    """

    channels: Mapping[str, Pool]
    fallen: Pool
    outside: Pool
    out: Pool


class Retrieval:
    """Find the candidates of one question in one engine."""

    def __init__(self, engine: Engine, request: SearchRequest, question: Question, depth: int) -> None:
        self._engine, self._request, self._question, self._depth = engine, request, question, depth

    def where(self, *, states: bool = True, undated: bool = True) -> Where:
        """Return the filter that all legs apply."""
        filters, when = self._request.filters, self._question.when
        return Where(
            as_of=when.as_of,
            known_at=when.known_at,
            principals=self._request.principals,
            states=states,
            undated=undated,
            content_types=filters.content_type,
            kinds=filters.kind or ((Kind.EVENT,) if filters.active else ()),
            sources=filters.source,
            series=filters.series,
            doc_ids=filters.doc_id,
            period=(when.period.start, when.period.until) if when.period else None,
        )

    def find(self) -> Found:
        """Retrieve each channel: what holds, and what else was asked for."""
        request, when = self._request, self._question.when
        live, fallen = self._live(self.where(undated=not when.is_past))
        nothing = live.take([])
        if when.period:
            live = live.where_true(lies_in(live, when.period))
        if request.filters.active:
            live = live.where_true(running(live, inside_window(live), when.as_of))
        asks_out = request.history or request.upcoming or request.explain or when.period is not None
        stateless = self.where(states=False)
        everything = self._settled(replace(stateless, period=None)) if asks_out else nothing
        in_period = self._settled(stateless) if when.period else everything
        channels = {
            "hits": live,
            "history": self._history(in_period),
            "upcoming": in_period.where(State.NOT_YET_VALID) if request.upcoming else nothing,
            "undated": self._undated() if when.is_past and self._engine.info().undated else nothing,
        }
        return Found(channels, fallen, self._outside(everything), everything.where(*OUT))

    def _live(self, where: Where) -> tuple[Pool, Pool]:
        """Return the candidates that hold, and those that fell by the record.

        Where one fell and its series has a version in force that did not come, the search runs once more over the
        documents of those: what is in force may have been cut off by what it replaced.
        """
        columns = self._candidates(where)
        court = self._court(columns)
        pool = court.settle(columns)
        missing = [d for d in court.missing(columns, pool.where(*LIVE)) if d in (where.doc_ids or (d,))]
        if missing:
            pool = court.settle(union(columns, self._candidates(replace(where, doc_ids=tuple(missing)))))
        return pool.where(*LIVE), pool.where(*OUT)

    def _undated(self) -> Pool:
        """Return what carries no date: nobody knows whether it held at a past moment."""
        return self._live(self.where())[0].where(State.UNDATED)

    def _settled(self, where: Where) -> Pool:
        """Return the candidates of a filter, whatever their state."""
        columns = self._candidates(where)
        return self._court(columns).settle(columns)

    def _history(self, pool: Pool) -> Pool:
        """Return what no longer holds: where it was asked for, or where it held inside the period asked for."""
        period, past = self._question.when.period, pool.where(*PAST)
        if period:
            return past.where_true(lies_in(past, period))
        return past if self._request.history else past.take([])

    def _outside(self, everything: Pool) -> Pool:
        """Return what holds but does not lie in the period asked for."""
        period, live = self._question.when.period, everything.where(*LIVE)
        return live.where_true(~lies_in(live, period)) if period else live.take([])

    def _candidates(self, where: Where) -> Columns:
        """Return the candidates of all legs, to a depth that no page changes."""
        question = self._question
        found = self._engine.search(question.tokens, question.vector, where, depth=self._depth)
        newest = self._of_the_newest(where)
        if newest is None:
            return found
        return union(found, self._engine.newest(question.tokens, question.vector, newest, limit=self._depth))

    def _of_the_newest(self, where: Where) -> Where | None:
        """Return the filter of the leg with the newest of the content types that a superlative names, if it does."""
        cue = self._question.cue
        named = cue.content_types if cue else ()
        wanted = tuple(name for name in named if name in (where.content_types or named))
        return replace(where, content_types=wanted) if wanted else None

    def _court(self, columns: Columns) -> Court:
        """Return who decides: the records of the candidates' series, as they are now."""
        when, principals = self._question.when, self._request.principals
        timelines = self._engine.timelines(dict.fromkeys(columns.series))
        return Court(timelines, as_of=when.as_of, known_at=when.known_at, principals=principals)


def running(pool: Pool, inside: Bools, as_of: int) -> Bools:
    """Tell which candidates are events that are going on, (n,) bool.

    Args:
        pool: n candidates.
        inside: (n,) bool, events inside their window; the windows of the others are not looked at.
        as_of: µs since 1970.
    """
    at = np.flatnonzero(inside)
    versions = [pool.standings[row].version for row in at.tolist()]
    begins = np.array([version.valid_from for version in versions], dtype=np.int64)
    ends = np.array([version.valid_until for version in versions], dtype=np.int64)
    going = np.zeros(len(pool), dtype=bool)
    going[at] = event.under_way(inside[at], begins, ends, as_of)
    return going


def inside_window(pool: Pool) -> Bools:
    """Tell which candidates are events inside their window, (n,) bool."""
    inside = State.TEMPORAL  # looked up once: the members of an enum are dear to look up
    return np.array([row.state is inside for row in pool.standings], dtype=bool)

