"""Own the names of dated indices: which one a passage lies in, and which ones a question asks.

A passage lies in the index of the period in which it was observed; what carries no date lies in one of its own. A
label names a period: `2024`, `2024-q3`, `2024-07`, `undated`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from mappings.interval import BEGIN, OPEN, from_datetime, to_datetime

UNDATED: Final = "undated"

# The years that a calendar has: what lies beyond them lies in the first or the last period.
_FIRST: Final = from_datetime(datetime(1, 1, 1, tzinfo=UTC))
_LAST: Final = from_datetime(datetime(9999, 12, 31, tzinfo=UTC))


class Period(StrEnum):
    """How long the period of one index is: longer ones make fewer, larger indices."""

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class Extent:
    """The largest ends among the passages of one index, µs: after both, nothing in it holds any more."""

    until: int = OPEN
    closed: int = OPEN


def label_of(observed: int, period: Period) -> str:
    """Return the label of the index in which a passage lies that was observed at a moment, BEGIN where undated."""
    if observed == BEGIN:
        return UNDATED
    day = to_datetime(min(max(observed, _FIRST), _LAST))
    if period is Period.YEAR:
        return f"{day.year:04}"
    if period is Period.QUARTER:
        return f"{day.year:04}-q{(day.month + 2) // 3}"
    return f"{day.year:04}-{day.month:02}"


def start_of(label: str) -> int:
    """Return the moment at which the period of a label starts, µs; BEGIN for what has no start."""
    if label == UNDATED:
        return BEGIN
    year, _, part = label.partition("-")
    month = int(part[1:]) * 3 - 2 if part.startswith("q") else int(part or 1)
    start = from_datetime(datetime(int(year), month, 1, tzinfo=UTC))
    return BEGIN if start == _FIRST else start


def labels_to_ask(
    extents: Mapping[str, Extent], as_of: int, known_at: int, *, states: bool, undated: bool
) -> tuple[str, ...]:
    """Return the labels of the indices in which something may be admitted, in order.

    Args:
        extents: of all indices, by label.
        as_of: the moment for which the answer must hold, µs.
        known_at: the moment up to which something may have been known, µs.
        states: whether stamps are applied; without them what no longer holds is asked for too.
        undated: whether what carries no date is asked for.
    """
    asked = []
    for label in sorted(extents):
        extent = extents[label]
        # Not "after as_of": what was observed later may have been declared to hold earlier.
        later = start_of(label) > known_at
        over = states and (extent.until <= as_of or extent.closed <= min(as_of, known_at))
        if not later and not over and (undated or label != UNDATED):
            asked.append(label)
    return tuple(asked)
