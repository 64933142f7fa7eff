"""Dates that people write: what is read, what is refused, and that nothing is guessed."""

import datetime
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.readers.errors import AmbiguousDateError, DateError
from indexer.readers.humandate import decide_order, read_date, read_number, write_iso
from mappings.interval import format_instant

READ = [
    ("2024-05-24", "2024-05-24"),
    ("2024-5-4", "2024-5-4"),
    ("2024-05-24 10:00:00", "2024-05-24 10:00:00"),
    ("2024-03-01t10:00z", "2024-03-01T10:00Z"),
    ("2024", "2024"),
    ("20240301", "2024-03-01"),
    ("2016/6/29 15:07:41", "2016-06-29T15:07:41"),
    ("2024.03.01", "2024-03-01"),
    ("2024年3月1日", "2024-03-01"),
    ("March 2021", "2021-03"),
    ("Sept. 2024", "2024-09"),
    ("05/2021", "2021-05"),
    ("July 1, 2024", "2024-07-01"),
    ("Mar 5th 2024", "2024-03-05"),
    ("3rd of March 2024 at 5 pm", "2024-03-03T17:00:00"),
    ("the 3rd of March, 2024", "2024-03-03"),
    ("5-Mar-2024", "2024-03-05"),
    ("2024 Mar 5", "2024-03-05"),
    ("12 am", None),
    ("1 March 2024 12:30 am", "2024-03-01T00:30:00"),
    ("1 March 2024 12:30 pm", "2024-03-01T12:30:00"),
    ("1 March 2024 13:30 pm", None),
    ("1 March 2024, 10:00:01.25 UTC", "2024-03-01T10:00:01.25Z"),
    ("1 March 2024 10:00 GMT+2", "2024-03-01T10:00:00+02:00"),
    ("1 March 2024 10:00 EST", "2024-03-01T10:00:00-05:00"),
    ("1 March 2024 10:00 CT", "2024-03-01"),
    ("1 March 2024 10:00 XYZ", None),
    ("1 March 2024 10", None),
    ("Wed May 28 13:46:24 2014", "2014-05-28T13:46:24"),
    ("Mon Jun 2 10:00:00 2025 +0200", "2025-06-02T10:00:00+02:00"),
    ("Wed May 28 2014 13:46:24 GMT+0200 (CEST)", "2014-05-28T13:46:24+02:00"),
    ("le 1er mars 2024", "2024-03-01"),
    ("3 de marzo de 2024", "2024-03-03"),
    ("Dienstag, den 5. März 2024", "2024-03-05"),
    ("mar. 12 mars 2024", "2024-03-12"),
    ("mar 12 2024", "2024-03-12"),
    ("5 mrt 2024", "2024-03-05"),
    ("7 set 2024", "2024-09-07"),
    ("22 Sep 17", "2017-09-22"),
    ("22 Sep '99", "1999-09-22"),
    ("15/4/2019", "2019-04-15"),
    ("4/15/2019", "2019-04-15"),
    ("4/4/2019", "2019-04-04"),
    ("1750240800", "2025-06-18T10:00:00Z"),
    ("yesterday", None),
    ("soon", None),
    ("", None),
    ("11g", None),
    ("8080", None),
    ("2024-W10", None),
    ("10:00", None),
    ("1.5.3", None),
    ("20 Smarch 2024", None),
    ("1 March 12024", None),
    ("12345678901234567890", None),
    ("1 March 0099", None),
    ("x" * 200, None),
]


@pytest.mark.parametrize(("text", "iso"), READ, ids=[text[:40] or "(empty)" for text, _ in READ])
def test_a_date_is_read_whole_or_not_at_all(text: str, iso: str | None) -> None:
    """Each form of the table is written as ISO; anything else is refused with its text."""
    if iso is None:
        with pytest.raises(DateError) as caught:
            write_iso(text)
        assert text[:20] in caught.value.detail and caught.value.remedy
    else:
        assert write_iso(text).iso == iso


@pytest.mark.parametrize(
    ("text", "order", "iso"),
    [
        ("03/04/2025", "day_first", "2025-04-03"),
        ("03/04/2025", "month_first", "2025-03-04"),
        ("02.07.18", "day_first", "2018-07-02"),
        ("31/12/99", "day_first", "1999-12-31"),
        ("15/4/2019", "month_first", "2019-04-15"),
    ],
)
def test_order_decides_only_what_is_open(text: str, order: str, iso: str) -> None:
    """The configured order reads "03/04/2025"; a day above 12 speaks for itself."""
    assert write_iso(text, order=order).iso == iso  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["03/04/2025", "02-07-18", "24/12/99", "1.2.2024"])
def test_open_order_is_refused_without_a_setting(text: str) -> None:
    """Where day and month can be either, nothing is assumed."""
    with pytest.raises(AmbiguousDateError, match="day first or the month first"):
        read_date(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("31 February 2024", "does not exist"),
        ("2025-02-30", "does not exist"),
        ("30/02/2024", "does not exist"),
        ("13/13/2024", "does not exist"),
        ("Monday, 2 July 2024", "wrong day of the week"),
        ("1 March 2024 25:00", "does not exist"),
    ],
)
def test_a_day_that_is_none_is_refused(text: str, why: str) -> None:
    """A day that does not exist, or not on that day of the week, says so."""
    order = "day_first" if "/" in text else None
    with pytest.raises(DateError, match=why):
        read_date(text, order=order)


@pytest.mark.parametrize(
    ("text", "zone", "instant", "precision"),
    [
        ("March 2021", "UTC", "2021-03-01T00:00:00Z", "month"),
        ("1 July 2024", "Europe/Berlin", "2024-06-30T22:00:00Z", "day"),
        ("1 July 2024 10:00", "Europe/Berlin", "2024-07-01T08:00:00Z", "instant"),
        ("1 July 2024 10:00 +0000", "Europe/Berlin", "2024-07-01T10:00:00Z", "instant"),
        ("2015", "UTC", "2015-01-01T00:00:00Z", "year"),
    ],
)
def test_precision_and_zone_are_kept(text: str, zone: str, instant: str, precision: str) -> None:
    """A month stays a month, a day is one of the configured zone, an offset rules."""
    span = read_date(text, zone=zone).span
    assert (format_instant(span.start), span.precision) == (instant, precision)


@pytest.mark.parametrize("value", [1_750_240_800, 1_750_240_800_000, 1_750_240_800_000_000, 1_750_240_800.0])
def test_numbers_since_1970_are_told_apart_by_size(value: float) -> None:
    """Seconds, milliseconds and microseconds give the same instant."""
    assert format_instant(read_number(value).start) == "2025-06-18T10:00:00Z"


@pytest.mark.parametrize("value", [-86_400, 0, 2024, 20_240_301, 10_000_000_000, float("nan"), float("inf")])
def test_a_number_that_could_be_anything_is_refused(value: float) -> None:
    """What lies in none of the three ranges is no date."""
    with pytest.raises(DateError, match="neither seconds"):
        read_number(value)


def test_order_of_a_source_needs_one_voice() -> None:
    """All dates that show an order must show the same."""
    assert decide_order(["day_first", "day_first"]) == "day_first"
    assert decide_order(["day_first", "month_first"]) is None
    assert decide_order([]) is None


@given(st.text(max_size=60) | st.from_regex(r"[0-9a-zA-Z ,./:+-]{0,40}"))
def test_any_text_is_a_date_or_an_error(text: str) -> None:
    """No text makes the reader fail otherwise, and what it reads lies in the calendar."""
    try:
        span = read_date(text, order="day_first").span
    except DateError:
        return
    assert span.start < span.end


@given(st.dates(min_value=datetime.date(1900, 1, 1)))
def test_every_day_is_read_in_every_form(day: datetime.date) -> None:
    """One day, written in several forms, is the same day."""
    forms = ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%A, %d %b %Y", "%Y/%m/%d", "%d-%b-%Y")
    texts = [day.strftime(form) for form in forms]
    if day.year > 2999:
        return
    assert len({read_date(text).span for text in texts}) == 1


def test_the_page_about_dates_shows_dates() -> None:
    """Each example of the table in docs/dates.md is read."""
    page = (Path(__file__).resolve().parents[3] / "docs" / "dates.md").read_text(encoding="utf-8")
    table = page.split("## Dates that people write")[1].split("\n\n")[2]
    examples = re.findall(r"`([^`]+)`", table)
    assert len(examples) > 15
    assert all(write_iso(example, order="day_first").iso for example in examples)
