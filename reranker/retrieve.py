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
        outside: live, but not in the period asked for.
        out: of a second retrieval that asks for no state, those that do not hold; empty where nobody asked for it.
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
        """Return the filter that both legs apply."""
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
        )

    def find(self) -> Found:
        """Retrieve each channel: what holds, and what else was asked for."""
        request, when = self._request, self._question.when
        live, fallen = self._live(self.where(undated=not when.is_past))
        inside = lies_in(live, when.period) if when.period else np.ones(len(live), dtype=bool)
        live, outside = live.where_true(inside), live.where_true(~inside)
        if request.filters.active:
            live = live.where_true(running(live, when.as_of))
        nothing = live.take([])
        asks_out = request.history or request.upcoming or request.explain or when.period is not None
        out = self._out() if asks_out else nothing
        channels = {
            "hits": live,
            "history": self._history(out),
            "upcoming": out.where(State.NOT_YET_VALID) if request.upcoming else nothing,
            "undated": self._undated() if when.is_past and self._engine.info().undated else nothing,
        }
        return Found(channels, fallen, outside, out)

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

    def _out(self) -> Pool:
        """Return what does not hold, from a retrieval that asks for no state."""
        columns = self._candidates(self.where(states=False))
        return self._court(columns).settle(columns).where(*OUT)

    def _history(self, out: Pool) -> Pool:
        """Return what no longer holds: where it was asked for, or where it held inside the period asked for."""
        period, past = self._question.when.period, out.where(*PAST)
        if self._request.history:
            return past
        return past.where_true(lies_in(past, period)) if period else past.take([])

    def _candidates(self, where: Where) -> Columns:
        """Return the candidates of both legs, to a depth that no page changes."""
        return self._engine.search(self._question.tokens, self._question.vector, where, depth=self._depth)

    def _court(self, columns: Columns) -> Court:
        """Return who decides: the records of the candidates' series, as they are now."""
        when, principals = self._question.when, self._request.principals
        timelines = self._engine.timelines(dict.fromkeys(columns.series))
        return Court(timelines, as_of=when.as_of, known_at=when.known_at, principals=principals)


def running(pool: Pool, as_of: int) -> Bools:
    """Tell which candidates are events that are going on, (n,) bool."""
    rows = [(row.version.valid_from, row.version.valid_until) for row in pool.standings]
    table = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return event.under_way(inside_window(pool), table[:, 0], table[:, 1], as_of)


def inside_window(pool: Pool) -> Bools:
    """Tell which candidates are events inside their window, (n,) bool."""
    return np.array([row.state is State.TEMPORAL for row in pool.standings], dtype=bool)

