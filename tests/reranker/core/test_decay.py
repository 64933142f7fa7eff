"""Age is never negative, halves at the half-life, and is bounded by floor and weight."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.interval import BEGIN, DAY
from reranker.core import decay
from reranker.core.explanation import given as leaf
from reranker.core.explanation import recompute

UNIT = st.floats(0.0, 1.0)


def one(value):
    return np.array([value], dtype=np.float64)


@pytest.mark.parametrize(
    ("observed", "days"),
    [
        pytest.param(-30 * DAY, 30.0, id="older"),
        pytest.param(0, 0.0, id="now"),
        pytest.param(DAY, 0.0, id="later-is-not-negative"),
        pytest.param(-DAY // 2, 0.5, id="half-a-day"),
        pytest.param(BEGIN, np.inf, id="undated"),
    ],
)
def test_age(observed, days):
    """Age counts from when a passage could first be known."""
    assert decay.age_days(np.array([observed], dtype=np.int64), 0)[0] == days


@pytest.mark.parametrize(("age", "left"), [(0, 1.0), (30, 0.5), (60, 0.25), (np.inf, 0.0)])
def test_half_is_left_at_the_half_life(age, left):
    """After one half-life a half, after two a quarter."""
    assert decay.temporal(one(age), one(30.0), one(0.0))[0] == left


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(0.5, 1e5), UNIT)
def test_older_never_counts_more(a, b, half_life, floor):
    """What age leaves falls with age, and never below the floor."""
    newer, older = sorted((a, b))
    left = decay.temporal(np.array([newer, older]), one(half_life), one(floor))
    assert left[0] >= left[1] >= floor


@pytest.mark.parametrize(("strength", "weight"), [(0.0, 0.05), (0.35, 0.25), (0.70, 0.45)])
def test_weight_runs_from_silent_to_present(strength, weight):
    """Without a word of the present the silent weight, under the strongest the full one."""
    assert decay.weight(one(0.05), one(0.45), strength)[0] == pytest.approx(weight)


@given(UNIT)
def test_no_weight_leaves_relevance_to_the_bit(relevance):
    """Where w is 0 the score is the relevance."""
    assert decay.timed(one(relevance), one(0.3), one(0.0))[0] == relevance


@given(UNIT, UNIT, UNIT, UNIT, UNIT)
def test_nobody_overtakes_beyond_the_bound(one_relevance, share, left, other_left, w):
    """Who is 1 / (1 - w) times as relevant is never overtaken, w being the weight of the overtaken."""
    weight = one(w * 0.99)
    strong = decay.timed(one(one_relevance), one(left), weight)
    weak = decay.timed(one(one_relevance * share * (1 - weight[0])), one(other_left), one(0.5))
    assert weak[0] <= strong[0] + 1e-12


@given(st.floats(0, 5000), st.floats(1, 2000), UNIT, UNIT, UNIT, st.sampled_from([0.0, 0.35, 0.7]), UNIT)
def test_explanation_computes_to_the_score(age, half_life, floor, silent, present, strength, relevance):
    """Recomputing the explained score gives the score."""
    left = decay.temporal(one(age), one(half_life), one(floor))
    weight = decay.weight(one(silent), one(present), strength)
    score = decay.timed(one(relevance), left, weight)[0]
    explained = decay.explain_timed(
        score,
        relevance=leaf(relevance),
        temporal=decay.explain_temporal(left[0], age=age, half_life=half_life, floor=floor),
        weight=decay.explain_weight(weight[0], silent=silent, present=present, strength=strength),
    )
    assert recompute(explained.to_json()) == pytest.approx(score, rel=1e-12, abs=1e-15)


def test_undated_explains_its_floor():
    """Without a date there is no age to print: the floor stands."""
    explained = decay.explain_temporal(0.3, age=np.inf, half_life=90.0, floor=0.3)
    assert recompute(explained.to_json()) == 0.3
    assert "age_days" not in explained.details
