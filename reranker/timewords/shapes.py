"""Own the shapes of numbers: which strings of digits and signs may be a day, a month, a year, a release.

Whether one is, the rows and the guards decide; here is only what it would be. One chunk may have several classes: "12"
is a number, a day, a month and the end of a year.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from reranker.timewords.languages import Language

Found = dict[str, object]

# A number with more digits than this names nothing in time.
_DIGITS: Final = 9
_YEAR = r"([12]\d{3})"
# Two numbers glued by a dash are years only if both may be: "2000-4000" is none.
_ROWS: Final[tuple[tuple[str, str], ...]] = (
    ("year", r"[12]\d{3}"),
    ("number", rf"\d{{1,{_DIGITS}}}"),
    ("iso_day", rf"{_YEAR}([-/.])(\d\d?)\2(\d\d?)"),
    ("compact", r"((?:19|20)\d\d)(\d\d)(\d\d)"),
    ("instant", rf"{_YEAR}-\d\d-\d\dt\d\d:\d\d(?::\d\d(?:[.,]\d{{1,9}})?)?(?:z|[+-]\d\d:?\d\d)?"),
    ("iso_month", rf"{_YEAR}([-/])(\d\d?)"),
    ("month_year", rf"(\d\d?)([-/]){_YEAR}"),
    ("dotted_month", rf"(\d\d?)\.{_YEAR}"),
    ("odd_day", r"(\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d)"),
    ("iso_week", rf"{_YEAR}-?w(\d\d?)"),
    ("week", r"(?:w|kw)(\d\d?)"),
    ("quarter", r"q([1-4])"),
    ("half", r"h([12])"),
    ("year_part", rf"{_YEAR}[-/]?([qh])([1-4])"),
    ("part_year", rf"([qh])([1-4])[-/]?{_YEAR}"),
    ("fiscal", r"fy[-']?(\d{4}|\d\d)"),
    ("years", rf"{_YEAR}[-~]{_YEAR}"),
    ("release", r"v\d{1,9}(?:\.\d{1,9})*|\d{1,9}(?:\.\d{1,9})+"),
    ("counted", r"(\d{1,9})([a-z]{1,2})"),
)
_DOTTED: Final = re.compile(r"([0-9]{1,2})\.")
_COMPILED: Final = tuple((name, re.compile(pattern)) for name, pattern in _ROWS)


@dataclass(frozen=True)
class Shapes:
    """The shapes as one language writes them.

    Attributes:
        possessive: an ending that is not part of a word.
    """

    ordinal: re.Pattern[str]
    decade: re.Pattern[str]
    possessive: str
    dotted_dates: bool
    dotted_ordinals: bool
    abbreviated: dict[str, object]

    @staticmethod
    @cache
    def of(language: Language) -> Shapes:
        """Return the shapes of a language."""
        return Shapes(
            re.compile(rf"(\d{{1,3}})(?:{language.ordinal})"),
            re.compile(rf"((?:[12]\d)?\d0)(?:{language.decade})"),
            language.possessive,
            language.dotted_dates,
            language.dotted_ordinals,
            dict(language.words.get("ABBREVIATED", {})),
        )

    def dotted_ordinal(self, text: str) -> Found:
        """Return what "3." may be where ordinals are written so."""
        match = _DOTTED.fullmatch(text) if self.dotted_ordinals else None
        if match is None:
            return {}
        return _day({"NTH": int(match[1])}, int(match[1]))

    def classes(self, text: str) -> Found:
        """Return what a folded chunk may be; empty if it is no shape of time."""
        if not any(map(str.isdigit, text)) or not text.isascii():
            return {}
        found: Found = {}
        if match := self.ordinal.fullmatch(text):
            found |= _day({"NTH": int(match[1])}, int(match[1]))
        if match := self.decade.fullmatch(text):
            found["DECADE" if len(match[1]) == 4 else "SHORTDECADE"] = int(match[1])
        for name, pattern in _COMPILED:
            if match := pattern.fullmatch(text):
                found |= _MAKERS[name](match, self)
        return found


def _day(found: Found, number: int) -> Found:
    return {**found, "DAY": number} if 1 <= number <= 31 else found


def _number(match: re.Match[str], _: Shapes) -> Found:
    text = match.group()
    found: Found = {"NUMBER": int(text), "DIGITS": text}
    if len(text) <= 2:
        found = _day(found, int(text))
        if 1 <= int(text) <= 12:
            found["MONTHNUMBER"] = int(text)
        if len(text) == 2:
            found["TWODIGITS"] = int(text)
        # "03 Aug 96" is a year; "3 Aug 12 servers fell" is none.
        if len(text) == 2 and not 1 <= int(text) <= 31:
            found["YY"] = int(text)
    return found


def _iso_month(year: str, month: str) -> Found:
    return {"ISOMONTH": (int(year), int(month))} if 1 <= int(month) <= 12 else {}


def _odd_day(match: re.Match[str], shapes: Shapes) -> Found:
    first, sign, second, year = match.groups()
    if sign == "." and not shapes.dotted_dates and not (len(first + second + year) == 8 and int(first) > 12):
        return {}
    if sign == "-" and len(year) == 2:
        return {}
    return {"ODDDAY": (int(first), int(second), year)}


def _counted(match: re.Match[str], shapes: Shapes) -> Found:
    unit = shapes.abbreviated.get(match[2])
    return {"NUMBERUNIT": (int(match[1]), unit)} if unit else {}


_Maker = Callable[[Any, Shapes], Found]
_MAKERS: Final[dict[str, _Maker]] = {
    "year": lambda match, _: {"YEAR": int(match.group())},
    "number": _number,
    "iso_day": lambda match, _: {"ISODAY": (int(match[1]), int(match[3]), int(match[4]))},
    "compact": lambda match, _: {"ISODAY": (int(match[1]), int(match[2]), int(match[3]))},
    "instant": lambda match, _: {"INSTANT": match.group()},
    "iso_month": lambda match, _: _iso_month(match[1], match[3]),
    "month_year": lambda match, _: _iso_month(match[3], match[1]),
    "dotted_month": lambda match, shapes: _iso_month(match[2], match[1]) if shapes.dotted_dates else {},
    "odd_day": _odd_day,
    "iso_week": lambda match, _: {"ISOWEEK": (int(match[1]), int(match[2]))},
    "week": lambda match, _: {"WEEKNAME": int(match[1])},
    "quarter": lambda match, _: {"QUARTER": ("quarter", int(match[1]))},
    "half": lambda match, _: {"QUARTER": ("half", int(match[1]))},
    "year_part": lambda match, _: _year_part(match[1], match[2], match[3]),
    "part_year": lambda match, _: _year_part(match[3], match[1], match[2]),
    "fiscal": lambda match, _: {"FISCAL": match[1]},
    "years": lambda match, _: {"YEARS": (int(match[1]), int(match[2]))},
    "release": lambda match, _: {"VERSION": match.group()},
    "counted": _counted,
}


def _year_part(year: str, letter: str, number: str) -> Found:
    if letter == "h" and int(number) > 2:
        return {}
    return {"YEARQUARTER": (int(year), "quarter" if letter == "q" else "half", int(number))}
