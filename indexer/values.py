"""Own how one metadata value is read: moments, flags, names, lists, numbers; or refused with its key.

A value that stands for "nothing here" counts as absent. Nothing is guessed: what does not parse is refused.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

from indexer.errors import Refused
from indexer.sources.base import RefusalCode
from mappings.errors import MomentError
from mappings.interval import OPEN, Span, day_span, from_datetime, get_zone, parse_moment, to_datetime

# What a terminal obeys. Tab, line feed and the like (U+0009 to U+000D, U+0085) are white space.
CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
# What people put where they have nothing to say. Not for `principals`: there a placeholder must not mean "everybody".
_ABSENT: Final = frozenset(
    ("", "-", "--", "---", "–", "—", "?", "n/a", "na", "never", "nil", "none", "null", "tba", "tbc", "tbd", "unknown")
)
_TRUE: Final = frozenset(("true", "yes", "on"))
_FALSE: Final = frozenset(("false", "no", "off"))
# Outside these years a date is a slip of the keyboard (0202-05-01, 20224-01-01): documents are younger than printing.
FIRST_YEAR: Final = 1400
LAST_YEAR: Final = 2999
# Databases write "no end" as the last day of the calendar.
_NO_END: Final = "9999"
# Longest value quoted in a message; the rest says nothing more.
_QUOTED: Final = 80
_DATE_REMEDY: Final = "write YYYY, YYYY-MM, YYYY-MM-DD or an ISO 8601 date-time such as 2024-05-01T10:00+02:00"
_INT64: Final = 2**63


def is_absent(value: object) -> bool:
    """Tell whether a value stands for nothing: null, an empty list, or a placeholder such as "-", "n/a", "TBD"."""
    if isinstance(value, str):
        return " ".join(value.split()).lower().rstrip(".") in _ABSENT
    return value is None or value == [] or value == {}


def quoted(value: object) -> str:
    """Return a value as it is shown in a message."""
    shown = repr(value)
    return shown if len(shown) <= _QUOTED else shown[:_QUOTED] + "…"


def bad_value(key: str, value: object, must: str, remedy: str) -> Refused:
    """Return the refusal of a value: which key, what it must be, what it is."""
    return Refused(RefusalCode.BAD_VALUE, f"{key} {must}, got {quoted(value)}", remedy, key=key)


def read_moment(key: str, value: object, *, zone: str) -> Span:
    """Read a declared moment; numbers are refused, since nobody can tell seconds from days or milliseconds.

    Raises:
        Refused: with key and value.
    """
    span = _span(key, value, zone)
    year = to_datetime(span.start).year
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise bad_value(key, value, f"must lie in the years {FIRST_YEAR} to {LAST_YEAR}", "correct the year")
    return span


def _span(key: str, value: object, zone: str) -> Span:
    if isinstance(value, datetime):
        return Span.instant(from_datetime(value if value.tzinfo else value.replace(tzinfo=get_zone(zone))))
    if isinstance(value, date):
        return day_span(value, get_zone(zone))
    if isinstance(value, int) and not isinstance(value, bool) and FIRST_YEAR <= value <= LAST_YEAR:
        value = str(value)  # a bare year, which YAML and JSON give as a number
    if not isinstance(value, str):
        raise bad_value(key, value, "must be a date", _DATE_REMEDY)
    try:
        return parse_moment(value, zone=zone)
    except MomentError as error:
        # The cause tells a day that does not exist from a text that is no date.
        raise bad_value(key, value, f"must be a date ({error.detail.split(', got')[0]})", _DATE_REMEDY) from error


def read_until(key: str, value: object, *, zone: str, inclusive: bool) -> int:
    """Read the end of a window, µs, excluded; a day, month or year ends at its end when meant inclusively.

    The year 9999 is how databases write "no end": OPEN.
    """
    written = value.isoformat() if isinstance(value, date) else str(value)
    if written.strip().startswith(_NO_END):
        return OPEN
    span = read_moment(key, value, zone=zone)
    whole = span.end - span.start > 1
    return span.end if inclusive and whole else span.start


def read_flag(key: str, value: object) -> bool:
    """Read true or false, also as words."""
    if isinstance(value, bool):
        return value
    word = value.strip().lower() if isinstance(value, str) else ""
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise bad_value(key, value, "must be true or false", "write true or false")


def read_name(key: str, value: object) -> str:
    """Read a short text: a string, or a number, which an export may make of "2024" or "3.1"."""
    if isinstance(value, str):
        return " ".join(_checked(key, value).split())
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    raise bad_value(key, value, "must be a text", "write one text")


def _checked(key: str, value: str) -> str:
    """Refuse a text with characters that a terminal obeys, and no reader sees."""
    if bad := CONTROL.search(value):
        raise Refused(
            RefusalCode.CONTROL_CHARACTER,
            f"{key} must hold no control character, got U+{ord(bad[0]):04X} in {quoted(value)}",
            "remove it",
            key=key,
        )
    return value


def read_names(key: str, value: object) -> tuple[str, ...]:
    """Read a list of short texts, or one; placeholders in it are left out."""
    values = value if isinstance(value, list | tuple) else [value]
    return tuple(read_name(key, each) for each in values if not is_absent(each))


def read_principals(key: str, value: object) -> tuple[str, ...]:
    """Read who may read a document; a placeholder is refused, since it would mean everybody."""
    values = value if isinstance(value, list | tuple) else [value]
    for each in values:
        if not isinstance(each, str) or is_absent(each):
            raise bad_value(key, value, "must be a list of names", "name who may read it, or leave the key out")
    return tuple(sorted({_checked(key, str(each)).strip() for each in values}))


def read_integer(key: str, value: object) -> int:
    """Read a whole number of at most 64 bits."""
    if isinstance(value, str) and value.strip().lstrip("+-").isdecimal() and len(value) < 20:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not -_INT64 // 2 < value < _INT64 // 2:
        raise bad_value(key, value, "must be a whole number", "write digits only")
    return value
