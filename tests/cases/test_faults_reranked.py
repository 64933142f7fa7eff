"""Known faults of ranking, each with the relevance that it gives: what the reranker makes of them."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from mappings.document import Code
from reranker.response import SearchResponse
from tests.cases.answers import Seen, check, in_order
from tests.cases.catalogue import Fault, fault, faults
from tests.cases.runner import reranked, with_profile

# Asks for the present state: only then is a text weak for its age.
PRESENT: Final = "what is the current state"
PAIRED: Final = with_profile(["research"], weak="pair")
# Cases of which the requirement is not about one answer; they have tests of their own below or in another file.
APART: Final = ("F-TR-16", "F-TR-34", "F-GP-02", "F-GP-09", "F-GP-10", "F-GP-11", "F-GP-21", "F-CN-09")
# Keys of `must` that are held elsewhere: between variants below, of values and of time in test_faults_more.
HELD_ELSEWHERE: Final = (
    *("same_order", "scores_unchanged", "config", "request", "change", "changes", "current", "current_any_of"),
    *("freshness", "log", "explain_age_factors", "severity_range", "value_rejected", "boost"),
)
# What a case leaves open and a product has to declare: whether the question is about now, and what a text is about.
DECLARED: Final[Mapping[str, Mapping[str, Any]]] = {
    "F-TR-19": {"query": PRESENT},
    "F-TR-20 off_topic": {"query": PRESENT, "profiles": PAIRED, "topics": {"weak": "ranking", "fresh": "trials"}},
    "F-TR-20 on_topic": {"query": PRESENT, "profiles": PAIRED, "topics": {"weak": "ranking", "fresh": "ranking"}},
    "F-TR-21": {"query": PRESENT, "profiles": PAIRED},
    "F-GP-07": {"values": {"green": "green", "red": "red"}},
}

RANKED: Final = [
    each
    for each in faults(("filter", "score", "supersedence", "conflict", "confidence", "log", "grade"), without=APART)
    if "docs" in each.given
]


def answer(case: Fault) -> SearchResponse:
    """Answer a case, with what it leaves open declared."""
    declared = dict(DECLARED.get(case.name) or DECLARED.get(case.id) or {})
    topics, values = declared.pop("topics", {}), declared.pop("values", {})
    documents = []
    for document in case.given["docs"]:
        more = {"topic": topics.get(document["id"], document.get("topic")), "value": values.get(document["id"])}
        documents.append(document | more)
    return reranked(case, docs=documents, **declared)


@pytest.mark.parametrize("case", RANKED, ids=[case.name for case in RANKED])
def test_an_answer_meets_the_case(case: Fault) -> None:
    """Each fault does not occur: its documents, reranked by their given relevance, come out as required."""
    check(answer(case), {key: wanted for key, wanted in case.must.items() if key not in HELD_ELSEWHERE})


@pytest.mark.parametrize("case_id", ["F-TR-08", "F-TR-09"])
def test_a_third_document_turns_no_two(case_id: str) -> None:
    """Order, and where required every score, is the same in each variant."""
    variants = fault(case_id)
    answers = [Seen(answer(case)) for case in variants]
    named = variants[0].must["same_order"]
    assert len({tuple(in_order(seen.hits, named)) for seen in answers}) == 1
    for doc_id in variants[0].must.get("scores_unchanged", ()):
        assert len({seen.hit(doc_id).score for seen in answers}) == 1


@pytest.mark.parametrize("case", fault("F-TR-13"), ids=lambda case: case.name)
def test_a_score_that_is_no_number_changes_no_other(case: Fault) -> None:
    """F-TR-13: the others have the scores that they have without it, to the bit."""
    alone = answer(Fault(case.name, {**case.given, "docs": case.given["docs"][:0] + _finite(case)}, case.must))
    assert [(hit.doc_id, hit.score) for hit in answer(case).hits] == [(hit.doc_id, hit.score) for hit in alone.hits]


def test_a_repeated_request_says_the_same() -> None:
    """F-TR-37: what one answer dropped is in no other, and each is known by its own query_id."""
    (case,) = fault("F-TR-37")
    first, second = answer(case), answer(Fault(case.name, {**case.given, "docs": case.given["docs"][1:]}, case.must))
    assert {drop.code for drop in first.dropped or ()} - {drop.code for drop in second.dropped or ()} == {
        Code.EXPIRED_VERSIONED_DOC
    }
    assert answer(case).query_id == first.query_id != second.query_id


def _finite(case: Fault) -> list[Any]:
    return [document for document in case.given["docs"] if document["id"] != "bad"]
