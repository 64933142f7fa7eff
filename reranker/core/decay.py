"""Own what age does to a score: bounded, by content type, never a reason to be gone.

    age      = max(0, as_of - observed) in days
    temporal = max(floor, 0.5 ** (age / half_life))
    w        = w_silent + (w_present - w_silent) * c / 0.70
    score    = relevance * (1 - w + w * temporal)

Here c is the strength of a word like "currently" in the question, 0 without one.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mappings.interval import BEGIN, DAY
from reranker.core.explanation import Explanation, derived, given
from reranker.core.relevance import Floats

# The strongest word of the present ("right now"); there the weight is w_present itself.
STRONGEST: Final = 0.70
# "the latest …" asks for the newest, whatever the content type. Measured on four kinds of such questions: the
# half-lives of the types are far too weak (0.67 right against 0.94).
SUPERLATIVE_WEIGHT: Final = 0.45
SUPERLATIVE_HALF_LIFE_DAYS: Final = 90.0
SUPERLATIVE_FLOOR: Final = 0.0


def age_days(observed: NDArray[np.int64], as_of: int) -> Floats:
    """Return how old passages are at a moment, (n,) float64 in days, never negative; infinite without a date.

    Args:
        observed: (n,) int64, µs since 1970; BEGIN for a passage without a date.
        as_of: µs since 1970.
    """
    undated = observed == BEGIN
    # The difference of as_of and BEGIN does not fit an int64, that of two instants does.
    known = np.where(undated, as_of, observed) if undated.any() else observed
    age: Floats = np.maximum(as_of - known, 0) / DAY
    age[undated] = np.inf
    return age


def temporal(age: Floats, half_life: Floats, floor: Floats) -> Floats:
    """Return what age leaves of a passage, (n,) float64 in [floor, 1]: max(floor, 0.5 ** (age / half_life)).

    Args:
        age: (n,) float64, days, >= 0.
        half_life: (n,) float64, days, > 0.
        floor: (n,) float64 in [0, 1].
    """
    return np.maximum(floor, 0.5 ** (age / half_life))


def weight(silent: Floats, present: Floats, strength: float) -> Floats:
    """Return how much age counts, (n,) float64: w_silent + (w_present - w_silent) * c / 0.70.

    Args:
        silent: (n,) float64 in [0, 1), the weight when the question does not speak of the present.
        present: (n,) float64 in [0, 1), the weight under its strongest word.
        strength: c in [0, 0.70]; 0 when the question says nothing.
    """
    if strength == 0.0:
        return silent
    return silent + (present - silent) * (strength / STRONGEST)


def timed(relevance: Floats, temporal: Floats, weight: Floats) -> Floats:
    """Return the score, (n,) float64: relevance * (1 - w + w * temporal).

    Where w is 0 the score is the relevance, to the bit.
    """
    return relevance * (1.0 - weight + weight * temporal)


def explain_temporal(value: float, *, age: float, half_life: float, floor: float) -> Explanation:
    """Explain what age left of one passage."""
    least = given(floor, "floor of the content type and kind")
    if not np.isfinite(age):
        return derived(value, "floor", floor=given(floor, "no date: never fresh, so the floor"))
    return derived(
        value,
        "max(floor, 0.5 ** (age_days / half_life_days))",
        floor=least,
        age_days=given(age),
        half_life_days=given(half_life),
    )


def explain_weight(value: float, *, silent: float, present: float, strength: float) -> Explanation:
    """Explain how much age counted for one passage."""
    return derived(
        value,
        "w_silent + (w_present - w_silent) * (strength / strongest)",
        w_silent=given(silent),
        w_present=given(present),
        strength=given(strength, "of the word of the present in the question"),
        strongest=given(STRONGEST),
    )


def explain_timed(
    value: float, *, relevance: Explanation, temporal: Explanation, weight: Explanation
) -> Explanation:
    """Explain the score of one passage from relevance and age."""
    formula = "relevance * (1 - weight + weight * temporal)"
    return derived(value, formula, relevance=relevance, weight=weight, temporal=temporal)
