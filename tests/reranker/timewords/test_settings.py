"""What the words do not say: zone, week, fiscal year, order of numbers, hemisphere, language."""

import pytest

from mappings.errors import MomentError
from reranker.timewords import TimeSettings, language_codes, read
from reranker.timewords.errors import LanguageError, TimeSettingsError
from tests.reranker.timewords.reading import one, said

# 20:30 on Wednesday in Chicago is already Thursday in UTC.
EVENING = "2025-06-19T01:30:00Z"


@pytest.mark.parametrize(
    ("text", "asked", "zone", "start", "end"),
    [
        ("yesterday", EVENING, "America/Chicago", "2025-06-17T05:00:00Z", "2025-06-18T05:00:00Z"),
        ("Thursday", EVENING, "America/Chicago", "2025-06-12T05:00:00Z", "2025-06-13T05:00:00Z"),
        ("Thursday", EVENING, "UTC", "2025-06-19", "2025-06-20"),
        ("on 2024-03-31", EVENING, "Europe/Berlin", "2024-03-30T23:00:00Z", "2024-03-31T22:00:00Z"),
        ("on 2024-10-27", EVENING, "Europe/Berlin", "2024-10-26T22:00:00Z", "2024-10-27T23:00:00Z"),
        ("on 2018-11-04", EVENING, "America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"),
        ("last 24 hours", "2024-03-31T10:00:00Z", "Europe/Berlin", "2024-03-30T10:00:00Z", "2024-03-31T10:00:00Z"),
    ],
)
def test_days_are_local(text, asked, zone, start, end):
    """A day has 23 or 25 hours where clocks change and starts at one where midnight is skipped; hours are hours."""
    assert one(text, asked, zone=zone)[1:] == (start, end)


def test_the_week_starts_where_it_is_set():
    """A week that starts on Sunday is another week; an ISO week is not moved."""
    settings = TimeSettings(week_start=6)
    assert one("last week", settings=settings)[1:] == ("2025-06-08", "2025-06-15")
    assert one("2024-W32", settings=settings)[1:] == ("2024-08-05", "2024-08-12")


@pytest.mark.parametrize(
    ("text", "first", "start", "end"),
    [
        ("FY25", 1, "2025-01-01", "2026-01-01"),
        ("in FY2025", 10, "2024-10-01", "2025-10-01"),
        ("in fiscal year 2024", 4, "2023-04-01", "2024-04-01"),
        ("Q1 FY25", 10, "2024-10-01", "2025-01-01"),
        ("FY25 Q2", 4, "2024-07-01", "2024-10-01"),
    ],
)
def test_a_fiscal_year_is_named_after_its_end(text, first, start, end):
    """With the month of its start set, a fiscal year and its quarters are read."""
    assert one(text, settings=TimeSettings(fiscal_start_month=first))[1:] == (start, end)


@pytest.mark.parametrize(("order", "start"), [("DMY", "2018-07-02"), ("MDY", "2018-02-07")])
def test_numbers_are_read_in_the_order_that_is_set(order, start):
    """Two digits of a year are the latest such year that has come, whatever the preference."""
    assert one("contract ends 02/07/18", settings=TimeSettings(date_order=order))[1] == start


def test_seasons_turn_with_the_hemisphere():
    """Summer is in December where it is."""
    assert one("summer 2023", settings=TimeSettings(hemisphere="south"))[1:] == ("2023-12-01", "2024-03-01")


def test_how_far_ahead_a_number_is_a_year():
    """A number after the horizon is no year, unless the horizon is moved."""
    assert said("plans for 2040, in 2040") == []
    assert one("plans in 2040", settings=TimeSettings(years_ahead=20))[1] == "2040-01-01"


@pytest.mark.parametrize(
    "wrong",
    [
        {"week_start": 7},
        {"fiscal_start_month": 0},
        {"date_order": "YMD"},
        {"hemisphere": "east"},
        {"years_ahead": -1},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_settings_outside_their_range_are_refused(wrong):
    """The message names the setting and the value."""
    (name, value), *_ = wrong.items()
    with pytest.raises(TimeSettingsError, match=f"{name} must be .* got {value!r}"):
        TimeSettings(**wrong)


def test_unknown_language_and_zone_are_refused():
    """Only what has a table can be read; the message lists them."""
    assert language_codes() == ("de", "en")
    with pytest.raises(LanguageError, match="de, en, got 'xx'"):
        read("in 2019", now=0, language="xx")
    with pytest.raises(MomentError, match="zone must be"):
        read("in 2019", now=0, zone="Mars/Olympus")
    with pytest.raises(MomentError, match="years 1 to 9999"):
        read("in 2019", now=2**62)
