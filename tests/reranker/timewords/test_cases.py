"""The collected faults of the field, by their ids."""

import subprocess
import sys
import tracemalloc

import pytest

from mappings.interval import parse_moment
from reranker.timewords import TimeSettings, read
from tests.reranker.timewords.reading import ask, one, said

NOW = "2025-06-18T10:00:00Z"

READ = [
    ("F-TR-23 contrast", "policies in 2019", "2019-01-01", "2020-01-01"),
    ("F-TR-24 two_years", "incidents from 2021 to 2023", "2021-01-01", "2024-01-01"),
    ("F-TR-24 day", "changes from 2024-03-15", "2024-03-15", "-"),
    ("F-TR-25 between", "outages between 2024-02-10 and 2024-03-20", "2024-02-10", "2024-03-21"),
    ("F-TR-25 since", "changes since 2024-11-05", "2024-11-05", "-"),
    ("F-TR-25 before", "incidents before 2022", "-", "2022-01-01"),
    ("F-TR-25 after", "incidents after 2022", "2023-01-01", "-"),
    ("F-TR-25 until", "incidents until 2023-06-30", "-", "2023-07-01"),
    ("F-TR-25 quarter", "incidents in Q2 2024", "2024-04-01", "2024-07-01"),
    ("F-TR-25 month", "incidents in November 2024", "2024-11-01", "2024-12-01"),
    ("F-TR-25 day", "incidents on 2025-03-04", "2025-03-04", "2025-03-05"),
    ("F-TR-25 past_weeks", "incidents in the past 2 weeks", "2025-06-04", NOW),
    ("F-TR-25 past_months", "incidents in the past 3 months", "2025-03-18", NOW),
    ("F-TR-25 last_hours", "alerts in the last 6 hours", "2025-06-18T04:00:00Z", NOW),
    ("F-TR-25 last_years", "changes in the last 2 years", "2023-06-18", NOW),
    ("F-TR-25 last_quarters", "incidents in the last 2 quarters", "2024-10-01", "2025-04-01"),
    # the words mean the whole year; search keeps what lies before now
    ("F-TR-25 this_year", "changes this year", "2025-01-01", "2026-01-01"),
    ("F-TR-27", "incidents in the last 99999999 days", "-", NOW),
    ("F-TR-28", "limits in 2022", "2022-01-01", "2023-01-01"),
    ("F-TR-29 past", "current limit in 2019", "2019-01-01", "2020-01-01"),
    ("TRC-R1", "incidents 2021-2023", "2021-01-01", "2024-01-01"),
    ("TRC-R2", "policies in 2019", "2019-01-01", "2020-01-01"),
    ("TRC-R5", "incidents from 2021 to 2023", "2021-01-01", "2024-01-01"),
    ("TRC-R6", "changes from 2024-03-15", "2024-03-15", "-"),
    ("TRC-W10", "current limit in 2019", "2019-01-01", "2020-01-01"),
    ("B082 month", "what changed in May", "2025-05-01", "2025-06-01"),
    ("B082 both", "contractors may work in May", "2025-05-01", "2025-06-01"),
    ("B089", "network design in the 1990s", "1990-01-01", "2000-01-01"),
    ("B090 week", "incidents last week", "2025-06-09", "2025-06-16"),
    ("B090 month", "changes this month", "2025-06-01", "2025-07-01"),
    ("B090 year", "since last year", "2024-01-01", "-"),
    ("B091 before", "before last Tuesday", "-", "2025-06-17"),
    ("B091 since", "since last Wednesday", "2025-06-11", "-"),
]
UNREAD = [
    ("F-TR-23 requests", "clients throttled around 2000 requests"),
    ("F-TR-23 dims", "vectors in 2048 dims"),
    ("F-TR-29 advice", "should I use REST or gRPC"),
    ("F-TR-29 name", "flights to New York"),
    ("F-TR-29 adjective", "export a still image"),
    ("TRC-R3", "latest policies"),
    ("TRC-W1", "current rate limit"),
    ("TRC-W2", "what changed recently"),
    ("TRC-W3", "how does cosine similarity work"),
    ("TRC-W4", "is the old limit still in force"),
    ("TRC-W5", "updated limits for partners"),
    ("TRC-W7", "latest word on the still open request"),
    ("B082 may", "how may I reset my password"),
    ("B082 we", "may we share data"),
    ("B085 port", "port 8080 in use"),
    ("B085 rfc", "RFC 2822 header"),
    ("B085 error", "error 2003 mysql"),
    ("B085 status", "nginx 404"),
    ("B085 phone", "call 0800 123 4567"),
    ("B087 name", "python 3.12"),
    ("B087 number", "3.12"),
    ("B087 upgrade", "upgrade to v1.2"),
    ("B087 address", "192.168.1.12 ssh"),
    ("B098", "the year of mention refers to the sample papers"),
]


@pytest.mark.parametrize(("text", "start", "end"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_a_case_is_read(text, start, end):
    """What must be understood is."""
    assert one(text, NOW) == ("range", start, end)


@pytest.mark.parametrize("text", [row[1] for row in UNREAD], ids=[row[0] for row in UNREAD])
def test_a_case_is_no_time(text):
    """What must not be read is not."""
    assert ask(text, NOW).spans == ()


def test_f_tr_22_today_limits_nothing():
    """F-TR-22: today asks for the present state; it does not filter on the date of writing."""
    assert ask("what is the API rate limit today?", NOW).range is None
    assert one("what is the API rate limit today?", NOW)[0] == "cue"


@pytest.mark.parametrize(
    ("asked", "text", "start"),
    [
        ("2025-06-20T15:30:00Z", "incidents this week", "2025-06-16"),
        ("2025-07-01T15:30:00Z", "incidents this month", "2025-07-01"),
    ],
)
def test_f_tr_26_periods_start_at_midnight(asked, text, start):
    """F-TR-26: the morning of its first day belongs to a calendar period."""
    assert one(text, asked)[1] == start


def test_f_tr_25_as_of_is_no_range():
    """F-TR-25 as_of: a moment, the end of the named day."""
    assert ask("what was the limit as of 2024-06-30", NOW).range is None
    assert one("what was the limit as of 2024-06-30", NOW) == ("as_of", "2024-06-30", "2024-07-01")


def test_b094_two_digits_do_not_jump_a_century():
    """B094: a past year of two digits stays past; without an order of day and month it is left alone."""
    assert said("contract ends 02/07/18") == []
    assert one("contract ends 02/07/18", settings=TimeSettings(date_order="DMY"))[1] == "2018-07-02"


@pytest.mark.slow
def test_b101_moments_leave_nothing_behind():
    """B101: thousands of questions, each at another moment, hold less than 1 MB more than before."""
    start = parse_moment(NOW).start
    for step in range(100):
        read("contract of 22/Jan/2019, seen two weeks ago", now=start + step)
    tracemalloc.start()
    try:
        for step in range(2_000):
            read("contract of 22/Jan/2019, seen two weeks ago", now=start + step * 1_000_003)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 1_000_000


@pytest.mark.slow
def test_dateparser_is_loaded_only_for_a_day_that_needs_it():
    """A question whose days the table knows, and one without any, do not pay for the import."""
    program = (
        "import sys; from reranker.timewords import read;"
        "read('changes since March 2024, as of 2024-05-01 or two weeks ago', now=0);"
        "assert 'dateparser' not in sys.modules;"
        "read('changes of 22/Jan/2019', now=0); assert 'dateparser' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
