"""A search answers with what holds, says how each hit stands, and keeps account of what it left out."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mappings.document import Code, State
from reranker.core.explanation import recompute
from reranker.errors import RequestError
from reranker.settings import SearchSettings
from tests.reranker.handbook import build


def ids(hits):
    return [hit.doc_id for hit in hits]


def by_id(hits):
    return {hit.doc_id: hit for hit in hits}


QUESTIONS = [
    ("how many days does a refund take", {"history": True, "upcoming": True}),
    ("mail outage", {}),
    ("current mail outage", {}),
    ("latest incident", {}),
    ("days of leave", {"as_of": "2024-02-15"}),
    ("parking", {"as_of": "2024-01"}),
    ("bicycles lent", {"history": True}),
]


@pytest.mark.parametrize(
    ("moments", "text"),
    [
        pytest.param({"as_of": "2023-06"}, "A refund takes ten days.", id="before-the-change"),
        pytest.param({"as_of": "2024-03-01"}, "A refund takes five days.", id="day-of-the-change"),
        pytest.param({}, "A refund takes five days.", id="now"),
        pytest.param({"as_of": "2024-07-01"}, "A refund will take two days.", id="announced"),
        pytest.param({"as_of": "2024-07-01", "known_at": "2024-05-01"}, "A refund takes five days.", id="unannounced"),
    ],
)
def test_answer_follows_the_moment(handbook, moments, text):
    """The first hit is what held at the moment, as far as known."""
    assert handbook.ask("refund days", **moments).hits[0].text == text


@pytest.mark.parametrize(
    ("query", "doc_id", "state", "label"),
    [
        ("refund days", "refunds", State.VALID, "until 2024-07-01"),
        ("lunch", "cantina", State.VALID, "in force since 2024-01-01"),
        ("mail outage", "outage", State.TEMPORAL, "since 2024-05-31"),
        ("mail outage in March", "old-outage", State.VALID, "ended 2024-03-05"),
        ("parking", "parking", State.UNDATED, "undated"),
        ("bicycles lent", "wrong", State.VALID, "in force since 2023-05-01"),
    ],
)
def test_hit_says_how_it_stands(handbook, query, doc_id, state, label):
    """Each hit carries the state of its version and a label in words."""
    hit = by_id(handbook.ask(query).hits)[doc_id]
    assert (hit.state, hit.label) == (state, label)


def test_end_that_was_announced_is_in_the_label(handbook):
    """A window that will close is told with its day."""
    assert by_id(handbook.ask("travel booked", as_of="2023-06").hits)["travel"].label == "until 2024-02-01"


@pytest.mark.parametrize(
    ("query", "label", "code"),
    [
        ("refund days", "until 2024-03-01, replaced by a later version", Code.SUPERSEDED),
        ("travel booked", "until 2024-02-01", Code.EXPIRED_STATIC_DOC),
        ("library opens", "until 2024-04-01, then its document ended", Code.RETRACTED),
        ("bicycles lent year", "withdrawn 2024-04-01", Code.RETRACTED),
    ],
)
def test_history_tells_what_no_longer_holds(handbook, query, label, code):
    """What is out is in a channel of its own, with its end and its reason, when asked for."""
    answer = handbook.ask(query, history=True)
    assert (answer.history[0].label, answer.history[0].codes) == (label, (code,))
    assert handbook.ask(query).history == ()


def test_upcoming_tells_what_does_not_hold_yet(handbook):
    """What was announced is in a channel of its own, when asked for."""
    answer = handbook.ask("refund days", upcoming=True)
    assert [(hit.doc_id, hit.label) for hit in answer.upcoming] == [("refunds-plan", "from 2024-07-01")]
    assert handbook.ask("refund days").upcoming == ()


def test_undated_is_apart_when_a_past_moment_is_asked(handbook):
    """Nobody knows whether what carries no date held then."""
    then, now = handbook.ask("parking", as_of="2024-01"), handbook.ask("parking")
    assert "parking" not in ids(then.hits) and ids(then.undated) == ["parking"]
    assert ids(now.hits)[0] == "parking" and now.undated == ()
    assert now.verdict == "caveat"


@pytest.mark.parametrize(("principals", "sees"), [((), False), (("sales",), False), (("hr",), True)])
def test_reader_without_the_right_sees_no_trace(handbook, principals, sees):
    """Neither hit, nor history, nor count, nor drop tells of what a reader may not read."""
    answer = handbook.ask("salaries paid salary bands", principals=principals, history=True, explain=True)
    assert ("salary" in ids(answer.hits)) is sees
    assert "salary" not in ids(answer.history) + ids(answer.dropped)


def test_active_keeps_events_that_go_on(handbook):
    """Only events inside their window stay, whatever else matches."""
    assert ids(handbook.ask("mail outage", filters={"active": True}).hits) == ["outage"]


def test_filters_hold_in_both_legs(handbook):
    """A filter leaves nothing else in, however well it matches."""
    answer = handbook.ask("mail outage refund", filters={"content_type": ["policy"]})
    assert {hit.content_type for hit in answer.hits} == {"policy"}


def test_rejected_counts_what_the_filters_removed(handbook):
    """Passages with a word of the question are counted by what keeps them out."""
    assert handbook.ask("refund days").rejected == {Code.NOT_YET_VALID: 1, Code.SUPERSEDED: 1}


def test_conflict_is_shown_and_not_settled(handbook):
    """Two sources in force with different values are both there, flagged, the newest first."""
    answer = handbook.ask("days of leave")
    assert answer.verdict == "conflict"
    assert [side.doc_id for side in answer.conflicts[0].sides] == ["leave-b", "leave-a"]
    assert all(Code.CONFLICT in hit.codes for hit in answer.hits[:2])
    assert handbook.ask("days of leave", as_of="2024-01-15").conflicts == ()


@pytest.mark.parametrize(("query", "options"), QUESTIONS)
@pytest.mark.parametrize("scoring", ["default", "off", "additive"])
def test_every_printed_number_can_be_computed_again(handbook, query, options, scoring):
    """Recomputing the printed explanation of each hit and each drop gives the printed score."""
    printed = json.loads(json.dumps(handbook.ask(query, scoring=scoring, explain=True, **options).to_json()))
    shown = [hit for name in ("hits", "history", "upcoming", "undated") for hit in printed[name]]
    for item in shown + [drop for drop in printed["dropped"] if "formula" not in drop["explanation"]]:
        assert recompute(item["explanation"]) == pytest.approx(item["score"], abs=1e-9)
    for drop in printed["dropped"]:
        if drop["code"] == Code.BELOW_RELEVANCE_GATE:
            assert recompute(drop["explanation"]) == 0.0
        else:
            assert recompute(drop["explanation"]) == pytest.approx(drop["score"], abs=1e-9)
    assert recompute(printed["confidence"]["explanation"]) == pytest.approx(printed["confidence"]["value"])


def test_dropped_tells_what_would_have_been_there(handbook):
    """A better match that does not hold is told with its code and a sentence."""
    dropped = by_id(handbook.ask("A refund takes ten days", explain=True).dropped)["refunds"]
    assert dropped.code is Code.SUPERSEDED
    assert dropped.sentence == "matched better, until 2024-03-01, replaced by a later version"
    assert handbook.ask("A refund takes ten days").dropped is None


@pytest.mark.parametrize(("query", "options"), QUESTIONS)
def test_page_is_a_prefix_of_a_longer_one(handbook, query, options):
    """Asking for more, or for the next page, moves nothing."""
    whole = handbook.ask(query, top_k=12, **options).hits
    pages = [hit for at in range(0, 12, 3) for hit in handbook.ask(query, top_k=3, offset=at, **options).hits]
    assert [(hit.rank, hit.passage_id, hit.score) for hit in pages] == [
        (hit.rank, hit.passage_id, hit.score) for hit in whole
    ]


def test_confidence_does_not_depend_on_the_page(handbook):
    """The verdict is about the answer, not about what of it is shown."""
    first, second = handbook.ask("mail outage", top_k=1), handbook.ask("mail outage", top_k=1, offset=1)
    assert (first.verdict, first.confidence) == (second.verdict, second.confidence)


def test_page_beyond_the_depth_is_refused(handbook):
    """The candidates are what they are: no page reaches beyond them."""
    with pytest.raises(RequestError, match=r"offset \+ top_k must be at most depth = 5"):
        handbook.ask("refund", settings=SearchSettings(depth=5))


@pytest.mark.parametrize(
    ("query", "cue", "span"),
    [("is there a current mail outage?", "present", (11, 18)), ("latest incident", "superlative", (0, 6))],
)
def test_cue_is_reported_and_not_searched(handbook, query, cue, span):
    """What was read as time is in the response with its characters, and not among the words searched."""
    answer = handbook.ask(query)
    assert (answer.cue, answer.time_read[0].span) == (cue, span)
    assert answer.to_json()["time_read"][0]["role"] == cue
    assert not {"current", "latest"} & set(answer.hits[0].explanation.details)


def test_newest_leads_where_it_is_asked_for(handbook):
    """Of two incidents alike "the latest" is the newer, whatever is lifted."""
    assert ids(handbook.ask("latest mail outage", filters={"content_type": ["incident"]}).hits)[0] == "outage"


def test_period_keeps_what_overlaps_it(handbook):
    """A past period sets the moment to its end; an event must have been in it; what ended in it is history."""
    answer = handbook.ask("mail outage refund", period=("2024-02", "2024-03"), explain=True)
    assert answer.to_json()["as_of"] == "2024-03-31T23:59:59.999999Z"
    assert "old-outage" in ids(answer.hits) and "outage" not in ids(answer.hits)
    assert by_id(answer.history)["refunds"].label == "until 2024-03-01, replaced by a later version"


def test_period_without_an_end_leaves_out_what_is_before_it(handbook):
    """An open period filters on overlap and leaves the moment."""
    answer = handbook.ask("mail outage", period=("2024-05", None), explain=True)
    assert ids(answer.hits)[0] == "outage"
    assert by_id(answer.dropped)["old-outage"].code is Code.OUT_OF_TIME_RANGE
    assert answer.rejected[Code.OUT_OF_TIME_RANGE] == 1


def test_response_reads_as_plain_data(handbook):
    """The printed answer has the documented keys, in their order."""
    printed = handbook.ask("mail outage").to_json()
    assert list(printed) == [
        *("query_id", "as_of", "known_at", "time_read", "cue", "cue_weight", "verdict", "confidence"),
        *("hits", "history", "upcoming", "undated", "rejected", "took_ms"),
    ]
    assert list(printed["hits"][0]) == [
        *("rank", "passage_id", "doc_id", "version_id", "series", "title", "section", "text", "url", "source"),
        *("content_type", "kind", "state", "label", "observed_at", "valid_from", "valid_until", "superseded_at"),
        *("superseded_by", "verified_at", "age_days", "bm25", "bm25_max", "cosine", "relevance", "temporal"),
        *("weight", "score", "codes"),
    ]


def test_same_question_same_answer(handbook):
    """Asked again at the same moment everything is the same, the id included."""
    first, second = handbook.ask("refund days", history=True), handbook.ask("refund days", history=True)
    assert first == second
    assert first.query_id != handbook.ask("refund days").query_id


def test_question_of_stop_words_is_answered_with_nothing(handbook):
    """Without a word to look for nothing is about the question."""
    answer = handbook.ask("the of and")
    assert (answer.hits, answer.verdict, answer.confidence.tier) == ((), "none", "LOW")


def test_empty_index_answers_with_nothing(tmp_path, now):
    """An index without documents is no error."""
    assert build(tmp_path / "empty", [], now).ask("anything", history=True, explain=True).hits == ()


def test_version_in_force_is_found_behind_its_predecessors(tmp_path, now):
    """Where candidates fall by the record, the search runs once more for what is in force in their series.

    Not every reader may read the newer document, so stamps keep the older ones in for everybody; equal texts do not
    replace each other.
    """
    series = {"series": "fares"}
    text = "fare table fare table"
    old = [(f"old-{at}", "Fares", text, {"date": f"2023-01-{at:02}", **series}) for at in range(1, 9)]
    new = ("new", "Prices", "the fare is three euros", {"date": "2024-01-01", "principals": ["staff"], **series})
    desk = build(tmp_path / "fares", [*old, new], now)
    shallow = SearchSettings(depth=2)
    staff = desk.ask("fare table", principals=["staff"], top_k=2, settings=shallow)
    public = desk.ask("fare table", top_k=2, settings=shallow)
    assert ids(staff.hits) == ["new"]
    assert len(public.hits) == 2 and "new" not in ids(public.hits)
    only = desk.ask("fare table", principals=["staff"], top_k=2, settings=shallow, filters={"doc_id": ["old-1"]})
    assert only.hits == ()


def test_response_is_frozen(handbook):
    """An answer can be handed on without fear."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        handbook.ask("refund").hits[0].score = 2.0


@pytest.mark.parametrize("query", ["lunch library parking", "leave days", "salary bands travel"])
def test_where_time_has_no_weight_the_order_is_that_of_relevance(handbook, query):
    """For content types without a silent weight the answer is, to the bit, that of scoring "off"."""
    asked = {"filters": {"content_type": ["reference"]}, "principals": ["hr"]}
    default, off = handbook.ask(query, **asked), handbook.ask(query, scoring="off", **asked)
    assert default.hits and default.hits == off.hits


ASK_IN_A_PROCESS = """
import json, sys, tempfile
sys.path.insert(0, sys.argv[1])
from tests.conftest import NOW
from tests.reranker.handbook import build_handbook
desk = build_handbook(tempfile.mkdtemp() + "/handbook", NOW)
options = {"history": True, "upcoming": True, "explain": True}
answers = [desk.ask(q, **options).to_json() for q in ("mail outage refund", "days of leave", "latest incident")]
print(json.dumps(answers))
"""


@pytest.mark.slow
def test_answers_do_not_depend_on_the_hash_seed():
    """Two processes that hash texts differently print the same bytes."""
    root = str(Path(__file__).resolve().parents[2])
    printed = {
        subprocess.run(
            [sys.executable, "-c", ASK_IN_A_PROCESS, root],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


def test_what_was_left_out_is_logged(handbook):
    """Each removal that was looked at is in the log of the question, by code and content type, for who asked."""
    answer = handbook.ask("refund days", explain=True)
    logged = handbook.engine.rejections(answer.query_id)
    assert dict(logged.counts) == answer.rejected
    assert logged.by_type() == {(Code.NOT_YET_VALID, "policy"): 1, (Code.SUPERSEDED, "policy"): 1}
    assert handbook.engine.rejections(answer.query_id, ["hr"]) is None


def test_answer_comes_also_where_nothing_can_be_logged(tmp_path, now):
    """An answer is not withheld for its log, and none is kept where none is wanted."""
    desk = build(tmp_path / "index", [("a", "Lunch", "Lunch is at noon.", {"date": "2024-01-01"})], now)
    quiet = desk.ask("lunch", settings=SearchSettings(rejection_log=0))
    assert desk.engine.rejections(quiet.query_id) is None
    (tmp_path / "index" / "rejections.sqlite").mkdir()
    assert ids(desk.ask("lunch").hits) == ["a"]
