"""Own what the rows for counted units mean: "three weeks ago", "the last 30 days", "2 days before March"."""

from __future__ import annotations

from typing import Final

from mappings.interval import SECOND
from reranker.timewords import granules
from reranker.timewords.grammar import Values
from reranker.timewords.granules import Granule
from reranker.timewords.moment import FIRST_INSTANT, Meaning, Moment
from reranker.timewords.relative import under_way


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
        current = under_way(moment, unit)
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
    start = moment.instant(under_way(moment, values["SPAN"]).start)
    return Granule(0, 0, "rolling", instants=(start, moment.now))


def _year_to_date(moment: Moment, _: Values) -> Granule:
    return _to_date(moment, {"SPAN": "year"})


COUNTED: Final[dict[str, Meaning]] = {
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
