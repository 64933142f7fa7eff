"""Own the composition of a search: the one place where a question becomes an answer, in reading order.

    read → filter and retrieve → let the records decide → score → gate → order → page → texts → answer

The engine finds (`store.engine`), the records decide (`mappings.timeline`), the core scores (`reranker.core`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

import numpy as np

from mappings.document import Code, Kind, State, digest
from mappings.profile import DEFAULT_PROFILES, Profile
from reranker.core import event, rank
from reranker.core.rates import rates
from reranker.core.relevance import TermColumns, lexicon
from reranker.core.scoring import Candidates, Measure, score
from reranker.hits import Ranked, hits
from reranker.pool import LIVE, PAST, Court, Pool, count, union
from reranker.request import Moments, SearchRequest
from reranker.response import SearchResponse
from reranker.settings import DEFAULT_SETTINGS, SearchSettings
from store.analysis import analyze
from store.embed import Embedder
from store.engine import Columns, Engine, Vector, Where

# These channels answer beside the hits, never in their place: room for a few texts each.
BUDGETS: Final[Mapping[str, int]] = {"history": 10, "upcoming": 10}


def search(
    engine: Engine,
    embedder: Embedder,
    request: SearchRequest,
    *,
    as_of: int,
    known_at: int,
    now: int,
    profiles: Mapping[str, Profile] = DEFAULT_PROFILES,
    settings: SearchSettings = DEFAULT_SETTINGS,
    timer: Callable[[], float] = perf_counter,
) -> SearchResponse:
    """Answer a question with the passages that hold at `as_of`, as far as known at `known_at`, best first.

    Args:
        engine: index to ask.
        embedder: of the index; turns the question into a vector.
        request: what is asked, and by whom.
        as_of: the moment that the answer must hold for, µs since 1970.
        known_at: the moment up to which something may have been known, µs.
        now: the present moment, µs; decides only whether a past moment was asked for.
        profiles: numbers of time by content type.
        settings: how deep to look and what to let in.
        timer: seconds from any start, for `took_ms`; decides nothing.

    Raises:
        RequestError: the page reaches beyond the candidates.
        StoreError: the engine can not be read.
    """
    request.check_depth(settings.depth)
    started = timer()
    asked = _read(engine, embedder, request, moments=Moments(as_of, known_at), settings=settings)
    found = _find(asked, is_past=min(as_of, known_at) < now)
    retrieved = timer()
    channels = {name: _rank(asked, pool, profiles, channel=name) for name, pool in found.channels.items()}
    rejected = _rejected(asked, found, channels["hits"])
    ranked = timer()
    texts = engine.texts([passage_id for part in channels.values() for passage_id in part.passage_ids()])
    shown = {name: hits(part, texts, known_at=known_at) for name, part in channels.items()}
    return SearchResponse(
        query_id=digest(request, as_of, known_at, now)[:16],
        as_of=as_of,
        known_at=known_at,
        **shown,
        rejected=rejected,
        took_ms={"retrieve": (retrieved - started) * 1e3, "rank": (ranked - retrieved) * 1e3},
        explain=request.explain,
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as the engine and the core need it."""

    engine: Engine
    request: SearchRequest
    moments: Moments
    settings: SearchSettings
    tokens: tuple[str, ...]
    vector: Vector
    measure: Measure

    def where(self, *, states: bool = True, undated: bool = True) -> Where:
        """Return the filter of the question."""
        filters = self.request.filters
        return Where(
            as_of=self.moments.as_of,
            known_at=self.moments.known_at,
            principals=self.request.principals,
            states=states,
            undated=undated,
            content_types=filters.content_type,
            kinds=filters.kind or ((Kind.EVENT,) if filters.active else ()),
            sources=filters.source,
            series=filters.series,
            doc_ids=filters.doc_id,
        )

    def candidates(self, where: Where) -> Columns:
        """Return the candidates of both legs to the depth that no page changes."""
        return self.engine.search(self.tokens, self.vector, where, depth=self.settings.depth)

    def court(self, columns: Columns) -> Court:
        """Return who decides over candidates: the records of their series, read now."""
        return Court(
            self.engine.timelines(dict.fromkeys(columns.series)),
            as_of=self.moments.as_of,
            known_at=self.moments.known_at,
            principals=self.request.principals,
        )


@dataclass(frozen=True, slots=True)
class _Found:
    """Candidates by channel, and those that the index let through and a record kept out."""

    channels: Mapping[str, Pool]
    fallen: Pool


def _read(
    engine: Engine, embedder: Embedder, request: SearchRequest, *, moments: Moments, settings: SearchSettings
) -> _Asked:
    """Read the question: its tokens, weighed by the index, and its vector."""
    tokens = tuple(analyze(request.query))
    statistics = engine.statistics(tokens)
    words = lexicon(
        tokens,
        passages=statistics.passages,
        df=statistics.df,
        title_average=statistics.title_avg,
        body_average=statistics.body_avg,
    )
    measure = Measure(words, embedder.semantic_share, moments.as_of, settings.relevance_gate)
    return _Asked(engine, request, moments, settings, tokens, embedder.embed([request.query])[0], measure)


def _find(asked: _Asked, *, is_past: bool) -> _Found:
    """Retrieve each channel: what holds, and what else was asked for."""
    request = asked.request
    live, fallen = _retrieve(asked, asked.where(undated=not is_past))
    if request.filters.active:
        live = _under_way(live, asked.moments.as_of)
    nothing = live.take([])
    ask_undated = is_past and asked.engine.info().undated > 0
    out = _retrieve_out(asked) if request.history or request.upcoming else nothing
    channels = {
        "hits": live,
        "history": out.where(*PAST) if request.history else nothing,
        "upcoming": out.where(State.NOT_YET_VALID) if request.upcoming else nothing,
        # Nobody knows whether what carries no date held at a past moment.
        "undated": _retrieve(asked, asked.where())[0].where(State.UNDATED) if ask_undated else nothing,
    }
    return _Found(channels, fallen)


def _retrieve(asked: _Asked, where: Where) -> tuple[Pool, Pool]:
    """Return the candidates that hold, and those that fell by the record.

    Where one fell and its series has a version in force that did not come, the search runs once more over those
    series: the one in force may have been cut off by its own predecessors.
    """
    columns = asked.candidates(where)
    court = asked.court(columns)
    pool = court.settle(columns)
    missing = court.missing(columns, pool.where(*LIVE))
    if missing:
        more = asked.candidates(replace(where, series=tuple(missing)))
        pool = court.settle(union(columns, more))
    return pool.where(*LIVE), pool.where(*(state for state in State if not state.is_live))


def _retrieve_out(asked: _Asked) -> Pool:
    """Return the candidates of a second retrieval that asks for no state."""
    columns = asked.candidates(asked.where(states=False))
    return asked.court(columns).settle(columns)


def _under_way(pool: Pool, as_of: int) -> Pool:
    """Return the events that are going on."""
    rows = [(row.state is State.TEMPORAL, row.version.valid_from, row.version.valid_until) for row in pool.standings]
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    running = event.under_way(table[:, 0] == 1, table[:, 1], table[:, 2], as_of)
    return pool.take(np.flatnonzero(running).tolist())


def _rank(asked: _Asked, pool: Pool, profiles: Mapping[str, Profile], *, channel: str) -> Ranked:
    """Score the candidates of a channel and cut its page from their order."""
    columns, request = pool.columns, asked.request
    candidates = Candidates(
        terms=TermColumns(columns.title_tf, columns.body_tf, columns.title_len, columns.body_len),
        cosine=columns.cosine,
        observed=columns.observed,
        rates=rates(columns.content_types, columns.kinds, profiles),
    )
    scores = score(candidates, asked.measure)
    passed = np.flatnonzero(scores.passed).tolist()
    ties = [(-_newness(pool, at, channel), columns.passage_ids[at]) for at in passed]
    ranked = [passed[at] for at in rank.order(scores.score[passed], ties)]
    kept = rank.per_document(ranked, columns.doc_ids, request.per_document)
    offset = request.offset if channel == "hits" else 0
    page = rank.page(kept, offset=offset, top_k=BUDGETS.get(channel, request.top_k))
    return Ranked(pool, candidates, asked.measure, scores, page, first_rank=offset + 1)


def _newness(pool: Pool, at: int, channel: str) -> int:
    """Return what breaks a tie before the passage_id: in history the newer text, elsewhere nothing."""
    return pool.standings[at].version.valid_from if channel == "history" else 0


def _rejected(asked: _Asked, found: _Found, shown: Ranked) -> dict[Code, int]:
    """Count passages with a word of the question that are no hits, by the first thing that keeps them out."""
    counts = asked.engine.excluded(asked.tokens, asked.where(undated=True))
    codes = list(found.fallen.codes())
    gated = shown.pool.columns.from_lexical & ~shown.scores.passed
    codes += [Code.BELOW_RELEVANCE_GATE] * int(np.count_nonzero(gated))
    more = count(codes)
    both = {code: counts.get(code, 0) + more.get(code, 0) for code in Code}
    return {code: number for code, number in both.items() if number}
