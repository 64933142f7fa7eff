"""Changelogs: each release an entry with its name and date."""

import pytest

from indexer.readers import ReaderOptions, read_file

OPTIONS = ReaderOptions()

HEADINGS = [
    ("## [2.1.0] - 2024-03-02", "2.1.0", "2024-03-02"),
    ("## 1.5.3 - 2015-09-24", "1.5.3", "2015-09-24"),
    ("## [3.2] (12 May 2021)", "3.2", "2021-05-12"),
    ("## 2.50.0 / 2024-02-22", "2.50.0", "2024-02-22"),
    ("## v2.0.0-rc.1 (2024-01-05)", "2.0.0-rc.1", "2024-01-05"),
    ("## [2.0.0](https://x.example/compare) (2024-01-05)", "2.0.0", "2024-01-05"),
    ("## Version 4.0, released 3 March 2024", "4.0", "2024-03-03"),
    ("## Version 4", "4", None),
    ("## Release 4 (May 2024)", "4", "2024-05"),
    ("## Acme tool 1.2.3 - March 3, 2024", "1.2.3", "2024-03-03"),
    ("## 2024-03-02, Version 18.1.0 (Current)", "18.1.0", "2024-03-02"),
    ("## 0.9.0 [YANKED]", "0.9.0", None),
    ("## 0.9.0 - 2020-01-01 [YANKED]", "0.9.0", "2020-01-01"),
    ("## 2024.1", "2024.1", None),
    ("# 1.0.0", "1.0.0", None),
    ("1.0.0 (2014-07-01)\n------------------", "1.0.0", "2014-07-01"),
]


@pytest.mark.parametrize(("heading", "release", "date"), HEADINGS, ids=[row[0] for row in HEADINGS])
def test_a_heading_names_release_and_date(heading: str, release: str, date: str | None) -> None:
    """Each form gives the release's name, and its date where it has one; the name is never taken for a date."""
    (page,) = read_file(f"{heading}\n\n- Something.\n".encode(), "CHANGELOG.md", OPTIONS)
    assert (page.part, page.metadata["release"], page.text) == (release, release, "- Something.")
    assert [found.value for found in page.dates] == ([date] if date else [])


@pytest.mark.parametrize(
    "heading",
    ["2019 retrospective", "Upgrading from 1.x", "Notes on 2.0.0 and others", "Version", "2.0.0 - soon", "10"],
)
def test_other_headings_open_no_entry(heading: str) -> None:
    """A heading that names no release, or says more than its date, leaves the page whole."""
    (page,) = read_file(f"# Changes\n\n## {heading}\n\nText.\n".encode(), "CHANGES.md", OPTIONS)
    assert page.part == ""


CHANGELOG = b"""---
date: 2020-01-01
tags: [product]
---
# Gauge Cloud

All changes.

## [Unreleased]

- Soon.

## [2.1.0] - 2024-03-02

### Added

- CSV.

## [2.0.0] - 2023-09-11

- Forecast.

## 2.0.0

- Of another product.

## Links

- A link.
"""


def test_entries_and_the_rest_are_pages() -> None:
    """Each release is a page with a title, its type, its line and its own date; the rest is as new as the newest."""
    pages = read_file(CHANGELOG, "docs/CHANGELOG.md", OPTIONS)
    assert [(page.part, page.title, page.line) for page in pages] == [
        ("", "Gauge Cloud", 1),
        ("unreleased", "Gauge Cloud unreleased", 9),
        ("2.1.0", "Gauge Cloud 2.1.0", 13),
        ("2.0.0", "Gauge Cloud 2.0.0", 19),
        ("2.0.0~2", "Gauge Cloud 2.0.0", 23),
    ]
    rest, unreleased, newest, *_ = pages
    assert rest.text == "All changes.\n\n## Links\n\n- A link."
    assert newest.metadata == {"tags": ["product"], "type": "release_notes", "release": "2.1.0"}
    assert "release" not in unreleased.metadata and unreleased.metadata["date"] == "2020-01-01"
    assert [(found.value, found.source, found.line) for found in newest.dates] == [("2024-03-02", "heading", 13)]
    assert newest.text == "### Added\n\n- CSV."


def test_entries_without_text_are_left_out() -> None:
    """An empty "unreleased" is no page, and a file of which nothing else is left is none either."""
    assert [p.part for p in read_file(b"# C\n\n## Unreleased\n\n## 1.0.0\n\nx\n", "CHANGELOG.md", OPTIONS)] == ["1.0.0"]


def test_a_file_of_another_name_stays_one_page() -> None:
    """Release headings alone make no changelog: the name must say it too."""
    (page,) = read_file(CHANGELOG, "docs/overview.md", OPTIONS)
    assert page.part == ""


def test_rst_changelogs_have_entries_without_lines() -> None:
    """The lines of a converted text are not those of the file, so none are told."""
    (page,) = read_file(b"1.0 (2014-07-01)\n================\n\n* x\n", "CHANGES.rst", OPTIONS)
    assert (page.part, page.text, page.dates[0].value, page.line) == ("1.0", "* x", "2014-07-01", 1)
