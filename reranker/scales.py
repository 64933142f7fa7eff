"""Own the scales that raw scores of other engines come in. A scale is declared by name, never guessed from numbers.

    cosine              cos itself, -1 to 1
    half_cosine         (1 + cos) / 2
    inverse_distance    1 / (1 + d), d = 1 - cos
    bm25:MAX            the score of words, and the most that the question could reach
    range:LOW:HIGH      any score with a declared range
    logit               what a cross-encoder gives before the sigmoid
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from reranker.errors import RequestError

# What rounding may add to a cosine or a share; more is another scale.
_ROUNDING: Final = 1e-6
_INVALID: Final = math.nan


@dataclass(frozen=True, slots=True)
class Scale:
    """A declared scale.

    Attributes:
        leg: "cosine", "words" or "relevance": what a score of it is taken for.
        convert: raw score → cosine in [-1, 1], or share in [0, 1]; NaN for a score that the scale does not hold.
    """

    leg: str
    convert: Callable[[float], float]


def parse_scale(text: str) -> Scale:
    """Read a declared scale.

    Raises:
        RequestError: no scale has that name, or its numbers make no range.
    """
    name, *numbers = text.split(":")
    if name not in _SCALES or len(numbers) != _SCALES[name][0]:
        known = ", ".join(("cosine", "half_cosine", "inverse_distance", "bm25:MAX", "range:LOW:HIGH", "logit"))
        raise RequestError("scale", f"scale is not known, got {text!r}", remedy=f"known: {known}")
    return _SCALES[name][1](text, *(_number(text, number) for number in numbers))


def bounded(value: float, low: float, high: float) -> float:
    """Return a number held between two bounds that rounding may pass by a little; NaN outside."""
    if not low - _ROUNDING <= value <= high + _ROUNDING:
        return _INVALID
    return min(max(value, low), high)


def _number(text: str, number: str) -> float:
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise RequestError("scale", f"scale needs finite numbers, got {text!r}")
    return value


def _cosine(_: str) -> Scale:
    return Scale("cosine", lambda score: bounded(score, -1.0, 1.0))


def _half_cosine(_: str) -> Scale:
    return Scale("cosine", lambda score: 2.0 * bounded(score, 0.0, 1.0) - 1.0)


def _inverse_distance(_: str) -> Scale:
    return Scale("cosine", lambda score: 2.0 - 1.0 / bounded(score, 1.0 / 3.0, 1.0))


def _bm25(text: str, most: float) -> Scale:
    return _range(text, 0.0, most, leg="words")


def _range(text: str, low: float, high: float, *, leg: str = "relevance") -> Scale:
    if low >= high:
        raise RequestError("scale", f"scale must rise from low to high, got {text!r}")
    return Scale(leg, lambda score: bounded((score - low) / (high - low), 0.0, 1.0))


def _logit(_: str) -> Scale:
    return Scale("relevance", lambda score: 0.5 + 0.5 * math.tanh(score / 2.0) if math.isfinite(score) else _INVALID)


_SCALES: Final[Mapping[str, tuple[int, Callable[..., Scale]]]] = {
    "cosine": (0, _cosine),
    "half_cosine": (0, _half_cosine),
    "inverse_distance": (0, _inverse_distance),
    "bm25": (1, _bm25),
    "range": (2, _range),
    "logit": (0, _logit),
}
