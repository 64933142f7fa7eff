"""Trouble that users of comparable software have with dates of documents; each test names its rows (B…)."""

import os
from pathlib import Path

import pytest

from indexer.sources.jsonl import JsonLines
from tests.cases.shelf import Shelf


def page(front: str = "", text: str = "Some words.") -> str:
    """Return a Markdown page with front matter."""
    return f"---\n{front}\n---\n{text}\n" if front else f"{text}\n"


def test_b052_unquoted_dates_are_texts(shelf: Shelf) -> None:
    """B052: dates in front matter, quoted or not, with or without a time, come in as ISO texts."""
    shelf.files({"a.md": page("created: 2024-05-24\nupdated: 2024-05-24 10:00:00\nreviewed: '2024-05-24'")})
    assert shelf.refused() == {}
    assert shelf.date("docs/a.md") == "2024-05-24T10:00:00Z"
    assert shelf.observation("docs/a.md").attributes.verified_at == 1_716_508_800_000_000


@pytest.mark.parametrize("value", ["", " ", "-", "n/a", "TBD", None], ids=repr)
def test_b054_a_blank_date_is_no_date(lenient: Shelf, value: str | None) -> None:
    """B054: an empty field or a dash refuses nothing and becomes neither today nor 1970."""
    lenient.lines({"id": "a", "date": value})
    assert (lenient.refused(), lenient.date("a"), lenient.report.undated) == ({}, None, 1)


def test_b055_a_part_number_is_no_date(shelf: Shelf) -> None:
    """B055: "2022-51" in a field of its own stays a text, also in the first document of an index."""
    shelf.lines({"id": "a", "date": "2024-01-01", "batch": "2022-51"}, {"id": "b", "date": "2024-01-01", "batch": "x"})
    assert (shelf.refused(), shelf.report.added) == ({}, 2)


@pytest.mark.parametrize(
    ("value", "stored"),
    [("1969-12-31", "1969-12-31T00:00:00Z"), ("1901-05-01", "1901-05-01T00:00:00Z"), (-86_400, None)],
    ids=str,
)
def test_b058_days_before_1970_are_days(shelf: Shelf, value: object, stored: str | None) -> None:
    """B058: dates before 1970 are what they are; a negative number is refused with its reason."""
    shelf.lines({"id": "a", "date": value})
    if stored:
        assert shelf.date("a") == stored
    else:
        assert "date must be a date, got -86400" in shelf.refused()["a"]


@pytest.mark.parametrize("value", [1_750_240_800, "1750240800", 1_750_240_800_000, 1_750_240_800.5], ids=repr)
def test_b039_seconds_and_milliseconds_are_told_apart(shelf: Shelf, value: object) -> None:
    """B039: seconds and milliseconds since 1970, as number or text, are the same day, and never January 1970."""
    shelf.lines({"id": "a", "date": value})
    assert str(shelf.date("a")).startswith("2025-06-18T10:00:00")


def test_b059_one_source_has_one_order(shelf: Shelf) -> None:
    """B059: rows of one source agree on whether the day comes first."""
    rows = ("15/4/2019", "16/4/2019", "24/4/2019", "2/5/2019")
    shelf.lines(*({"id": f"r{n}", "date": row} for n, row in enumerate(rows)))
    assert [shelf.date(f"r{n}") for n in range(4)] == [
        "2019-04-15T00:00:00Z", "2019-04-16T00:00:00Z", "2019-04-24T00:00:00Z", "2019-05-02T00:00:00Z"
    ]  # fmt: skip


@pytest.mark.parametrize(("order", "stored"), [("day_first", "2025-04-03"), ("month_first", "2025-03-04")])
def test_b059_a_lone_date_follows_the_setting_and_is_flagged(place: Path, order: str, stored: str) -> None:
    """B059: 03/04/2025 alone is read by the configured order, with little trust and a note."""
    shelf = Shelf(place, order=order).lines({"id": "a", "date": "03/04/2025"})
    assert shelf.date("a") == f"{stored}T00:00:00Z"
    assert shelf.observation("a").attributes.date_confidence == "low"
    (note,) = shelf.report.notes
    assert note.text == f"date can be read either way: date_order = {order!r} decided"


def test_b059_a_lone_date_without_a_setting_is_refused(shelf: Shelf) -> None:
    """B059: without a setting and without other dates nothing is guessed."""
    shelf.lines({"id": "a", "date": "03/04/2025"})
    assert "day first or the month first, got '03/04/2025'" in shelf.refused()["a"]


READ = [
    ("B061", "Fri, 22 Sep 17 22:05:03 +0300", "2017-09-22T19:05:03Z"),
    ("B062", "2016/6/29 15:07:41", "2016-06-29T15:07:41Z"),
    ("B062", "Wed, 28 May 2014 13:46:24 -0000", "2014-05-28T13:46:24Z"),
    ("B064", "1 sept. 2024", "2024-09-01T00:00:00Z"),
    ("B066", "15. MRZ 2024", "2024-03-15T00:00:00Z"),
    ("B066", "sam. 03 août 2024", "2024-08-03T00:00:00Z"),
    ("B066", "sam. 03 aou\u0302t 2024", "2024-08-03T00:00:00Z"),
    ("B068", "August 24, 2022 19:00 CT", "2022-08-24T00:00:00Z"),
    ("B069", "2015", "2015-01-01T00:00:00Z"),
    ("B069", "March 2021", "2021-03-01T00:00:00Z"),
    ("B077", "7 Mar 2007 7th March 2007", "2007-03-07T00:00:00Z"),
    ("B094", "02/07/18", "2018-07-02T00:00:00Z"),
]


@pytest.mark.parametrize(("row", "text", "stored"), READ, ids=[f"{row} {text}" for row, text, _ in READ])
def test_written_dates_are_read_whole(place: Path, row: str, text: str, stored: str) -> None:
    """B061, B062, B064, B066, B068, B069, B077, B094: mail dates, halves, months in other languages, centuries."""
    shelf = Shelf(place, order="day_first" if row == "B094" else None).lines({"id": "a", "date": text})
    assert shelf.date("a") == stored


@pytest.mark.parametrize(("text", "precision"), [("2015", "year"), ("March 2021", "month"), ("2015-06-18", "day")])
def test_b069_what_is_missing_is_not_filled_from_today(place: Path, text: str, precision: str) -> None:
    """B069: ingested on another day, the same date is stored, with how much of it was given."""
    stored = []
    for day in (5, 31):
        shelf = Shelf(place / str(day))
        (shelf.folder / "docs.jsonl").write_text(f'{{"id": "a", "text": "x", "date": "{text}"}}\n')
        shelf.take(JsonLines(shelf.folder / "docs.jsonl"), now=1_750_000_000_000_000 + day * 86_400_000_000)
        stored.append(shelf.observation("a").observed)
    assert stored[0] == stored[1]
    assert stored[0] is not None and stored[0].precision == precision


JUNK = [
    ("B072", "January 1st, 9999999999"),
    ("B072", "1p9"),
    ("B072", "10"),
    ("B072", "3.10"),
    ("B077", "7 Mar 20077"),
    ("B081", "Used SOA Suite 11g and 12c, JUN. 2013 - 2020"),
    ("B081", "11g"),
    ("B081", "JUN. 2013 - 2020"),
    ("B085", "8080"),
]


@pytest.mark.parametrize(("row", "text"), JUNK, ids=[f"{row} {text}" for row, text in JUNK])
def test_junk_is_no_date(shelf: Shelf, row: str, text: str) -> None:
    """B072, B077, B081, B085: junk, product names and ranges are refused with key and value; the rest goes in."""
    shelf.lines({"id": "a", "date": text}, {"id": "b", "date": "2024-01-01"})
    assert list(shelf.refused()) == ["a"]
    assert text[:10] in shelf.refused()["a"]
    assert shelf.date("b") == "2024-01-01T00:00:00Z"


VISIBLE = [
    ("B074", "a.html", "<p>Effective and last updated: July 1, 2024</p><p>Copyright 2019-2025</p>", "2024-07-01"),
    ("B064", "a.html", "<p>Mis à jour le 1 sept. 2024</p>", "2024-09-01"),
    ("B068", "a.html", "<p>Posted August 24, 2022 19:00 CT</p>", "2022-08-24"),
    ("B046", "a.md", "Last updated: 12 March 2021\n\nText.", "2021-03-12"),
    ("B074", "a.md", "Text of 3 May 2020.\n\n*Last updated: July 1, 2024*", "2024-07-01"),
]


@pytest.mark.parametrize(("row", "path", "text", "day"), VISIBLE, ids=[f"{row[0]} {row[1]}" for row in VISIBLE])
def test_a_labelled_line_dates_the_page(shelf: Shelf, row: str, path: str, text: str, day: str) -> None:
    """B046, B064, B068, B074: a visible line with a label counts; a copyright and a date in a sentence do not."""
    shelf.files({path: text})
    assert shelf.date(f"docs/{path}") == f"{day}T00:00:00Z"
    assert shelf.observation(f"docs/{path}").attributes.date_source == "label"


def test_b074_an_effective_date_is_a_window(shelf: Shelf) -> None:
    """B074: "effective" is the beginning of the window, beside the date of writing."""
    shelf.files({"a.html": "<p>Effective and last updated: July 1, 2024</p>"})
    assert shelf.observation("docs/a.html").valid_from == 1_719_792_000_000_000


def test_b046_the_time_of_a_file_is_a_last_resort(shelf: Shelf) -> None:
    """B046: a fresh clone is not new today; the file's time counts only when asked for, marked as weak."""
    shelf.files({"a.md": "Text.", "b.md": "Last updated: 12 March 2021\n\nText."})
    assert list(shelf.refused()) == ["docs/a.md"]
    os.utime(shelf.folder / "docs" / "a.md", (1_600_000_000, 1_600_000_000))
    shelf.files({}, dates="mtime")
    assert shelf.date("docs/a.md") == "2020-09-13T12:26:40Z"
    assert shelf.observation("docs/a.md").attributes.date_confidence == "low"
    assert shelf.date("docs/b.md") == "2021-03-12T00:00:00Z"


@pytest.mark.parametrize(
    ("heading", "day"),
    [("## 1.5.3 - 2015-09-24", "2015-09-24"), ("## [3.2] (12 May 2021)", "2021-05-12")],
    ids=["B078 1.5.3", "B078 3.2"],
)
def test_b078_a_release_is_no_time_of_day(shelf: Shelf, heading: str, day: str) -> None:
    """B078: the name of a release beside a date is not read as a date or a time; the entry has its own date."""
    shelf.files({"CHANGELOG.md": f"# Changes\n\n{heading}\n\n- Something.\n"})
    release = "1.5.3" if "1.5.3" in heading else "3.2"
    assert shelf.date(f"docs/CHANGELOG.md/{release}") == f"{day}T00:00:00Z"
    attributes = shelf.observation(f"docs/CHANGELOG.md/{release}").attributes
    assert (attributes.release, attributes.content_type) == (release, "release_notes")
