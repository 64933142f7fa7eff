"""Own the composition of the numbers of one candidate: relevance, then time.

No step looks at another candidate. `explain` names every number that moved one, in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.core import decay, gates, relevance
from reranker.core.explanation import Explanation
from reranker.core.gates import Bools
from reranker.core.rates import Rates
from reranker.core.relevance import Floats, Lexicon, TermColumns


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the core knows of n candidates.

    Attributes:
        terms: what they hold of the question's tokens.
        cosine: (n,) float64, exact.
        observed: (n,) int64, µs since 1970; `mappings.interval.BEGIN` without a date.
        rates: how time counts for each.
    """

    terms: TermColumns
    cosine: Floats
    observed: NDArray[np.int64]
    rates: Rates


@dataclass(frozen=True, slots=True)
class Measure:
    """What one question measures all candidates by.

    Attributes:
        lexicon: its tokens, weighed.
        semantic_share: a, a constant of the embedder.
        as_of: moment that ages count to, µs since 1970.
        relevance_gate: least of cosine and s / U that lets a candidate in.
    """

    lexicon: Lexicon
    semantic_share: float
    as_of: int
    relevance_gate: float = gates.RELEVANCE_GATE


@dataclass(frozen=True, slots=True)
class Scores:
    """The numbers of n candidates, in the order in which they are made; (n,) each.

    Attributes:
        passed: whether the relevance gate let it in.
    """

    bm25: Floats
    lexical: Floats
    relevance: Floats
    passed: Bools
    age_days: Floats
    temporal: Floats
    weight: Floats
    score: Floats


def score(candidates: Candidates, measure: Measure) -> Scores:
    """Score n candidates, each by itself."""
    rates = candidates.rates
    bm25 = relevance.bm25f(candidates.terms, measure.lexicon)
    lexical = relevance.share_of_bound(bm25, measure.lexicon.bound)
    relevant = relevance.fuse(lexical, candidates.cosine, measure.semantic_share)
    age = decay.age_days(candidates.observed, measure.as_of)
    temporal = decay.temporal(age, rates.half_life, rates.floor)
    weight = decay.weight(rates.silent, rates.present, 0.0)
    return Scores(
        bm25=bm25,
        lexical=lexical,
        relevance=relevant,
        passed=gates.relevance_gate(lexical, candidates.cosine, measure.relevance_gate),
        age_days=age,
        temporal=temporal,
        weight=weight,
        score=decay.timed(relevant, temporal, weight),
    )


def explain(candidates: Candidates, measure: Measure, scores: Scores, row: int) -> Explanation:
    """Explain the score of one candidate, down to the counts of its terms."""
    rates = candidates.rates
    return decay.explain_timed(
        scores.score[row],
        relevance=relevance.explain_relevance(
            scores.relevance[row],
            bm25=relevance.explain_bm25f(candidates.terms, measure.lexicon, row),
            bound=relevance.explain_bound(measure.lexicon),
            cosine=candidates.cosine[row],
            semantic_share=measure.semantic_share,
        ),
        temporal=decay.explain_temporal(
            scores.temporal[row],
            age=scores.age_days[row],
            half_life=rates.half_life[row],
            floor=rates.floor[row],
        ),
        weight=decay.explain_weight(
            scores.weight[row], silent=rates.silent[row], present=rates.present[row], strength=0.0
        ),
    )
