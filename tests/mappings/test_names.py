"""Dated indices: where a passage lies, and which indices a question asks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.interval import BEGIN, OPEN, parse_moment
from mappings.names import UNDATED, Extent, Period, label_of, labels_to_ask, start_of
from mappings.stamps import Stamps, admits


def at(text):
    """Return the first instant of a moment."""
    return parse_moment(text).start


LABELS = [
    # moment, year, quarter, month
    ("2024-07-31T23:59:59.999999Z", "2024", "2024-q3", "2024-07"),
    ("2024-10-01", "2024", "2024-q4", "2024-10"),
    ("2024-01-01", "2024", "2024-q1", "2024-01"),
    ("2023-12-31T23:59:59.999999Z", "2023", "2023-q4", "2023-12"),
    ("1969-12-31T23:59:59.999999Z", "1969", "1969-q4", "1969-12"),
    ("0987-03-31", "0987", "0987-q1", "0987-03"),
]


@pytest.mark.parametrize("row", LABELS, ids=[row[0] for row in LABELS])
def test_a_moment_lies_in_its_period(row):
    """Each length of period has its own label, in UTC, to the microsecond."""
    assert [label_of(at(row[0]), period) for period in Period] == list(row[1:])


def test_what_has_no_date_lies_apart():
    """Undated passages have an index of their own, which has no start."""
    assert label_of(BEGIN, Period.MONTH) == UNDATED
    assert start_of(UNDATED) == BEGIN


@given(st.integers(BEGIN + 1, OPEN), st.sampled_from(list(Period)))
def test_a_label_starts_at_or_before_what_lies_in_it(moment, period):
    """Every number has a label, also beyond the calendar, and no question before its start can see it."""
    label = label_of(moment, period)
    assert start_of(label) <= moment
    assert label_of(max(start_of(label), BEGIN + 1), period) == label


EXTENTS = {
    "2022": Extent(until=OPEN, closed=at("2023-05-01")),
    "2023": Extent(),
    "2024": Extent(),
    UNDATED: Extent(),
}

ASKED = [
    # what, as_of, known_at, states, undated, labels
    ("now", "2025", "2025", True, True, ["2023", "2024", UNDATED]),
    ("a day past", "2023-06-01", "2023-06-01", True, True, ["2023", UNDATED]),
    ("while the oldest stood", "2023-03-01", "2023-03-01", True, False, ["2022", "2023"]),
    ("what became known later", "2023-06-01", "2025", True, False, ["2023", "2024"]),
    ("as it was known then", "2025", "2023-04-30", True, False, ["2022", "2023"]),
    ("whatever its state", "2025", "2025", False, False, ["2022", "2023", "2024"]),
    ("before everything", "2020", "2020", False, True, [UNDATED]),
]

ASKED_IDS = [row[0] for row in ASKED]


@pytest.mark.parametrize(("t", "k", "states", "undated", "labels"), [row[1:] for row in ASKED], ids=ASKED_IDS)
def test_which_indices_are_asked(t, k, states, undated, labels):
    """None that starts after what is known, none in which nothing stands any more."""
    assert list(labels_to_ask(EXTENTS, at(t), at(k), states=states, undated=undated)) == labels


YEAR = 366 * 24 * 3600 * 10**6
moments = st.integers(-3, 3).map(lambda number: number * YEAR)
ends = moments | st.just(OPEN)
stamps = st.builds(Stamps, moments | st.just(BEGIN), moments, ends, ends, ends)


@given(st.lists(stamps, max_size=12), moments, moments, st.sampled_from(list(Period)))
def test_no_index_is_left_out_that_holds_something_admitted(rows, t, k, period):
    """What the filter admits lies in an index that is asked."""
    by_label = {}
    for row in rows:
        by_label.setdefault(label_of(row.observed, period), []).append(row)
    extents = {
        label: Extent(max(row.until for row in there), max(row.closed for row in there))
        for label, there in by_label.items()
    }
    asked = labels_to_ask(extents, t, k, states=True, undated=True)
    assert {label_of(row.observed, period) for row in rows if admits(row, t, k)} <= set(asked)
