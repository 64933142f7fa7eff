"""Own the reading of a question: its cue, the text that is searched, its tokens and vector, and its two moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mappings.document import Kind
from reranker.core.cue import Cue, read_cue, without
from reranker.core.relevance import Lexicon, lexicon
from reranker.period import Period
from reranker.request import SearchRequest
from reranker.settings import SearchSettings
from store.analysis import analyze
from store.embed import Embedder
from store.engine import Columns, Engine, Vector, Where


@dataclass(frozen=True, slots=True)
class TimeReading:
    """Characters of the question that were read as time, and what they mean.

    Attributes:
        span: [start, stop) of the characters.
        role: "as_of", "range", or the name of a cue.
        start, until: of a period, µs since 1970, half-open; None where it has none.
    """

    text: str
    span: tuple[int, int]
    role: str
    start: int | None = None
    until: int | None = None


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
    """

    request: SearchRequest
    when: When
    depth: int
    cue: Cue | None
    readings: tuple[TimeReading, ...]
    tokens: tuple[str, ...]
    lexicon: Lexicon
    vector: Vector

    def where(self, *, states: bool = True, undated: bool = True) -> Where:
        """Return the filter that both legs apply."""
        filters = self.request.filters
        return Where(
            as_of=self.when.as_of,
            known_at=self.when.known_at,
            principals=self.request.principals,
            states=states,
            undated=undated,
            content_types=filters.content_type,
            kinds=filters.kind or ((Kind.EVENT,) if filters.active else ()),
            sources=filters.source,
            series=filters.series,
            doc_ids=filters.doc_id,
        )

    def candidates(self, engine: Engine, where: Where) -> Columns:
        """Return the candidates of both legs, to a depth that no page changes."""
        return engine.search(self.tokens, self.vector, where, depth=self.depth)


def read_question(
    engine: Engine, embedder: Embedder, request: SearchRequest, *, when: When, settings: SearchSettings
) -> Question:
    """Read a question over an index.

    Args:
        engine: gives the statistics that weigh its tokens.
        embedder: gives its vector.
        request: what is asked, and by whom.
        when: the moments that rule it.
        settings: how deep to look.
    """
    taken = tuple(reading.span for reading in when.readings)
    cue = read_cue(request.query, taken=taken, past=_is_over(when))
    spans = taken + (cue.spans if cue else ())
    text = without(request.query, spans) if spans else request.query
    tokens = tuple(analyze(text))
    return Question(
        request=request,
        when=when,
        depth=settings.depth,
        cue=cue,
        readings=_readings(request.query, when.readings, cue),
        tokens=tokens,
        lexicon=_lexicon(engine, tokens),
        vector=embedder.embed([text])[0],
    )


def _lexicon(engine: Engine, tokens: Sequence[str]) -> Lexicon:
    statistics = engine.statistics(tokens)
    return lexicon(
        tokens,
        passages=statistics.passages,
        df=statistics.df,
        title_average=statistics.title_avg,
        body_average=statistics.body_avg,
    )


def _is_over(when: When) -> bool:
    return when.period is not None and when.period.until <= when.now


def _readings(query: str, readings: Sequence[TimeReading], cue: Cue | None) -> tuple[TimeReading, ...]:
    cues = [TimeReading(query[slice(*span)], span, cue.name) for span in cue.spans] if cue else []
    return tuple(sorted([*readings, *cues], key=lambda reading: reading.span))
