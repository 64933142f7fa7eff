"""Known faults of filters and of what replaces what, with their documents in an index: found, decided, shown."""

from pathlib import Path
from typing import Final

import pytest

from tests.cases.answers import CODES, check
from tests.cases.catalogue import Fault, faults
from tests.cases.runner import indexed
from tests.cases.shelf import Shelf

# Decided by the given relevance, which an index makes itself.
BY_NUMBERS: Final = ("F-TR-37", "F-GP-06", "F-TR-32", "F-CN-09")
# A case about the door of the core.
APART: Final = ("F-GP-09 core",)
# What does not hang on the relevance of single texts.
KEYS: Final = (
    *("hits", "present", "absent", "not_first", "order", "history", "states", "labels", "label_excludes"),
    *("hits_count", "age_days", "conflict", "support", "query_fails", "as_of", "verdict"),
)

INDEXED: Final = [
    case
    for case in faults(("filter", "supersedence", "conflict", "log"), without=BY_NUMBERS)
    if "docs" in case.given and case.name not in APART
]


def documents(case: Fault) -> list[dict[str, object]]:
    """Return the documents, with what a product has to have declared."""
    values = {"F-GP-07": {"green": "green", "red": "red"}}.get(case.id, {})
    return [document | ({"value": values[document["id"]]} if values else {}) for document in case.given["docs"]]


@pytest.mark.parametrize("case", INDEXED, ids=[case.name for case in INDEXED])
def test_an_index_meets_the_case(case: Fault, place: Path) -> None:
    """Each fault does not occur in a search: states, channels and counts come out as required."""
    found = indexed(case, Shelf(place, mode=case.given.get("mode", "strict")), docs=documents(case))
    check(found, case.must, only=KEYS)
    shown = {str(code) for hit in (*found.hits, *found.history, *found.upcoming) for code in hit.codes}
    wanted = {CODES.get(code, code) for code in case.must.get("codes", {}).values()}
    assert wanted <= shown | set(map(str, found.rejected))
