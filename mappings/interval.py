"""Own instants, their precision, and half-open intervals of them.

An instant is an ``int``: microseconds since 1970-01-01T00:00:00Z. An interval is ``[start, end)``. Whatever a
person or a file gives (a day, a month, a date-time with or without zone) becomes a `Span` once, at an edge, and
which end of it is meant is written in the table of `docs/dates.md`: lower ends take ``span.start``, inclusive upper
ends take ``span.end``, the moment of a question takes ``span.last``.

The filter of an index over these intervals, in all its forms, is `mappings.stamps`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mappings.errors import MomentError

# The largest and smallest signed 64-bit numbers: they fit every engine's integer type and sort after every date.
OPEN: Final = 2**63 - 1
BEGIN: Final = -(2**63)

SECOND: Final = 1_000_000
DAY: Final = 86_400 * SECOND

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)

# `datetime` ends with the year 9999; a span must still have an end, so its last year is left out.
_LAST_YEAR: Final = 9998
_ALLOWED: Final = (
    "give YYYY, YYYY-MM, YYYY-MM-DD or an ISO 8601 date-time such as 2024-05-01T10:00+02:00"
)

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?\Z")
_DATE_TIME = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?"
    r"\s?([Zz]|[+-]\d{2}:?\d{2}|[+-]\d{2})?\Z"
)
_AGO = re.compile(r"-(\d{1,5})([hdwmy])\Z")
_NAMED_DAYS: Final = {"yesterday": -1, "today": 0, "tomorrow": 1}


class Precision(StrEnum):
    """How much of a moment was given."""

    INSTANT = "instant"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Span:
    """A given moment as the interval ``[start, end)`` that it covers; an instant t covers ``[t, t + 1)``.

    Attributes:
        start: µs since 1970, included.
        end: µs since 1970, excluded; always greater than start.
        precision: how much was given.
    """

    start: int
    end: int
    precision: Precision = Precision.INSTANT

    def __post_init__(self) -> None:
        if not self.start < self.end:
            raise MomentError(f"span must start before it ends, got [{self.start}, {self.end})")

    @classmethod
    def instant(cls, at: int) -> Span:
        """Return the span of one instant."""
        return cls(at, at + 1)

    @property
    def last(self) -> int:
        """The last instant inside: what a day means as the moment of a question."""
        return self.end - 1

    def before(self, other: Span) -> bool:
        """Tell whether this span lies wholly before the other."""
        return self.end <= other.start

    def overlaps(self, other: Span) -> bool:
        """Tell whether the two spans share an instant."""
        return self.start < other.end and other.start < self.end


def from_datetime(moment: datetime) -> int:
    """Return an aware datetime as µs since 1970; raises MomentError for a naive one."""
    if moment.tzinfo is None:
        raise MomentError(f"moment must carry a zone, got {moment!r}", remedy="add tzinfo=UTC or the zone meant")
    return (moment - _EPOCH) // _MICROSECOND


def to_datetime(instant: int) -> datetime:
    """Return µs since 1970 as an aware datetime in UTC; raises MomentError outside the years 1 to 9999."""
    try:
        return _EPOCH + timedelta(microseconds=instant)
    except OverflowError as error:
        raise MomentError(f"instant must lie in the years 1 to 9999, got {instant!r}") from error


def format_instant(instant: int | None) -> str | None:
    """Return an instant as RFC 3339 in UTC, with a fraction only where there is one; None and an open end: None."""
    if instant is None or instant in (OPEN, BEGIN):
        return None
    moment = to_datetime(instant)
    fraction = f".{moment.microsecond:06d}" if moment.microsecond else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}".rjust(19, "0") + fraction + "Z"


def format_day(instant: int) -> str:
    """Return the UTC day of an instant as YYYY-MM-DD."""
    return to_datetime(instant).date().isoformat()


def get_zone(name: str) -> tzinfo:
    """Return the zone of an IANA name; raises MomentError for an unknown one."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise MomentError(
            f"zone must be an IANA name, got {name!r}", remedy="for example Europe/Berlin or UTC"
        ) from error


def day_span(day: date, zone: tzinfo = UTC, *, days: int = 1) -> Span:
    """Return the span of `days` calendar days from `day` in a zone (23 or 25 hours where clocks change)."""
    start = _midnight(day, zone)
    return Span(start, _midnight(day + timedelta(days=days), zone), Precision.DAY)


def parse_moment(text: str, *, zone: str = "UTC") -> Span:
    """Read a year, month, day or ISO 8601 date-time; one without an offset is taken in `zone`.

    Raises:
        MomentError: the text is none of these, or names a day that does not exist.
    """
    cleaned = text.strip()
    if match := _DATE.match(cleaned):
        return _calendar_span(match, get_zone(zone), text)
    if match := _DATE_TIME.match(cleaned):
        return Span.instant(_instant_of(match, get_zone(zone), text))
    raise MomentError(f"moment is not readable, got {text[:80]!r}", remedy=_ALLOWED)


def resolve_moment(text: str, *, now: int, zone: str = "UTC") -> Span:
    """Read what `parse_moment` reads, and moments relative to now: today, yesterday, -30d, -12h, -2w, -6m, -1y.

    A day named so is the whole day in `zone`; `now` and offsets are instants, months and years by the calendar.
    """
    word = text.strip().lower()
    if word == "now":
        return Span.instant(now)
    if word in _NAMED_DAYS:
        local = to_datetime(now).astimezone(get_zone(zone)).date()
        return day_span(local + timedelta(days=_NAMED_DAYS[word]), get_zone(zone))
    if match := _AGO.match(word):
        return Span.instant(_ago(now, int(match[1]), match[2], text))
    return parse_moment(text, zone=zone)


def _midnight(day: date, zone: tzinfo) -> int:
    return from_datetime(datetime(day.year, day.month, day.day, tzinfo=zone))


def _calendar_span(match: re.Match[str], zone: tzinfo, text: str) -> Span:
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        first = date(year or 0, 1 if month is None else month, 1 if day is None else day)
        if first.year > _LAST_YEAR:
            raise ValueError
    except ValueError as error:
        raise MomentError(
            f"moment names a day that does not exist, got {text!r}",
            remedy=f"years run from 0001 to {_LAST_YEAR}, months from 1 to 12",
        ) from error
    if day:
        return day_span(first, zone)
    if month:
        following = date(first.year + first.month // 12, first.month % 12 + 1, 1)
        return Span(_midnight(first, zone), _midnight(following, zone), Precision.MONTH)
    return Span(_midnight(first, zone), _midnight(date(first.year + 1, 1, 1), zone), Precision.YEAR)


def _instant_of(match: re.Match[str], zone: tzinfo, text: str) -> int:
    year, month, day, hour, minute = (int(match[i]) for i in range(1, 6))
    try:
        moment = datetime(year, month, day, hour, minute, int(match[6] or 0), tzinfo=_offset(match[8], zone))
        micros = int((match[7] or "0")[:6].ljust(6, "0"))
        return from_datetime(moment) + micros
    except (ValueError, OverflowError) as error:
        raise MomentError(f"moment does not exist, got {text!r}", remedy=_ALLOWED) from error


def _offset(text: str | None, zone: tzinfo) -> tzinfo:
    if text is None:
        return zone
    if text in "Zz":
        return UTC
    hours, minutes = int(text[1:3]), int(text[3:].lstrip(":") or 0)
    if hours > 23 or minutes > 59:
        raise ValueError(text)
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if text[0] == "-" else offset)


def _ago(now: int, count: int, unit: str, text: str) -> int:
    if unit in "hdw":
        return now - count * {"h": 3_600 * SECOND, "d": DAY, "w": 7 * DAY}[unit]
    moment = to_datetime(now)
    months = moment.year * 12 + moment.month - 1 - count * (1 if unit == "m" else 12)
    year, month = divmod(months, 12)
    for day in range(moment.day, moment.day - 4, -1):  # 31 March less a month is the last day of February
        try:
            return from_datetime(moment.replace(year=year, month=month + 1, day=day))
        except ValueError:
            continue
    raise MomentError(f"moment lies before the year 1, got {text!r}", remedy="give a smaller offset")
