"""Known faults of the time in a question: from its words through the moments and the period to the answer."""

from pathlib import Path
from typing import Final

import pytest

from reranker.timewords import TimeSettings
from tests.cases.answers import check
from tests.cases.catalogue import Fault, faults
from tests.cases.runner import questioned, row
from tests.cases.shelf import Shelf
from tests.reranker.timewords.reading import said

ASKED: Final = faults(("query_time",))
# What a document is about, where only its relevance is given: each answers the question of its case.
TEXTS: Final = {
    "F-TR-22": "The API rate limit is 1000 requests.",
    "F-TR-26": "Incidents: the gate stood open.",
    "F-TR-27": "Incidents: the gate stood open.",
    "F-TR-28": "Limits: 100 requests a minute.",
    "F-GP-19": "The quay opens at six.",
}


@pytest.mark.parametrize("case", ASKED, ids=[case.name for case in ASKED])
def test_the_time_in_a_question_is_read(case: Fault, place: Path) -> None:
    """Each fault does not occur: range, moment, cue and the documents that stay are those required."""
    shelf = Shelf(place)
    for document in case.given.get("docs", ()):
        shelf.lines(row(document) | {"text": TEXTS[case.id]})
    query = case.given.get("query", "when does the quay open")
    zone = case.given.get("zone", "UTC")
    check(questioned(shelf, query, now=case.given["now"], as_of=case.given.get("as_of"), zone=zone), case.must)


def test_f_tr_25_the_choices_of_its_forms() -> None:
    """F-TR-25, F-TR-26: rolling months go by the calendar, from midnight; quarters are whole; weeks begin on Monday."""
    assert said("incidents in the past 3 months") == [("range", "2025-03-18", "2025-06-18T10:00:00Z")]
    assert said("incidents in the last 2 quarters") == [("range", "2024-10-01", "2025-04-01")]
    assert TimeSettings().week_start == 0
