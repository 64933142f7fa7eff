"""Own what a reading of a question is made of, and the settings that change it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from mappings.interval import BEGIN, OPEN
from reranker.timewords.errors import TimeSettingsError


class Role(StrEnum):
    """What a span asks for."""

    AS_OF = "as_of"  # the moment of the question is the last instant of the span
    RANGE = "range"  # what overlaps the span is asked for
    CUE = "cue"  # it names the present; its bounds are for show and limit nothing


@dataclass(frozen=True, slots=True)
class TimeSettings:
    """What a reader of time can not know from the words.

    Attributes:
        week_start: first day of the week, 0 is Monday; ISO weeks start on Monday whatever it says.
        fiscal_start_month: month in which the fiscal year starts, named after the year in which it ends; None: fiscal
            years stay unread.
        date_order: how "01/02/2016" is written, "DMY" or "MDY"; None: as the language fixes it, else unread.
        hemisphere: "north" or "south", for the names of seasons.
        years_ahead: a number without a month is a year up to this many years after now.
    """

    week_start: int = 0
    fiscal_start_month: int | None = None
    date_order: Literal["DMY", "MDY"] | None = None
    hemisphere: Literal["north", "south"] = "north"
    # Plans are dated a few years ahead; "2048" is more often a size than a year.
    years_ahead: int = 5

    def __post_init__(self) -> None:
        if not 0 <= self.week_start <= 6:
            raise TimeSettingsError(f"week_start must be 0 (Monday) to 6 (Sunday), got {self.week_start!r}")
        if self.fiscal_start_month is not None and not 1 <= self.fiscal_start_month <= 12:
            raise TimeSettingsError(f"fiscal_start_month must be 1 to 12 or None, got {self.fiscal_start_month!r}")
        if self.date_order not in (None, "DMY", "MDY"):
            raise TimeSettingsError(f"date_order must be 'DMY', 'MDY' or None, got {self.date_order!r}")
        if self.hemisphere not in ("north", "south"):
            raise TimeSettingsError(f"hemisphere must be 'north' or 'south', got {self.hemisphere!r}")
        if not 0 <= self.years_ahead <= 1000:
            raise TimeSettingsError(f"years_ahead must be 0 to 1000, got {self.years_ahead!r}")


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """One expression of time, as it stands in the question.

    Attributes:
        text: the characters themselves.
        start, end: where they stand in the question, end excluded.
        role: what the span asks for.
        from_us, until_us: half-open bounds in µs since 1970 UTC; None is open. Both None only where it is unread.
        rule: the rows of the grammar that read it, "operator: date".
        unread: why it was left alone; empty where it was read.
        to_now: whether it ends at the moment of the question because it is counted up to it ("the last 3 days").
    """

    text: str
    start: int
    end: int
    role: Role
    from_us: int | None
    until_us: int | None
    rule: str
    unread: str = ""
    to_now: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in a question, in the order of its words.

    Attributes:
        spans: read and unread expressions, none overlapping another.
        rest: the question without the expressions that were read; cues stay in it.
    """

    spans: tuple[TimeSpan, ...]
    rest: str

    @property
    def as_of(self) -> TimeSpan | None:
        """The moment asked for, if there is one."""
        return next((span for span in self.spans if span.role is Role.AS_OF and not span.unread), None)

    @property
    def range(self) -> tuple[int | None, int | None] | None:
        """The period asked for, (from, until) in µs with None for open: what all ranges read have in common."""
        ranges = [span for span in self.spans if span.role is Role.RANGE and not span.unread]
        return common(ranges) if ranges else None


def common(spans: list[TimeSpan]) -> tuple[int | None, int | None] | None:
    """Return what the spans have in common as (from, until), or None if that is empty."""
    low = max(BEGIN if span.from_us is None else span.from_us for span in spans)
    high = min(OPEN if span.until_us is None else span.until_us for span in spans)
    if low >= high:
        return None
    return (None if low == BEGIN else low), (None if high == OPEN else high)
