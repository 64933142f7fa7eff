"""Own the way to dateparser: single days whose spelling the table of shapes knows only by their outline.

dateparser is imported when the first such day is met, never for a question without one. What it is given names day,
month and a year of four digits, so that neither a clock nor a preference can decide anything.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Any, Final

# Nothing in the texts that are handed over depends on it; dateparser would read the clock without one.
_BASE: Final = datetime(2000, 1, 1)  # noqa: DTZ001 - dateparser wants it naive


@lru_cache(maxsize=16)
def _parser(language: str, order: str) -> Any:
    from dateparser.date import DateDataParser

    settings = {
        "DATE_ORDER": order,
        "PREFER_LOCALE_DATE_ORDER": False,
        "REQUIRE_PARTS": ["day", "month", "year"],
        "RELATIVE_BASE": _BASE,
        "PARSERS": ["absolute-time"],
    }
    return DateDataParser(languages=[language], settings=settings)


@lru_cache(maxsize=1024)
def read_day(text: str, language: str, order: str) -> int | None:
    """Return the ordinal of the day that a text of day, month and four-digit year names; None if there is none.

    Args:
        text: for example "22/jan/2019" or "02/22/2016".
        language: as dateparser names it.
        order: "DMY", "MDY" or "YMD".
    """
    found = _parser(language, order).get_date_data(text).date_obj
    return found.date().toordinal() if found is not None else None


def full_year(ending: int, this_year: int, ahead: int) -> int:
    """Return the latest year with these last two digits that is at most `ahead` years after this one."""
    latest = this_year + ahead
    return latest - (latest - ending) % 100
