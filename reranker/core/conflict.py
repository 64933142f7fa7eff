"""Own conflicts: two sources that give different values for one topic at one moment. Nothing here moves a score.

Only what is declared counts: the same topic, and a value on both sides; likeness of text makes no topic. Values are
compared after case and space; severity = |a - b| / max(|a|, |b|) for numbers of one unit, at most 1; else 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from reranker.core.explanation import Explanation, derived, given

_NUMBER: Final = re.compile(r"([+-]?\d+(?:,\d{3})*(?:\.\d+)?)\s*(.*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Claim:
    """What one candidate declares.

    Attributes:
        series: claims of one series never conflict; they replace each other.
    """

    topic: str | None
    value: str | None
    series: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Sources that disagree on one topic.

    Attributes:
        positions: of the claims that take part, ascending.
        severity: largest between two of them, in (0, 1].
        values: the two values of that severity.
    """

    topic: str
    positions: tuple[int, ...]
    severity: float
    values: tuple[str, str]


def conflicts(claims: Sequence[Claim]) -> list[Conflict]:
    """Return the conflicts among the claims of live candidates, topics in the order of first appearance."""
    by_topic: dict[str, list[int]] = {}
    for at, claim in enumerate(claims):
        if claim.topic is not None and claim.value is not None:
            by_topic.setdefault(_plain(claim.topic), []).append(at)
    found = (_conflict(claims, positions) for positions in by_topic.values())
    return [conflict for conflict in found if conflict is not None]


def severity(one: str, other: str) -> float:
    """Return how far two values are apart, in [0, 1]; 0 for equal ones."""
    a, b = _measure(one), _measure(other)
    if a is None or b is None or a[1] != b[1]:
        return float(_plain(one) != _plain(other))
    largest = max(abs(a[0]), abs(b[0]))
    return min(abs(a[0] - b[0]) / largest, 1.0) if largest else 0.0


def explain_severity(one: str, other: str) -> Explanation:
    """Explain how far two values are apart."""
    value, a, b = severity(one, other), _measure(one), _measure(other)
    if a is None or b is None or a[1] != b[1] or not (a[0] or b[0]):
        return given(value, f"{one!r} and {other!r}: {'equal' if value == 0.0 else 'different'}")
    return derived(value, "min(abs(a - b) / max(abs(a), abs(b)), 1)", a=given(a[0], one), b=given(b[0], other))


def _conflict(claims: Sequence[Claim], positions: Sequence[int]) -> Conflict | None:
    pairs = [
        (severity(claims[a].value or "", claims[b].value or ""), a, b)
        for a, b in combinations(positions, 2)
        if claims[a].series != claims[b].series
    ]
    apart = [pair for pair in pairs if pair[0] > 0.0]
    if not apart:
        return None
    worst, a, b = max(apart, key=lambda pair: (pair[0], -pair[1], -pair[2]))
    taking_part = sorted({at for _, *pair in apart for at in pair})
    values = claims[a].value or "", claims[b].value or ""
    return Conflict(claims[a].topic or "", tuple(taking_part), worst, values)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _measure(value: str) -> tuple[float, str] | None:
    """Read a whole number with its unit: "1,000 requests"; None for anything else."""
    match = _NUMBER.match(_plain(value))
    return (float(match[1].replace(",", "")), match[2]) if match else None
