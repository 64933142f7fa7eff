"""Own the ranking of a channel: its candidates' numbers, what they fail, their order, and the page cut from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from mappings.document import Code, Kind
from mappings.profile import Profile
from reranker.core import gates, rank, relevance, scoring
from reranker.core.explanation import Explanation, given
from reranker.core.gates import Bools
from reranker.core.rates import rates
from reranker.core.relevance import Floats, TermColumns, TermReasons
from reranker.core.scoring import Measure, Scores, Timeliness
from reranker.period import Period, lies_in
from reranker.pool import Pool
from reranker.question import Question
from reranker.retrieve import inside_window, running
from reranker.settings import SearchSettings
from store.embed import Embedder


@dataclass(frozen=True, slots=True)
class Words:
    """What the words and the vector of n candidates say, (n,) each.

    Attributes:
        bound: the most that words could reach, for each.
        share: of the bound that they reach, s / U.
        explain: explains the relevance of one candidate.
    """

    bm25: Floats
    bound: Floats
    share: Floats
    cosine: Floats
    relevance: Floats
    explain: Callable[[int], Explanation]


@dataclass(frozen=True, slots=True)
class Cut:
    """Which part of an order is shown.

    Attributes:
        per_document: passages of one document that stay in the order, its best.
        newest_first: whether of equal scores the newer text comes first, before the passage_id decides.
    """

    top_k: int
    offset: int = 0
    per_document: int = 3
    newest_first: bool = False


@dataclass(frozen=True, slots=True)
class Tuning:
    """What rules the numbers of a search.

    Attributes:
        semantic_share, answer_threshold: constants of the embedder.
        relevance_gate: least of cosine and s / U of a hit.
        event_floor: least relevance of an event that is lifted.
    """

    profiles: Mapping[str, Profile]
    semantic_share: float
    answer_threshold: float
    relevance_gate: float
    event_floor: float

    @classmethod
    def of(cls, embedder: Embedder, profiles: Mapping[str, Profile], settings: SearchSettings) -> Tuning:
        """Return what rules the numbers of a search with an embedder."""
        threshold = embedder.answer_threshold
        floor = settings.floor_of_events(threshold)
        return cls(profiles, embedder.semantic_share, threshold, settings.relevance_gate, floor)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A channel's candidates with their numbers.

    Attributes:
        failed: (n) the code of the first gate that a candidate fails, "" for none.
        order: positions of those that pass, best first, at most `per_document` of a document.
        page: the part of it that is shown.
    """

    pool: Pool
    question: Question
    tuning: Tuning
    words: Words
    timeliness: Timeliness
    measure: Measure
    scores: Scores
    failed: Sequence[str]
    order: Sequence[int]
    page: Sequence[int]
    cut: Cut

    def passage_ids(self) -> list[str]:
        """Return the passages on the page, best first."""
        return [self.pool.columns.passage_ids[at] for at in self.page]

    def explain(self, at: int) -> Explanation:
        """Explain the score of one candidate, down to the counts of its terms."""
        return scoring.explain(
            self.scores,
            at,
            relevance=self.words.explain(at),
            rates=self.timeliness.rates,
            measure=self.measure,
        )

    def explain_failure(self, at: int) -> Explanation:
        """Explain the gate that one candidate fails: what had to be true, and is not."""
        if self.failed[at] == Code.BELOW_RELEVANCE_GATE:
            share, cosine = float(self.words.share[at]), float(self.words.cosine[at])
            return gates.explain_relevance_gate(share, cosine, self.tuning.relevance_gate)
        if self.failed[at] == Code.INVALID_SCORE:
            return given(0.0, "no number of its scale")
        return given(float(self.scores.age_days[at]), f"age in days, at most {self.timeliness.rates.max_age[at]:g}")


def rank_channel(question: Question, pool: Pool, tuning: Tuning, *, cut: Cut, words: Words | None = None) -> Ranked:
    """Rank the candidates of a channel.

    Args:
        question: what they are measured by.
        pool: the candidates.
        tuning: what rules the numbers.
        cut: which part of their order is shown.
        words: what words and vectors say; None: counted from the candidates' own terms.
    """
    words = words or count_words(question, pool, tuning.semantic_share)
    timeliness = _timeliness(question, pool, tuning)
    measure = Measure(question.when.as_of, question.cue, tuning.event_floor, question.scoring)
    scores = scoring.score(words.relevance, words.cosine, timeliness, measure)
    checks = (
        (Code.INVALID_SCORE, ~gates.finite(words.relevance, words.share, words.cosine)),
        (Code.BELOW_RELEVANCE_GATE, ~gates.relevance_gate(words.share, words.cosine, tuning.relevance_gate)),
        (Code.OVER_MAX_AGE, scores.too_old),
    )
    failed = scoring.in_order(*checks)
    passed = np.flatnonzero(~np.logical_or.reduce([fails for _, fails in checks]))
    ranked = rank.order(scores.score, _ties(pool, cut), passed)
    kept = list(rank.per_document(ranked, pool.columns.doc_ids, cut.per_document))
    page = rank.page(kept, offset=cut.offset, top_k=cut.top_k)
    return Ranked(pool, question, tuning, words, timeliness, measure, scores, failed, order=kept, page=page, cut=cut)


def count_words(question: Question, pool: Pool, semantic_share: float) -> Words:
    """Return what the candidates' own terms and vectors say, by the statistics of the index."""
    found, lexicon = pool.columns, question.lexicon
    columns = TermColumns(found.title_tf, found.body_tf, found.title_len, found.body_len)
    bm25 = relevance.bm25f(columns, lexicon)
    share = relevance.share_of_bound(bm25, lexicon.bound)
    relevant = relevance.fuse(share, found.cosine, semantic_share)

    @cache
    def reasons() -> TermReasons:
        return TermReasons(columns, lexicon, bm25)

    def explain(at: int) -> Explanation:
        return relevance.explain_relevance(
            float(relevant[at]),
            bm25=reasons().explain(at),
            bound=reasons().bound,
            cosine=float(found.cosine[at]),
            semantic_share=semantic_share,
        )

    return Words(bm25, np.full_like(bm25, lexicon.bound), share, found.cosine, relevant, explain)


def _timeliness(question: Question, pool: Pool, tuning: Tuning) -> Timeliness:
    when, found = question.when, pool.columns
    inside = inside_window(pool)
    return Timeliness(
        observed=found.observed,
        inside=inside,
        running=running(pool, inside, when.as_of),
        in_period=_in_period(pool, when.period),
        rates=rates(found.content_types, found.kinds, tuning.profiles),
    )


def _in_period(pool: Pool, period: Period | None) -> Bools:
    """Tell which candidates are events inside a period that was asked for, (n,) bool."""
    if period is None:
        return np.zeros(len(pool), dtype=bool)
    return np.array([kind is Kind.EVENT for kind in pool.columns.kinds], dtype=bool) & lies_in(pool, period)


def _ties(pool: Pool, cut: Cut) -> Sequence[Any]:
    """Return what breaks ties: the passage_id, and where the cut says so before it the newer text."""
    passage_ids = pool.columns.passage_ids
    if not cut.newest_first:
        return passage_ids
    newness = (-row.version.valid_from for row in pool.standings)
    return list(zip(newness, passage_ids, strict=True))
