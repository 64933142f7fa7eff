"""A folder as a source: ids, order, dates from the file, from git, from elsewhere, and the list of what is there."""

import os
import subprocess
from pathlib import Path

import pytest

from indexer.errors import SourceError
from indexer.sources.base import RawDocument, RawItem, Refusal
from indexer.sources.files import SkipReason
from indexer.sources.folder import Folder
from mappings.interval import SECOND, format_instant
from tests.indexer.sources.bigrepo import generate
from tests.indexer.sources.repos import HOUR, START, Repo
from tests.indexer.sources.test_git import at

# 2020-09-13T12:26:40Z
MTIME = 1_600_000_000


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files below a folder and return it."""
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        os.utime(place, (MTIME, MTIME))
    return root


def clone_shallow(path: Path, to: Path) -> None:
    """Clone the last two commits of a repository."""
    subprocess.run(["git", "clone", "-q", "--depth", "2", f"file://{path}", str(to)], check=True)


def documents(items: list[RawItem]) -> list[RawDocument]:
    """Return the items, all of which are documents."""
    assert all(isinstance(item, RawDocument) for item in items), items
    return [item for item in items if isinstance(item, RawDocument)]


def dates(items: list[RawItem]) -> list[tuple[str, str, str, str]]:
    """Return id, date, where it came from and how sure it is, of the observed dates found."""
    return [(item.doc_id, d.value, d.source, d.confidence) for item in documents(items) for d in item.found]


def test_documents_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    """Ids are source and posix path; titles come from the page, else from the file's name."""
    files = {"b.md": "# Bee\n\nx", "a/z-last_page.txt": "z", "a/index.html": "<p>i", "README": "r"}
    root = write(tmp_path / "guide", files)  # type: ignore[arg-type]
    found = documents(list(Folder(root)))
    assert [(d.doc_id, d.title, d.path) for d in found] == [
        ("guide/README", "Guide", "README"),
        ("guide/b.md", "Bee", "b.md"),
        ("guide/a/index.html", "A", "a/index.html"),
        ("guide/a/z-last_page.txt", "Z last page", "a/z-last_page.txt"),
    ]
    assert all(d.sync and d.source == "guide" and not d.found for d in found)


def test_the_source_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A given name is the first part of each id; `.` has the name of the folder that it is."""
    write(tmp_path / "guide", {"a.md": "x"})
    monkeypatch.chdir(tmp_path / "guide")
    assert [d.doc_id for d in documents(list(Folder(".")))] == ["guide/a.md"]
    assert [d.doc_id for d in documents(list(Folder(".", source="wiki")))] == ["wiki/a.md"]


def test_what_a_file_declares_keeps_its_place(tmp_path: Path) -> None:
    """Metadata is handed on as written, with file and line; labelled lines are found dates."""
    root = write(tmp_path / "g", {"a.md": "---\nowner: x\nSeries: y\n---\n# T\n\nLast updated: 1 May 2024\n"})
    (found,) = documents(list(Folder(root)))
    assert found.metadata == {"owner": "x", "Series": "y"}
    assert found.lines == {"owner": "a.md:2", "Series": "a.md:3"}
    assert [(d.key, d.value, d.location) for d in found.found] == [("last_updated", "2024-05-01", "a.md:7")]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (None, []),
        ("mtime", [("g/plain.md", "2020-09-13T12:26:40Z", "mtime", "low")]),
        ("2024-03", [("g/plain.md", "2024-03", "given", "high")]),
    ],
    ids=["nothing", "mtime", "a month"],
)
def test_a_file_without_a_date_takes_what_was_asked_for(
    tmp_path: Path, asked: str | None, expected: list[tuple[str, str, str, str]]
) -> None:
    """Only files that declare no date take it; the time of the file itself is a weak witness."""
    files = {"plain.md": "x", "own.md": "Updated: 2021-03-12\n\nx"}
    root = write(tmp_path / "g", files)  # type: ignore[arg-type]
    found = [row for row in dates(list(Folder(root, dates=asked))) if row[0] == "g/plain.md"]
    assert found == expected
    assert ("g/own.md", "2021-03-12", "label", "high") in dates(list(Folder(root, dates=asked)))


def test_a_work_tree_gives_the_date_of_the_last_commit(tmp_path: Path) -> None:
    """A file has the date of the commit that made it what it is; a changed one is unsure; a new one has none."""
    repo = Repo(tmp_path / "docs")
    repo.commit({"a.md": "one", "b.md": "two", "sub/c.md": "three", ".gitignore": "built/\n"})
    repo.commit({"b.md": "two!"}, checkout=True)
    write(repo.path, {"a.md": "one, changed", "new.md": "x", "built/page.md": "x"})
    folder = Folder(repo.path)
    assert dates(list(folder)) == [
        ("docs/a.md", at(0), "git", "low"),
        ("docs/b.md", at(1), "git", "high"),
        ("docs/sub/c.md", at(0), "git", "high"),
    ]
    assert (SkipReason.IGNORED, "built") in [(skip.reason, skip.location) for skip in folder.skipped]
    assert dates(list(Folder(repo.path / "sub"))) == [("sub/c.md", at(0), "git", "high")]


def test_a_merge_is_the_date_only_of_what_it_brought_itself(tmp_path: Path) -> None:
    """What a branch wrote is as old as its commit there; what was changed back is as old as the change back."""
    repo = Repo(tmp_path / "docs")
    repo.commit({"a.md": "one", "b.md": "two"})
    side = repo.side({"a.md": "from the branch"}, at=START + HOUR // 2)
    repo.commit({"b.md": "other"})
    repo.commit({"a.md": "from the branch"}, merge=side)
    repo.commit({"b.md": "two"}, checkout=True)
    assert dates(list(Folder(repo.path))) == [
        ("docs/a.md", at(0.5), "git", "high"),
        ("docs/b.md", at(3), "git", "high"),
    ]


@pytest.mark.slow
def test_dates_are_those_of_git_log(tmp_path: Path) -> None:
    """Over a generated history with branches, each file has the date that `git log -1` gives it."""
    history = generate(tmp_path / "made.git", commits=300, seed=5)
    clone = tmp_path / "made"
    subprocess.run(["git", "clone", "-q", str(history.path), str(clone)], check=True)
    found = documents(list(Folder(clone)))
    assert len(found) == len(history.commits[-1].tree) > 5
    for document in found:
        log = ["git", "-C", str(clone), "log", "-1", "--format=%ct", "--", document.path]
        seconds = int(subprocess.run(log, check=True, capture_output=True, text=True).stdout)
        assert [date.value for date in document.found] == [format_instant(seconds * SECOND)]


def test_windows_line_ends_are_no_change(tmp_path: Path) -> None:
    """A checkout that writes CRLF holds what was committed."""
    repo = Repo(tmp_path / "docs")
    repo.commit({"a.md": "one\ntwo\n"}, checkout=True)
    write(repo.path, {"a.md": "one\r\ntwo\r\n"})
    assert dates(list(Folder(repo.path))) == [("docs/a.md", at(0), "git", "high")]


def test_git_is_no_help_where_it_knows_nothing(tmp_path: Path) -> None:
    """No work tree, one without commits, a folder that git ignores: no dates, and an error only if asked for."""
    plain = write(tmp_path / "plain", {"a.md": "x"})
    empty = Repo(tmp_path / "empty")
    write(empty.path, {"a.md": "x"})
    ignoring = Repo(tmp_path / "ignoring")
    ignoring.commit({".gitignore": "built/\n"}, checkout=True)
    write(ignoring.path, {"built/a.md": "x"})
    for root in (plain, empty.path, ignoring.path / "built"):
        (found,) = documents(list(Folder(root)))
        assert found.found == ()
        with pytest.raises(SourceError, match="need a work tree with commits"):
            Folder(root, dates="git")


def test_a_shallow_history_dates_nothing_by_its_oldest_commit(tmp_path: Path) -> None:
    """Where history was cut off, the oldest commit brought everything; that is said instead of believed."""
    repo = Repo(tmp_path / "docs")
    repo.commit({"a.md": "one", "b.md": "two"})
    repo.commit({"b.md": "changed"}, checkout=True)
    clone = tmp_path / "clone" / "docs"
    clone_shallow(repo.path, clone)
    repo.commit({"c.md": "three"})
    deep = Folder(clone)
    assert len(dates(list(deep))) == 2  # two commits deep is all of it
    shallow = tmp_path / "shallow" / "docs"
    clone_shallow(repo.path, shallow)
    folder = Folder(shallow)
    assert dates(list(folder)) == [("docs/c.md", at(2), "git", "high")]
    assert any(skip.reason is SkipReason.HISTORY and "shallow" in skip.detail for skip in folder.skipped)


def test_what_is_there_is_listed_read_or_refused(tmp_path: Path) -> None:
    """A refused file is not gone; an emptied one says nothing any more and is."""
    root = write(
        tmp_path / "g",
        {"a.md": "x", "bad.md": b"\xff", "empty.md": "", "CHANGELOG.md": "## 1.0\n\nx\n\n## 1.1\n\ny\n"},
    )
    folder = Folder(root)
    codes = {item.doc_id: item.code for item in folder if isinstance(item, Refusal)}
    assert codes == {"g/bad.md": "NOT_UTF8", "g/empty.md": "EMPTY"}
    assert folder.seen == ["g/CHANGELOG.md/1.0", "g/CHANGELOG.md/1.1", "g/a.md", "g/bad.md"]
    list(folder)
    assert len(folder.seen) == 4  # a second reading begins anew


@pytest.mark.parametrize(
    ("path", "asked", "detail"),
    [
        ("none", None, "source must be a folder"),
        ("a.md", None, "source must be a folder"),
        (".", "yesterday or so", "date_from must be git, mtime or a date, got 'yesterday or so'"),
    ],
)
def test_what_can_not_be_read_at_all_says_why(tmp_path: Path, path: str, asked: str | None, detail: str) -> None:
    """A folder that is none, and a date that is none, are refused before anything is read."""
    write(tmp_path, {"a.md": "x"})
    with pytest.raises(SourceError, match=detail):
        Folder(tmp_path / path, dates=asked)
