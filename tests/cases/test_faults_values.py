"""Known faults of settings, of values that differ, of confidence, and of what an answer says of itself."""

import math
from pathlib import Path
from typing import Any

import pytest

import stilltrue
from mappings.document import State
from mappings.errors import StilltrueError
from mappings.interval import DAY
from reranker.core.confidence import confidence
from reranker.core.conflict import severity
from reranker.core.explanation import Explanation
from reranker.diff import compare
from reranker.errors import RequestError
from reranker.request import request_from
from reranker.rerank import rerank
from stilltrue.settings import Settings, load_settings
from tests.cases.answers import CODES, Seen, check
from tests.cases.catalogue import Fault, fault, load
from tests.cases.runner import WORD, asked, candidate, reranked, row
from tests.cases.shelf import EMBEDDER, NOW, Shelf

# What the cases call a setting, and what it is called in a profile.
SETTINGS = {"half_life_days": "half_life_days", "temporal_weight": "w_present"}


def configure(folder: Path, settings: dict[str, Any]) -> Settings:
    """Read a settings file that gives the profile of news these numbers."""
    lines = [f"{SETTINGS[name]} = {str(value).lower()}" for name, value in settings.items()]
    (folder / "stilltrue.toml").write_text("\n".join(["[profile.news]", *lines]), encoding="utf-8")
    return load_settings(folder=folder)


CONFIGURED = [case for case in (*fault("F-TR-16"), *fault("F-GP-20")) if "config" in case.given]


@pytest.mark.parametrize("case", CONFIGURED, ids=[case.name for case in CONFIGURED])
def test_a_setting_out_of_range_is_refused_by_its_name(case: Fault, tmp_path: Path) -> None:
    """F-TR-16, F-GP-20: settings are checked when they are read, and the message names the setting."""
    assert case.must["config"] == "rejected"
    (name,) = (SETTINGS[key] for key in case.given["config"])
    with pytest.raises(StilltrueError, match=rf"profile\.news\.{name}"):
        configure(tmp_path, case.given["config"])
    assert configure(tmp_path, {"half_life_days": 30, "temporal_weight": 0.5})


REQUESTED = [case for case in (*fault("F-TR-16"), *fault("F-GP-21")) if "request" in case.given]


@pytest.mark.parametrize("case", REQUESTED, ids=[case.name for case in REQUESTED])
@pytest.mark.parametrize("top_k", [None, 0])
def test_a_negative_number_of_hits_is_refused(case: Fault, top_k: int | None) -> None:
    """F-TR-16, F-GP-21: neither a negative number of hits nor 0 is asked for."""
    assert case.must["request"] == "rejected"
    wanted = case.given["request"]["top_k"] if top_k is None else top_k
    with pytest.raises(RequestError, match="top_k must be a whole number, 1 to 100"):
        request_from({"query": WORD, "top_k": wanted})


@pytest.mark.parametrize("case", fault("F-TR-32"), ids=lambda case: case.name)
def test_f_tr_32_like_is_compared_with_like(case: Fault) -> None:
    """F-TR-32: between two versions the number that changed is told, whole, and not the first figure of the text."""
    old, new = (document["text"] for document in case.given["docs"])
    (value,) = (value for change in compare(old, new) for value in change.values)
    wanted = case.must["change"]
    assert value.kind == "number" and value.before is not None and value.after is not None
    assert [float(side.replace(",", "")) for side in (value.before, value.after)] == [wanted["from"], wanted["to"]]
    for unit in ("", " requests"):
        apart = severity(value.before + unit, value.after + unit)
        assert apart == pytest.approx(wanted["severity"], abs=5e-5)


def test_f_tr_32_units_differ() -> None:
    """F-TR-32: a number of one unit is not compared with one of another."""
    assert severity("2024", "2024 requests") == 1.0


@pytest.mark.parametrize("case", [case for case in fault("F-TR-33") if "values" in case.given], ids=lambda c: c.name)
def test_f_tr_33_severity_is_bounded(case: Fault) -> None:
    """F-TR-33: opposite signs stay within 1; what is no number is not read as one; and no score rises by either."""
    a, b = (str(value) for value in case.given["values"])
    low, high = case.must.get("severity_range", (0, 1))
    assert low <= severity(a, b) <= high
    assert severity(a, b) == severity(b, a)
    if case.must.get("value_rejected"):
        assert severity(a, b) == 1.0
    one, other = ({"id": x, "topic": "t", "value": x, "cosine": 0.7, "observed_at": "2025-06-01"} for x in (a, b))
    alone, both = rerank([one], WORD, as_of=NOW), rerank([one, other], WORD, as_of=NOW)
    assert Seen(both).hit(a).score == Seen(alone).hit(a).score
    assert both.confidence.value < alone.confidence.value


def test_f_tr_33_a_chain_is_judged_step_by_step() -> None:
    """F-TR-33 there_and_back: the last of three is current, and each step has its own severity."""
    (case,) = [case for case in fault("F-TR-33") if case.name.endswith("there_and_back")]
    found = reranked(case)
    assert [hit.doc_id for hit in found.hits] == [case.must["current"]]
    texts = [document["text"] for document in case.given["docs"]]
    steps = [severity(*(text.removeprefix("limit ") for text in pair)) for pair in zip(texts, texts[1:], strict=False)]
    assert steps == [change["severity"] for change in case.must["changes"]]


@pytest.mark.parametrize("way", ["candidates", "index"])
def test_f_tr_33_the_end_of_the_newest_restores_nothing(place: Path, way: str) -> None:
    """F-TR-33 expired_newest: what was replaced stays replaced when its successor runs out, everywhere alike."""
    (case,) = [case for case in fault("F-TR-33") if case.name.endswith("expired_newest")]
    if way == "candidates":
        found = reranked(case)
    else:
        found = asked(Shelf(place).lines(*map(row, case.given["docs"])), WORD)
    seen = Seen(found)
    assert (seen.hits, seen.state("v1"), seen.state("v2")) == ([], State.SUPERSEDED, State.EXPIRED)
    assert None in case.must["current_any_of"]


@pytest.mark.parametrize("case", fault("F-TR-34"), ids=lambda case: case.name)
def test_f_tr_34_confidence_is_stable_at_both_ends(case: Fault) -> None:
    """F-TR-34: scores far beyond any bound overflow nothing; one that is no number is refused with its code."""
    if case.given["final"] == "NaN":
        document = {"id": "a", "relevance": math.nan, "observed_at": "2025-06-01"}
        found = rerank([document], WORD, as_of=NOW)
        assert (found.hits, found.verdict, str(found.confidence.tier)) == ((), "none", "LOW")
        assert {str(drop.code) for drop in found.dropped or ()} == set(case.must["codes"].values())
        return
    sure = confidence(case.given["final"], None, answer_threshold=EMBEDDER.answer_threshold)
    wanted = case.must["confidence"]
    assert wanted["min"] <= sure.value <= wanted["max"]
    assert str(sure.tier) == case.must["tier"]


@pytest.mark.parametrize("case", fault("F-TR-35"), ids=lambda case: case.name)
def test_f_tr_35_freshness_is_that_of_the_ranking(case: Fault) -> None:
    """F-TR-35: what is said of age has the half-life and floor of the content type, and the end as a day."""
    (hit,) = reranked(case).hits
    wanted = case.must["freshness"]
    if "decay" in wanted:
        assert hit.temporal == pytest.approx(wanted["decay"], abs=5e-4)
        grades = load("temporal_rag_compat")["constants"]["freshness_grades"]
        assert next(row["grade"] for row in grades if hit.temporal >= row["min"]) == wanted["grade"]
    else:
        assert hit.valid_until is not None
        assert (hit.valid_until - NOW) / DAY == wanted["days_to_expiry"]
        assert hit.label == "until 2026-04-14"


def factors(explanation: Explanation, name: str) -> int:
    """Count the places in an explanation where a number of this name enters."""
    return sum((key == name) + factors(child, name) for key, child in explanation.details.items())


def test_f_tr_38_age_enters_once() -> None:
    """F-TR-38: the explanation of each score holds one factor that age made, and the live event leads."""
    (case,) = fault("F-TR-38")
    found = reranked(case)
    assert {factors(hit.explanation, "age_days") for hit in found.hits} == {case.must["explain_age_factors"]}
    assert {factors(hit.explanation, "temporal") for hit in found.hits} == {1}
    assert found.hits[0].doc_id == case.must["first"]


def test_f_gp_09_the_core_requires_the_moment() -> None:
    """F-GP-09 core: without the moment nothing is ranked."""
    (case,) = [case for case in fault("F-GP-09") if case.given["entry"] == "core"]
    assert case.must["request"] == "rejected"
    with pytest.raises(TypeError, match="as_of"):
        rerank([candidate(document) for document in case.given["docs"]], WORD)  # type: ignore[call-arg]


def test_f_gp_09_an_edge_fills_the_moment_once(place: Path) -> None:
    """F-GP-09 service: the library reads its clock once, echoes the moment, and never takes it from the hits."""
    (case,) = [case for case in fault("F-GP-09") if case.given["entry"] == "service"]
    Shelf(place).lines(*map(row, case.given["docs"]))
    readings = iter([NOW])
    with stilltrue.Index(str(place / "store"), settings=Settings(), clock=lambda: next(readings)) as index:
        found = index.search(WORD)
    check(found, case.must, only=("hits", "as_of", "age_days"))
    assert {CODES.get(code, code) for code in case.must["codes"].values()} == set(map(str, found.rejected))


def test_f_gp_11_whole_words_only() -> None:
    """F-GP-11 substrings: letters inside of other words are no match, whatever a vector makes of them."""
    (case,) = [case for case in fault("F-GP-11") if case.name.endswith("substrings")]
    document = {"id": "e", "text": case.given["evidence"], "observed_at": "2025-06-17"}
    for scores in ({}, {"bm25": case.must["keyword_overlap"], "bm25_max": 1.0, "cosine": case.given["cosine"]}):
        found = rerank([document | scores], case.given["question"], as_of=NOW)
        check(found, case.must, only=("verdict",))
        assert found.hits == ()
