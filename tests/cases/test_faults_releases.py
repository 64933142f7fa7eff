"""Known faults over a run of releases: what is old and still so is found, at any date, beside much that is newer."""

from pathlib import Path
from typing import Any, Final

import pytest

from tests.cases.answers import check
from tests.cases.catalogue import Fault, fault
from tests.cases.runner import asked, reranked
from tests.cases.shelf import Shelf

SUBJECTS: Final = {
    "3.8": "Assignment expressions bind a name inside of an expression. Parameters can be positional only.",
    "3.9": "The module zoneinfo brings the time zones of the system. Dictionaries are merged with a bar.",
    "3.10": "Structural pattern matching compares a value with cases. The package distutils is deprecated.",
    "3.11": "Groups of exceptions can be raised and handled. The interpreter is faster by a quarter.",
    "3.12": "An f-string may hold any expression. The packages distutils, asynchat and asyncore are removed.",
    "3.13": "The interactive shell has colours. A build without the global lock is offered for trial.",
    "3.14": "Annotations are evaluated late. Template strings are processed by their receiver.",
}
ANSWERS: Final = {
    "distutils": "3.12",
    "zoneinfo": "3.9",
    "structural pattern matching": "3.10",
    "f-string changes": "3.12",
    "asynchat": "3.12",
}
DATES: Final = {document["version"]: document["observed_at"] for document in fault("F-GP-02")[0].given["docs"]}
VARIANTS: Final = {case.given["name"]: case for case in fault("F-GP-10")}


def shelved(place: Path) -> Shelf:
    """Return an index of the releases, each dated by its own day, and of the news of every month beside them."""
    releases: list[dict[str, Any]] = [
        {"id": name, "title": f"Release {name}", "content_type": "release_notes", "date": DATES[name], "text": text}
        for name, text in SUBJECTS.items()
    ]
    months = [f"{year}-{month:02}" for year in range(2019, 2026) for month in range(1, 13)]
    news = {"content_type": "news", "text": "Changes, fixes, talks."}
    monthly = [{"id": month, "title": f"News of {month}", "date": month, **news} for month in months]
    return Shelf(place).lines(*releases, *monthly)


@pytest.mark.parametrize("case", [VARIANTS["y2024"], VARIANTS["y2026"]], ids=lambda case: case.name)
def test_old_answers_survive(case: Fault, place: Path) -> None:
    """F-GP-10: each of five questions has its answer among the first five hits, in 2024 and in 2026 alike."""
    shelf = shelved(place)
    found = {query: asked(shelf, query, as_of=case.as_of, top_k=5) for query in case.given["questions"]}
    right = [query for query, answer in found.items() if ANSWERS[query] in [hit.doc_id for hit in answer.hits]]
    assert len(right) == case.must["answers_in_top_5"]
    assert found["zoneinfo"].hits[0].doc_id == "3.9"


def test_freshness_does_not_drown_an_answer() -> None:
    """F-GP-10 small: four newer texts that fit less stay behind the old one that fits."""
    check(reranked(VARIANTS["small"]), VARIANTS["small"].must)
