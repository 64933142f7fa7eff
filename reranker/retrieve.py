"""Own the retrieval of the candidates of each channel, and what was found but may not be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from mappings.document import State
from reranker.core import event
from reranker.core.gates import Bools
from reranker.period import lies_in
from reranker.pool import LIVE, PAST, Court, Pool, union
from reranker.question import Question
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


def find(engine: Engine, question: Question) -> Found:
    """Retrieve each channel: what holds, and what else was asked for."""
    request, when = question.request, question.when
    live, fallen = _retrieve(engine, question, question.where(undated=not when.is_past))
    inside = lies_in(live, when.period) if when.period else np.ones(len(live), dtype=bool)
    live, outside = _where(live, inside), _where(live, ~inside)
    if request.filters.active:
        live = _where(live, running(live, when.as_of))
    nothing = live.take([])
    asks_out = request.history or request.upcoming or request.explain or when.period is not None
    out = _retrieve_out(engine, question) if asks_out else nothing
    undated = nothing
    if when.is_past and engine.info().undated:  # nobody knows whether what carries no date held then
        undated = _retrieve(engine, question, question.where())[0].where(State.UNDATED)
    channels = {
        "hits": live,
        "history": _history(out, question),
        "upcoming": out.where(State.NOT_YET_VALID) if request.upcoming else nothing,
        "undated": undated,
    }
    return Found(channels, fallen, outside, out)


def running(pool: Pool, as_of: int) -> Bools:
    """Tell which candidates are events that are going on, (n,) bool."""
    rows = [(row.version.valid_from, row.version.valid_until) for row in pool.standings]
    table = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return event.under_way(inside_window(pool), table[:, 0], table[:, 1], as_of)


def inside_window(pool: Pool) -> Bools:
    """Tell which candidates are events inside their window, (n,) bool."""
    return np.array([row.state is State.TEMPORAL for row in pool.standings], dtype=bool)


def _retrieve(engine: Engine, question: Question, where: Where) -> tuple[Pool, Pool]:
    """Return the candidates that hold, and those that fell by the record.

    Where one fell and its series has a version in force that did not come, the search runs once more over those
    series: the one in force may have been cut off by its own predecessors.
    """
    columns = question.candidates(engine, where)
    court = _court(engine, question, columns)
    pool = court.settle(columns)
    missing = court.missing(columns, pool.where(*LIVE))
    if missing:
        more = question.candidates(engine, replace(where, series=tuple(missing)))
        pool = court.settle(union(columns, more))
    return pool.where(*LIVE), pool.where(*OUT)


def _retrieve_out(engine: Engine, question: Question) -> Pool:
    """Return what does not hold, from a retrieval that asks for no state."""
    columns = question.candidates(engine, question.where(states=False))
    return _court(engine, question, columns).settle(columns).where(*OUT)


def _history(out: Pool, question: Question) -> Pool:
    """Return what no longer holds: where it was asked for, or where it held inside the period asked for."""
    period = question.when.period
    past = out.where(*PAST)
    if question.request.history:
        return past
    return _where(past, lies_in(past, period)) if period else past.take([])


def _court(engine: Engine, question: Question, columns: Columns) -> Court:
    when = question.when
    timelines = engine.timelines(dict.fromkeys(columns.series))
    return Court(
        timelines, as_of=when.as_of, known_at=when.known_at, principals=question.request.principals
    )


def _where(pool: Pool, kept: Bools) -> Pool:
    return pool.take(np.flatnonzero(kept).tolist())
