"""Which moments a question asks about, by the words in it."""

import pytest

from mappings.interval import format_instant, parse_moment
from reranker.timewords import moments
from reranker.timewords.asked import shown
from tests.reranker.timewords.reading import ASKED, ask

NOW = parse_moment(ASKED).start


@pytest.mark.parametrize(
    ("text", "as_of", "known_at", "low", "high"),
    [
        ("refund window", ASKED, ASKED, None, None),
        ("refund window today", ASKED, ASKED, None, None),
        ("in Q3 2022", "2022-09-30T23:59:59.999999Z", "2022-09-30T23:59:59.999999Z", "2022-07-01", "2022-10-01"),
        ("before March 2025", "2025-02-28T23:59:59.999999Z", "2025-02-28T23:59:59.999999Z", None, "2025-03-01"),
        ("last month", "2025-05-31T23:59:59.999999Z", "2025-05-31T23:59:59.999999Z", "2025-05-01", "2025-06-01"),
        ("in the last 3 months", ASKED, ASKED, "2025-03-18", ASKED),
        ("this year", ASKED, ASKED, "2025-01-01", "2026-01-01"),
        ("since March 2024", ASKED, ASKED, "2024-03-01", None),
        ("next month", "2025-07-31T23:59:59.999999Z", ASKED, "2025-07-01", "2025-08-01"),
        ("as of May 2024", "2024-05-31T23:59:59.999999Z", "2024-05-31T23:59:59.999999Z", None, None),
        ("as of 2024-05-01, incidents in March 2024", "2024-05-01T23:59:59.999999Z", "2024-05-01T23:59:59.999999Z",
         "2024-03-01", "2024-04-01"),
    ],
)  # fmt: skip
def test_moments(text, as_of, known_at, low, high):
    """A closed past period is asked at its end, a running or open one now, one ahead at its end as known now."""
    asked = moments(ask(text), now=NOW)
    assert [format_instant(moment) for moment in (asked.as_of, asked.known_at)] == [as_of, known_at]
    assert [asked.low, asked.high] == [day and parse_moment(day).start for day in (low, high)]
    assert asked.is_past == (asked.as_of < NOW)


def test_a_period_that_ends_this_instant_is_over_unless_it_is_counted_up_to_now():
    """At midnight yesterday is over, and the last 24 hours are not."""
    midnight = parse_moment("2025-06-18").start
    assert moments(ask("yesterday", "2025-06-18T00:00:00Z"), now=midnight).as_of == midnight - 1
    assert moments(ask("last 24 hours", "2025-06-18T00:00:00Z"), now=midnight).as_of == midnight
    assert moments(ask("from 2019 to now", "2025-06-18T00:00:00Z"), now=midnight).as_of == midnight


@pytest.mark.parametrize(("text", "until"), [("this year", ASKED), ("in 2022", "2023-01-01T00:00:00Z")])
def test_a_running_period_is_shown_up_to_now(text, until):
    """What lies ahead of now can not be answered, so it is not shown."""
    (span,) = ask(text).spans
    assert format_instant(shown(span, now=NOW)[1]) == until
