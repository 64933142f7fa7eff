"""Own confidence and verdict: how far an answer may be leaned on. A score, not a probability.

    x     = top / (2 * answer_threshold) - 2 * max(0, 0.15 - margin) - 0.10 * severity
    value = 1 / (1 + exp(-4 * (x - 0.5)))               HIGH from 0.72, MEDIUM from 0.55, else LOW

Here margin = (top - best of another document) / top, 1 where no other is there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from reranker.core.explanation import Explanation, derived, given

# Below this lead the first hit is hardly ahead: each point of it costs two.
MARGIN_NEEDED: Final = 0.15
MARGIN_SLOPE: Final = 2.0
# A full contradiction costs as much as a twentieth of the lead.
CONFLICT_SLOPE: Final = 0.10
SIGMOID_SLOPE: Final = 4.0
SIGMOID_MIDDLE: Final = 0.5
HIGH_FROM: Final = 0.72
MEDIUM_FROM: Final = 0.55


class Tier(StrEnum):
    """How far to lean on the first hit."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class Verdict(StrEnum):
    """What the answer is worth, in one word; the first that fits."""

    NONE = "none"
    CONFLICT = "conflict"
    CAVEAT = "caveat"
    STRONG = "strong"


@dataclass(frozen=True, slots=True)
class Confidence:
    """How far the first hit may be leaned on.

    Attributes:
        value: in (0, 1).
        margin: lead of the first hit over the best of another document, in [0, 1].
        conflict: severity of the conflict that the first hit is in, 0 without one.
        explanation: the arithmetic.
    """

    tier: Tier
    value: float
    margin: float
    conflict: float
    explanation: Explanation


def confidence(top: float, second: float | None, *, answer_threshold: float, severity: float = 0.0) -> Confidence:
    """Return the confidence in the first hit.

    Args:
        top: its score, >= 0; 0 where nothing was found.
        second: best score of another document; None without one.
        answer_threshold: relevance below which nothing is about the question; a constant of the embedder, > 0.
        severity: of the conflict that the first hit is in, in [0, 1].
    """
    margin = _margin(top, second)
    lead = top / (2.0 * answer_threshold)
    x = lead - MARGIN_SLOPE * max(0.0, MARGIN_NEEDED - margin) - CONFLICT_SLOPE * severity
    value = _sigmoid(SIGMOID_SLOPE * (x - SIGMOID_MIDDLE))
    tier = Tier.HIGH if value >= HIGH_FROM else Tier.MEDIUM if value >= MEDIUM_FROM else Tier.LOW
    why = derived(
        value,
        f"1 / (1 + exp(-{SIGMOID_SLOPE:g} * (x - {SIGMOID_MIDDLE:g})))",
        x=derived(
            x,
            f"top / (2 * answer_threshold) - {MARGIN_SLOPE:g} * max(0, {MARGIN_NEEDED:g} - margin)"
            f" - {CONFLICT_SLOPE:g} * severity",
            top=given(top, "score of the first hit"),
            answer_threshold=given(answer_threshold),
            margin=_explain_margin(margin, top, second),
            severity=given(severity, "of the conflict that the first hit is in"),
        ),
    )
    return Confidence(tier, value, margin, severity, why)


def verdict(*, best_relevance: float, answer_threshold: float, in_conflict: bool, caveat: bool) -> Verdict:
    """Return the verdict on an answer.

    Args:
        best_relevance: of all hits; 0 without any.
        answer_threshold: below it nothing here is about the question (that an answer is missing it can not tell).
        in_conflict: whether the first hit is in a conflict.
        caveat: whether the first hit is weak or undated, or its confidence LOW.
    """
    if best_relevance < answer_threshold:
        return Verdict.NONE
    if in_conflict:
        return Verdict.CONFLICT
    return Verdict.CAVEAT if caveat else Verdict.STRONG


def _margin(top: float, second: float | None) -> float:
    if top <= 0.0:
        return 0.0
    return 1.0 if second is None else (top - second) / top


def _explain_margin(margin: float, top: float, second: float | None) -> Explanation:
    if top <= 0.0 or second is None:
        return given(margin, "nothing was found" if top <= 0.0 else "no other document")
    note = "best of another document"
    return derived(margin, "(top - second) / top", top=given(top), second=given(second, note))


def _sigmoid(z: float) -> float:
    """Return 1 / (1 + exp(-z)) without overflow at either end."""
    if z >= 0.0:
        return 1.0 / (1.0 + math.exp(-z))
    grown = math.exp(z)
    return grown / (1.0 + grown)
