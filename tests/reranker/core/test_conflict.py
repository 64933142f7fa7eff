"""Two series that give different values for one topic are in conflict; nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reranker.core.conflict import Claim, conflicts, explain_severity, severity
from reranker.core.explanation import recompute


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        pytest.param("1000", "500", 0.5, id="halved"),
        pytest.param("100", "5000", 0.98, id="fiftyfold"),
        pytest.param("1,000 requests", "1500 requests", 1 / 3, id="thousands"),
        pytest.param("cache", "redis", 1.0, id="words"),
        pytest.param("Redis  7", "redis 7", 0.0, id="case-and-space"),
        pytest.param("500", "500.0", 0.0, id="equal-numbers"),
        pytest.param("0", "0.0", 0.0, id="zeros"),
        pytest.param("30 days", "30 hours", 1.0, id="other-unit"),
        pytest.param("-5", "5", 1.0, id="signs"),
        pytest.param("Infinity", "5", 1.0, id="infinite"),
        pytest.param("NaN", "5", 1.0, id="not-a-number"),
        pytest.param("2.5 GB", "2 gb", 0.2, id="decimals"),
    ],
)
def test_severity(one, other, apart):
    """Numbers of one unit by their distance, all else by whether they differ; the explanation says the same."""
    assert severity(one, other) == severity(other, one) == pytest.approx(apart)
    assert recompute(explain_severity(one, other).to_json()) == pytest.approx(apart)


@given(st.floats(allow_nan=False, allow_infinity=False, width=32), st.floats(allow_nan=False, width=32))
def test_severity_is_bounded(one, other):
    """Whatever the numbers, severity lies in [0, 1]."""
    assert 0.0 <= severity(str(one), str(other)) <= 1.0


def test_sides_are_found_by_topic_and_series():
    """Only different series that declare one topic with different values take part."""
    found = conflicts(
        [
            Claim("Refund time", "30 days", "a"),
            Claim("refund  time", "14 days", "b"),
            Claim("refund time", "14 DAYS", "c"),
            Claim("colour", "green", "a"),
            Claim("colour", "green", "b"),
            Claim(None, "red", "d"),
            Claim("colour", None, "d"),
            Claim("size", "1", "e"),
            Claim("size", "2", "e"),
        ]
    )
    assert [(c.topic, c.positions, c.values) for c in found] == [("Refund time", (0, 1, 2), ("30 days", "14 days"))]
    assert found[0].severity == pytest.approx(16 / 30)


def test_worst_pair_counts():
    """Of three values the two farthest apart make the severity."""
    found = conflicts([Claim("t", "10", "a"), Claim("t", "9", "b"), Claim("t", "2", "c")])
    assert (found[0].severity, found[0].values) == (0.8, ("10", "2"))
