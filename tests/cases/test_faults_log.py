"""Known faults of the log: every removal of an index is recorded, under the question that it was removed from."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from reranker.request import request_from
from reranker.response import SearchResponse
from reranker.search import search
from reranker.settings import SearchSettings
from store.embed import identity
from store.opening import open_engine
from tests.cases.answers import check
from tests.cases.catalogue import fault
from tests.cases.runner import row
from tests.cases.shelf import EMBEDDER, NOW, Shelf

# Above what letters alone have in common by chance, in texts as short as these.
GATE = 0.10
(CASE,) = fault("F-TR-37")
QUERY = "how many passengers may board the evening ferry towards the northern islands"
# What the documents say in place of the relevance that the case gives them.
FERRY = "Passengers board the evening ferry towards the northern islands, forty many may."
OFF_TOPIC = (
    "Cheese bread wine tomatoes olives basil salt vinegar honey figs onion garlic pepper cumin mint dill lemon orange"
    " walnut almond butter cream yoghurt lentils chickpeas spinach carrot cucumber aubergine radish melon. Many."
)


@pytest.fixture
def filled(place: Path) -> Path:
    """Give an index with the four documents of the case."""
    texts = {"off_topic": OFF_TOPIC}
    Shelf(place).lines(*(row(each) | {"text": texts.get(each["id"], FERRY)} for each in CASE.given["docs"]))
    return place / "store"


def ask(store: Path, query: str, *, keep: int = 100) -> SearchResponse:
    """Ask an index that is opened for the question alone, as another process would."""
    engine = open_engine(str(store), embedder=identity(EMBEDDER))
    request = request_from({"query": query})
    settings = SearchSettings(rejection_log=keep, relevance_gate=GATE)
    found = search(engine, EMBEDDER, request, as_of=NOW, known_at=NOW, now=NOW, settings=settings)
    engine.close()
    return found


def recorded(store: Path, query_id: str) -> Mapping[str, int] | None:
    """Return what an index, opened anew, knows of a question: how many passages by code."""
    engine = open_engine(str(store), embedder=identity(EMBEDDER))
    entry: Any = engine.rejections(query_id)
    engine.close()
    return None if entry is None else {str(code): count for code, count in entry.counts}


def test_every_removal_is_recorded(filled: Path) -> None:
    """F-TR-37: filter, records and gates leave their codes, one for each passage; the record outlives the process."""
    found = ask(filled, QUERY)
    check(found, CASE.must, only=("hits",))
    assert recorded(filled, found.query_id) == dict.fromkeys(sorted(CASE.must["codes"].values()), 1)
    assert len(CASE.must["codes"]) == CASE.must["log"]["records_per_request"]


def test_records_of_two_questions_do_not_mix(filled: Path) -> None:
    """F-TR-37: questions asked at once have a record each, under their own query_id."""
    queries = [QUERY, "tomatoes and olives, many", "evening ferry", "northern islands"]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda query: ask(filled, query), queries * 2))
    assert len({answer.query_id for answer in answers}) == len(queries)
    for answer in answers:
        assert recorded(filled, answer.query_id) == {str(code): count for code, count in answer.rejected.items()}


def test_the_log_is_bounded(filled: Path) -> None:
    """F-TR-37: of many questions the newest are kept, and a question asked again is one of them."""
    answers = [ask(filled, f"ferry {n}", keep=3) for n in range(5)]
    assert [recorded(filled, answer.query_id) is not None for answer in answers] == [False] * 2 + [True] * 3
