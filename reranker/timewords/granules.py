"""Own the arithmetic of calendar units: days as ordinals of the proleptic calendar, no zone and no clock.

A granule is a stretch of whole local days with a name ("month", "decade"). Only `Granule.instants` holds instants: a
rolling stretch such as "the last 6 hours" ends now, in the middle of a day.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from typing import Final

LAST_DAY: Final = date.max.toordinal()  # 9999-12-31

# Months in a unit that is made of months.
MONTHS: Final = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
DAYS: Final = {"day": 1, "week": 7}
SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600}

# First month of each season in the northern hemisphere, as weather services count; three months each.
SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


class Strength(IntEnum):
    """What has to stand around a granule before it is taken for a time."""

    ALONE = 0  # nothing: "March 2024"
    WORD = 1  # a word of time in front, or nothing else in the question: "2019", "May"
    WHOLE = 2  # nothing else in the question: "Mon"
    INNER = 3  # another date around it: "(the first week) of the month"


@dataclass(frozen=True, slots=True)
class Granule:
    """A stretch of local days.

    Attributes:
        start, end: ordinals of days, end excluded.
        grain: name of the unit, "range" for a stretch of several, "rolling" for one that is counted from now.
        strength: what must stand around it.
        resolve: for one named without its year, the granule of the same name in a year; None where it does not exist.
        edge: the day boundary meant by "the end of" and "the beginning of".
        instants: µs, [from, until), in place of whole days.
        rule: name of the row that read it.
        refusal: why it may not be read although its shape is clear.
    """

    start: int
    end: int
    grain: str
    strength: Strength = Strength.ALONE
    resolve: Callable[[int], Granule | None] | None = None
    edge: int | None = None
    instants: tuple[int, int] | None = None
    rule: str = ""
    refusal: str = ""

    @property
    def exists(self) -> bool:
        """Whether it lies in the years 1 to 9999."""
        return self.instants is not None or 1 <= self.start < self.end <= LAST_DAY + 1


def month_start(index: int) -> int:
    """Return the first day of a month, counted as year * 12 + month - 1; the month after 9999-12 is its end."""
    year, month = divmod(index, 12)
    if year == 10000 and month == 0:
        return LAST_DAY + 1
    return date(year, month + 1, 1).toordinal()


def month_index(day: int) -> int:
    """Return the month of a day, as `month_start` counts."""
    when = date.fromordinal(day)
    return when.year * 12 + when.month - 1


def months(index: int, count: int, grain: str) -> Granule:
    """Return `count` whole months from a month on; raises ValueError outside the calendar."""
    return Granule(month_start(index), month_start(index + count), grain)


def year(number: int) -> Granule:
    """Return a calendar year."""
    return months(number * 12, 12, "year")


def one_day(ordinal: int) -> Granule:
    """Return a day."""
    return Granule(ordinal, ordinal + 1, "day")


def century(number: int) -> Granule:
    """Return a century as people count: the 21st starts with the year 2000."""
    first = max(1, (number - 1) * 100)
    return months(first * 12, (number * 100 - first) * 12, "century")


def iso_week(number_of_year: int, week: int) -> Granule:
    """Return an ISO week; raises ValueError for one that the year has not."""
    start = date.fromisocalendar(number_of_year, week, 1).toordinal()
    return Granule(start, start + 7, "week")


def season(number: int, name: str, hemisphere: str) -> Granule:
    """Return the season that starts in a year."""
    first = SEASONS[name] - 1
    if hemisphere == "south":
        first = (first + 6) % 12
    return months(number * 12 + first, 3, "season")


def unit_of(day: int, unit: str, week_start: int = 0) -> Granule:
    """Return the unit that holds a day: its week, quarter, decade."""
    if unit == "day":
        return one_day(day)
    if unit == "week":
        start = day - (day - 1 - week_start) % 7
        return Granule(start, start + 7, "week")
    index = month_index(day)
    return months(index - index % MONTHS[unit], MONTHS[unit], unit)


def shifted(granule: Granule, count: int) -> Granule:
    """Return the unit that lies `count` units of the same name later; raises ValueError outside the calendar."""
    if granule.grain in DAYS:
        step = DAYS[granule.grain] * count
        return Granule(granule.start + step, granule.end + step, granule.grain)
    step = MONTHS[granule.grain]
    return months(month_index(granule.start) + step * count, step, granule.grain)


def day_shifted(day: int, count: int, unit: str) -> int:
    """Return the day that lies `count` units later; the 31st less a month is the last day of a shorter month."""
    if unit in DAYS:
        return day + DAYS[unit] * count
    index = month_index(day) + MONTHS[unit] * count
    start, end = month_start(index), month_start(index + 1)
    return min(start + date.fromordinal(day).day - 1, end - 1)


def nth_in(granule: Granule, number: int, unit: str) -> Granule | None:
    """Return the number-th unit inside a granule, counted from its end if negative; None where it has not so many."""
    if unit in DAYS:
        size = DAYS[unit]
        start = granule.start + size * (number - 1) if number > 0 else granule.end + size * number
        found = Granule(start, start + size, unit)
    else:
        step, first, last = MONTHS[unit], month_index(granule.start), month_index(granule.end - 1) + 1
        found = months(first + step * (number - 1) if number > 0 else last + step * number, step, unit)
    return found if granule.start <= found.start and found.end <= granule.end else None


def nth_weekday_in(granule: Granule, number: int, weekday: int) -> Granule | None:
    """Return the number-th such weekday (0 is Monday) inside a granule, from its end if negative."""
    if number > 0:
        day = granule.start + (weekday - (granule.start - 1)) % 7 + 7 * (number - 1)
    else:
        day = granule.end - 1 - (granule.end - 2 - weekday) % 7 + 7 * (number + 1)
    return one_day(day) if granule.start <= day < granule.end else None
