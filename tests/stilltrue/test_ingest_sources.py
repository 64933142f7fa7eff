"""Folders and git histories from the command line and from Python: what is told, and what is shown beforehand."""

import json
from pathlib import Path

import pytest

import stilltrue
from stilltrue.cli.run import run
from stilltrue.demo.handbook import build


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with the sample handbook and the pages of the old wiki."""
    build(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("place")
def test_a_history_goes_in_once(capsys: pytest.CaptureFixture[str]) -> None:
    """The first run takes everything, the second finds nothing new."""
    assert run(["ingest", "git+handbook"]) == 0
    assert capsys.readouterr().out == "39 added, 0 unchanged, 14 closed, 1 ended, 1 withdrawn\n"
    assert run(["ingest", "git+handbook"]) == 0
    assert capsys.readouterr().out == "0 added, 0 unchanged\n"


def test_a_folder_tells_what_it_refused_and_passed_over(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A page without a date is refused with the three ways out; links are named, pictures counted."""
    (place / "old-wiki" / "map.png").touch()
    (place / "old-wiki" / "plan.md").symlink_to(place / "handbook" / "README.md")
    assert run(["ingest", "old-wiki"]) == 1
    printed = capsys.readouterr()
    assert printed.err == (
        "refused parking.md: observed_at is missing; give it a date in its front matter, "
        "say --date-from git, mtime or a date, or ingest with --lenient [UNDATED]\n"
    )
    first, link, count = printed.out.splitlines()
    assert first == "1 added, 0 unchanged, 1 refused"
    assert link.startswith("passed over plan.md: is a link out of the folder")
    assert count == "passed over 1 not a document"
    assert run(["ingest", "old-wiki", "--date-from", "2022-05", "--content-type", "runbook"]) == 0
    assert capsys.readouterr().out.startswith("1 added, 0 unchanged, 1 updated\n")


@pytest.mark.usefixtures("place")
def test_a_dry_run_shows_what_would_be_stored_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    """One line or one JSON object an item, with reasons; nothing is written, and a refusal exits with 1."""
    assert run(["ingest", "old-wiki", "--dry-run"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "store  old-wiki/keys.md · 2022-05-09T00:00:00Z"
    assert lines[1].strip().startswith("date: date; type reference: nothing says otherwise")
    assert lines[2] == "refuse old-wiki/parking.md"
    assert run(["ingest", "git+handbook", "--dry-run", "--json"]) == 0
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(shown) == 40
    assert [item["action"] for item in shown].count("end") == 1
    (announced,) = [item for item in shown if item["doc_id"] == "handbook/announcements/office-move.md"]
    assert (announced["content_type"], announced["kind"], announced["valid_until"]) == (
        "announcement",
        "EVENT",
        "2022-05-14T00:00:00Z",
    )
    assert not Path(".stilltrue").exists()


WRONG = [
    (["ingest", "nowhere"], "got 'nowhere' which does not exist"),
    (["ingest", "git+nowhere"], "source must be a git repository, got 'nowhere'"),
    (["ingest", "git+https://example.org/x"], "read from a folder of this machine"),
    (["ingest", "git+handbook@nope"], "branch must exist in 'handbook', got 'nope'"),
    (["ingest", "old-wiki", "--format", "tape"], "format must be one of folder, git, jsonl"),
    (["ingest", "old-wiki", "--format", "git"], "which is none"),
    (["ingest", "old-wiki", "--date-from", "git"], "need a work tree with commits"),
    (["ingest", "git+handbook", "--date-from", "mtime"], "date_from is for folders"),
]


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(("arguments", "said"), WRONG, ids=[" ".join(row[0][1:]) for row in WRONG])
def test_what_is_no_source_is_wrong_use(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    """An argument that means nothing exits with 2 and one line."""
    assert run(arguments) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


@pytest.mark.usefixtures("place")
def test_python_takes_the_same_sources() -> None:
    """`Index.ingest` and `Index.preview` take what the command takes."""
    with stilltrue.open("store") as index:
        assert index.ingest("git+handbook@main", name="book").added == 39
        assert index.ingest("old-wiki", lenient=True, date_from="mtime").added == 2
        assert [item.action for item in index.preview("old-wiki", content_type="faq")] == ["store", "refuse"]
        (entry,) = index.history("book/office/gym.md", as_of="2023-08")
    assert entry.label == "until 2023-07-03, then its document ended"


@pytest.mark.parametrize(("pages", "lines"), [(5, 5), (6, 1)], ids=["a few", "many"])
def test_notes_that_say_the_same_are_counted(
    pages: int, lines: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Up to five notes alike are shown, of more the first with their number; a link that waits is one of its kind."""
    rows = [
        {"id": f"p{at}", "text": "a" + "\x07" * (at + 1), "date": "2024", "supersedes": f"old{at}"}
        for at in range(pages)
    ]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert run(["ingest", "pages.jsonl"]) == 0
    first, *notes = capsys.readouterr().out.splitlines()
    assert first == f"{pages} added, 0 unchanged"
    assert len(notes) == 2 * lines
    assert notes[0].startswith("note pages.jsonl:1: text: 1 control characters became spaces, the first is U+0007")
    assert notes[lines].startswith("note 'p0' supersedes 'old0', which is not here; the link works when it arrives")
    assert all(note.endswith("(and 5 alike; --json lists all)") is (lines == 1) for note in notes)


def test_links_that_do_not_work_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A circle, and a link against the dates, are said when they go in."""
    rows = [
        {"id": "a", "text": "A.", "date": "2024-01-01", "supersedes": "b"},
        {"id": "b", "text": "B.", "date": "2024-01-01", "supersedes": "a"},
        {"id": "early", "text": "E.", "date": "2023-01-01", "supersedes": "late"},
        {"id": "late", "text": "L.", "date": "2024-01-01"},
    ]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert run(["ingest", "pages.jsonl"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "note 'a' supersedes 'b', and is replaced by it in a circle; all links of the circle are disabled",
        "note 'b' supersedes 'a', and is replaced by it in a circle; all links of the circle are disabled",
        "note 'early' supersedes 'late', which begins later; the link is disabled",
    ]
