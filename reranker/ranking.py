"""Own the ranking of a channel: its candidates' numbers, what they fail, their order, and the page cut from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mappings.document import Code, Kind
from mappings.profile import Profile
from reranker.core import gates, rank, relevance, scoring
from reranker.core.explanation import Explanation, given
from reranker.core.rates import rates
from reranker.core.relevance import Floats, TermColumns
from reranker.core.scoring import Measure, Scores, Timeliness
from reranker.period import lies_in
from reranker.pool import Pool
from reranker.question import Question
from reranker.retrieve import inside_window, running

# These channels answer beside the hits, never in their place: room for a few texts each.
BUDGETS: Final[Mapping[str, int]] = {"history": 10, "upcoming": 10}
PASSED: Final = ""


@dataclass(frozen=True, slots=True)
class Words:
    """What the words and the vector of n candidates say, (n,) each.

    Attributes:
        share: of the bound that the words reach, s / U.
    """

    columns: TermColumns
    bm25: Floats
    share: Floats
    relevance: Floats


@dataclass(frozen=True, slots=True)
class Tuning:
    """What rules the numbers of a search.

    Attributes:
        semantic_share, answer_threshold: constants of the embedder.
        relevance_gate: least of cosine and s / U of a hit.
    """

    profiles: Mapping[str, Profile]
    semantic_share: float
    answer_threshold: float
    relevance_gate: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A channel's candidates with their numbers.

    Attributes:
        failed: (n) the code of the first gate that a candidate fails, "" for none.
        order: positions of those that pass, best first, at most `per_document` of a document.
        page: the part of it that is shown.
        first_rank: rank of the first on the page.
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
    first_rank: int

    def passage_ids(self) -> list[str]:
        """Return the passages on the page, best first."""
        return [self.pool.columns.passage_ids[at] for at in self.page]

    def explain(self, at: int) -> Explanation:
        """Explain the score of one candidate, down to the counts of its terms."""
        cosine = float(self.pool.columns.cosine[at])
        relevant = relevance.explain_relevance(
            float(self.words.relevance[at]),
            bm25=relevance.explain_bm25f(self.words.columns, self.question.lexicon, at),
            bound=relevance.explain_bound(self.question.lexicon),
            cosine=cosine,
            semantic_share=self.tuning.semantic_share,
        )
        return scoring.explain(
            self.scores, at, relevance=relevant, rates=self.timeliness.rates, measure=self.measure
        )

    def explain_failure(self, at: int) -> Explanation:
        """Explain the gate that one candidate fails: what had to be true, and is not."""
        if self.failed[at] == Code.BELOW_RELEVANCE_GATE:
            cosine = float(self.pool.columns.cosine[at])
            return gates.explain_relevance_gate(float(self.words.share[at]), cosine, self.tuning.relevance_gate)
        return given(float(self.scores.age_days[at]), f"age in days, at most {self.timeliness.rates.max_age[at]:g}")


def rank_channel(question: Question, pool: Pool, tuning: Tuning, *, channel: str) -> Ranked:
    """Rank the candidates of a channel.

    Args:
        question: what they are measured by.
        pool: the candidates.
        tuning: what rules the numbers.
        channel: "hits", "history", "upcoming" or "undated".
    """
    words, timeliness = _words(question, pool, tuning), _timeliness(question, pool, tuning)
    measure = Measure(question.when.as_of, question.cue, tuning.answer_threshold, question.request.scoring)
    scores = scoring.score(words.relevance, pool.columns.cosine, timeliness, measure)
    let_in = scoring.gate(words.relevance, words.share, pool.columns.cosine, tuning.relevance_gate)
    failed = scoring.in_order((Code.BELOW_RELEVANCE_GATE, ~let_in), (Code.OVER_MAX_AGE, scores.too_old))
    passed = [at for at, code in enumerate(failed) if not code]
    ties = [_tie(pool, at, channel) for at in passed]
    ranked = [passed[at] for at in rank.order(scores.score[passed], ties)]
    kept = list(rank.per_document(ranked, pool.columns.doc_ids, question.request.per_document))
    offset = question.request.offset if channel == "hits" else 0
    page = rank.page(kept, offset=offset, top_k=BUDGETS.get(channel, question.request.top_k))
    return Ranked(
        pool, question, tuning, words, timeliness, measure, scores, failed, order=kept, page=page, first_rank=offset + 1
    )


def _words(question: Question, pool: Pool, tuning: Tuning) -> Words:
    found = pool.columns
    columns = TermColumns(found.title_tf, found.body_tf, found.title_len, found.body_len)
    bm25 = relevance.bm25f(columns, question.lexicon)
    share = relevance.share_of_bound(bm25, question.lexicon.bound)
    return Words(columns, bm25, share, relevance.fuse(share, found.cosine, tuning.semantic_share))


def _timeliness(question: Question, pool: Pool, tuning: Tuning) -> Timeliness:
    when, found = question.when, pool.columns
    is_event = np.array([kind is Kind.EVENT for kind in found.kinds], dtype=bool)
    in_period = is_event & lies_in(pool, when.period) if when.period else np.zeros(len(pool), dtype=bool)
    return Timeliness(
        observed=found.observed,
        inside=inside_window(pool),
        running=running(pool, when.as_of),
        in_period=in_period,
        rates=rates(found.content_types, found.kinds, tuning.profiles),
    )


def _tie(pool: Pool, at: int, channel: str) -> tuple[int, str]:
    """Return what breaks a tie: the passage_id, and in history before it the newer text."""
    newness = pool.standings[at].version.valid_from if channel == "history" else 0
    return -newness, pool.columns.passage_ids[at]
