"""Own what the rows for parts of other dates mean: "the end of March", "early 2024", "the first Monday of May"."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from reranker.timewords import granules
from reranker.timewords.grammar import Values
from reranker.timewords.granules import Granule, Strength
from reranker.timewords.moment import Meaning, Moment

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
    if outer.grain == unit or unit in granules.SECONDS or (unit == "day" and outer.rule == "the unit"):
        return None  # "the first day of the week" is no date
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
    return replace(found, edge=boundary)


def _stretch(outer: Granule, name: str) -> Granule | None:
    if outer.grain == "day":
        return outer
    if outer.grain in _PARTS:
        first, end = _PARTS[outer.grain][name]
        return granules.months(granules.month_index(outer.start) + first, end - first, "range")
    if outer.grain in _DAY_PARTS:
        low, high = _DAY_PARTS[outer.grain][name]
        return Granule(outer.start + low, outer.end if high is None else outer.start + high, "range")
    return None


PARTS: Final[dict[str, Meaning]] = {
    "weekday and day": _weekday_and_day,
    "nth weekday": _nth_weekday,
    "final weekday": _nth_weekday,
    "day of": _day_of,
    "nth unit": _nth_unit,
    "final unit": _nth_unit,
    "part": _part,
}
