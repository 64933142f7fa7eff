"""The scoring "additive" is the published formula of temporal-rag, to three decimals."""

import json
from pathlib import Path

import numpy as np
import pytest

from reranker.core.additive import AdditiveSettings, additive, explain_additive
from reranker.core.explanation import recompute

DATA = Path(__file__).parents[2] / "cases" / "data" / "temporal_rag_compat.json"
CASES = json.loads(DATA.read_text(encoding="utf-8"))
DAYS = {"days": 1.0, "hours": 1 / 24, "seconds": 1 / 86400}


def days(offset, absent):
    return offset["value"] * DAYS[offset["unit"]] if offset else absent


def is_inside(document):
    window = document["window"] or {}
    return days(window.get("from"), -1.0) <= 0.0 <= days(window.get("until"), 1.0)


def settings(name):
    config = CASES["configs"][name]
    names = ("half_life_days", "temporal_weight", "validity_boost", "min_vector_score", "event_min_raw_score")
    return AdditiveSettings(**{key: config[key] for key in names})


SCORED = [case for case in CASES["cases"] if case["pattern"] in ("scenario", "formula_quirk")]


@pytest.mark.parametrize("case", SCORED, ids=[case["id"] for case in SCORED])
def test_published_figures(case):
    """Every factor and the order agree, and the explanation gives the score."""
    given, config = case["input"], settings(case["input"]["config"])
    documents = CASES["corpus"] if given["documents"] == "corpus" else given["documents"]
    pool = [document for document in documents if is_inside(document)]
    scores = additive(
        np.array([given["cosine"].get(document["id"], 0.0) for document in pool]),
        np.array([days(document["age"], 0.0) for document in pool]),
        np.array([document["kind"] == "EVENT" and document["window"] is not None for document in pool], dtype=bool),
        config,
    )
    ids = [document["id"] for document in pool]
    for expected in case["expected"]["ranking"]:
        at = ids.index(expected["id"])
        for name in ("vector", "decay", "recency", "validity", "event", "penalty", "final"):
            assert getattr(scores, name)[at] == pytest.approx(expected[name], abs=CASES["tolerance"]), (at, name)
        assert recompute(explain_additive(scores, at, config).to_json()) == pytest.approx(scores.final[at])
    ranked = [row["id"] for row in case["expected"]["ranking"]]
    assert [scores.final[ids.index(i)] for i in ranked] == sorted(scores.final, reverse=True)


def test_pool_of_none():
    """No candidates give no scores."""
    nothing = np.array([])
    assert additive(nothing, nothing, np.array([], dtype=bool)).final.size == 0


@pytest.mark.parametrize("ages", [[np.inf, 10.0, 20.0], [np.inf, np.inf, np.inf]])
def test_without_a_date_nothing_is_fresh(ages):
    """An undated candidate counts as the oldest, and none of its decay is left."""
    scores = additive(np.array([0.5, 0.5, 0.5]), np.array(ages), np.zeros(3, dtype=bool))
    assert scores.decay[0] == 0.0
    assert np.isfinite(scores.final).all()
