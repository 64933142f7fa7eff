"""Own what the rows for stated dates mean: "14 February 2023", "Q3 2022"; a missing year is the last that has begun."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Final

from mappings.errors import MomentError
from mappings.interval import parse_moment
from reranker.timewords import granules
from reranker.timewords.grammar import Values
from reranker.timewords.granules import Granule, Strength
from reranker.timewords.leaf import full_year, read_day
from reranker.timewords.moment import Meaning, Moment

# Pairs of smaller numbers number other things as often as years.
_OLDEST_BARE_YEARS: Final = 1800


def latest(moment: Moment, resolve: Callable[[int], Granule | None], strength: Strength) -> Granule | None:
    """Return the last granule of a yearly name that has begun; 29 February may lie eight years back."""
    for number in range(moment.year, max(0, moment.year - 9), -1):
        found = resolve(number)
        if found is not None and found.start <= moment.today:
            return replace(found, strength=strength, resolve=resolve)
    return None


def in_year(outer: Granule, resolve: Callable[[int], Granule | None]) -> Granule | None:
    """Return the granule of a yearly name in a calendar year that another date describes ("May of last year")."""
    if outer.grain != "year" or outer.refusal or granules.month_index(outer.start) % 12:
        return None
    found = resolve(date.fromordinal(outer.start).year)
    return replace(found, strength=Strength.ALONE) if found else None


def _yearly(moment: Moment, values: Values, resolve: Callable[[int], Granule | None], bare: Strength) -> Granule | None:
    """Resolve a name in the year beside it: stated, described by another date, or the last one that has begun."""
    if "YEAR" in values:
        return resolve(values["YEAR"])
    if "TWODIGITS" in values:
        return resolve(full_year(values["TWODIGITS"], moment.year, moment.settings.years_ahead))
    if "DATE" in values:
        return in_year(values["DATE"], resolve)
    return latest(moment, resolve, bare)


def _day_or_none(year: int, month: int, day: int) -> Granule | None:
    try:
        return granules.one_day(date(year, month, day).toordinal())
    except ValueError:
        return None


def _iso_day(_: Moment, values: Values) -> Granule | None:
    return _day_or_none(*values["ISODAY"])


def _instant(moment: Moment, values: Values) -> Granule | None:
    try:
        span = parse_moment(values["INSTANT"].upper(), zone=moment.zone_name)
    except MomentError:
        return None
    return Granule(0, 0, "instant", instants=(span.start, span.end))


def _numeric_day(moment: Moment, values: Values) -> Granule | None:
    first, second, ending = values["ODDDAY"]
    year = int(ending) if len(ending) == 4 else full_year(int(ending), moment.year, moment.settings.years_ahead)
    order = moment.settings.date_order or moment.language.date_order
    if first > 12 or second > 12 or first == second:
        order = "DMY" if first > 12 else "MDY" if second > 12 else order or "DMY"
    if order is None:
        known = _day_or_none(year, first, second)
        return replace(known, refusal="day and month may be either way round; set date_order") if known else None
    day = read_day(f"{first}/{second}/{year:04d}", moment.language.code, order)
    return granules.one_day(day) if day else None


def _day_of_month(moment: Moment, values: Values) -> Granule | None:
    month, day = values["MONTH"], values["DAY"]
    return _yearly(moment, values, lambda year: _day_or_none(year, month, day), Strength.ALONE)


def _spelled_day(moment: Moment, values: Values) -> Granule | None:
    year = values["YEAR"] if "YEAR" in values else full_year(values["YY"], moment.year, moment.settings.years_ahead)
    name = next(word for word, number in moment.language.words["MONTH"].items() if number == values["MONTH"])
    day = read_day(f"{values['DAY']} {name} {year:04d}", moment.language.code, "DMY")
    return granules.one_day(day) if day else None


def _month(moment: Moment, values: Values) -> Granule | None:
    month = values["MONTH"]
    return _yearly(moment, values, lambda year: granules.months(year * 12 + month - 1, 1, "month"), Strength.WORD)


def _iso_month(_: Moment, values: Values) -> Granule:
    year, month = values["ISOMONTH"] if "ISOMONTH" in values else (values["YEAR"], values["MONTHNUMBER"])
    return granules.months(year * 12 + month - 1, 1, "month")


def _quarter(moment: Moment, values: Values) -> Granule | None:
    if "YEARQUARTER" in values:
        year, unit, number = values["YEARQUARTER"]
        return granules.nth_in(granules.year(year), number, unit)
    unit, number = values["QUARTER"] if "QUARTER" in values else ("quarter", values["NTH"])
    return _yearly(moment, values, lambda year: granules.nth_in(granules.year(year), number, unit), Strength.WORD)


def _fiscal(moment: Moment, values: Values) -> Granule:
    year = values["YEAR"] if "YEAR" in values else int(values["FISCAL"])
    if year < 100:
        year = full_year(year, moment.year, moment.settings.years_ahead)
    first = moment.settings.fiscal_start_month
    if first is None:
        return replace(granules.year(year), refusal="no start of the fiscal year is set; set fiscal_start_month")
    return granules.months((year if first == 1 else year - 1) * 12 + first - 1, 12, "year")


def _fiscal_quarter(moment: Moment, values: Values) -> Granule | None:
    year, (unit, number) = _fiscal(moment, values), values["QUARTER"]
    found = granules.nth_in(year, number, unit)
    return replace(found, refusal=year.refusal) if found else None


def _iso_week(_: Moment, values: Values) -> Granule:
    return granules.iso_week(*values["ISOWEEK"])


def _week_of_year(moment: Moment, values: Values) -> Granule | None:
    week = values["WEEKNAME"] if "WEEKNAME" in values else values["NUMBER"]

    def resolve(year: int) -> Granule | None:
        try:
            return granules.iso_week(year, week)
        except ValueError:
            return None

    return _yearly(moment, values, resolve, Strength.WORD)


def _week_around(moment: Moment, values: Values) -> Granule | None:
    outer: Granule = values["DATE"]
    return granules.unit_of(outer.start, "week", moment.settings.week_start) if outer.grain == "day" else None


def _season(moment: Moment, values: Values) -> Granule | None:
    name, side = values["SEASON"], moment.settings.hemisphere
    return _yearly(moment, values, lambda year: granules.season(year, name, side), Strength.INNER)


def _bare_year(moment: Moment, values: Values) -> Granule | None:
    year = values["YEAR"]
    if year > moment.year + moment.settings.years_ahead:
        return None
    return replace(granules.year(year), strength=Strength.WORD)


def _stated_year(moment: Moment, values: Values) -> Granule | None:
    found = _bare_year(moment, values)
    return replace(found, strength=Strength.ALONE) if found else None


def _years(moment: Moment, values: Values) -> Granule | None:
    first, last = values["YEARS"] if "YEARS" in values else (values["YEAR"], values["YEAR2"])
    if first >= last or last > moment.year + moment.settings.years_ahead:
        return None
    found = granules.months(first * 12, (last - first + 1) * 12, "range")
    return replace(found, strength=Strength.WORD) if first < _OLDEST_BARE_YEARS else found


def _days_of_month(moment: Moment, values: Values) -> Granule | None:
    month, first, last = values["MONTH"], values["DAY"], values["DAY2"]

    def resolve(year: int) -> Granule | None:
        start, end = _day_or_none(year, month, first), _day_or_none(year, month, last)
        return Granule(start.start, end.end, "range") if start and end and start.start < end.start else None

    return _yearly(moment, values, resolve, Strength.ALONE)


def _decade(_: Moment, values: Values) -> Granule:
    return granules.months(values["DECADE"] * 12, 120, "decade")


def _short_decade(moment: Moment, values: Values) -> Granule:
    year = full_year(values["SHORTDECADE"], moment.year, 0)
    return replace(granules.months(year * 12, 120, "decade"), strength=Strength.WORD)


def _century(_: Moment, values: Values) -> Granule:
    return granules.century(values["NTH"])


def _fixed_day(_: Moment, values: Values) -> Granule | None:
    month, day = divmod(values["FEAST"] if "FEAST" in values else values["DAYFEAST"], 100)
    return _day_or_none(values["YEAR"], month, day)


ABSOLUTE: Final[dict[str, Meaning]] = {
    "iso day": _iso_day,
    "instant": _instant,
    "numeric day": _numeric_day,
    "day of month": _day_of_month,
    "spelled day": _spelled_day,
    "iso week": _iso_week,
    "week of year": _week_of_year,
    "week": _week_of_year,
    "week around": _week_around,
    "iso month": _iso_month,
    "month of year": _month,
    "month": _month,
    "quarter of year": _quarter,
    "quarter": _quarter,
    "fiscal year": _fiscal,
    "fiscal quarter": _fiscal_quarter,
    "season of year": _season,
    "stated year": _stated_year,
    "year": _bare_year,
    "years": _years,
    "stated years": _years,
    "days of month": _days_of_month,
    "decade": _decade,
    "short decade": _short_decade,
    "century": _century,
    "fixed day": _fixed_day,
}
