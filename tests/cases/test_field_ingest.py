"""Trouble that users of comparable software have with taking documents in; each test names its rows (B…)."""

import time
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.cases.shelf import Shelf


def test_b032_dates_with_and_without_a_zone_stand_in_one_pool(shelf: Shelf) -> None:
    """B032: a date without a zone, one with, and a day rank together; the rule is applied once, on the way in."""
    dates = ("2025-06-01T10:00:00", "2025-06-01T10:00:00Z", "2025-06-01")
    shelf.lines(*({"id": f"d{n}", "date": date, "text": "harbour master"} for n, date in enumerate(dates)))
    assert [hit.doc_id for hit in shelf.ask("harbour master").hits] == ["d0", "d1", "d2"]
    assert shelf.date("d0") == shelf.date("d1")


def test_b033_a_second_date_that_is_none_does_no_harm(shelf: Shelf) -> None:
    """B033: "n/a" beside a good date is nothing; the document is there, aged from the good one."""
    shelf.lines({"id": "a", "date": "2025-06-01", "last_reviewed": "n/a", "text": "harbour master"})
    (hit,) = shelf.ask("harbour master").hits
    assert (hit.doc_id, shelf.date("a")) == ("a", "2025-06-01T00:00:00Z")


@pytest.mark.parametrize("local", ["UTC", "Asia/Shanghai", "America/Chicago"])
def test_b034_the_zone_is_a_setting_not_the_machines(place: Path, monkeypatch: pytest.MonkeyPatch, local: str) -> None:
    """B034: a local time is read in the configured zone, whatever zone the machine has."""
    monkeypatch.setenv("TZ", local)
    time.tzset()
    try:
        shelf = Shelf(place, zone="Asia/Shanghai").lines({"id": "a", "date": "2025-06-18 06:30"})
    finally:
        monkeypatch.undo()
        time.tzset()
    assert shelf.date("a") == "2025-06-17T22:30:00Z"


def test_b048_a_new_date_on_the_same_text_is_no_new_version(shelf: Shelf) -> None:
    """B048: the same text exported again with a later date confirms the version and refreshes nothing."""
    for day in ("2024-01-01", "2025-05-01"):
        shelf.lines({"id": "a", "date": day, "text": "harbour master", "title": "T"})
    (hit,) = shelf.ask("harbour master").hits
    assert (hit.to_json()["observed_at"], hit.to_json()["verified_at"]) == (
        "2024-01-01T00:00:00Z",
        "2025-05-01T00:00:00Z",
    )


def test_b103_a_document_of_blanks_hurts_no_other(shelf: Shelf) -> None:
    """B103: a document without words has its message; one without words to embed is kept; the batch goes on."""
    shelf.lines(
        {"id": "blank", "date": "2025-01-01", "text": " \n "},
        {"id": "signs", "date": "2025-01-01", "text": "… — !"},
        {"id": "good", "date": "2025-01-01", "text": "harbour master"},
    )
    assert shelf.refused() == {"blank": "EMPTY: document has neither a title nor a text"}
    assert [hit.doc_id for hit in shelf.ask("harbour master").hits] == ["good"]
    assert shelf.date("signs") is not None


def test_b115_a_fault_names_its_source(shelf: Shelf) -> None:
    """B115: of three documents the second has a bad date: file, line, field and reason are told, two are there."""
    shelf.lines(
        {"id": "a", "date": "2025-01-01", "text": "harbour"},
        {"id": "b", "date": "whenever", "text": "harbour"},
        {"id": "c", "date": "2025-01-01", "text": "harbour"},
    )
    (refusal,) = shelf.report.refused
    assert (refusal.location, refusal.doc_id) == ("docs.jsonl:2", "b")
    assert "date" in refusal.detail and "'whenever'" in refusal.detail
    assert [hit.doc_id for hit in shelf.ask("harbour").hits] == ["a", "c"]


def test_b116_a_page_that_is_too_large_is_set_aside(shelf: Shelf) -> None:
    """B116: one page of 12 MB among five small ones: its size and the limit are told, the five are there."""
    small = {f"s{n}.md": "Updated: 2025-01-01\n\nharbour" for n in range(5)}
    shelf.files({**small, "big.md": "word " * 2_400_000})
    assert shelf.refused() == {"docs/big.md": "TOO_LARGE: file has 12,000,000 bytes, at most 10,485,760 are read"}
    assert shelf.report.added == 5


def test_b118_a_very_long_field_keeps_its_document(shelf: Shelf) -> None:
    """B118: a tag or a release of 40,000 characters keeps nothing out."""
    shelf.lines(
        {"id": "a", "date": "2025-01-01", "text": "harbour", "tags": ["x" * 40_000]},
        {"id": "b", "date": "2025-01-01", "text": "harbour", "release": "9" * 40_000},
    )
    assert (shelf.refused(), shelf.report.added) == ({}, 2)


def test_b120_a_shorter_version_leaves_no_tail(shelf: Shelf) -> None:
    """B120: after a version with fewer passages none of the longer one is served; both stay in the history."""
    for day, count, limit in (("2024-01-01", 9, 100), ("2025-01-01", 4, 250)):
        parts = [f"## Part {n}\n\nAbout number {n} of {limit}." for n in range(count - 1)]
        shelf.lines({"id": "a", "date": day, "text": "\n\n".join([*parts, f"## Last\n\nThe limit is {limit}."])})
    hits = shelf.ask("limit").hits
    assert [hit.text for hit in hits if "limit is" in hit.text] == ["The limit is 250."]
    assert all("of 100" not in hit.text for hit in hits)
    before = shelf.ask("limit", as_of="2024-06-01").hits
    assert [hit.text for hit in before if "limit is" in hit.text] == ["The limit is 100."]


def test_b127_a_version_that_can_not_be_read_leaves_the_old_one(shelf: Shelf) -> None:
    """B127: when the new version of a page is broken, that is said, and the old one is still served."""
    shelf.files({"a.md": "---\ndate: 2024-01-01\n---\nThe harbour opens at six.\n"})
    shelf.files({"a.md": "---\ndate: [2025\n---\nThe harbour opens at seven.\n"})
    assert list(shelf.refused()) == ["docs/a.md"]
    assert [hit.text for hit in shelf.ask("harbour").hits] == ["The harbour opens at six."]


def test_b175_an_alias_bomb_is_refused_at_once(shelf: Shelf) -> None:
    """B175: nine levels of nine aliases are refused by name, unexpanded, and other documents go in."""
    levels = "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    shelf.files(
        {
            "bomb.md": f"---\na: &a [{', '.join('x' * 9)}]\n{levels}---\nBoom.\n",
            "good.md": "---\ndate: 2025-01-01\n---\nFine.\n",
        }
    )
    assert "uses the alias *a" in shelf.refused()["docs/bomb.md"]
    assert shelf.report.added == 1


def test_b184_keys_named_by_documents_are_no_fields(shelf: Shelf) -> None:
    """B184: documents that each bring a key of their own all go in."""
    shelf.lines(*({"id": f"d{n}", "date": "2025-01-01", f"key-{n}": n} for n in range(1_100)))
    assert (shelf.refused(), shelf.report.added) == ({}, 1_100)


def test_b185_days_of_three_years_all_go_in(shelf: Shelf) -> None:
    """B185: documents of 1,100 different days are one index, not one for each day."""
    days = (date(2022, 1, 1) + timedelta(days=n) for n in range(1_100))
    shelf.lines(*({"id": f"d{n}", "date": day.isoformat()} for n, day in enumerate(days)))
    assert (shelf.refused(), shelf.report.added) == ({}, 1_100)
