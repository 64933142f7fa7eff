"""Trouble that users of comparable software have with hybrid scores and vectors; each test names its row (B…)."""

from pathlib import Path

import pytest

from mappings.interval import format_day
from reranker.errors import RequestError
from reranker.request import request_from
from reranker.rerank import RerankOptions, rerank
from reranker.search import search
from reranker.settings import SearchSettings
from store.embed import identity
from store.engine import EmbedderId, Where
from store.errors import EmbedderMismatchError
from store.opening import open_engine
from tests.cases.answers import Seen
from tests.cases.runner import asked, questioned
from tests.cases.shelf import EMBEDDER, NOW, Shelf

DAY = "2025-06-01"


def test_b003_the_lowest_hit_of_a_leg_stays_above_what_the_leg_never_found() -> None:
    """B003: 9.0 of 10 beside 9.1 is no 0; what only the vectors found stays below."""
    scores = {"A": (9.1, 0.0), "B": (9.0, 0.0), "C": (0.0, 0.9)}
    found = Seen(
        rerank(
            [
                {"id": name, "bm25": bm25, "bm25_max": 10.0, "cosine": cosine, "observed_at": DAY}
                for name, (bm25, cosine) in scores.items()
            ],
            as_of=NOW,
        )
    )
    assert found.hits == ["A", "B", "C"]
    assert found.hit("B").score / found.hit("A").score == pytest.approx(9.0 / 9.1)
    assert found.hit("B").score > 5 * found.hit("C").score


def test_b005_what_a_leg_cut_off_has_its_full_score(shelf: Shelf) -> None:
    """B005: of two equal texts the vectors cut one off; both have the same cosine and score."""
    twin = {"date": DAY, "text": "The crane of the harbour depot is greased each month by the office."}
    shelf.lines({"id": "x", **twin}, {"id": "y", **twin}, {"id": "z", "date": DAY, "text": "Craneage, craneway."})
    (vector,) = EMBEDDER.embed(["crane"])
    found = shelf.engine.search(["crane"], vector, Where(NOW, NOW), depth=2)
    assert sorted(dict(zip(found.doc_ids, found.from_dense.tolist(), strict=True)).items()) == [
        ("x", True), ("y", False), ("z", True)
    ]  # fmt: skip
    request = request_from({"query": "crane", "top_k": 2})
    settings = SearchSettings(depth=2)
    answer = search(shelf.engine, EMBEDDER, request, as_of=NOW, known_at=NOW, now=NOW, settings=settings)
    scores = {hit.doc_id: (hit.cosine, hit.score) for hit in answer.hits}
    assert scores["x"] == scores["y"]


@pytest.mark.slow
def test_b007_one_hit_of_the_words_leaves_the_vectors_alone(shelf: Shelf) -> None:
    """B007: among 5,000 documents one holds the word; the five nearest of the vectors are among the first ten."""
    shelf.lines(*({"id": f"d{n}", "date": DAY, "text": f"harbourmaster{n} notes"} for n in range(4_999)))
    shelf.lines({"id": "one", "date": DAY, "text": "harbourmasters"})
    (vector,) = EMBEDDER.embed(["harbourmasters"])
    dense = shelf.engine.search([], vector, Where(NOW, NOW), depth=6)
    nearest = sorted(zip((-dense.cosine).tolist(), dense.doc_ids, strict=True))[:5]
    hits = shelf.ask("harbourmasters").hits[:10]
    assert hits[0].doc_id == "one"
    assert {doc_id for _, doc_id in nearest} <= {hit.doc_id for hit in hits}


@pytest.mark.parametrize("size", [8, 9, 10, 11])
def test_b010_a_text_belongs_to_its_date(shelf: Shelf, size: int) -> None:
    """B010: asked for the latest, the text of every hit is that of its date, whatever the number of hits."""
    days = [f"2025-0{month}-{day:02}" for month in range(1, 6) for day in (1, 15, 28)]
    shelf.lines(*({"id": f"d{n}", "date": day, "text": f"Incident of {day}."} for n, day in enumerate(days)))
    hits = asked(shelf, "the latest incident", top_k=size).hits
    assert len(hits) == size
    assert [hit.text for hit in hits] == [f"Incident of {format_day(hit.observed_at or 0)}." for hit in hits]


def test_b012_pages_neither_repeat_nor_lose(shelf: Shelf) -> None:
    """B012: eight pages of five, and four of ten, hold forty documents once, in one order, asked for again or not."""
    days = [f"2025-01-{1 + n % 28:02}" for n in range(40)]
    shelf.lines(*({"id": f"d{n}", "date": day, "text": "quay " * (1 + n % 7)} for n, day in enumerate(days)))

    def page(number: int, size: int) -> list[str]:
        found = asked(shelf, "quay", top_k=size, offset=number * size)
        return [hit.doc_id for hit in found.hits]

    fives = [doc_id for number in range(8) for doc_id in page(number, 5)]
    assert len(set(fives)) == len(fives) == 40
    assert [doc_id for number in range(4) for doc_id in page(number, 10)] == fives
    assert page(0, 5) == fives[:5]


def test_b016_a_filter_holds_or_is_refused(shelf: Shelf) -> None:
    """B016: a period that nothing meets leaves nothing, one that all meet leaves all; an unknown filter is an error."""
    event = {"kind": "EVENT", "content_type": "incident", "text": "quay closed"}
    shelf.lines(*({"id": f"d{n}", "date": f"2025-0{n}-01", **event} for n in range(1, 6)))
    for period, count in (("in 2030", 0), ("in 2025", 5), ("since 2024-01-01", 5), ("before 2025", 0)):
        assert len(questioned(shelf, f"quay closed {period}", now="2026-06-18T10:00:00Z").hits) == count
    assert len(asked(shelf, "quay", filters={"source": ["elsewhere"]}).hits) == 0
    with pytest.raises(RequestError, match=r"filters\.tenant is not a key"):
        request_from({"query": "quay", "filters": {"tenant": ["a"]}})


def test_b020_scores_of_two_sources_are_compared_as_they_are() -> None:
    """B020: the poor match of one source stays poor although nothing there is better."""
    excellent = {"id": "excellent", "source": "2024", "bm25": 9.0, "bm25_max": 10.0, "observed_at": DAY}
    poor = {"id": "poor", "source": "2025", "bm25": 2.0, "bm25_max": 10.0, "observed_at": DAY}
    found = Seen(rerank([poor, excellent], as_of=NOW))
    assert found.hits == ["excellent", "poor"]
    assert found.hit("poor").relevance == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("row", "scale", "scores", "passing"),
    [
        ("B022", "logit", [6.2, 0.4, -8.1], {"s0": 0.998, "s1": 0.599}),
        ("B022", "range:0:1", [0.998, 0.599, 0.0003], {"s0": 0.998, "s1": 0.599}),
        ("B023", "range:0:1", [0.93, 0.007], {"s0": 0.93}),
    ],
    ids=["B022 logits", "B022 shares", "B023 calibrated"],
)
def test_the_scale_of_a_score_is_declared(row: str, scale: str, scores: list[float], passing: dict[str, float]) -> None:
    """Logits go through the sigmoid, calibrated scores do not, and one threshold means the same for both."""
    found = rerank(
        [{"id": f"s{n}", "score": score, "observed_at": DAY} for n, score in enumerate(scores)],
        as_of=NOW,
        options=RerankOptions(scale=scale),
        settings=SearchSettings(relevance_gate=0.5),
    )
    assert {hit.doc_id: hit.relevance for hit in found.hits} == pytest.approx(passing, abs=5e-4)


def test_b023_a_scale_is_never_guessed() -> None:
    """B023: a raw score whose scale nobody declared is refused."""
    with pytest.raises(RequestError, match="score needs its scale"):
        rerank([{"id": "a", "score": 0.93}], as_of=NOW)


def test_b103_an_empty_question_is_refused(shelf: Shelf) -> None:
    """B103: a question without a word is a plain error about the question."""
    for query in ("", "  \n "):
        with pytest.raises(RequestError, match="query must hold a word"):
            shelf.ask(query)


def test_b106_old_and_new_parts_measure_alike(place: Path) -> None:
    """B106: one text, taken in long ago and just now, has one cosine and one score."""
    text = {"date": DAY, "text": "The crane of the harbour is greased."}
    Shelf(place).lines({"id": "old", **text}, *({"id": f"d{n}", "date": DAY, "text": f"Shed {n}."} for n in range(30)))
    hits = {hit.doc_id: hit for hit in Shelf(place).lines({"id": "new", **text}).ask("crane harbour").hits}
    assert (hits["old"].cosine, hits["old"].score) == (hits["new"].cosine, hits["new"].score)
    assert hits["old"].cosine > 0.3


@pytest.mark.parametrize(
    ("scale", "scores"),
    [("cosine", (1.0, 0.0, -1.0)), ("half_cosine", (1.0, 0.5, 0.0)), ("inverse_distance", (1.0, 0.5, 1 / 3))],
)
@pytest.mark.parametrize("filtered", [False, True])
def test_b107_a_threshold_is_set_in_cosine(scale: str, scores: tuple[float, ...], filtered: bool) -> None:
    """B107: at cos >= 0.4 only the same direction passes, whatever scale the score came in, filtered or not."""
    readers = {"principals": ["ann"]} if filtered else {}
    found = rerank(
        [{"id": f"s{n}", "score": score, "observed_at": DAY, **readers} for n, score in enumerate(scores)],
        as_of=NOW,
        options=RerankOptions(scale=scale, principals=("ann",)),
        settings=SearchSettings(relevance_gate=0.4),
    )
    assert [hit.doc_id for hit in found.hits] == ["s0"]


def test_b110_another_dimension_is_refused_at_once(place: Path) -> None:
    """B110: an index made with one embedder is not written with another; it says so and stays as it is."""
    shelf = Shelf(place).lines({"id": "a", "date": DAY, "text": "quay"})
    other = EmbedderId("hashing", identity(EMBEDDER).version, EMBEDDER.dimension * 2)
    with pytest.raises(EmbedderMismatchError, match="1024"):
        open_engine(str(shelf.folder / "store"), embedder=other)
    assert [hit.doc_id for hit in shelf.ask("quay").hits] == ["a"]
