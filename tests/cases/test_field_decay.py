"""Trouble that users of comparable software have with age and with days in questions; each test names its row (B…)."""

from typing import Any

import pytest

from mappings.document import Code
from mappings.interval import DAY, format_instant
from reranker.asking import Given, resolve_question
from reranker.rerank import RerankOptions, rerank
from reranker.response import SearchResponse
from reranker.timewords import read
from tests.cases.answers import Seen
from tests.cases.runner import asked, questioned, with_profile
from tests.cases.shelf import NOW, Shelf

MINUTE = 60_000_000
CLOCK = "2025-06-18T10:00:00Z"


def aged(days: dict[str, float | None], *, content_type: str = "policy", **more: Any) -> list[dict[str, Any]]:
    """Return candidates of these ages in days, alike in all else; None: no date."""
    return [
        {
            "id": name,
            "content_type": content_type,
            "cosine": 0.6,
            "observed_at": None if age is None else format_instant(NOW - round(age * DAY)),
            **more,
        }
        for name, age in days.items()
    ]


def test_b025_a_document_without_a_date_is_not_new() -> None:
    """B025: it has the floor of its type, is said to be undated, and comes after every dated one."""
    found = Seen(
        rerank(
            aged({"A": 0, "B": 60, "C": None}, kind="VERSIONED"),
            as_of=NOW,
            profiles=with_profile(["policy"], half_life_days=30),
        )
    )
    assert found.hits == ["A", "B", "C"]
    assert found.hit("C").temporal == with_profile(["policy"])["policy"].floor_versioned < found.hit("B").temporal
    assert (found.hit("C").label, found.hit("C").codes, found.hit("C").age_days) == ("undated", (Code.UNDATED,), None)


def test_b025_in_an_index_it_ranks_by_its_floor_too(lenient: Shelf) -> None:
    """B025: of three equal texts in an index the one without a date is the last, with the same state and code."""
    text = {"content_type": "policy", "kind": "VERSIONED", "text": "The quay opens at six."}
    dated = ({"id": name, "date": day, **text} for name, day in (("A", "2025-06-18"), ("B", "2025-04-19")))
    lenient.lines(*dated, {"id": "C", **text})
    found = Seen(asked(lenient, "quay"))
    assert (found.hits, found.state("C")) == (["A", "B", "C"], "UNDATED")


def test_b026_a_period_leaves_nothing_out_in_silence(lenient: Shelf) -> None:
    """B026: since a day, what carries no date stays among the hits and says so; what is left out is counted."""
    event = {"kind": "EVENT", "content_type": "incident", "text": "quay closed"}
    dated = [{"id": f"d{n}", "date": day, **event} for n, day in enumerate(("2024-01-01", "2025-02-01", "2025-03-01"))]
    lenient.lines(*dated, *({"id": f"u{n}", "text": "quay closed"} for n in range(7)))
    found = questioned(lenient, "quay closed since 2025-01-01", now=CLOCK)
    undated = [hit for hit in found.hits if Code.UNDATED in hit.codes]
    assert (len(undated), {hit.doc_id for hit in found.hits} - {hit.doc_id for hit in undated}) == (7, {"d1", "d2"})
    assert found.rejected[Code.OUT_OF_TIME_RANGE] == 1


def test_b027_no_date_makes_a_text_fresher_than_new() -> None:
    """B027: what is dated after the moment is not known yet, by two minutes or by a year; age is never negative."""
    ages = {"A": 1.0, "F": -400.0, "S": -2 * MINUTE / DAY}
    found = Seen(rerank(aged(ages), as_of=NOW))
    assert (found.hits, found.codes("F"), found.codes("S")) == (["A"], {Code.FUTURE_OBSERVED}, {Code.FUTURE_OBSERVED})
    since = aged(ages, valid_from="2025-01-01")
    later = Seen(rerank(since, as_of=NOW, known_at=NOW + 2 * MINUTE))
    assert later.hits == ["S", "A"]
    assert (later.hit("S").age_days, later.hit("S").temporal) == (0.0, 1.0)


def test_b029_a_reference_page_outlives_a_note(shelf: Shelf) -> None:
    """B029: what nobody replaced is not buried by a newer note that mentions it."""
    shelf.lines(
        {
            "id": "reference",
            "date": "2023-06-18",
            "content_type": "reference",
            "title": "Port list",
            "text": "Which port each service listens on.",
        },
        {
            "id": "note",
            "date": "2025-06-16",
            "content_type": "news",
            "title": "Stand-up",
            "text": "Somebody mentioned that the port list should be looked at again.",
        },
    )
    for query in ("port list", "current port list"):
        found = Seen(asked(shelf, query))
        assert found.hits == ["reference", "note"]
    assert found.hit("reference").temporal > 0.7


@pytest.mark.parametrize("scale", ["cosine", "range:0:1"], ids=["search", "reranker"])
def test_b030_age_counts_after_a_reranker(scale: str) -> None:
    """B030: by scores of a search or of a reranker the newest leads; another half-life gives another order."""
    scores = {"d7": 0.70, "d90": 0.71, "d180": 0.72}
    ages: dict[str, float | None] = {"d7": 7, "d90": 90, "d180": 180}
    orders = [
        Seen(
            rerank(
                [row | {"cosine": None, "score": scores[row["id"]]} for row in aged(ages)],
                "what is the current rule",
                as_of=NOW,
                options=RerankOptions(scale=scale),
                profiles=with_profile(["policy"], half_life_days=half_life, floor_static=0.0),
            )
        ).hits
        for half_life in (7.0, 90.0, 3650.0)
    ]
    assert [order[0] for order in orders] == ["d7", "d7", "d180"]
    assert (orders[1], orders[2]) == (["d7", "d90", "d180"], ["d180", "d90", "d7"])


def test_b038_half_is_left_after_a_half_life() -> None:
    """B038: at 0, 30 and 60 days with a half-life of 30 there are 1, 0.5 and 0.25 left."""
    profiles = with_profile(["policy"], half_life_days=30, floor_static=0.0)
    found = rerank(aged({"a": 0, "b": 30, "c": 60}), as_of=NOW, profiles=profiles)
    assert [hit.temporal for hit in found.hits] == [1.0, 0.5, 0.25]


@pytest.mark.parametrize(
    ("words", "period", "inside"),
    [
        ("until 31 May 2025", (None, "2025-05-31"), True),
        ("before 31 May 2025", None, False),
        ("after 31 May 2025", ("2025-06-01", None), False),
    ],
    ids=["until", "before", "after"],
)
def test_b042_a_last_day_is_whole(
    shelf: Shelf, words: str, period: tuple[str | None, str | None] | None, inside: bool
) -> None:
    """B042: an event late on the day is in "until" that day, and neither before nor after it, in words or arguments."""
    event = {"kind": "EVENT", "content_type": "incident", "text": "quay closed"}
    shelf.lines({"id": "late", "date": "2025-05-31T23:30:00Z", **event})
    assert Seen(questioned(shelf, f"quay closed {words}", now=CLOCK)).hits == (["late"] if inside else [])
    if period is not None:
        moments = resolve_question("quay", Given(period=period), now=NOW).moments
        found = rerank(
            [{"id": "late", "observed_at": "2025-05-31T23:30:00Z", "cosine": 0.6, **event}],
            as_of=moments.as_of,
            known_at=moments.known_at,
            options=RerankOptions(period=moments.period),
        )
        assert Seen(found).hits == (["late"] if inside else [])


WINDOWS = [
    ("neither", {}, "VALID"),
    ("a start", {"valid_from": "2024-01-01"}, "VALID"),
    ("an end", {"valid_until": "2026-01-01"}, "VALID"),
    ("a start ahead", {"valid_from": "2026-01-01"}, "NOT_YET_VALID"),
    ("an end behind", {"valid_from": "2024-01-01", "valid_until": "2025-01-01"}, "EXPIRED"),
]


@pytest.mark.parametrize(("window", "state"), [row[1:] for row in WINDOWS], ids=[row[0] for row in WINDOWS])
def test_b050_each_kind_of_window_has_its_state(shelf: Shelf, window: dict[str, str], state: str) -> None:
    """B050: without an end, a start or either a document holds; one that begins later or has ended does not."""

    def states(found: SearchResponse) -> tuple[str, bool]:
        seen = Seen(found)
        return seen.state("a"), "a" in seen.hits

    expected = state, state == "VALID"
    candidate = {"id": "a", "observed_at": "2023-06-01", "cosine": 0.6, **window}
    assert states(rerank([candidate], as_of=NOW)) == expected
    shelf.lines({"id": "a", "date": "2023-06-01", "text": "quay", **window})
    assert states(asked(shelf, "quay", upcoming=True)) == expected


def test_b100_days_are_those_of_the_person_who_asks() -> None:
    """B100: in the evening in Chicago it is another day in UTC; yesterday and last Thursday are local days."""
    evening = NOW + (15 * 60 + 30) * MINUTE  # 2025-06-19T01:30Z, still the 18th in Chicago
    for words, day in (("yesterday", "17"), ("last Thursday", "12")):
        (span,) = read(f"what happened {words}", now=evening, zone="America/Chicago").spans
        assert format_instant(span.from_us) == f"2025-06-{day}T05:00:00Z"
        assert format_instant(span.until_us) == f"2025-06-{int(day) + 1}T05:00:00Z"
