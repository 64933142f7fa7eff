"""Own the dates that people write: one text, the whole of it, or an error. No guess, no clock.

`read_date` reads ISO 8601 and, beyond it, the forms of the table in `docs/dates.md`: "1 sept. 2024", "July 1st,
2024 at 19:00 CT", "Fri, 22 Sep 17 22:05:03 +0300", "15/4/2019", "March 2021". Each is first written as an ISO text,
which `mappings.interval.parse_moment` then reads, so days, zones and precision have one meaning. What is left over
makes the text no date: a version, a product name or half a sentence never becomes one.

Which keys and labels hold dates is not known here (`indexer.declared`, `indexer.readers.labels`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from indexer.readers.errors import AmbiguousDateError, DateError
from indexer.readers.months import MONTHS, fold, weekdays_of
from mappings.errors import MomentError
from mappings.interval import Span, format_instant, parse_moment

DateOrder = Literal["day_first", "month_first"]

# Pages are dated between the first printed books and the far end of a contract; anything else is a misread number.
FIRST_YEAR: Final = 1400
LAST_YEAR: Final = 2999
# POSIX strptime %y: 69 to 99 are of the last century, 00 to 68 of this one. Never by today's date.
_PIVOT: Final = 69
# A date with time, zone and weekday takes some 60 characters; beyond this the text is prose.
_LONGEST: Final = 100

_FORMS: Final = (
    "give 2024-03-01, 2024-03, 2024, an ISO 8601 date-time, or a date with the month's name such as 1 March 2024"
)

_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|ers?|eme|o|a)?\.?"
_MONTH = r"(?P<month>[a-z]{3,10})\.?"
_YEAR = r"(?P<year>\d{4}|'?\d{2})"
_OF = r"(?:of |de |del |di |do |d')?"
_CLOCK = (
    r"(?P<hour>\d{1,2})(?:(?:[:h])(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?)?"
    r" ?(?P<half>a\.?m\.?|p\.?m\.?)?"
)
_ZONE = r"(?P<zone>z|(?:utc|gmt)?[+-]\d{1,2}(?::?\d{2})?|[a-z]{1,5})(?: \([a-z ]{1,40}\))?"
_TIME = rf"(?:(?:,| -)? ?(?:at |um |a |@ ?|t)?{_CLOCK}(?: ?{_ZONE})?)?"

_SHAPES: Final = tuple(
    re.compile(shape + r"\Z")
    for shape in (
        rf"(?P<year>\d{{4}})(?P<sep>[-/.])(?P<month>\d{{1,2}})(?P=sep)(?P<day>\d{{1,2}}){_TIME}",
        rf"(?P<year>\d{{4}}) ?年 ?(?P<month>\d{{1,2}}) ?月 ?(?P<day>\d{{1,2}}) ?日{_TIME}",
        r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})",
        rf"{_DAY}[ -]?{_OF}{_MONTH},?[ -]?{_OF}{_YEAR}{_TIME}",
        rf"{_MONTH}[ -]?{_DAY}(?:, ?| ){_YEAR}{_TIME}",
        rf"(?P<year>\d{{4}})[ -]{_MONTH}[ -]{_DAY}{_TIME}",
        rf"{_MONTH} {_DAY},? {_CLOCK}(?: {_ZONE})? (?P<year>\d{{4}})(?: (?P<late>[+-]\d{{4}}))?",
        rf"{_MONTH},?[ -]?{_OF}(?P<year>\d{{4}})",
        r"(?P<month>\d{1,2})/(?P<year>\d{4})",
    )
)
_NUMERIC = re.compile(
    rf"(?P<first>\d{{1,2}})(?P<sep>[-/.]) ?(?P<second_part>\d{{1,2}})(?P=sep) ?(?P<year>\d{{4}}|\d{{2}}){_TIME}\Z"
)
_ISO = re.compile(
    r"\d{4}(?:-\d{1,2}(?:-\d{1,2})?)?\Z"
    r"|\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)? ?(?:z|[+-]\d\d(?::?\d\d)?)?\Z"
)
_EPOCH = re.compile(r"\d{9,16}(?:\.\d{1,9})?\Z")
_ARTICLE = re.compile(r"(?:le|the|den|am|on|el|il|vom|dem)\s+(?=\d)")
_FIRST_WORD = re.compile(r"([a-z-]+)[.,]* +")

# RFC 5322 names these with fixed offsets; all other names of zones are shared by several (IST, BST, CST in China).
_ZONES: Final = {
    "z": "Z", "utc": "Z", "gmt": "Z", "ut": "Z", "est": "-05:00", "edt": "-04:00", "cst": "-06:00",
    "cdt": "-05:00", "mst": "-07:00", "mdt": "-06:00", "pst": "-08:00", "pdt": "-07:00", "cet": "+01:00",
    "cest": "+02:00",
}  # fmt: skip
# Names that do not say which half of the year, or which country: the day is kept, the hour is not.
_VAGUE_ZONES: Final = frozenset("ct et mt pt bst ist aest aedt jst kst sgt nzst nzdt hkt eet eest wet west msk".split())


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """One date as ISO text.

    Attributes:
        iso: YYYY, YYYY-MM, YYYY-MM-DD or a date-time; without an offset where the text has none.
        ambiguous: day and month could be read either way, and the configured order decided.
        proves: the order of day and month that this text shows by itself; None where it shows none.
    """

    iso: str
    ambiguous: bool = False
    proves: DateOrder | None = None


@dataclass(frozen=True, slots=True)
class HumanDate:
    """One date and what it covers; `ambiguous` and `proves` as in `WrittenDate`."""

    span: Span
    ambiguous: bool = False
    proves: DateOrder | None = None


def read_date(text: str, *, zone: str = "UTC", order: DateOrder | None = None) -> HumanDate:
    """Read one date, alone in its text; a time without an offset is taken in `zone`.

    Args:
        text: what stands in the field or after the label.
        zone: IANA name.
        order: how "03/04/2025" is meant; None refuses what does not show its order by itself.

    Raises:
        AmbiguousDateError: day and month can be read either way, and `order` is None.
        DateError: the text is no date, or not only a date, or names a day that does not exist.
    """
    written = write_iso(text, order=order)
    try:
        return HumanDate(parse_moment(written.iso, zone=zone), written.ambiguous, written.proves)
    except MomentError as error:
        raise DateError(f"date names a day that does not exist, got {text!r}", remedy=_FORMS) from error


def write_iso(text: str, *, order: DateOrder | None = None) -> WrittenDate:
    """Write one date, alone in its text, as ISO 8601; arguments and errors as for `read_date`."""
    if len(text) > _LONGEST:
        raise DateError(f"date is longer than {_LONGEST} characters, got {text[:40]!r}…", remedy=_FORMS)
    folded = fold(text).strip(" .,;")
    if _ISO.match(folded):
        return WrittenDate(_sane(folded.upper(), text))
    if _EPOCH.match(folded):
        return WrittenDate(str(format_instant(read_number(float(folded)).start)))
    written = _written(folded, order, text) or _repeated(folded, order, text)
    if written is None:
        raise DateError(f"date is not readable, got {text!r}", remedy=_FORMS)
    return written


def read_number(value: float) -> Span:
    """Read a number as seconds, milliseconds or microseconds since 1970, by its size (years 1973 to 2099).

    Raises:
        DateError: the number lies in none of the three ranges.
    """
    for unit in (1_000_000, 1_000, 1):
        instant = value * unit
        # From 1973 on: three years of milliseconds are the 2065 of seconds, so no number is two dates.
        if 100_000_000_000_000 <= instant < 4_102_444_800_000_000:
            return Span.instant(round(instant))
    raise DateError(
        f"date is a number that is neither seconds, milliseconds nor microseconds of 1973 to 2099, got {value!r}",
        remedy=_FORMS,
    )


def decide_order(proofs: list[DateOrder]) -> DateOrder | None:
    """Return the one order that all dates of a source show, None where they show none or differ."""
    return proofs[0] if proofs and len(set(proofs)) == 1 else None



def _written(folded: str, order: DateOrder | None, text: str) -> WrittenDate | None:
    """Write a folded date as ISO; None where it is no date."""
    bare = _ARTICLE.sub("", folded, count=1)
    if found := _shaped(bare, order, text):
        return found
    if not (word := _FIRST_WORD.match(bare)) or not (days := weekdays_of(word[1])):
        return None
    found = _shaped(_ARTICLE.sub("", bare[word.end() :], count=1), order, text)
    if found and (day := _day_of(found.iso)) and day.weekday() not in days:
        raise DateError(f"date names the wrong day of the week, got {text!r}", remedy=f"{day} is a {day:%A}")
    return found


def _repeated(folded: str, order: DateOrder | None, text: str) -> WrittenDate | None:
    """Read "7 Mar 2007 7th March 2007": the same date twice is that date."""
    for space in re.finditer(" ", folded):
        first = _shaped(folded[: space.start()], order, text)
        if first and first == _shaped(folded[space.end() :], order, text):
            return first
    return None


def _shaped(folded: str, order: DateOrder | None, text: str) -> WrittenDate | None:
    for shape in _SHAPES:
        if match := shape.match(folded):
            if month := _month_of(match["month"]):
                return _iso(match, month, text)
    match = _NUMERIC.match(folded)
    return _numeric(match, order, text) if match else None


def _month_of(name: str) -> int | None:
    return int(name) if name.isdigit() else MONTHS.get(name)


def _iso(match: re.Match[str], month: int, text: str) -> WrittenDate | None:
    groups = match.groupdict()
    year = _year(groups["year"], text)
    if groups.get("day") is None:
        return WrittenDate(f"{year:04d}-{month:02d}")
    return _with_time(f"{year:04d}-{month:02d}-{int(groups['day']):02d}", groups)


def _numeric(match: re.Match[str], order: DateOrder | None, text: str) -> WrittenDate | None:
    first, second = int(match["first"]), int(match["second_part"])
    short = len(match["year"]) == 2
    proves: DateOrder | None = None
    if not short and (first > 12) != (second > 12):
        proves = "day_first" if first > 12 else "month_first"
    ambiguous = proves is None and (first != second or short)
    if ambiguous and order is None:
        raise AmbiguousDateError(
            f"date can be read with the day first or the month first, got {text!r}",
            remedy="write it as YYYY-MM-DD, or set date_order to day_first or month_first",
        )
    day, month = (second, first) if (proves or order) == "month_first" else (first, second)
    iso = _with_time(f"{_year(match['year'], text):04d}-{month:02d}-{day:02d}", match.groupdict())
    return iso and WrittenDate(iso.iso, ambiguous, proves)


def _year(digits: str, text: str) -> int:
    number = int(digits.lstrip("'"))
    if len(digits.lstrip("'")) == 2:
        return number + (1900 if number >= _PIVOT else 2000)
    return _checked_year(number, text)


def _checked_year(year: int, text: str) -> int:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise DateError(f"date has a year outside {FIRST_YEAR} to {LAST_YEAR}, got {text!r}", remedy=_FORMS)
    return year


def _sane(iso: str, text: str) -> str:
    """Refuse a bare number of four digits that is no year a page is dated with; full ISO dates may be any."""
    if len(iso) == len("2024"):
        _checked_year(int(iso), text)
    return iso


def _with_time(day: str, groups: dict[str, str | None]) -> WrittenDate | None:
    hour = groups.get("hour")
    if hour is None:
        return WrittenDate(day)
    minute, half, zone = groups.get("minute"), groups.get("half"), groups.get("late") or groups.get("zone")
    if minute is None and half is None:
        return None
    if zone in _VAGUE_ZONES:
        return WrittenDate(day)
    offset = _offset(zone)
    if offset is None:
        return None
    hours = int(hour)
    if half:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half.startswith("p") else 0)
    fraction = f".{groups['fraction']}" if groups.get("fraction") else ""
    clock = f"{hours:02d}:{minute or '00'}:{groups.get('second') or '00'}{fraction}"
    return WrittenDate(f"{day}T{clock}{offset}")


def _offset(zone: str | None) -> str | None:
    """Return an offset that ISO 8601 knows: "" for none given, None for a name that is not known."""
    if not zone:
        return ""
    if zone in _ZONES:
        return _ZONES[zone]
    digits = zone.removeprefix("utc").removeprefix("gmt")
    if digits[0] not in "+-":
        return None
    number = digits[1:].replace(":", "")
    number = number.zfill(2).ljust(4, "0") if len(number) <= 2 else number.zfill(4)
    return f"{digits[0]}{number[:2]}:{number[2:]}"


def _day_of(iso: str) -> date | None:
    try:
        return date.fromisoformat(iso[:10])
    except ValueError:
        return None
