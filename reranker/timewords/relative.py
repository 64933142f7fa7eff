"""Own what the rows for times counted from now, and for parts of other dates, mean: "last week", "the end of March"."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mappings.interval import SECOND
from reranker.timewords import granules
from reranker.timewords.grammar import Values
from reranker.timewords.granules import Granule, Strength
from reranker.timewords.moment import FIRST_INSTANT, Meaning, Moment

# Where early, middle and late lie, as (first, end) of so many equal pieces: months of a year, years of a decade.
_PARTS: Final[dict[str, dict[str, tuple[int, int]]]] = {
    "year": {"early": (0, 3), "middle": (4, 8), "late": (9, 12)},
    "half": {"early": (0, 2), "middle": (2, 4), "late": (4, 6)},
    "quarter": {"early": (0, 1), "middle": (1, 2), "late": (2, 3)},
    "season": {"early": (0, 1), "middle": (1, 2), "late": (2, 3)},
    "decade": {"early": (0, 48), "middle": (48, 84), "late": (84, 120)},
    "century": {"early": (0, 360), "middle": (480, 720), "late": (840, 1200)},
}
# The same for units of days; the last part of a month is as long as the month leaves it.
_DAY_PARTS: Final[dict[str, dict[str, tuple[int, int | None]]]] = {
    "month": {"early": (0, 10), "middle": (10, 20), "late": (20, None)},
    "week": {"early": (0, 2), "middle": (2, 4), "late": (4, None)},
}


def _unit(moment: Moment, unit: str) -> Granule:
    return granules.unit_of(moment.today, unit, moment.settings.week_start)


def _named_day(moment: Moment, values: Values) -> Granule:
    return granules.one_day(moment.today + values["NAMED"])


def _this_unit(moment: Moment, values: Values) -> Granule:
    return _unit(moment, values["SPAN"])


def _the_unit(moment: Moment, values: Values) -> Granule:
    return replace(_unit(moment, values["SPAN"]), strength=Strength.INNER)


def _last_unit(moment: Moment, values: Values) -> Granule | None:
    # "the last day to enrol" is no yesterday
    if values["SPAN"] == "day" and values["LAST"] == -1:
        return None
    return granules.shifted(_unit(moment, values["SPAN"]), -1)


def _next_unit(moment: Moment, values: Values) -> Granule | None:
    if values["SPAN"] == "day":
        return None
    return granules.shifted(_unit(moment, values["SPAN"]), 1)


def _unit_before_last(moment: Moment, values: Values) -> Granule:
    return granules.shifted(_unit(moment, values["SPAN"]), -2)


def _last_weekday(moment: Moment, values: Values) -> Granule:
    yesterday = moment.today - 1
    return granules.one_day(yesterday - (yesterday - 1 - values["WEEKDAY"]) % 7)


def _weekday(moment: Moment, values: Values) -> Granule:
    weekday, strength = values.get("DAYNAME"), Strength.WORD
    if weekday is None:  # "sun" and "sat" are other things too
        weekday, strength = values["WEEKDAY"], Strength.WHOLE
    return replace(granules.one_day(moment.today - (moment.today - 1 - weekday) % 7), strength=strength)


def _weekday_in_week(moment: Moment, weekday: int, weeks: int) -> Granule | None:
    week = granules.shifted(_unit(moment, "week"), weeks)
    return granules.nth_weekday_in(week, 1, weekday)


def _weekday_of(moment: Moment, values: Values) -> Granule | None:
    if "SPAN" in values:
        return _weekday_in_week(moment, values["WEEKDAY"], -1) if values["SPAN"] == "week" else None
    outer: Granule = values["DATE"]
    return granules.nth_weekday_in(outer, 1, values["WEEKDAY"]) if outer.grain == "week" else None


def _nth_weekday(_: Moment, values: Values) -> Granule | None:
    return _inside(values["DATE"], granules.nth_weekday_in(values["DATE"], values.get("NTH", -1), values["WEEKDAY"]))


def _weekday_and_day(_: Moment, values: Values) -> Granule | None:
    # A weekday that does not fit its date is the writer's slip; the date is what was meant.
    outer: Granule = values["DATE"]
    if outer.grain != "day" or "weekday" in outer.rule:
        return None
    return replace(outer, strength=Strength.ALONE)


def _day_of(_: Moment, values: Values) -> Granule | None:
    outer: Granule = values["DATE"]
    return _inside(outer, granules.nth_in(outer, values["DAY"], "day")) if outer.grain == "month" else None


def _inside(outer: Granule, found: Granule | None) -> Granule | None:
    """Keep what lies inside a granule of whole days; a part of what needs no word beside it needs none either."""
    if found is None or outer.instants or outer.refusal:
        return None
    return replace(found, strength=Strength.ALONE)


def _nth_unit(_: Moment, values: Values) -> Granule | None:
    outer, unit, number = values["DATE"], values["UNIT"], values.get("NTH", -1)
    if outer.grain == unit or unit in granules.SECONDS:
        return None
    if unit == "half" and outer.grain != "year":
        return _inside(outer, _half(outer, number))
    if unit == "week" and number == -1:
        return _inside(outer, Granule(outer.end - 7, outer.end, "week"))
    return _inside(outer, granules.nth_in(outer, number, unit))


def _half(outer: Granule, number: int) -> Granule | None:
    middle = outer.start + (outer.end - outer.start) // 2
    if outer.grain in ("decade", "century"):
        middle = granules.month_start(granules.month_index(outer.start) + granules.MONTHS[outer.grain] // 2)
    if number not in (1, 2, -1):
        return None
    return Granule(outer.start, middle, "range") if number == 1 else Granule(middle, outer.end, "range")


def _part(_: Moment, values: Values) -> Granule | None:
    outer: Granule = values["DATE"]
    edge = values.get("EDGE", "")
    name = {"start": "early", "end": "late", "middle": "middle"}.get(edge) or values["PART"]
    found = _stretch(outer, name)
    if found is None or outer.instants or outer.refusal:
        return None
    boundary = {"start": outer.start, "end": outer.end}.get(edge)
    # "late March" is as sure as "March": the part of a name without a year still wants its word
    strength = Strength.WORD if outer.strength is Strength.WORD and outer.grain != "year" else Strength.ALONE
    return replace(found, edge=boundary, strength=strength)


def _stretch(outer: Granule, name: str) -> Granule | None:
    if outer.grain in _PARTS:
        first, end = _PARTS[outer.grain][name]
        return granules.months(granules.month_index(outer.start) + first, end - first, "range")
    if outer.grain in _DAY_PARTS:
        low, high = _DAY_PARTS[outer.grain][name]
        return Granule(outer.start + low, outer.end if high is None else outer.start + high, "range")
    return None


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


def _count(values: Values) -> int:
    count = values["NUMBER"] if "NUMBER" in values else values.get("A", 1)
    return int(count)


def _counted(values: Values) -> tuple[int, str]:
    if "NUMBERUNIT" in values:
        count, unit = values["NUMBERUNIT"]
        return int(count), str(unit)
    return _count(values), str(values["UNIT"])


def _ago(moment: Moment, values: Values) -> Granule:
    return _units_ago(moment, *_counted(values))


def _units_ago(moment: Moment, count: int, unit: str) -> Granule:
    if unit in granules.SECONDS:
        step = granules.SECONDS[unit] * SECOND
        start = moment.now - count * step
        if start < FIRST_INSTANT:
            raise OverflowError
        return Granule(0, 0, unit, instants=(start, start + step))
    return granules.one_day(granules.day_shifted(moment.today, -count, unit))


def _couple_ago(moment: Moment, values: Values) -> Granule:
    return _units_ago(moment, 2, values["UNIT"])


def _half_ago(moment: Moment, values: Values) -> Granule | None:
    months = {"year": 6, "decade": 60, "century": 600}.get(values["UNIT"])
    return _units_ago(moment, months, "month") if months else None


def _one_and_a_half_ago(moment: Moment, values: Values) -> Granule | None:
    months = {"year": 18, "decade": 180}.get(values["UNIT"])
    return _units_ago(moment, months, "month") if months else None


def _units_beside(_: Moment, values: Values) -> Granule | None:
    count, unit = _count(values), values.get("UNIT", "day")
    outer: Granule = values["DATE"]
    if unit in granules.SECONDS or outer.instants or outer.refusal:
        return None
    origin = outer.start if values["SIDE"] < 0 or outer.grain == "day" else outer.end - 1
    return granules.one_day(granules.day_shifted(origin, values["SIDE"] * count, unit))


def _this_time_last(moment: Moment, values: Values) -> Granule:
    return granules.one_day(granules.day_shifted(moment.today, -1, values["SPAN"]))


def _past_units(moment: Moment, values: Values) -> Granule:
    return _rolling(moment, *_counted(values))


def _past_couple(moment: Moment, values: Values) -> Granule:
    return _rolling(moment, 2, values["UNIT"])


def _rolling(moment: Moment, count: int, unit: str) -> Granule:
    """Count back from now by the calendar; quarters and halves are counted whole, as their names say."""
    if unit in granules.SECONDS:
        start = moment.now - count * granules.SECONDS[unit] * SECOND
        return Granule(0, 0, "rolling", instants=(max(start, FIRST_INSTANT), moment.now))
    if unit in ("quarter", "half"):
        current = _unit(moment, unit)
        return Granule(granules.shifted(current, -count).start, current.start, "range")
    try:
        start = moment.instant(granules.day_shifted(moment.today, -count, unit))
    except (ValueError, OverflowError):  # further back than the calendar: everything until now
        start = FIRST_INSTANT
    return Granule(0, 0, "rolling", instants=(start, moment.now))


def _next_units(moment: Moment, values: Values) -> Granule | None:
    count, unit = _counted(values)
    if unit in granules.SECONDS:
        return None
    return Granule(moment.today, granules.day_shifted(moment.today, count, unit) + 1, "range")


def _to_date(moment: Moment, values: Values) -> Granule:
    start = moment.instant(_unit(moment, values["SPAN"]).start)
    return Granule(0, 0, "rolling", instants=(start, moment.now))


def _year_to_date(moment: Moment, _: Values) -> Granule:
    return _to_date(moment, {"SPAN": "year"})


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
    "weekday and day": _weekday_and_day,
    "nth weekday": _nth_weekday,
    "final weekday": _nth_weekday,
    "day of": _day_of,
    "nth unit": _nth_unit,
    "final unit": _nth_unit,
    "part": _part,
    "last month name": _last_month_name,
    "this month name": _this_month_name,
    "next month name": _next_month_name,
    "last season": _last_season,
    "this season": _this_season,
    "ago": _ago,
    "couple ago": _couple_ago,
    "half ago": _half_ago,
    "one and a half ago": _one_and_a_half_ago,
    "units beside": _units_beside,
    "this time last": _this_time_last,
    "past units": _past_units,
    "past couple": _past_couple,
    "next units": _next_units,
    "to date": _to_date,
    "year to date": _year_to_date,
}
