"""What a case leaves open is decided on one page, and the page names cases that exist."""

import re
from pathlib import Path

from tests.cases.catalogue import catalogue, load

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "choices.md").read_text(encoding="utf-8")


def named() -> set[str]:
    """Return the cases that the page decides."""
    cells = re.findall(r"^\| ([A-Z][^|]*\d[^|]*) \|", PAGE, re.MULTILINE)
    return {case_id for cell in cells for case_id in cell.split(", ")}


def test_every_choice_is_made() -> None:
    """Each case that names a choice, and needs nothing that is not there, is on the page."""
    open_still = {entry.id for entry in catalogue() if entry.needs}
    choices = {case["id"] for case in load("faults")["cases"] if case["choice"]}
    choices |= {case["id"] for case in load("temporal_rag_compat")["cases"] if case["default"]["choice"]}
    assert choices - open_still - named() == set()


def test_the_page_names_cases_that_exist() -> None:
    """Each id in the first column is one of the list."""
    assert named() - {entry.id for entry in catalogue()} == set()
