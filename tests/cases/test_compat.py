"""The figures of an additive score from elsewhere, and what the default must do instead of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from mappings.document import State
from mappings.interval import DAY, parse_moment
from reranker.core.additive import AdditiveSettings, additive
from reranker.core.confidence import CONFLICT_SLOPE, HIGH_FROM, MARGIN_NEEDED, MARGIN_SLOPE, MEDIUM_FROM, confidence
from reranker.core.conflict import severity
from reranker.core.scoring import Scoring
from reranker.rerank import RerankOptions, rerank
from reranker.response import SearchResponse
from tests.cases.answers import Seen, check, in_order
from tests.cases.compat import COMPAT, CONSTANTS, NOW, compared, documents, ids
from tests.cases.runner import asked, questioned, with_profile
from tests.cases.shelf import EMBEDDER, Shelf

# Asks for the present state: only then is a text weak for its age.
PRESENT: Final = "what is the current state"
# How near to a figure is equal to it.
NEAR: Final = COMPAT["tolerance"]


def ranked(case: Mapping[str, Any], query: str = "", **options: Any) -> SearchResponse:
    """Rerank the documents of a case by their cosines."""
    cosine = case["input"]["cosine"]
    candidates = [document | {"cosine": cosine.get(document["id"], 0.0)} for document in documents(case)]
    return rerank(candidates, query, as_of=NOW, options=RerankOptions(**options))


def settings(case: Mapping[str, Any]) -> AdditiveSettings:
    """Return the numbers that a case scores with."""
    config = COMPAT["configs"][case["input"]["config"]]
    return AdditiveSettings(**{name: config[name] for name in AdditiveSettings.__slots__})


# Where both of two documents are shown with their dates, in the order of these, instead of the newer before the older:
# a choice of the case for S3; for S2 the table of profiles, which gives research no weight of time without a cue.
SHOWN_TOGETHER: Final = {"TRC-S2": ("order",), "TRC-S3": ("order",)}

SCORED: Final = compared("scenario", "formula_quirk")
SCENARIOS: Final = compared("scenario")
QUIRKS: Final = compared("formula_quirk")


@pytest.mark.parametrize("case", SCORED, ids=ids(SCORED))
def test_the_published_figures_come_out(case: dict[str, Any]) -> None:
    """Under "additive" each factor and each score agrees to three decimals, and the order is the published one."""
    kept = [document for document in documents(case) if document["id"] not in case["expected"]["dropped"]]
    age = [(NOW - _instant(document["observed_at"])) / DAY for document in kept]
    cosine = [case["input"]["cosine"].get(document["id"], 0.0) for document in kept]
    live = [document["kind"] == "EVENT" and "valid_until" in document for document in kept]
    scores = additive(np.array(cosine), np.array(age), np.array(live, dtype=bool), settings(case))
    names = [document["id"] for document in kept]
    for row in case["expected"]["ranking"]:
        at = names.index(row["id"])
        got = {name: getattr(scores, name)[at] for name in row if name != "id"}
        assert got == pytest.approx({name: value for name, value in row.items() if name != "id"}, abs=NEAR)
    order = sorted(names, key=lambda name: -scores.final[names.index(name)])
    assert in_order(order, names) == [row["id"] for row in case["expected"]["ranking"]]


@pytest.mark.parametrize("case", SCENARIOS, ids=ids(SCENARIOS))
def test_under_additive_the_states_stay_ours(case: dict[str, Any]) -> None:
    """The scoring that is chosen by name replaces the formula alone: what has expired is out, with its code."""
    found = ranked(case, scoring=Scoring.ADDITIVE)
    dropped = {drop.doc_id: str(drop.state) for drop in found.dropped or ()}
    assert {doc_id: dropped[doc_id] for doc_id in case["expected"]["dropped"]} == case["expected"]["dropped"]
    assert found.to_json()["scoring"] == "additive"
    pool = [document["id"] for document in documents(case) if document["id"] not in case["expected"]["dropped"]]
    scores = dict(zip(pool, additive(*_columns(case, pool)).final.tolist(), strict=True))
    assert {hit.doc_id: hit.score for hit in found.hits} == pytest.approx(
        {hit.doc_id: scores[hit.doc_id] for hit in found.hits}, abs=NEAR
    )


@pytest.mark.parametrize("case", SCENARIOS, ids=ids(SCENARIOS))
def test_a_scenario_comes_out_right(case: dict[str, Any], place: Path) -> None:
    """By default, asked of an index that holds the texts, each scenario has the answer that it must have."""
    shelf = Shelf(place).lines(*documents(case))
    must, together = case["default"]["must"], SHOWN_TOGETHER.get(case["id"], ())
    found = asked(shelf, case["input"]["query"])
    check(found, {key: wanted for key, wanted in must.items() if key not in together})
    for pair in (must[key] for key in together):
        hits = [hit for hit in found.hits if hit.doc_id in pair]
        assert len(hits) == 2
        assert [hit.observed_at for hit in hits] == sorted(hit.observed_at or 0 for hit in hits)
        assert all(hit.label.startswith("in force since 20") for hit in hits)


def test_the_newer_of_two_papers_leads_where_the_newest_is_asked_for(place: Path) -> None:
    """TRC-S2: a question for the newest paper has the newer first, though the older says more of its words."""
    (case,) = (case for case in SCENARIOS if case["id"] == "TRC-S2")
    shelf = Shelf(place).lines(*documents(case))
    found = asked(shelf, "newest paper: do language models improve past billions of parameters")
    check(found, case["default"]["must"])
    older, newer = (Seen(found).hit(doc_id).relevance for doc_id in ("research_2022", "research_2024"))
    assert older > newer


@pytest.mark.parametrize("case", [case for case in QUIRKS if case["default"]["must"]], ids=lambda case: case["id"])
def test_a_quirk_of_the_formula_is_none_of_ours(case: dict[str, Any]) -> None:
    """By default, over the same candidates, no quirk of the formula shows."""
    must = {key: wanted for key, wanted in case["default"]["must"].items() if key != "same_order"}
    check(ranked(case), must)


def test_an_old_fourth_turns_no_two() -> None:
    """TRC-Q3, TRC-Q4: the order of two, and their scores, are the same with and without another candidate."""
    three, four = (Seen(ranked(case)) for case in QUIRKS if case["id"] in ("TRC-Q3", "TRC-Q4"))
    assert [hit.score for hit in three.answer.hits] == [four.hit(doc_id).score for doc_id in three.hits]


PAIRS: Final = compared("pair")


@pytest.mark.parametrize("case", PAIRS, ids=ids(PAIRS))
def test_an_old_text_is_served_for_what_it_is(case: dict[str, Any]) -> None:
    """By default age leaves what the published decay leaves, and nothing current is withheld: caveat or partner."""
    given, must = case["input"], case["default"]["must"] or {}
    found = rerank(
        [document | {"cosine": 0.7, "topic": "one subject"} for document in documents(case)],
        PRESENT,
        as_of=NOW,
        profiles=with_profile(["research", "policy"], weak="pair"),
    )
    hit = Seen(found).hit(given["subject"])
    assert hit.temporal == pytest.approx(case["expected"]["decay"], abs=NEAR)
    assert hit.state is State.VALID
    assert ("WEAK" in hit.codes) is (case["expected"]["grade"] in ("Weak", "Invalid"))
    assert hit.partner == must.get("partner", hit.partner)
    check(found, must, only=("codes",))
    alone = [document | {"cosine": 0.7} for document in documents(case) if document["id"] == given["subject"]]
    check(rerank(alone, PRESENT, as_of=NOW), must, only=("verdict",))


CONFIDENT: Final = compared("confidence")


@pytest.mark.parametrize("case", CONFIDENT, ids=ids(CONFIDENT))
def test_confidence_falls_with_a_thin_lead_and_a_conflict(case: dict[str, Any]) -> None:
    """Tiers and the price of a thin lead are the published ones; a conflict lowers confidence, and adds to nothing."""
    assert (HIGH_FROM, MEDIUM_FROM) == (CONSTANTS["tier_high"], CONSTANTS["tier_medium"])
    assert (MARGIN_NEEDED, MARGIN_SLOPE) == (CONSTANTS["margin_floor"], CONSTANTS["margin_slope"])
    given = case["input"]
    top = given["final_given"] or given["relevance"] * (1 - given["weight"] + given["weight"] * given["temporal"])
    worst = severity("cache", "redis") if case["id"] in ("TRC-C2", "TRC-C6") else 0.0
    measured = [
        confidence(top, top * (1 - margin), answer_threshold=EMBEDDER.answer_threshold, severity=each).value
        for margin in (1.0, given["margin"])
        for each in (0.0, worst)
    ]
    assert measured == sorted(measured, reverse=True)
    assert 0.0 < measured[-1] <= measured[0] < 1.0


def test_two_that_contradict_each_other_are_told() -> None:
    """TRC-C6: two contradicting documents with nearly equal scores are both shown, flagged, and never strong."""
    pair = [
        {"id": name, "topic": "store", "value": name, "cosine": cosine, "observed_at": "2025-06-01"}
        for name, cosine in (("cache", 0.73), ("redis", 0.72))
    ]
    found, (case,) = rerank(pair, "", as_of=NOW), [case for case in CONFIDENT if case["id"] == "TRC-C6"]
    check(found, case["default"]["must"])
    check(found, {"present": ["cache", "redis"], "codes": {"cache": "CONFLICT", "redis": "CONFLICT"}})
    alone = rerank(pair[:1], "", as_of=NOW)
    assert Seen(found).hit("cache").score == Seen(alone).hit("cache").score


SEVERE: Final = compared("severity")


@pytest.mark.parametrize("case", SEVERE, ids=ids(SEVERE))
def test_severity_is_the_published_one_and_lifts_nothing(case: dict[str, Any]) -> None:
    """Two values are as far apart as published, a conflict costs what is published, and no score rises by it."""
    given, wanted = case["input"], case["expected"]
    apart = severity(given["old"], given["new"])
    assert apart == pytest.approx(wanted["severity"], abs=NEAR)
    assert CONFLICT_SLOPE * apart == pytest.approx(wanted["penalty"], abs=NEAR)
    pair = [
        {"id": name, "topic": "t", "value": value, "cosine": 0.7, "observed_at": "2025-06-01"}
        for name, value in given.items()
    ]
    found = rerank(pair, "", as_of=NOW)
    assert bool(found.conflicts) is (apart > 0.0)
    assert {hit.score for hit in found.hits} == {rerank(pair[:1], "", as_of=NOW).hits[0].score}


WEIGHED: Final = compared("adaptive_weight")


@pytest.mark.parametrize("case", WEIGHED, ids=ids(WEIGHED))
def test_a_cue_has_its_weight(case: dict[str, Any], shelf: Shelf) -> None:
    """The words of a question weigh what is published, except where they stand for something else; none is null."""
    weight = case["expected"]["weight"]
    published = {"cue_weight": None if weight == CONSTANTS["weight_baseline"] else weight}
    must = case["default"]["must"] if case["default"]["differs"] else published
    check(questioned(shelf, case["input"]["query"], now=COMPAT["now"]), must)


RANGED: Final = compared("time_range")


@pytest.mark.parametrize("case", RANGED, ids=ids(RANGED))
def test_a_range_is_read_whole_and_filters(case: dict[str, Any], place: Path) -> None:
    """A range is half-open and read whole; of events observed at the given dates those inside stay, and no others."""
    given = case["input"]
    shelf = Shelf(place).lines(
        *(
            {"id": name, "observed_at": at, "kind": "EVENT", "content_type": "incident", "text": given["query"]}
            for name, at in given["created_at"].items()
        )
    )
    must = case["default"]["must"] or {"time_range": None}
    found = questioned(shelf, given["query"], now=COMPAT["now"])
    check(found, must, only=("time_range",))
    bounds = must["time_range"] or {"from": None, "until": None}
    low, high = bounds["from"] or "0", bounds["until"] or "9"
    inside = [name for name, at in given["created_at"].items() if low <= at < high]
    assert sorted(Seen(found).hits) == sorted(inside)


FRESH: Final = compared("freshness")


@pytest.mark.parametrize("case", FRESH, ids=ids(FRESH))
def test_freshness_is_that_of_the_ranking(case: dict[str, Any]) -> None:
    """What an answer says of age has the half-life and the floor that the ranking has."""
    (document,) = documents(case)
    (hit,) = rerank([document | {"cosine": 0.7}], "", as_of=NOW).hits
    by_type = {"announcement": 0.5 ** (0.1 / 7), "policy": 0.5 ** (45 / 90), "mathematics": 0.5 ** (800 / 36_500)}
    assert hit.temporal == pytest.approx(by_type[document["content_type"]], abs=NEAR)
    grade = next(row["grade"] for row in CONSTANTS["freshness_grades"] if hit.temporal >= row["min"])
    published = {} if case["default"]["differs"] else case["expected"]
    assert grade == (case["default"]["must"] or {}).get("freshness", published).get("grade", grade)
    assert "superseded" not in hit.label


@pytest.mark.parametrize("case", compared("dedup"), ids=lambda case: case["id"])
def test_of_a_sequence_the_last_is_kept(case: dict[str, Any]) -> None:
    """Of the versions of one sequence that hold, the last is the one that is shown."""
    versions = case["input"]["versions"]
    found = rerank(
        [
            document | {"cosine": 0.7, "lineage": case["input"]["sequence"], "sequence": versions[document["id"]]}
            for document in documents(case)
        ],
        "",
        as_of=NOW,
    )
    check(found, {"hits": case["expected"]["kept"]})


def _instant(text: str) -> int:
    return parse_moment(text).start


def _columns(case: Mapping[str, Any], names: list[str]) -> tuple[Any, Any, Any]:
    """Return cosine, age in days and whether an event is under way, for these documents."""
    rows = {document["id"]: document for document in documents(case)}
    chosen = [rows[name] for name in names]
    return (
        np.array([case["input"]["cosine"].get(name, 0.0) for name in names]),
        np.array([(NOW - _instant(row["observed_at"])) / DAY for row in chosen]),
        np.array([row["kind"] == "EVENT" for row in chosen], dtype=bool),
    )
