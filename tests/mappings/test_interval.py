"""Moments, their precision, zones and spans."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.errors import MomentError, StilltrueError
from mappings.interval import (
    BEGIN,
    DAY,
    OPEN,
    Precision,
    Span,
    day_span,
    format_day,
    format_instant,
    from_datetime,
    get_zone,
    parse_moment,
    resolve_moment,
    to_datetime,
)

HOUR = DAY // 24
BERLIN, NEW_YORK, SAO_PAULO = "Europe/Berlin", "America/New_York", "America/Sao_Paulo"


def at(*parts):
    """Return an instant in UTC from year, month, day and time."""
    return from_datetime(datetime(*parts, tzinfo=UTC))


VALID = [
    # text, zone, start, length, precision
    ("2024", "UTC", at(2024, 1, 1), 366 * DAY, Precision.YEAR),
    ("2023", "UTC", at(2023, 1, 1), 365 * DAY, Precision.YEAR),
    ("2024-02", "UTC", at(2024, 2, 1), 29 * DAY, Precision.MONTH),
    ("2024-12", "UTC", at(2024, 12, 1), 31 * DAY, Precision.MONTH),
    ("2024-2-9", "UTC", at(2024, 2, 9), DAY, Precision.DAY),
    ("2024-02-29", "UTC", at(2024, 2, 29), DAY, Precision.DAY),
    ("  2024-05-01\n", "UTC", at(2024, 5, 1), DAY, Precision.DAY),
    ("0001-01-01", "UTC", at(1, 1, 1), DAY, Precision.DAY),
    ("9998-12-31", "UTC", at(9998, 12, 31), DAY, Precision.DAY),
    ("2024-05-01", BERLIN, at(2024, 4, 30, 22), DAY, Precision.DAY),
    ("2024-03-31", BERLIN, at(2024, 3, 30, 23), 23 * HOUR, Precision.DAY),  # clocks go forward
    ("2024-10-27", BERLIN, at(2024, 10, 26, 22), 25 * HOUR, Precision.DAY),  # and back
    ("2018-11-04", SAO_PAULO, at(2018, 11, 4, 3), 23 * HOUR, Precision.DAY),  # a day without midnight begins at one
    ("2024-03", BERLIN, at(2024, 2, 29, 23), 31 * DAY - HOUR, Precision.MONTH),
    ("2024", BERLIN, at(2023, 12, 31, 23), 366 * DAY, Precision.YEAR),
    ("2024-05-01T10:00", "UTC", at(2024, 5, 1, 10), 1, Precision.INSTANT),
    ("2024-05-01 10:00", "UTC", at(2024, 5, 1, 10), 1, Precision.INSTANT),
    ("2024-05-01t10:00:30z", BERLIN, at(2024, 5, 1, 10, 0, 30), 1, Precision.INSTANT),
    ("2024-05-01T10:00", BERLIN, at(2024, 5, 1, 8), 1, Precision.INSTANT),
    ("2024-05-01T10:00:00.25Z", "UTC", at(2024, 5, 1, 10) + 250_000, 1, Precision.INSTANT),
    ("2024-05-01T10:00:00,000001Z", "UTC", at(2024, 5, 1, 10) + 1, 1, Precision.INSTANT),
    ("2024-05-01T10:00:00.123456789Z", "UTC", at(2024, 5, 1, 10) + 123_456, 1, Precision.INSTANT),
    ("2024-05-01T10:00+02:00", "UTC", at(2024, 5, 1, 8), 1, Precision.INSTANT),
    ("2024-05-01T10:00+23:59", "UTC", at(2024, 4, 30, 10, 1), 1, Precision.INSTANT),
    ("2024-05-01T10:00-0330", "UTC", at(2024, 5, 1, 13, 30), 1, Precision.INSTANT),
    ("2024-05-01 10:00:00 +05", "UTC", at(2024, 5, 1, 5), 1, Precision.INSTANT),
    ("2024-03-31T02:30", BERLIN, at(2024, 3, 31, 1, 30), 1, Precision.INSTANT),  # an hour that no clock showed
    ("2024-10-27T02:30", BERLIN, at(2024, 10, 27, 0, 30), 1, Precision.INSTANT),  # of two the first
]


@pytest.mark.parametrize(("text", "zone", "start", "length", "precision"), VALID, ids=[f"{v[0]} {v[1]}" for v in VALID])
def test_moment_covers_what_was_given(text, zone, start, length, precision):
    """A year, month, day or instant becomes the span that it covers in its zone."""
    assert parse_moment(text, zone=zone) == Span(start, start + length, precision)


INVALID = {
    "": "nothing",
    "   ": "blanks",
    "24": "two digits are no year",
    "20240501": "digits without separators may be anything",
    "2024-13": "no such month",
    "2024-00": "months count from 1",
    "2024-00-10": "nor in a day",
    "2024-02-30": "no such day",
    "2023-02-29": "no leap year",
    "2024-05-00": "days count from 1",
    "0000": "there is no year 0",
    "9999": "its end can not be written",
    "10000-01-01": "five digits",
    "2024-5-": "cut off",
    "2024/05/01": "which of the two is the month?",
    "01.05.2024": "which of the two is the month?",
    "1 May 2024": "words are read by labels, not here",
    "2024-W18": "weeks are not read",
    "2024-05-01T": "no time after T",
    "2024-05-01T10": "an hour alone",
    "2024-05-01T24:00": "hours end at 23",
    "2024-05-01T10:60": "minutes end at 59",
    "2024-05-01T10:00:60": "leap seconds are not counted",
    "2024-05-01T10:00+24:00": "no such offset",
    "2024-05-01T10:00+02:60": "no such offset",
    "2024-02-30T10:00": "no such day",
    "2024-05-01T10:00 Europe/Berlin": "the zone is an argument",
    "now": "relative words need a now",
    "2024-05-01\x00": "a control character",
    "nan": "no number is a moment",
    "-5": "no number is a moment",
}


@pytest.mark.parametrize("text", INVALID, ids=[reason + " " + repr(text) for text, reason in INVALID.items()])
def test_what_is_no_moment_is_refused_with_its_text(text):
    """The message holds the text that was refused and what would have been right."""
    with pytest.raises(MomentError) as refused:
        parse_moment(text)
    assert isinstance(refused.value, ValueError | StilltrueError)
    assert repr(text) in refused.value.detail
    assert refused.value.remedy


def test_a_long_text_is_refused_in_one_short_line():
    """A megabyte that is no moment does not come back in the message."""
    with pytest.raises(MomentError) as refused:
        parse_moment("x" * 1_000_000)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../../etc/passwd", "/etc/passwd", "Europe", "a\x00b"])
def test_unknown_zone_is_refused(name):
    """A zone that no table knows is named in the message."""
    with pytest.raises(MomentError, match="zone must be an IANA name"):
        get_zone(name)


NOON = at(2024, 3, 31, 12)

RELATIVE = [
    ("now", "UTC", Span.instant(NOON)),
    (" NOW ", "UTC", Span.instant(NOON)),
    ("today", "UTC", Span(at(2024, 3, 31), at(2024, 4, 1), Precision.DAY)),
    ("yesterday", "UTC", Span(at(2024, 3, 30), at(2024, 3, 31), Precision.DAY)),
    ("Tomorrow", "UTC", Span(at(2024, 4, 1), at(2024, 4, 2), Precision.DAY)),
    ("today", BERLIN, Span(at(2024, 3, 30, 23), at(2024, 3, 31, 22), Precision.DAY)),
    ("-12h", "UTC", Span.instant(at(2024, 3, 31))),
    ("-30d", "UTC", Span.instant(at(2024, 3, 1, 12))),
    ("-2w", "UTC", Span.instant(at(2024, 3, 17, 12))),
    ("-1m", "UTC", Span.instant(at(2024, 2, 29, 12))),  # 31 March less a month: the last of February
    ("-13m", "UTC", Span.instant(at(2023, 2, 28, 12))),
    ("-6m", "UTC", Span.instant(at(2023, 9, 30, 12))),
    ("-3m", "UTC", Span.instant(at(2023, 12, 31, 12))),
    ("-1y", "UTC", Span.instant(at(2023, 3, 31, 12))),
    ("-0d", "UTC", Span.instant(NOON)),
    ("2024-05-01", "UTC", Span(at(2024, 5, 1), at(2024, 5, 2), Precision.DAY)),
]


@pytest.mark.parametrize(("text", "zone", "span"), RELATIVE, ids=[f"{row[0]} {row[1]}" for row in RELATIVE])
def test_relative_moment_counts_from_the_now_it_is_given(text, zone, span):
    """Words name whole days of the zone, offsets an instant, months and years go by the calendar."""
    assert resolve_moment(text, now=NOON, zone=zone) == span


def test_today_is_the_day_of_the_zone():
    """An hour after midnight in London it is still yesterday in New York."""
    now = at(2024, 6, 1, 1)
    assert format_day(resolve_moment("today", now=now).start) == "2024-06-01"
    assert resolve_moment("today", now=now, zone=NEW_YORK) == parse_moment("2024-05-31", zone=NEW_YORK)


@pytest.mark.parametrize("text", ["-5000y", "-99999m", "+3d", "-3x", "-d", "next week", "-100000d"])
def test_what_no_calendar_reaches_is_refused(text):
    """Offsets beyond the year 1, and what is no offset, are refused with their text."""
    with pytest.raises(MomentError, match=text.replace("+", r"\+")):
        resolve_moment(text, now=NOON)


def test_a_moment_without_a_zone_is_refused():
    """A naive datetime could mean any of twenty-four instants."""
    with pytest.raises(MomentError, match="must carry a zone"):
        from_datetime(datetime(2024, 5, 1))  # noqa: DTZ001


@pytest.mark.parametrize("instant", [OPEN, BEGIN, 10**18], ids=["open", "begin", "the year 33658"])
def test_an_instant_outside_the_calendar_is_refused(instant):
    """What datetime can not hold is refused by its number."""
    with pytest.raises(MomentError, match=str(instant)):
        to_datetime(instant)


FORMATTED = [
    (None, None),
    (OPEN, None),
    (BEGIN, None),
    (0, "1970-01-01T00:00:00Z"),
    (-1, "1969-12-31T23:59:59.999999Z"),
    (at(2024, 3, 1), "2024-03-01T00:00:00Z"),
    (at(2024, 3, 1) + 250_000, "2024-03-01T00:00:00.250000Z"),
    (at(33, 4, 3, 15), "0033-04-03T15:00:00Z"),
]


@pytest.mark.parametrize(("instant", "text"), FORMATTED, ids=[str(row[1]) for row in FORMATTED])
def test_instant_is_written_in_utc(instant, text):
    """A fraction only where there is one; no text where there is no bound."""
    assert format_instant(instant) == text


@given(st.integers(at(1, 1, 1), at(9998, 12, 31)))
def test_a_written_instant_reads_back(instant):
    """Writing and reading are inverse for every instant of the calendar."""
    assert parse_moment(format_instant(instant)) == Span.instant(instant)
    assert from_datetime(to_datetime(instant)) == instant


def test_an_offset_of_a_datetime_is_kept():
    """The same instant in two zones is one number."""
    moment = datetime(2024, 5, 1, 10, tzinfo=timezone(timedelta(hours=2)))
    assert from_datetime(moment) == at(2024, 5, 1, 8)


bounds = st.integers(0, 12)
spans = st.tuples(bounds, bounds).filter(lambda pair: pair[0] < pair[1]).map(lambda pair: Span(*pair))


@given(spans, spans)
def test_two_spans_lie_in_exactly_one_way(one, other):
    """One is before the other, or behind it, or they share an instant; and sharing is mutual."""
    assert [one.before(other), other.before(one), one.overlaps(other)].count(True) == 1
    shared = set(range(one.start, one.end)) & set(range(other.start, other.end))
    assert one.overlaps(other) is other.overlaps(one) is bool(shared)


@pytest.mark.parametrize(("start", "end"), [(5, 5), (6, 5)], ids=["empty", "inverted"])
def test_a_span_holds_at_least_an_instant(start, end):
    """A span that ends before it begins is refused with both numbers."""
    with pytest.raises(MomentError, match=rf"\[{start}, {end}\)"):
        Span(start, end)


def test_the_last_instant_of_a_day_is_inside_it():
    """What a day means as the moment of a question: its last microsecond."""
    day = parse_moment("2024-05-01")
    assert day.last == at(2024, 5, 2) - 1
    assert Span.instant(7).last == 7


def test_a_span_of_days_follows_the_calendar():
    """Two days over a change of clocks are 47 hours."""
    span = day_span(datetime(2024, 3, 30, tzinfo=UTC).date(), get_zone(BERLIN), days=2)
    assert span.end - span.start == 47 * HOUR
