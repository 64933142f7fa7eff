"""Own when and where a question is asked, and what a row's meaning is to the type checker."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Final

from mappings.interval import from_datetime, get_zone, to_datetime
from reranker.timewords.grammar import Values
from reranker.timewords.granules import LAST_DAY, Granule
from reranker.timewords.languages import Language
from reranker.timewords.model import TimeSettings

FIRST_INSTANT: Final = -62_135_596_800_000_000  # 0001-01-01T00:00:00Z
LAST_INSTANT: Final = 253_402_300_799_999_999  # 9999-12-31T23:59:59.999999Z


@dataclass(frozen=True, slots=True)
class Moment:
    """When and where a question is asked.

    Attributes:
        now: µs since 1970 UTC.
        today: ordinal of the local day.
        zone, zone_name: of the person who asks.
    """

    now: int
    today: int
    zone: tzinfo
    zone_name: str
    settings: TimeSettings
    language: Language

    @property
    def year(self) -> int:
        """The local year."""
        return date.fromordinal(self.today).year

    def instant(self, day: int) -> int:
        """Return the first instant of a local day in µs; a midnight that clocks skip is the instant they skip to."""
        if day > LAST_DAY:
            return LAST_INSTANT
        when = date.fromordinal(day)
        local = from_datetime(datetime(when.year, when.month, when.day, tzinfo=self.zone))
        return min(max(local, FIRST_INSTANT), LAST_INSTANT)

    def bounds(self, granule: Granule) -> tuple[int, int]:
        """Return the bounds of a granule in µs, half-open."""
        return granule.instants or (self.instant(granule.start), self.instant(granule.end))


Meaning = Callable[[Moment, Values], Granule | None]


def moment_at(now: int, zone: str, settings: TimeSettings, language: Language) -> Moment:
    """Return the moment of a question.

    Raises:
        MomentError: an unknown zone, or a `now` outside the years 1 to 9999.
    """
    place = get_zone(zone)
    local = to_datetime(now)
    with suppress(OverflowError):  # in the first and last hours of the calendar other zones have no date
        local = local.astimezone(place)
    return Moment(now, local.toordinal(), place, zone, settings, language)
