"""Own what the rows for units beside now mean: "last week", "this quarter", "last spring", "next Friday"."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from reranker.timewords import granules
from reranker.timewords.grammar import Values
from reranker.timewords.granules import Granule, Strength
from reranker.timewords.moment import Meaning, Moment


def under_way(moment: Moment, unit: str) -> Granule:
    """Return the unit that is under way."""
    return granules.unit_of(moment.today, unit, moment.settings.week_start)


def _named_day(moment: Moment, values: Values) -> Granule:
    return granules.one_day(moment.today + values["NAMED"])


def _this_unit(moment: Moment, values: Values) -> Granule:
    return under_way(moment, values["SPAN"])


def _the_unit(moment: Moment, values: Values) -> Granule | None:
    # "at the end of the day" is no day
    if values["SPAN"] == "day":
        return None
    return replace(under_way(moment, values["SPAN"]), strength=Strength.INNER)


def _last_unit(moment: Moment, values: Values) -> Granule | None:
    # "the last day to enrol" is no yesterday
    if values["SPAN"] == "day" and values["LAST"] == -1:
        return None
    return granules.shifted(under_way(moment, values["SPAN"]), -1)


def _next_unit(moment: Moment, values: Values) -> Granule | None:
    if values["SPAN"] == "day":
        return None
    return granules.shifted(under_way(moment, values["SPAN"]), 1)


def _unit_before_last(moment: Moment, values: Values) -> Granule:
    return granules.shifted(under_way(moment, values["SPAN"]), -2)


def _last_weekday(moment: Moment, values: Values) -> Granule:
    yesterday = moment.today - 1
    return granules.one_day(yesterday - (yesterday - 1 - values["WEEKDAY"]) % 7)


def _weekday(moment: Moment, values: Values) -> Granule:
    weekday, strength = values.get("DAYNAME"), Strength.WORD
    if weekday is None:  # "sun" and "sat" are other things too
        weekday, strength = values["WEEKDAY"], Strength.WHOLE
    return replace(granules.one_day(moment.today - (moment.today - 1 - weekday) % 7), strength=strength)


def _weekday_in_week(moment: Moment, weekday: int, weeks: int) -> Granule | None:
    week = granules.shifted(under_way(moment, "week"), weeks)
    return granules.nth_weekday_in(week, 1, weekday)


def _weekday_of(moment: Moment, values: Values) -> Granule | None:
    if "SPAN" in values:
        return _weekday_in_week(moment, values["WEEKDAY"], -1) if values["SPAN"] == "week" else None
    outer: Granule = values["DATE"]
    return granules.nth_weekday_in(outer, 1, values["WEEKDAY"]) if outer.grain == "week" else None


def _month_shifted(moment: Moment, values: Values, last: int) -> Granule:
    """Return the latest such month that starts at most at month `last`, counted as granules.month_index does."""
    index = last - (last - values["MONTH"] + 1) % 12
    return granules.months(index, 1, "month")


def _last_month_name(moment: Moment, values: Values) -> Granule:
    return _month_shifted(moment, values, granules.month_index(moment.today) - 1)


def _this_month_name(moment: Moment, values: Values) -> Granule:
    return granules.months(moment.year * 12 + values["MONTH"] - 1, 1, "month")


def _next_month_name(moment: Moment, values: Values) -> Granule:
    return _month_shifted(moment, values, granules.month_index(moment.today) + 12)


def _last_season(moment: Moment, values: Values) -> Granule | None:
    for year in range(moment.year, moment.year - 3, -1):
        found = granules.season(year, values["SEASON"], moment.settings.hemisphere)
        if found.end <= moment.today:
            return found
    return None


def _this_season(moment: Moment, values: Values) -> Granule:
    seasons = [granules.season(moment.year + n, values["SEASON"], moment.settings.hemisphere) for n in (-1, 0)]
    return seasons[0] if moment.today < seasons[0].end else seasons[1]


def _this_weekday(moment: Moment, values: Values) -> Granule | None:
    return _weekday_in_week(moment, values["WEEKDAY"], 0)


def _next_weekday(moment: Moment, values: Values) -> Granule | None:
    return _weekday_in_week(moment, values["WEEKDAY"], 1)


RELATIVE: Final[dict[str, Meaning]] = {
    "named day": _named_day,
    "this unit": _this_unit,
    "the unit": _the_unit,
    "last unit": _last_unit,
    "next unit": _next_unit,
    "unit before last": _unit_before_last,
    "last weekday": _last_weekday,
    "this weekday": _this_weekday,
    "next weekday": _next_weekday,
    "weekday": _weekday,
    "short weekday": _weekday,
    "weekday of": _weekday_of,
    "last month name": _last_month_name,
    "this month name": _this_month_name,
    "next month name": _next_month_name,
    "last season": _last_season,
    "this season": _this_season,
}
