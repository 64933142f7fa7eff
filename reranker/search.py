"""Own the composition of a search: the one place where a question becomes an answer, in reading order.

    read → filter and retrieve → let the records decide → score, gate, order → judge → show

The engine finds (`store.engine`), the records decide (`mappings.timeline`), the core scores (`reranker.core`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

from mappings.document import Code, digest
from mappings.profile import DEFAULT_PROFILES, Profile
from reranker.dropped import Drop, count_rejected, find_dropped, rejections, show_dropped
from reranker.hits import disagreements, hits
from reranker.judgement import Judgement, judge
from reranker.period import Period
from reranker.question import Question, TimeReading, When, read_question
from reranker.ranking import Cut, Ranked, Tuning, rank_channel
from reranker.request import SearchRequest
from reranker.response import SearchResponse
from reranker.retrieve import Found, Retrieval
from reranker.settings import DEFAULT_SETTINGS, SearchSettings
from store.embed import Embedder
from store.engine import Engine
from store.errors import StoreError
from store.rejections import Rejection, Rejections

# The channels beside the hits, and how many passages of history and of what is to come: never in place of hits.
BESIDE: Final = ("history", "upcoming", "undated")
MOST_BESIDE: Final = 10


def search(
    engine: Engine,
    embedder: Embedder,
    request: SearchRequest,
    *,
    as_of: int,
    known_at: int,
    now: int,
    period: Period | None = None,
    readings: Sequence[TimeReading] = (),
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
        period: what the answer must overlap; None: anything.
        readings: what of the question's words was read as time before, and is not searched for.
        profiles: numbers of time by content type.
        settings: how deep to look and what to let in.
        timer: seconds from any start, for `took_ms`; decides nothing.

    Raises:
        RequestError: the page reaches beyond the candidates.
        StoreError: the engine can not be read.
    """
    request.check_depth(settings.depth)
    started = timer()
    when = When(as_of, known_at, now, period, tuple(readings))
    question = read_question(
        request.query, when, embedder=embedder, statistics=engine.statistics, scoring=request.scoring
    )
    retrieval = Retrieval(engine, request, question, settings.depth)
    found = retrieval.find()
    excluded = engine.excluded(question.tokens, retrieval.where())
    retrieved = timer()
    ranked = _rank(found, question, request, Tuning.of(embedder, profiles, settings))
    rejected = count_rejected(excluded, found, ranked.channels["hits"])
    done = timer()
    answer = _show(engine, ranked, request, rejected)
    answer = replace(answer, took_ms={"retrieve": (retrieved - started) * 1e3, "rank": (done - retrieved) * 1e3})
    if settings.rejection_log:
        _log(engine, answer, rejections(found, ranked.channels["hits"]), request, now=now, keep=settings.rejection_log)
    return answer


@dataclass(frozen=True, slots=True)
class _Ranked:
    """The channels of an answer that hold something, what is said of the hits, and what was dropped."""

    question: Question
    channels: Mapping[str, Ranked]
    judgement: Judgement
    drops: Sequence[Drop]


def _rank(found: Found, question: Question, request: SearchRequest, tuning: Tuning) -> _Ranked:
    """Rank each channel and judge the hits."""
    cuts = _cuts(request)
    channels = {
        name: rank_channel(question, pool, tuning, cut=cuts[name])
        for name, pool in found.channels.items()
        if len(pool) or name == "hits"
    }
    drops = find_dropped(found, channels["hits"], tuning) if request.explain else ()
    return _Ranked(question, channels, judge(channels["hits"]), drops)


def _show(
    engine: Engine, ranked: _Ranked, request: SearchRequest, rejected: Mapping[Code, int]
) -> SearchResponse:
    """Read the texts of what is shown and put the answer together."""
    question, channels, judgement = ranked.question, ranked.channels, ranked.judgement
    passages = [passage for channel in channels.values() for passage in channel.passage_ids()]
    texts = engine.texts(passages + [channel.pool.columns.passage_ids[at] for channel, at, _ in ranked.drops])
    when = question.when
    return SearchResponse(
        query_id=digest(request, when)[:16],
        as_of=when.as_of,
        known_at=when.known_at,
        time_read=question.readings,
        cue=question.cue.name if question.cue else None,
        cue_weight=question.cue.strength if question.cue else None,
        verdict=judgement.verdict,
        confidence=judgement.confidence,
        hits=hits(channels["hits"], texts, judgement),
        **{name: hits(channels[name], texts) if name in channels else () for name in BESIDE},
        conflicts=disagreements(channels["hits"], judgement),
        rejected=rejected,
        took_ms={},
        dropped=show_dropped(ranked.drops, texts, channels["hits"]) if request.explain else None,
        explain=request.explain,
        scoring=request.scoring,
    )


def _log(
    engine: Engine,
    answer: SearchResponse,
    rejected: tuple[Rejection, ...],
    request: SearchRequest,
    *,
    now: int,
    keep: int,
) -> None:
    """Keep what the question left out; an answer is not withheld because its log can not be written."""
    entry = Rejections(
        query_id=answer.query_id,
        asked_at=now,
        as_of=answer.as_of,
        known_at=answer.known_at,
        principals=request.principals,
        counts=tuple(answer.rejected.items()),
        rejected=rejected,
    )
    with suppress(StoreError):
        engine.log_rejections(entry, keep=keep)


def _cuts(request: SearchRequest) -> dict[str, Cut]:
    """Return what each channel shows of its order."""
    most = request.per_document
    return {
        "hits": Cut(request.top_k, request.offset, most),
        "history": Cut(MOST_BESIDE, per_document=most, newest_first=True),
        "upcoming": Cut(MOST_BESIDE, per_document=most),
        "undated": Cut(request.top_k, per_document=most),
    }
