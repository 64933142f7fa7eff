"""The composition scores each candidate by itself, and explains every number that moved it."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.document import Kind
from mappings.interval import BEGIN, DAY
from mappings.profile import DEFAULT_PROFILES
from reranker.core import scoring
from reranker.core.cue import Cue
from reranker.core.explanation import given as leaf
from reranker.core.explanation import recompute
from reranker.core.rates import rates
from reranker.core.scoring import Measure, Scoring, Timeliness

AS_OF = 20_000 * DAY
CUES = [None, Cue("present", 0.35, ((0, 1),)), Cue("present", 0.70, ((0, 1),)), Cue("superlative", 0.70, ((0, 1),))]

CANDIDATE = st.fixed_dictionaries(
    {
        "relevance": st.floats(0, 1),
        "cosine": st.floats(-1, 1),
        "age": st.one_of(st.none(), st.integers(-5, 4000)),
        "type": st.sampled_from([*DEFAULT_PROFILES, "unheard_of"]),
        "kind": st.sampled_from(list(Kind)),
        "running": st.booleans(),
        "in_period": st.booleans(),
    }
)


def timeliness(rows, profiles=DEFAULT_PROFILES):
    observed = [BEGIN if row["age"] is None else AS_OF - row["age"] * DAY for row in rows]
    event = np.array([row["kind"] is Kind.EVENT for row in rows], dtype=bool)
    running = event & np.array([row["running"] for row in rows], dtype=bool)
    return Timeliness(
        observed=np.array(observed, dtype=np.int64),
        inside=running,
        running=running,
        in_period=event & np.array([row["in_period"] for row in rows], dtype=bool),
        rates=rates([row["type"] for row in rows], [row["kind"] for row in rows], profiles),
    )


def score(rows, measure, profiles=DEFAULT_PROFILES):
    numbers = {name: np.array([row[name] for row in rows]) for name in ("relevance", "cosine")}
    return scoring.score(numbers["relevance"], numbers["cosine"], timeliness(rows, profiles), measure)


def row(**changes):
    plain = {"relevance": 0.6, "cosine": 0.5, "age": 90, "type": "policy", "kind": Kind.STATIC}
    return {**plain, "running": False, "in_period": False, **changes}


MEASURES = st.builds(
    Measure, st.just(AS_OF), st.sampled_from(CUES), st.floats(0, 0.5), st.sampled_from([Scoring.DEFAULT, Scoring.OFF])
)


@given(st.lists(CANDIDATE, min_size=1, max_size=8), MEASURES)
def test_scores_are_shares(rows, measure):
    """Every score is finite and lies in [0, 1]."""
    scores = score(rows, measure).score
    assert np.isfinite(scores).all()
    assert ((scores >= 0.0) & (scores <= 1.0)).all()


@given(st.lists(CANDIDATE, min_size=2, max_size=8), MEASURES, st.data())
def test_others_change_nothing(rows, measure, data):
    """A candidate has the same score alone, among others, and in any order of them."""
    at = data.draw(st.integers(0, len(rows) - 1))
    order = data.draw(st.permutations(range(len(rows))))
    whole, shuffled = score(rows, measure).score, score([rows[i] for i in order], measure).score
    assert score([rows[at]], measure).score[0] == whole[at] == shuffled[order.index(at)]


@given(st.lists(CANDIDATE, min_size=1, max_size=6), st.sampled_from(CUES), st.sampled_from(list(Scoring)))
def test_explanation_computes_to_the_score(rows, cue, name):
    """Recomputing the printed explanation of any candidate gives its score, under each scoring."""
    measure = Measure(AS_OF, cue, 0.27, name)
    scores, time = score(rows, measure), timeliness(rows)
    for at, candidate in enumerate(rows):
        relevant = leaf(candidate["relevance"])
        explained = scoring.explain(scores, at, relevance=relevant, rates=time.rates, measure=measure)
        assert recompute(explained.to_json()) == pytest.approx(scores.score[at], rel=1e-9, abs=1e-12)


@given(CANDIDATE, CANDIDATE, st.sampled_from(CUES))
def test_nobody_overtakes_beyond_the_bound(strong, weak, cue):
    """No candidate overtakes one more than boost / (1 - w) times as relevant, w of the overtaken."""
    scores = score([strong, weak], Measure(AS_OF, cue, 0.0))
    bound = scores.boost[1] / (1.0 - scores.weight[0])
    if strong["relevance"] > bound * weak["relevance"]:
        assert scores.score[0] >= scores.score[1] - 1e-12


@given(CANDIDATE, st.integers(0, 3000), st.integers(0, 3000), st.sampled_from(CUES))
def test_older_never_scores_more(candidate, one, other, cue):
    """All else equal, a score falls with age or stays."""
    newer, older = sorted((one, other))
    scores = score([{**candidate, "age": newer}, {**candidate, "age": older}], Measure(AS_OF, cue, 0.0)).score
    assert scores[0] >= scores[1]


@given(st.lists(CANDIDATE, min_size=1, max_size=8))
def test_off_is_relevance_alone(rows):
    """With scoring off neither age nor event moves a bit."""
    assert score(rows, Measure(AS_OF, CUES[2], 0.0, Scoring.OFF)).score.tolist() == [r["relevance"] for r in rows]


def test_half_is_left_at_the_half_life():
    """The documented example: relevance 0.685, 90 days, policy without a cue."""
    got = score([row(relevance=0.685)], Measure(AS_OF))
    assert got.temporal[0] == 0.5
    assert got.score[0] == pytest.approx(0.667875)


def test_superlative_ages_every_type_alike():
    """The newest is asked for: half-life 90 days, no floor, weight 0.45, also for what hardly ages."""
    got = score([row(type="mathematics", age=180)], Measure(AS_OF, CUES[3]))
    assert (got.temporal[0], got.weight[0]) == (0.25, 0.45)


@pytest.mark.parametrize(
    ("relevance", "boost", "below"),
    [pytest.param(0.27, 3.0, False, id="reaches"), pytest.param(0.26, 1.0, True, id="below")],
)
def test_event_is_lifted_from_its_floor_on(relevance, boost, below):
    """An incident under way is lifted if it has to do with the question, else flagged."""
    got = score([row(type="incident", kind=Kind.EVENT, running=True, relevance=relevance)], Measure(AS_OF, None, 0.27))
    assert (got.boost[0], got.below_floor[0]) == (boost, below)


def test_too_old_only_where_the_type_says_so():
    """Age puts nothing out unless the profile sets a limit."""
    strict = {"policy": dataclasses.replace(DEFAULT_PROFILES["policy"], max_age_days=30)}
    assert score([row(age=4000)], Measure(AS_OF)).too_old.tolist() == [False]
    assert score([row(age=31), row(age=30)], Measure(AS_OF), strict).too_old.tolist() == [True, False]


def test_first_failed_check_names_the_code():
    """Checks count in their order."""
    first, second = np.array([True, False, False]), np.array([True, True, False])
    assert scoring.in_order(("a", first), ("b", second)) == ["a", "b", ""]


def test_no_candidates_no_scores():
    """An empty pool is scored to nothing."""
    assert score([], Measure(AS_OF)).score.tolist() == []


