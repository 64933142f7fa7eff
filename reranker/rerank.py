"""Own the reranking of candidates from anywhere: the same states, scores, gates and judgement, without an index.

    read → let the records decide → relevance, as declared or from the text → score, gate, order → judge → show
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mappings.document import Code, State, digest
from mappings.interval import BEGIN
from mappings.profile import DEFAULT_PROFILES, Profile
from reranker.assembly import standings
from reranker.candidate import Candidate, read_candidate
from reranker.core.gates import Bools, finite
from reranker.core.scoring import Scoring
from reranker.dropped import Drop, codes_of_states, show_dropped
from reranker.errors import RequestError
from reranker.hits import disagreements, hits
from reranker.judgement import judge
from reranker.measuring import measure
from reranker.period import Period, lies_in
from reranker.pool import LIVE, PAST, Pool
from reranker.question import Question, When, empty_statistics, read_question
from reranker.ranking import Cut, Ranked, Tuning, Words, rank_channel
from reranker.request import choice_of
from reranker.response import SearchResponse
from reranker.scales import parse_scale
from reranker.settings import DEFAULT_SETTINGS, SearchSettings
from store.embed import Embedder, get_embedder
from store.engine import Columns, PassageText


@dataclass(frozen=True, slots=True)
class RerankOptions:
    """What a reranking may be told besides candidates, question and moments.

    Attributes:
        principals: of the reader.
        period: what the answer must overlap; None: anything.
        scale: of the raw `score` of candidates, see `reranker.scales`; None: they have none.
        zone: IANA name, of dates without an offset.
        top_k: hits at most; None: all.
        per_document: passages of one document; None: all.
        scoring: name of the formula.
        explain: whether explanations are printed.
    """

    principals: tuple[str, ...] = ()
    period: Period | None = None
    scale: str | None = None
    zone: str = "UTC"
    top_k: int | None = None
    per_document: int | None = None
    scoring: Scoring = Scoring.DEFAULT
    explain: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "scoring", choice_of("scoring", self.scoring, Scoring))
        for name in ("top_k", "per_document"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < 1):
                raise RequestError(name, f"{name} must be a whole number, at least 1, got {value!r}")


DEFAULT_OPTIONS: Final = RerankOptions()


def rerank(
    candidates: Sequence[Candidate | Mapping[str, Any]],
    query: str = "",
    *,
    as_of: int,
    known_at: int | None = None,
    now: int | None = None,
    options: RerankOptions = DEFAULT_OPTIONS,
    embedder: Embedder | None = None,
    profiles: Mapping[str, Profile] = DEFAULT_PROFILES,
    settings: SearchSettings = DEFAULT_SETTINGS,
) -> SearchResponse:
    """Rank candidates that somebody else found; what may not be served is in `dropped`, with its code.

    Args:
        candidates: passages, or plain data in the form of `reranker.candidate.read_candidate`; ids must differ.
        query: the question; gives the cue, and the relevance of candidates without scores.
        as_of: the moment that the answer must hold for, µs since 1970.
        known_at: up to when something may have been known, µs; None: as_of.
        now: the present moment, µs; None: as_of is not a past one.
        options: readers, scale, limits.
        embedder: measures texts, and its constants rule relevance and verdict; None: "hashing".
        profiles: numbers of time by content type.
        settings: what to let in.

    Raises:
        RequestError: a raw score without a declared scale, or two candidates with one id.
    """
    known = as_of if known_at is None else known_at
    when = When(as_of, known, max(as_of, known) if now is None else now, options.period)
    embedder = embedder or get_embedder("hashing")
    read = _read(candidates, options)
    question = read_question(
        query, when, embedder=embedder, statistics=empty_statistics, scoring=options.scoring
    )
    ranker = _Ranker(read, question, embedder, Tuning.of(embedder, profiles, settings), options)
    return ranker.answer()


class _Ranker:
    """Rank the candidates of one question."""

    def __init__(
        self,
        candidates: Sequence[Candidate],
        question: Question,
        embedder: Embedder,
        tuning: Tuning,
        options: RerankOptions,
    ) -> None:
        self._question, self._tuning, self._options = question, tuning, options
        stand = standings(
            candidates,
            as_of=question.when.as_of,
            known_at=question.when.known_at,
            principals=options.principals,
            profiles=tuning.profiles,
        )
        readable = [(c, s) for c, s in zip(candidates, stand, strict=True) if s is not None]
        self._candidates = [candidate for candidate, _ in readable]
        self._pool = Pool(_columns(self._candidates, question), tuple(standing for _, standing in readable))
        self._words = measure(self._candidates, question, embedder)
        self._valid = finite(self._words.share, self._words.cosine, self._words.relevance)

    def answer(self) -> SearchResponse:
        """Return the whole answer."""
        when, options = self._question.when, self._options
        live = self._in(LIVE)
        inside = lies_in(self._pool, when.period) if when.period else np.ones(len(self._pool), dtype=bool)
        undated = self._in((State.UNDATED,)) & when.is_past
        everything = len(self._candidates)
        shown = self._rank(self._valid & live & inside & ~undated, options.top_k or everything)
        judgement = judge(shown)
        texts = {c.passage_id: PassageText(c.passage_id, c.title, c.section, c.text) for c in self._candidates}
        drops = self._drops(shown, live & ~inside)
        codes = [code for _, _, code in drops]
        return SearchResponse(
            query_id=digest(self._question.tokens, when, options, list(texts))[:16],
            as_of=when.as_of,
            known_at=when.known_at,
            time_read=self._question.readings,
            cue=self._question.cue.name if self._question.cue else None,
            cue_weight=self._question.cue.strength if self._question.cue else None,
            verdict=judgement.verdict,
            confidence=judgement.confidence,
            hits=hits(shown, texts, judgement),
            history=hits(self._rank(self._valid & self._in(PAST), everything), texts),
            upcoming=hits(self._rank(self._valid & self._in((State.NOT_YET_VALID,)), everything), texts),
            undated=hits(self._rank(self._valid & undated, everything), texts),
            conflicts=disagreements(shown, judgement),
            rejected={code: codes.count(code) for code in Code if code in codes},
            took_ms={},
            dropped=show_dropped(drops, texts, shown),
            scoring=options.scoring,
            explain=options.explain,
        )

    def _in(self, states: Sequence[State]) -> Bools:
        return np.array([row.state in states for row in self._pool.standings], dtype=bool)

    def _rank(self, kept: Bools, top_k: int) -> Ranked:
        """Rank some of the candidates."""
        positions = np.flatnonzero(kept).tolist()
        cut = Cut(max(top_k, 1), per_document=self._options.per_document or max(len(positions), 1))
        words = _take(self._words, positions)
        return rank_channel(self._question, self._pool.take(positions), self._tuning, cut=cut, words=words)

    def _drops(self, shown: Ranked, outside: Bools) -> list[Drop]:
        """Return all that is not among the hits, in the order of the candidates of each reason."""
        everyone = self._rank(np.ones(len(self._candidates), dtype=bool), len(self._candidates))
        codes: dict[int, Code] = {}
        states = codes_of_states(everyone.pool)
        for at, row in enumerate(everyone.pool.standings):
            if not self._valid[at]:
                codes[at] = Code.INVALID_SCORE
            elif (state := states[at]) is not None and not row.state.is_live:
                codes[at] = state
            elif outside[at]:
                codes[at] = Code.OUT_OF_TIME_RANGE
        drops = [(everyone, at, code) for at, code in codes.items()]
        return drops + [(shown, at, Code(name)) for at, name in enumerate(shown.failed) if name]


def _read(candidates: Sequence[Candidate | Mapping[str, Any]], options: RerankOptions) -> list[Candidate]:
    """Read all candidates; two of one id can not be told apart afterwards."""
    scale = None if options.scale is None else parse_scale(options.scale)
    read = [
        item if isinstance(item, Candidate) else read_candidate(item, place, scale=scale, zone=options.zone)
        for place, item in enumerate(candidates)
    ]
    seen: dict[str, int] = {}
    for place, candidate in enumerate(read):
        first = seen.setdefault(candidate.passage_id, place)
        if first != place:
            detail = f"candidates must have different ids, got {candidate.passage_id!r} at {first} and {place}"
            raise RequestError("candidates", detail)
    return read


def _columns(candidates: Sequence[Candidate], question: Question) -> Columns:
    """Return candidates as columns; their words are measured apart."""
    n, none = len(candidates), np.zeros((len(candidates), 0), dtype=np.int32)
    observed = [BEGIN if c.observed is None else c.observed.start for c in candidates]
    return Columns(
        terms=question.lexicon.terms,
        passage_ids=[c.passage_id for c in candidates],
        doc_ids=[c.doc_id for c in candidates],
        series=[c.series for c in candidates],
        content_types=[c.content_type for c in candidates],
        kinds=[c.kind for c in candidates],
        title_tf=none,
        body_tf=none,
        title_len=np.zeros(n, dtype=np.int32),
        body_len=np.zeros(n, dtype=np.int32),
        cosine=np.zeros(n),
        observed=np.array(observed, dtype=np.int64),
        from_lexical=np.ones(n, dtype=bool),
        from_dense=np.ones(n, dtype=bool),
    )


def _take(words: Words, positions: Sequence[int]) -> Words:
    """Return what is said of some of the candidates."""
    at = np.asarray(positions, dtype=np.intp)
    return Words(
        bm25=words.bm25[at],
        bound=words.bound[at],
        share=words.share[at],
        cosine=words.cosine[at],
        relevance=words.relevance[at],
        explain=lambda row: words.explain(positions[row]),
    )
