"""Own the reading of a question: its cue, the text that is searched, its tokens and vector, and its two moments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from reranker.core.cue import Cue, read_cue, without
from reranker.core.relevance import Lexicon, distinct, lexicon
from reranker.core.scoring import Scoring
from reranker.period import Period
from store.analysis import analyze
from store.embed import Embedder
from store.engine import Statistics, Vector


@dataclass(frozen=True, slots=True)
class TimeReading:
    """Characters of the question that were read as time, and what they mean.

    Attributes:
        span: [start, stop) of the characters.
        role: "as_of", "range", or the name of a cue.
        start, until: of a period, µs since 1970, half-open; None where it has none.
        unread: why the words were left alone after all; empty where they were read.
    """

    text: str
    span: tuple[int, int]
    role: str
    start: int | None = None
    until: int | None = None
    unread: str = ""


@dataclass(frozen=True, slots=True)
class When:
    """The moments that rule a question, µs since 1970.

    Attributes:
        as_of: the answer must hold then; known_at: as far as known then.
        now: when it is asked; decides only whether the other two are past.
        period: what the answer must overlap; None: anything.
        readings: what of the question's words was read as time before.
    """

    as_of: int
    known_at: int
    now: int
    period: Period | None = None
    readings: tuple[TimeReading, ...] = ()

    @property
    def is_past(self) -> bool:
        """Whether a past moment is asked for."""
        return min(self.as_of, self.known_at) < self.now


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the engine and the core need it.

    Attributes:
        cue: how its words stand to time; None where they do not.
        readings: all that was read as time, in order.
        tokens: analysed, without what was read as time; lexicon: the same, weighed by the index.
        vector: of the same text.
        scoring: name of the formula.
    """

    when: When
    cue: Cue | None
    readings: tuple[TimeReading, ...]
    tokens: tuple[str, ...]
    lexicon: Lexicon
    vector: Vector
    scoring: Scoring = Scoring.DEFAULT


def read_question(
    query: str,
    when: When,
    *,
    embedder: Embedder,
    statistics: Callable[[Sequence[str]], Statistics],
    scoring: Scoring = Scoring.DEFAULT,
) -> Question:
    """Read a question.

    Args:
        query: as it was asked.
        when: the moments that rule it, and what was read of them in the query.
        embedder: gives its vector.
        statistics: weigh its tokens; `Engine.statistics`, or `empty_statistics`.
        scoring: name of the formula.
    """
    taken = tuple(reading.span for reading in when.readings if not reading.unread)
    cue = read_cue(query, taken=taken, past=_is_over(when))
    spans = taken + (cue.spans if cue else ())
    text = without(query, spans) if spans else query
    tokens = tuple(analyze(text))
    return Question(
        when=when,
        cue=cue,
        readings=_in_order(query, when.readings, cue),
        tokens=tokens,
        lexicon=_lexicon(tokens, statistics(tokens)),
        vector=embedder.embed([text])[0],
        scoring=scoring,
    )


def empty_statistics(tokens: Sequence[str]) -> Statistics:
    """Return the statistics of an empty index: every token weighs ln 2, a field is taken to be 100 tokens long."""
    terms = distinct(tokens)
    return Statistics(terms, 0, np.zeros(len(terms), dtype=np.int64), 0.0, 0.0)


def _lexicon(tokens: Sequence[str], statistics: Statistics) -> Lexicon:
    return lexicon(
        tokens,
        passages=statistics.passages,
        df=statistics.df,
        title_average=statistics.title_avg,
        body_average=statistics.body_avg,
    )


def _is_over(when: When) -> bool:
    return when.period is not None and when.period.until <= when.now


def _in_order(query: str, readings: Sequence[TimeReading], cue: Cue | None) -> tuple[TimeReading, ...]:
    cues = [TimeReading(query[slice(*span)], span, cue.name) for span in cue.spans] if cue else []
    return tuple(sorted([*readings, *cues], key=lambda reading: reading.span))
