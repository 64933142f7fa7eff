"""Own what being an event adds: a lift while it goes on, or where a period that was asked for holds it.

    score' = 1 - (1 - score) ** boost          boost >= 1, the larger of those that apply; score' stays in [0, 1]

An event is lifted for its own relevance alone: one that has little to do with the question stays where it is.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mappings.interval import DAY, OPEN
from reranker.core.explanation import Explanation, derived, given
from reranker.core.gates import Bools
from reranker.core.relevance import Floats

Instants = NDArray[np.int64]

# Nobody writes down the end of everything: an event without one is taken to last a week.
DAYS_WITHOUT_END: Final = 7


def under_way(inside: Bools, begins: Instants, ends: Instants, as_of: int) -> Bools:
    """Tell which events are going on at a moment, (n,) bool.

    Args:
        inside: (n,) bool, whether the state is TEMPORAL: an event inside its window.
        begins: (n,) int64, µs.
        ends: (n,) int64, µs; `mappings.interval.OPEN` where no end is recorded.
        as_of: µs.
    """
    since = np.where(inside, begins, as_of)  # the others may begin before any number fits
    running: Bools = inside & ((ends < OPEN) | (as_of - since < DAYS_WITHOUT_END * DAY))
    return running


def boost(running: Bools, in_period: Bools, when_running: Floats, when_in_period: Floats) -> Floats:
    """Return how strongly each candidate would be lifted, (n,) float64 >= 1: the larger of what applies.

    Args:
        running: (n,) bool, events under way.
        in_period: (n,) bool, events inside a period that was asked for.
        when_running: (n,) float64 >= 1, boost of the content type for events under way.
        when_in_period: (n,) float64 >= 1, alike for events inside a period.
    """
    return np.maximum(np.where(running, when_running, 1.0), np.where(in_period, when_in_period, 1.0))


def reaches_floor(relevance: Floats, floor: float) -> Bools:
    """Tell which candidates are relevant enough to be lifted: relevance >= event_floor, (n,) bool."""
    return relevance >= floor


def lift(score: Floats, boost: Floats) -> Floats:
    """Return lifted scores, (n,) float64 in [0, 1]: 1 - (1 - score) ** boost; to the bit the score where boost is 1."""
    lifted: Floats = np.where(boost > 1.0, 1.0 - (1.0 - score) ** boost, score)
    return lifted


def explain_lift(value: float, *, timed: Explanation, boost: float) -> Explanation:
    """Explain the score of one event that was lifted."""
    return derived(value, "1 - (1 - timed) ** boost", timed=timed, boost=given(boost, "of its content type"))


def explain_floor(relevance: float, floor: float) -> Explanation:
    """Explain whether one event was relevant enough to be lifted."""
    return derived(relevance >= floor, "relevance >= event_floor", relevance=given(relevance), event_floor=given(floor))
