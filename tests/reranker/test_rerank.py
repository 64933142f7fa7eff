"""Candidates from anywhere are judged, scored and explained as those of an index are."""

import json
import math
from dataclasses import replace

import pytest

from mappings.document import Code
from mappings.interval import format_instant, parse_moment
from mappings.profile import DEFAULT_PROFILES
from reranker.candidate import Candidate
from reranker.core.explanation import recompute
from reranker.core.scoring import Scoring
from reranker.errors import RequestError
from reranker.period import Period
from reranker.rerank import RerankOptions, rerank

AS_OF = parse_moment("2025-06-18T10:00:00Z").start


def ids(hits):
    return [hit.doc_id for hit in hits]


def codes(answer):
    return {drop.doc_id: drop.code for drop in answer.dropped}


def ask(*candidates, query="", **options):
    moments = {name: options.pop(name) for name in ("as_of", "known_at", "now") if name in options}
    return rerank(list(candidates), query, **{"as_of": AS_OF, **moments}, options=RerankOptions(**options))


def document(name, observed="2025-06-01", cosine=0.6, **more):
    return {"id": name, "observed_at": observed, "cosine": cosine, "content_type": "policy", **more}


def test_what_does_not_hold_is_dropped_with_its_code():
    """Each state that is out has its code, whatever the score."""
    answer = ask(
        document("good"),
        document("future", "2025-07-18"),
        document("soon", valid_from="2025-07-01"),
        document("over", valid_until="2025-06-01", kind="VERSIONED"),
        document("old", "2024-01-01", series="s"),
        document("new", "2025-01-01", series="s"),
        document("off", cosine=0.01),
        document("bad", cosine=math.nan),
        document("notice", "2025-06-01", kind="EVENT", content_type="announcement"),
        document("told", superseded_at="2025-05-01"),
    )
    assert ids(answer.hits) == ["good", "new"]
    assert codes(answer) == {
        "future": Code.FUTURE_OBSERVED,
        "soon": Code.NOT_YET_VALID,
        "over": Code.EXPIRED_VERSIONED_DOC,
        "old": Code.SUPERSEDED,
        "off": Code.BELOW_RELEVANCE_GATE,
        "bad": Code.INVALID_SCORE,
        "notice": Code.EXPIRED_EVENT,
        "told": Code.SUPERSEDED,
    }
    assert answer.rejected == {code: list(codes(answer).values()).count(code) for code in codes(answer).values()}


def test_history_names_what_replaced_it():
    """A candidate that another one replaces is told with its end and its successor."""
    answer = ask(document("v1", "2024-01-01", series="s"), document("v2", "2025-01-01", series="s"))
    old = answer.history[0]
    assert (old.doc_id, format_instant(old.superseded_at), old.superseded_by) == ("v1", "2025-01-01T00:00:00Z", ("v2",))


def test_a_bare_end_is_told_without_a_name():
    """Who says no more than when it was replaced is replaced by another document."""
    answer = ask(document("told", superseded_at="2025-05-01"))
    assert (answer.history[0].label, answer.history[0].superseded_by) == (
        "replaced from its start by another document",
        (),
    )
    assert ids(ask(document("told", superseded_at="2025-07-01")).hits) == ["told"]


@pytest.mark.parametrize("series", ["s", "other"])
def test_links_replace_across_series(series):
    """A declared replacement holds whatever the series of the two."""
    new = document("new", "2025-01-01", series=series, supersedes="old")
    assert ids(ask(document("old", "2024-01-01", series="s"), new).hits) == ["new"]


def test_link_to_nobody_replaces_nobody():
    """A link to a document that did not come waits."""
    assert ids(ask(document("new", supersedes=["gone"])).hits) == ["new"]


def test_passages_of_one_document_stand_together():
    """Equal dates make one version, however many passages of it came."""
    answer = ask(
        document("a#1", doc_id="a"), document("a#2", doc_id="a", cosine=0.7), document("a#3", "2025-02-01", doc_id="a")
    )
    assert [hit.passage_id for hit in answer.hits] == ["a#2", "a#1"]
    assert codes(answer) == {"a": Code.SUPERSEDED}


@pytest.mark.parametrize("date", [None, "", "n/a", 5])
def test_a_date_that_is_none_makes_it_undated(date):
    """A bad date never fails the question."""
    answer = ask(document("x", date), document("y", "2025-06-17"))
    assert ids(answer.hits) == ["y", "x"]
    assert answer.hits[1].codes == (Code.UNDATED,) and answer.hits[1].age_days is None


def test_undated_is_apart_when_a_past_moment_is_asked():
    """Nobody knows whether it held then."""
    answer = ask(document("x", None), document("y", "2025-01-01"), now=AS_OF + 1)
    assert (ids(answer.hits), ids(answer.undated)) == (["y"], ["x"])


def test_readers_without_the_right_get_no_trace():
    """What a reader may not read is neither hit nor drop."""
    secret = document("s", principals=["hr"])
    assert (ask(secret).hits, ask(secret).dropped) == ((), ())
    assert ids(ask(secret, principals=("hr",)).hits) == ["s"]


def test_period_keeps_what_overlaps_it():
    """Beside a period what lies outside has its code."""
    event = document("e", "2025-01-05", kind="EVENT", content_type="incident")
    period = Period(parse_moment("2025-03").start, parse_moment("2025-03").end)
    answer = ask(document("x", "2025-02-01"), event, period=period, as_of=period.until - 1, now=AS_OF)
    assert ids(answer.hits) == ["x"]
    assert codes(answer) == {"e": Code.OUT_OF_TIME_RANGE}


@pytest.mark.parametrize(
    ("scores", "relevance"),
    [
        pytest.param({"cosine": 0.55}, 0.55, id="cosine"),
        pytest.param({"cosine": -0.55, "relevance": 0.4}, 0.4, id="relevance-rules"),
        pytest.param({"bm25": 11.2, "bm25_max": 16}, 0.7, id="words"),
        pytest.param({"bm25": 11.2, "bm25_max": 16, "cosine": 0.55}, 0.685, id="both"),
        pytest.param({"score": 5}, 0.5, id="declared-scale"),
    ],
)
def test_relevance_is_as_declared(scores, relevance):
    """Scores count in their scale, and their explanation gives the relevance."""
    answer = ask({"id": "x", "observed_at": "2025-06-01", **scores}, scale="range:0:10", explain=True)
    assert answer.hits[0].relevance == pytest.approx(relevance)
    assert recompute(answer.to_json()["hits"][0]["explanation"]) == pytest.approx(answer.hits[0].score)


def test_candidate_without_scores_is_measured_by_its_text():
    """Its own words and vector give the relevance, as in an empty index."""
    answer = ask(
        {"id": "b", "title": "Travel", "text": "Trips are booked.", "observed_at": "2025-01-01"},
        {"id": "a", "title": "Refunds", "text": "A refund takes five days.", "observed_at": "2025-01-01"},
        query="how long does a refund take",
        explain=True,
    )
    assert ids(answer.hits)[0] == "a"
    assert answer.hits[0].bm25 < answer.hits[0].bm25_max
    assert recompute(answer.to_json()["hits"][0]["explanation"]) == pytest.approx(answer.hits[0].score)


@pytest.mark.parametrize(
    ("candidates", "options", "text"),
    [
        pytest.param([{"id": "x", "score": 3}], {}, "score needs its scale", id="undeclared"),
        pytest.param([{"id": "x", "bm25": 3}], {}, "bm25 needs its maximum", id="no-maximum"),
        pytest.param([{"id": "x"}, {"id": "x"}], {}, "must have different ids, got 'x' at 0 and 1", id="twins"),
        pytest.param(["x"], {}, "candidates must be tables", id="text"),
        pytest.param([], {"top_k": 0}, "top_k must be a whole number, at least 1, got 0", id="none"),
        pytest.param([], {"per_document": "2"}, "per_document must be", id="per-document"),
    ],
)
def test_what_can_not_be_ranked_is_refused(candidates, options, text):
    """Nothing is guessed, and nothing is silently left out."""
    with pytest.raises(RequestError, match=text):
        ask(*candidates, **options)


NO_SCORES = [{"cosine": 1.5}, {"cosine": "NaN"}, {"bm25": 3, "bm25_max": 0}, {"relevance": True}]


@pytest.mark.parametrize("scores", NO_SCORES)
def test_number_of_no_scale_is_invalid(scores):
    """Others rank as if it were not there, under every scoring."""
    for name in Scoring:
        bad = {"id": "bad", "observed_at": "2025-06-01", **scores}
        good = document("a"), document("b", cosine=0.5)
        with_it, without = ask(bad, *good, scoring=name), ask(*good, scoring=name)
        assert codes(with_it) == {"bad": Code.INVALID_SCORE}
        assert [(hit.doc_id, hit.score) for hit in with_it.hits] == [(hit.doc_id, hit.score) for hit in without.hits]


def test_weak_hit_is_paired_where_its_type_asks_for_it():
    """Under a word of the present an old hit is weak; a fresher source of its topic is its partner."""
    profiles = {**DEFAULT_PROFILES, "policy": replace(DEFAULT_PROFILES["policy"], weak="pair")}
    old, other = document("old", "2024-01-01", topic="t"), document("other", "2025-06-01", topic="u", cosine=0.3)
    fresh = document("fresh", "2025-06-01", topic="t", cosine=0.5)
    query = "what is the current limit?"
    alone = rerank([old, other], query, as_of=AS_OF, profiles=profiles)
    paired = rerank([old, other, fresh], query, as_of=AS_OF, profiles=profiles)
    weak = {hit.doc_id: hit for hit in alone.hits}["old"]
    assert weak.codes == (Code.WEAK, Code.PAIR_PARTNER_NOT_FOUND) and weak.partner is None
    found = {hit.doc_id: hit for hit in paired.hits}["old"]
    assert (found.codes, found.partner, found.to_json()["partner"]) == ((Code.WEAK,), "fresh", "fresh")


def test_twins_of_a_series_are_flagged():
    """Two documents of a series at one place with one sequence: both are shown, nothing breaks the tie."""
    x, y = (document(name, "2025-04-29", series="l", sequence=2) for name in ("x", "y"))
    answer = ask(x, y, document("z", "2025-04-29", series="l", cosine=0.5))
    assert answer.verdict == "conflict"
    assert {hit.doc_id: hit.codes for hit in answer.hits} == {
        "x": (Code.DUPLICATE_VERSION,),
        "y": (Code.DUPLICATE_VERSION,),
        "z": (),
    }


def test_page_and_documents_can_be_limited():
    """So many hits, and so many passages of a document, as asked for."""
    passages = [document(f"a#{at}", doc_id="a", cosine=0.9 - at / 100) for at in range(3)]
    assert len(ask(*passages).hits) == 3
    assert len(ask(*passages, per_document=2).hits) == 2
    assert len(ask(*passages, top_k=1).hits) == 1


def test_no_candidates_give_an_empty_answer():
    """Nothing given, nothing found, and nothing claimed."""
    answer = ask()
    assert (answer.hits, answer.dropped, answer.verdict) == ((), (), "none")


def test_answer_reads_as_plain_data():
    """What JSON can not hold is null."""
    answer = ask(document("x"), document("bad", cosine=math.inf), Candidate("c", "c", "c", cosine=0.5), explain=True)
    printed = json.dumps(answer.to_json(), allow_nan=False)
    assert json.loads(printed)["dropped"][0]["score"] is None
