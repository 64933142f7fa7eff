"""Trouble that users of comparable software have with stale answers, rights and limits; tests name their rows (B…)."""

from pathlib import Path

import pytest

import stilltrue
from indexer.errors import UnknownDocumentError
from mappings.document import Code
from mappings.interval import DAY
from reranker.errors import RequestError
from reranker.request import request_from
from reranker.settings import SearchSettings
from stilltrue.settings import Settings
from tests.cases.answers import Seen
from tests.cases.runner import asked
from tests.cases.shelf import NOW, Shelf


def test_b159_what_was_replaced_is_history_however_well_it_matches(shelf: Shelf) -> None:
    """B159: only the version in force is a hit, and publishing the old one again brings nothing back in silence."""
    old = {"id": "v1", "series": "leave", "date": "2023-01-01", "text": "Leave is twenty days, carried over to March."}
    new = {"id": "v2", "series": "leave", "date": "2024-01-01", "supersedes": "v1", "text": "Leave: twenty-five days."}
    shelf.lines(old, new)
    for _ in range(2):
        found = Seen(asked(shelf, "leave twenty days carried over to March"))
        assert (found.hits, found.state("v1")) == (["v2"], "SUPERSEDED")
        assert [hit.superseded_by for hit in found.answer.history] == [("v2",)]
        shelf.lines(old)
    shelf.lines(old | {"date": "2025-06-01"})
    assert Seen(asked(shelf, "leave twenty days carried over to March")).hits == ["v2"]
    assert shelf.ask("leave twenty days").history == ()


def test_b160_an_amendment_replaces_what_it_names(shelf: Shelf) -> None:
    """B160: of a rulebook taken in by section, the amended section alone is replaced, and the answer says by what."""
    sections = {"1": "Rules of the quay: entry by the north gate.", "2": "Rules of the quay: boots are worn.",
                "3": "Rules of the quay: speed is ten knots."}  # fmt: skip
    shelf.lines(
        *({"id": f"rulebook/1.1#{n}", "date": "2024-01-01", "text": text} for n, text in sections.items()),
        {
            "id": "amendment/1.2",
            "date": "2025-01-01",
            "supersedes": "rulebook/1.1#3",
            "text": "Rules of the quay: speed is five knots.",
        },
    )
    found = Seen(asked(shelf, "rules of the quay speed"))
    assert sorted(found.hits) == ["amendment/1.2", "rulebook/1.1#1", "rulebook/1.1#2"]
    assert [(hit.doc_id, hit.superseded_by) for hit in found.answer.history] == [("rulebook/1.1#3", ("amendment/1.2",))]
    assert found.said("rulebook/1.1#3").startswith("until 2025-01-01, replaced by amendment/1.2")


def test_b162_what_is_cited_says_how_old_it_is(lenient: Shelf) -> None:
    """B162: each hit has date and age; what is old for a question about now is marked; no date is said outright."""
    policy = {"content_type": "policy", "text": "The quay opens at six."}
    lenient.lines({"id": "january", "date": "2025-01-10", **policy}, {"id": "undated", **policy})
    found = Seen(asked(lenient, "the quay currently opens at six"))
    assert found.hit("january").age_days == pytest.approx((NOW - (found.hit("january").observed_at or 0)) / DAY)
    assert found.hit("january").label == "in force since 2025-01-10"
    assert Code.WEAK in found.hit("january").codes
    assert (found.hit("undated").label, found.hit("undated").age_days) == ("undated", None)
    assert found.answer.verdict == "caveat"


def test_b163_versions_of_one_text_take_one_place(shelf: Shelf) -> None:
    """B163: of six versions the one in force is there once, and the other relevant document is among the five."""
    for year in range(2019, 2025):
        shelf.lines({"id": "faq", "date": f"{year}-01-01", "text": f"Quay opening hours, as of {year}: six to nine."})
    shelf.lines({"id": "other", "date": "2020-01-01", "text": "Opening of the quay on holidays."})
    hits = asked(shelf, "quay opening hours", top_k=5).hits
    assert sorted((hit.doc_id, hit.text) for hit in hits) == [
        ("faq", "Quay opening hours, as of 2024: six to nine."),
        ("other", "Opening of the quay on holidays."),
    ]


SIGNS = ["(42", "a/b", "C++ AND", "tenant:* OR *:*", "field:[* TO *]", '"', "quay OR *", "-quay", "a~2", "\\", "\x00"]
WILDCARDS = ["*" + "?" * 26 + "*", "*" * 4_000, "?" * 4_000 + " quay"]


@pytest.mark.parametrize("query", SIGNS, ids=repr)
def test_b167_signs_of_a_query_language_are_words(shelf: Shelf, query: str) -> None:
    """B167: no sign is an error or an operator, and none shows what another reader may read."""
    text = {"date": "2025-01-01", "text": "Field 42 of the quay, a/b, C++ and tenant."}
    shelf.lines({"id": "ours", **text}, {"id": "theirs", "principals": ["ann"], **text})
    assert set(Seen(asked(shelf, query)).hits) <= {"ours"}


@pytest.mark.parametrize("query", WILDCARDS, ids=["field", "stars", "marks"])
def test_b168_wildcards_cost_nothing(shelf: Shelf, query: str) -> None:
    """B168: wildcards are signs like others: no pattern is searched for."""
    shelf.lines(*({"id": f"d{n}", "date": "2025-01-01", "text": f"quay {n} " * 50} for n in range(50)))
    words = query.strip("*? ")
    assert [(hit.passage_id, hit.bm25) for hit in asked(shelf, query).hits] == (
        [(hit.passage_id, hit.bm25) for hit in asked(shelf, words).hits] if words else []
    )


def test_b170_every_way_to_read_keeps_to_the_rights(place: Path) -> None:
    """B170: by search, filter, history and comparison, another reader's document does not exist, nor does its count."""
    text = {"date": "2025-01-01", "text": "quay secret"}
    Shelf(place).lines({"id": "a", "principals": ["ann"], **text}, {"id": "b", "principals": ["bob"], **text})
    with stilltrue.Index(str(place / "store"), principals=["bob"], settings=Settings(), clock=lambda: NOW) as bob:
        filters = [{}, {"doc_id": ["a", "b"]}, {"series": ["a", "b"]}]
        for each in filters:
            found = Seen(bob.search("quay secret", filters=each, history=True, explain=True))
            assert (found.hits, list(found.dropped), dict(found.answer.rejected)) == (["b"], [], {})
        assert Seen(bob.search("quay secret", filters={"doc_id": ["a"]})).hits == []
        for name in ("a", "nobody"):
            with pytest.raises(UnknownDocumentError, match=f"no document or series '{name}' is known"):
                bob.history(name)
            with pytest.raises(UnknownDocumentError, match=f"no document or series '{name}' is known"):
                bob.diff(name, "2024", "2025-06")
        assert [entry.doc_id for entry in bob.history("b")] == ["b"]
        with pytest.raises(RequestError, match="principals"):
            bob.search("quay", filters={"principals": ["ann"]})


def test_b181_a_page_beyond_the_candidates_is_refused(shelf: Shelf) -> None:
    """B181: the thousandth page names the limit, and asks the engine for nothing."""
    shelf.lines({"id": "a", "date": "2025-01-01", "text": "quay"})
    depth = SearchSettings().depth
    with pytest.raises(RequestError, match=rf"offset \+ top_k must be at most depth = {depth}, got 50000 \+ 50"):
        asked(shelf, "quay", top_k=50, offset=50_000)
    with pytest.raises(RequestError, match="top_k must be a whole number, 1 to 100"):
        request_from({"query": "quay", "top_k": 101})
