"""Labelled lines: which visible lines declare a date, and which only talk about one."""

import re
from pathlib import Path

import pytest

from indexer.keys import field_of
from indexer.readers.labels import _HINTS, LABELS, iso_of, labelled_dates
from indexer.readers.months import fold

SAID = [
    ("Last updated: July 1, 2024", [("last_updated", "2024-07-01")]),
    ("Effective and last updated: July 1, 2024", [("effective", "2024-07-01"), ("last_updated", "2024-07-01")]),
    ("*Last updated on 12 March 2021 by Jane Doe*", [("last_updated", "2021-03-12")]),
    ("This page was last updated on 12 March 2021.", [("last_updated", "2021-03-12")]),
    ("> **Effective date:** 2024-07-01", [("effective", "2024-07-01")]),
    ("Updated 2024-05-01 | 5 min read", [("last_updated", "2024-05-01")]),
    ("Published: 2024-05-01 · Updated: 2024-06-01", [("published", "2024-05-01"), ("last_updated", "2024-06-01")]),
    ("| Last reviewed | 2024-01-01 |", [("last_reviewed", "2024-01-01")]),
    ("Last-Modified: 2024-03-01", [("last_updated", "2024-03-01")]),
    ("Review by: March 2025", [("review_by", "2025-03")]),
    ("Valid until 2024-05-01", [("valid_until", "2024-05-01")]),
    ("Expires: 2024-05-01", [("expires", "2024-05-01")]),
    ("Mis à jour le 1 sept. 2024", [("last_updated", "2024-09-01")]),
    ("Stand: 15. MRZ 2024", [("last_updated", "2024-03-15")]),
    ("Date: 03/04/2025", [("published", "03/04/2025")]),
    ("Copyright 2019-2025", []),
    ("We updated three pages in May 2024", []),
    ("Published: recently", []),
    ("Effective 3 May 2024 all staff work from home", []),
    ("Effective 3 May 2024", []),
    ("The 2020 budget", []),
    ("Released 1.5.3 - 2015-09-24", []),
    ("Date night is on 3 May 2024", []),
    ("12 March 2021", []),
    ("Last updated: " + "x" * 200, []),
]


@pytest.mark.parametrize(("line", "dates"), SAID, ids=[line[:40] for line, _ in SAID])
def test_a_line_declares_a_date_or_it_does_not(line: str, dates: list[tuple[str, str]]) -> None:
    """A label and a date and nothing else count; a date in a sentence never does."""
    assert [(date.key, date.value) for date in labelled_dates([(1, line)])] == dates


def test_a_label_alone_takes_the_next_line() -> None:
    """A term and its text, or two lines of a table, are one statement."""
    (date,) = labelled_dates([(3, "**Last updated**"), (5, "12 March 2021")])
    assert (date.key, date.value, date.line, date.source) == ("last_updated", "2021-03-12", 3, "label")


def test_only_head_and_foot_of_a_page_declare() -> None:
    """What stands in the middle of a long page is what the page talks about."""
    lines = [(n, f"line {n}") for n in range(1, 101)]
    lines[49] = (50, "Last updated: 2020-01-01")
    assert labelled_dates(lines) == ()
    lines[98] = (99, "Last updated: 2024-01-01")
    assert [date.value for date in labelled_dates(lines)] == ["2024-01-01"]


def test_windows_that_contradict_each_other_are_not_taken() -> None:
    """Two different effective dates are what a page talks about; two dates of writing are both told."""
    said = ("Effective: 2024-01-01", "Effective: 2025-01-01", "Updated: 2023-01-01", "Updated: 2024-01-01")
    assert [(date.key, date.value) for date in labelled_dates(enumerate(said, start=1))] == [
        ("last_updated", "2023-01-01"),
        ("last_updated", "2024-01-01"),
    ]


def test_labels_stand_for_declared_keys() -> None:
    """Every label is folded as lines are, and stands for keys of the table of declared keys."""
    assert all(fold(label) == label for label in LABELS)
    assert all(any(hint in label for hint in _HINTS) for label in LABELS)
    assert all(field_of(key) for keys in LABELS.values() for key in keys)


def test_the_page_about_sources_names_the_labels() -> None:
    """Each declared key has its row in docs/sources.md, with a label that is in the table."""
    page = (Path(__file__).resolve().parents[3] / "docs" / "sources.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| (?:when|from|both|until)", page, flags=re.MULTILINE)
    named = {fold(label.strip(" …")) for row in rows for label in re.split(r"[,;]", row)}
    assert named - {""} <= set(LABELS)
    assert {LABELS[label] for label in named} == set(LABELS.values())


def test_an_open_order_is_handed_on_as_written() -> None:
    """Whether the day comes first is decided for the whole source, not here."""
    assert iso_of("03/04/2025") == "03/04/2025"
    assert iso_of("03/04/2025", "day_first") == "03/04/2025"
    assert iso_of("15/04/2025") == "2025-04-15"
    assert iso_of("soon") is None
