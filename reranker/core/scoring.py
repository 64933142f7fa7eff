"""Own the composition of the numbers of a candidate: relevance, gate, time, lift.

Under every scoring but "additive" no step looks at another candidate. `explain` names every number that moved one,
in the order in which they are made.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from reranker.core import decay, event
from reranker.core.additive import AdditiveScores, additive, explain_additive
from reranker.core.cue import Cue
from reranker.core.explanation import Explanation, given
from reranker.core.gates import Bools
from reranker.core.rates import Rates
from reranker.core.relevance import Floats


class Scoring(StrEnum):
    """The name of a formula."""

    DEFAULT = "default"
    OFF = "off"  # relevance alone
    ADDITIVE = "additive"


@dataclass(frozen=True, slots=True)
class Timeliness:
    """How n candidates stand to time.

    Attributes:
        observed: (n,) int64, µs since 1970; `mappings.interval.BEGIN` without a date.
        inside: (n,) bool, events inside their window; running: (n,) bool, events under way.
        in_period: (n,) bool, events inside a period that was asked for.
        rates: how time counts for each.
    """

    observed: NDArray[np.int64]
    inside: Bools
    running: Bools
    in_period: Bools
    rates: Rates


@dataclass(frozen=True, slots=True)
class Measure:
    """What one question measures all candidates by.

    Attributes:
        as_of: moment that ages count to, µs since 1970.
        cue: how the question speaks of time; None where it does not.
        event_floor: least relevance of an event that is lifted.
        scoring: which formula.
    """

    as_of: int
    cue: Cue | None = None
    event_floor: float = 0.0
    scoring: Scoring = Scoring.DEFAULT


@dataclass(frozen=True, slots=True)
class Scores:
    """The numbers of n candidates, in the order in which they are made; (n,) each.

    Attributes:
        half_life, floor: that made `temporal`: those of the content type, or of a superlative.
        timed: score before the lift.
        boost: that was applied; 1 where none was.
        below_floor: events that would be lifted, were they more relevant.
        too_old: older than the content type allows.
        additive: the factors of that scoring, None under the others.
    """

    relevance: Floats
    age_days: Floats
    half_life: Floats
    floor: Floats
    temporal: Floats
    weight: Floats
    timed: Floats
    boost: Floats
    score: Floats
    below_floor: Bools
    too_old: Bools
    additive: AdditiveScores | None = None


def score(relevance: Floats, cosine: Floats, timeliness: Timeliness, measure: Measure) -> Scores:
    """Score n candidates.

    Args:
        relevance: (n,) float64 in [0, 1].
        cosine: (n,) float64; looked at by the additive scoring only.
        timeliness: how they stand to time.
        measure: what the question measures them by.
    """
    rates = timeliness.rates
    half_life, floor, weight = _time(rates, measure)
    age = decay.age_days(timeliness.observed, measure.as_of)
    temporal = decay.temporal(age, half_life, floor)
    timed = decay.timed(relevance, temporal, weight)
    boost, below_floor = _boost(relevance, timeliness, measure)
    factors = additive(cosine, age, timeliness.inside) if measure.scoring is Scoring.ADDITIVE else None
    return Scores(
        relevance=relevance,
        age_days=age,
        half_life=half_life,
        floor=floor,
        temporal=temporal,
        weight=weight,
        timed=timed,
        boost=boost,
        score=_lifted(timed, boost) if factors is None else factors.final,
        below_floor=below_floor,
        too_old=age > rates.max_age,
        additive=factors,
    )


def explain(scores: Scores, row: int, *, relevance: Explanation, rates: Rates, measure: Measure) -> Explanation:
    """Explain the score of one candidate, above the explanation of its relevance."""
    if scores.additive is not None:
        return explain_additive(scores.additive, row)
    timed = decay.explain_timed(
        scores.timed[row],
        relevance=relevance,
        weight=_explain_weight(scores, row, rates, measure),
        temporal=decay.explain_temporal(
            scores.temporal[row],
            age=scores.age_days[row],
            half_life=scores.half_life[row],
            floor=scores.floor[row],
        ),
    )
    if scores.boost[row] <= 1.0:
        return timed
    return event.explain_lift(scores.score[row], timed=timed, boost=scores.boost[row])


def in_order(*checks: tuple[str, Bools]) -> list[str]:
    """Name for each candidate the first check that it fails, "" for none; checks come in their order.

    Args:
        checks: name, and (n,) bool: whether each candidate fails it.
    """
    names = np.full(checks[0][1].shape, "", dtype=object)
    for name, fails in reversed(checks):
        names[fails] = name
    named: list[str] = names.tolist()
    return named


def _time(rates: Rates, measure: Measure) -> tuple[Floats, Floats, Floats]:
    """Return half-life, floor and weight, (n,) each, as the question speaks of time."""
    if measure.scoring is Scoring.OFF:
        return rates.half_life, rates.floor, np.zeros_like(rates.silent)
    if measure.cue is not None and measure.cue.is_superlative:
        same = np.ones_like(rates.silent)
        return (
            decay.SUPERLATIVE_HALF_LIFE_DAYS * same,
            decay.SUPERLATIVE_FLOOR * same,
            decay.SUPERLATIVE_WEIGHT * same,
        )
    return rates.half_life, rates.floor, decay.weight(rates.silent, rates.present, _strength(measure))


def _boost(relevance: Floats, timeliness: Timeliness, measure: Measure) -> tuple[Floats, Bools]:
    """Return the boost of each candidate, and which events are too little relevant to be lifted."""
    if measure.scoring is Scoring.OFF or not (timeliness.running.any() or timeliness.in_period.any()):
        return np.ones_like(relevance), np.zeros(relevance.shape, dtype=bool)
    rates = timeliness.rates
    wanted = event.boost(timeliness.running, timeliness.in_period, rates.when_running, rates.when_in_period)
    reaches = event.reaches_floor(relevance, measure.event_floor)
    return np.where(reaches, wanted, 1.0), (wanted > 1.0) & ~reaches


def _lifted(timed: Floats, boost: Floats) -> Floats:
    """Return lifted scores; a power of every score is dear where there is no event."""
    return event.lift(timed, boost) if (boost > 1.0).any() else timed


def _strength(measure: Measure) -> float:
    return 0.0 if measure.cue is None else measure.cue.strength


def _explain_weight(scores: Scores, row: int, rates: Rates, measure: Measure) -> Explanation:
    if measure.scoring is Scoring.OFF:
        return given(scores.weight[row], "scoring is off")
    if measure.cue is not None and measure.cue.is_superlative:
        return given(scores.weight[row], "the newest is asked for")
    return decay.explain_weight(
        scores.weight[row], silent=rates.silent[row], present=rates.present[row], strength=_strength(measure)
    )
