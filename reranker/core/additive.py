"""Own the scoring "additive": the published formula of temporal-rag, for those who compare with it.

    vector   = (cosine - min) / (max - min) over the pool, 1 where they are equal
    recency  = 1 - (age - min) / (max - min) over the pool, 1 where they are equal
    decay    = 0.5 ** (age / half_life), one half-life for all content types
    validity = 1.2 for an event inside its window, else 1
    event    = 0.5 for such an event with a cosine below 0.20, else 1
    penalty  = 0.3 where vector is below 0.15, else 1
    score    = penalty * ((1 - w) * vector + w * decay * recency * validity * event)

It stretches over the pool, so a third candidate may turn the order of two: never the default. Filters, gates, codes
and verdict stay those of stilltrue. Source: Emmimal/temporal-rag.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from reranker.core.explanation import Explanation, derived, given
from reranker.core.gates import Bools
from reranker.core.relevance import Floats

# All numbers below are the published ones; they are here to be compared with, not to be tuned.
OFF_TOPIC_PENALTY: Final = 0.3
EVENT_BELOW_FLOOR: Final = 0.5


@dataclass(frozen=True, slots=True)
class AdditiveSettings:
    """The settings of the formula; the defaults are its own "standard"."""

    half_life_days: float = 30.0
    temporal_weight: float = 0.35
    validity_boost: float = 1.2
    min_vector_score: float = 0.15
    event_min_raw_score: float = 0.20


STANDARD: Final = AdditiveSettings()


@dataclass(frozen=True, slots=True)
class AdditiveScores:
    """The factors of n candidates, (n,) float64 each."""

    vector: Floats
    decay: Floats
    recency: Floats
    validity: Floats
    event: Floats
    penalty: Floats
    final: Floats


def additive(cosine: Floats, age_days: Floats, inside: Bools, settings: AdditiveSettings = STANDARD) -> AdditiveScores:
    """Score a whole pool.

    Args:
        cosine: (n,) float64, finite.
        age_days: (n,) float64, days, >= 0; infinite without a date.
        inside: (n,) bool, events inside their window.
        settings: of the formula.
    """
    vector, recency = _stretched(cosine, 1.0), 1.0 - _stretched(_bounded(age_days), 0.0)
    decay = 0.5 ** (age_days / settings.half_life_days)
    validity = np.where(inside, settings.validity_boost, 1.0)
    event = np.where(inside & (cosine < settings.event_min_raw_score), EVENT_BELOW_FLOOR, 1.0)
    penalty = np.where(vector < settings.min_vector_score, OFF_TOPIC_PENALTY, 1.0)
    w = settings.temporal_weight
    final = penalty * ((1.0 - w) * vector + w * decay * recency * validity * event)
    return AdditiveScores(vector, decay, recency, validity, event, penalty, final)


def explain_additive(scores: AdditiveScores, row: int, settings: AdditiveSettings = STANDARD) -> Explanation:
    """Explain the score of one candidate; the factors that were stretched over the pool are given."""
    pool = "stretched over the pool"
    return derived(
        scores.final[row],
        "penalty * ((1 - w) * vector + w * decay * recency * validity * event)",
        w=given(settings.temporal_weight),
        vector=given(scores.vector[row], pool),
        decay=given(scores.decay[row]),
        recency=given(scores.recency[row], pool),
        validity=given(scores.validity[row]),
        event=given(scores.event[row]),
        penalty=given(scores.penalty[row]),
    )


def _stretched(values: Floats, where_equal: float) -> Floats:
    if not values.size or np.ptp(values) == 0.0:
        return np.full_like(values, where_equal)
    stretched: Floats = (values - values.min()) / np.ptp(values)
    return stretched


def _bounded(age_days: Floats) -> Floats:
    """Return ages with the unknown ones taken as the oldest known, so that the pool can be stretched."""
    known = age_days[np.isfinite(age_days)]
    return np.where(np.isfinite(age_days), age_days, known.max() if known.size else 0.0)
