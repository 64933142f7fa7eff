"""An event is lifted while it goes on, or inside a period asked for, if it has to do with the question."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.interval import BEGIN, DAY, OPEN
from reranker.core import event
from reranker.core.explanation import given as leaf
from reranker.core.explanation import recompute

UNIT = st.floats(0.0, 1.0)


@pytest.mark.parametrize(
    ("inside", "begins", "ends", "goes_on"),
    [
        pytest.param(True, 0, OPEN, True, id="just-begun"),
        pytest.param(True, -6 * DAY, OPEN, True, id="six-days-without-an-end"),
        pytest.param(True, -7 * DAY, OPEN, False, id="a-week-without-an-end"),
        pytest.param(True, -70 * DAY, DAY, True, id="long-with-an-end"),
        pytest.param(False, -DAY, -1, False, id="over"),
        pytest.param(False, BEGIN, OPEN, False, id="no-date"),
    ],
)
def test_under_way(inside, begins, ends, goes_on):
    """An event without an end lasts a week."""
    got = event.under_way(np.array([inside]), np.array([begins]), np.array([ends]), 0)
    assert got.tolist() == [goes_on]


def test_larger_boost_applies():
    """Of the boosts that apply the larger counts; without any, none."""
    when = np.array([3.0, 3.0, 3.0, 3.0]), np.array([2.0, 2.0, 2.0, 5.0])
    running, inside = np.array([True, False, False, True]), np.array([True, True, False, True])
    assert event.boost(running, inside, *when).tolist() == [3.0, 2.0, 1.0, 5.0]


@given(UNIT, st.floats(1.0, 5.0))
def test_lift_stays_in_bounds(score, boost):
    """A lifted score lies between the score and 1, and its explanation gives it."""
    lifted = event.lift(np.array([score]), np.array([boost]))[0]
    assert score - 1e-12 <= lifted <= 1.0
    if boost > 1.0:
        explained = event.explain_lift(lifted, timed=leaf(score), boost=boost)
        assert recompute(explained.to_json()) == pytest.approx(lifted, abs=1e-15)


@given(UNIT)
def test_no_boost_changes_no_bit(score):
    """Where the boost is 1 the score is what it was."""
    assert event.lift(np.array([score]), np.array([1.0]))[0] == score


@pytest.mark.parametrize(("relevance", "reaches"), [(0.27, True), (0.269, False)])
def test_floor(relevance, reaches):
    """An event is lifted from the floor on."""
    assert event.reaches_floor(np.array([relevance]), 0.27).tolist() == [reaches]
    explained = event.explain_floor(relevance, 0.27)
    assert recompute(explained.to_json()) == explained.value == reaches
