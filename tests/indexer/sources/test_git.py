"""A git history as a source: observations, ends, ids, resuming, and what is passed over."""

import subprocess
from pathlib import Path

import pygit2
import pytest

from indexer.errors import SourceError
from indexer.readers import ReaderOptions
from indexer.sources.base import RawDocument, RawEnd, RawItem, Refusal
from indexer.sources.files import SkipReason
from indexer.sources.git import GitHistory
from mappings.interval import SECOND, format_instant
from tests.indexer.sources.repos import HOUR, START, Repo

LINK = pygit2.enums.FileMode.LINK
MODULE = pygit2.enums.FileMode.COMMIT


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Give an empty repository named `docs`."""
    return Repo(tmp_path / "docs")


def told(items: list[RawItem]) -> list[tuple[str, str]]:
    """Return what each item says in short: id, and text, "ended" or the code of a refusal."""
    short = []
    for item in items:
        if isinstance(item, RawDocument):
            short.append((item.doc_id, item.text))
        else:
            short.append((item.doc_id, "ended" if isinstance(item, RawEnd) else str(item.code)))
    return short


def moments(items: list[RawItem]) -> list[tuple[str, int | None]]:
    """Return date and place of each observation or end."""
    return [(item.found[0].value, item.sequence) for item in items if not isinstance(item, Refusal)]


def at(hours: float) -> str:
    """Return a moment so many hours after the first commit."""
    return str(format_instant(round((START + hours * HOUR) * SECOND)))


def test_every_commit_that_touched_a_document_is_an_observation(repo: Repo) -> None:
    """Date, place, id, path and title come from the history; untouched documents say nothing."""
    repo.commit({"a.md": "one", "b.md": "# B\n\nb"})
    repo.commit({"a.md": "two"})
    repo.commit({"note.txt": "x", "image.png": b"\x89PNG"})
    items = list(GitHistory(repo.path))
    assert told(items) == [("docs/a.md", "one"), ("docs/b.md", "b"), ("docs/a.md", "two"), ("docs/note.txt", "x")]
    assert moments(items) == [(at(0), 0), (at(0), 0), (at(1), 1), (at(2), 2)]
    first, second, *_ = items
    assert isinstance(first, RawDocument) and isinstance(second, RawDocument)
    assert (first.title, second.title, first.path, first.source) == ("A", "B", "a.md", "docs")
    assert first.found_rules and not first.sync
    assert first.location == f"{str(repo.commits[0])[:10]}:a.md"


def test_rename_keeps_the_document_and_its_old_path_begins_another(repo: Repo) -> None:
    """The id is the path of the first commit; a later document there gets ~2."""
    repo.commit({"a.md": "the same text, long enough to be known again\n" * 3})
    repo.move("a.md", "guide/b.md")
    repo.commit()
    repo.commit({"a.md": "another one"})
    repo.commit({"guide/b.md": None})
    items = list(GitHistory(repo.path))
    assert [doc_id for doc_id, _ in told(items)] == ["docs/a.md", "docs/a.md", "docs/a.md~2", "docs/a.md"]
    assert isinstance(items[1], RawDocument) and items[1].path == "guide/b.md" and items[1].title == "A"
    assert isinstance(items[3], RawEnd) and items[3].source == "git" and items[3].reason.startswith("deleted in ")


def test_a_rename_with_changes_and_a_case_only_rename_are_renames(repo: Repo) -> None:
    """Half of the lines are enough, and capitals do not matter."""
    lines = [f"line {n}\n" for n in range(10)]
    repo.commit({"readme.md": "".join(lines)})
    repo.move("readme.md", "README.md")
    repo.commit()
    repo.commit({"README.md": None, "guide.md": "".join([*lines[:7], "new\n"])})
    assert [doc_id for doc_id, _ in told(list(GitHistory(repo.path)))] == ["docs/readme.md"] * 3


def test_a_file_that_goes_and_returns_is_one_document(repo: Repo) -> None:
    """Deletion ends it, the file's return observes it again."""
    repo.commit({"a.md": "one"})
    repo.commit({"a.md": None})
    repo.commit({"a.md": "one"})
    assert told(list(GitHistory(repo.path))) == [("docs/a.md", "one"), ("docs/a.md", "ended"), ("docs/a.md", "one")]


def test_an_emptied_file_has_ended(repo: Repo) -> None:
    """A file that says nothing any more holds nothing."""
    repo.commit({"a.md": "one", "empty.md": ""})
    repo.commit({"a.md": ""})
    assert told(list(GitHistory(repo.path))) == [("docs/a.md", "one"), ("docs/a.md", "ended")]


def test_only_the_first_parent_line_is_read(repo: Repo) -> None:
    """What a branch did arrives with its merge, at the merge's date."""
    repo.commit({"a.md": "one"})
    side = repo.side({"b.md": "from the branch", "a.md": "never on the line"}, at=START + HOUR // 2)
    repo.commit({"a.md": "two"})
    repo.commit({"b.md": "from the branch"}, merge=side)
    items = list(GitHistory(repo.path))
    assert told(items) == [("docs/a.md", "one"), ("docs/a.md", "two"), ("docs/b.md", "from the branch")]
    assert moments(items)[-1] == (at(2), 2)


def test_a_clock_that_went_back_gives_the_parents_date(repo: Repo) -> None:
    """The later of the commit's own date and its parent's counts; the place orders the two."""
    repo.commit({"a.md": "one"}, at=START)
    repo.commit({"a.md": "two"}, at=START - 5 * HOUR)
    repo.commit({"a.md": "three"}, at=START + HOUR)
    assert moments(list(GitHistory(repo.path))) == [(at(0), 0), (at(0), 1), (at(1), 2)]


def test_own_dates_stand_beside_the_commits(repo: Repo) -> None:
    """Front matter and labelled lines never move an observation; windows are the document's own."""
    repo.commit({"a.md": "---\ndate: 2020-01-01\neffective: 2024-02-01\n---\nUpdated: 2021-05-05\n\nText"})
    (item,) = GitHistory(repo.path)
    assert isinstance(item, RawDocument)
    assert item.metadata == {"date": "2020-01-01", "effective": "2024-02-01", "last_updated": "2021-05-05"}
    assert [(date.key, date.source) for date in item.found] == [("observed_at", "git")]
    assert item.lines["effective"].endswith("a.md:3")


def test_a_changelog_tells_only_the_entries_that_changed(repo: Repo) -> None:
    """A new release is one observation; an entry taken out has ended; the file's end ends them all."""
    repo.commit({"CHANGELOG.md": "# C\n\n## 1.0 - 2024-01-01\n\none\n"})
    repo.commit({"CHANGELOG.md": "# C\n\n## 1.1 - 2024-01-02\n\ntwo\n\n## 1.0 - 2024-01-01\n\none\n"})
    repo.commit({"CHANGELOG.md": "# C\n\n## 1.1 - 2024-01-02\n\ntwo\n"})
    repo.commit({"CHANGELOG.md": None})
    assert told(list(GitHistory(repo.path))) == [
        ("docs/CHANGELOG.md/1.0", "one"),
        ("docs/CHANGELOG.md/1.1", "two"),
        ("docs/CHANGELOG.md/1.0", "ended"),
        ("docs/CHANGELOG.md/1.1", "ended"),
    ]


def test_what_is_no_page_is_named_and_passed_over(repo: Repo) -> None:
    """Links, submodules, LFS pointers and binaries are named once, with the commit; their ends say nothing."""
    repo.commit(
        {
            "link.md": (LINK, b"a.md"),
            "module": (MODULE, b"1" * 40),
            "big.md": "version https://git-lfs.example/spec/v1\noid sha256:0\nsize 1\n",
            "binary.md": b"a\0b",
            "a.md": "one",
        }
    )
    repo.commit({"binary.md": b"a\0c"})
    repo.commit({"binary.md": None, "link.md": None})
    history = GitHistory(repo.path)
    assert told(list(history)) == [("docs/a.md", "one")]
    first = str(repo.commits[0])[:10]
    assert sorted((skip.reason, skip.location) for skip in history.skipped) == [
        (SkipReason.BINARY, f"{first}:binary.md"),
        (SkipReason.LFS_POINTER, f"{first}:big.md"),
        (SkipReason.SUBMODULE, f"{first}:module"),
        (SkipReason.SYMLINK, f"{first}:link.md"),
    ]


def test_a_file_that_becomes_a_link_has_ended(repo: Repo) -> None:
    """A link is no document, so the document is gone, and back when the file is."""
    repo.commit({"a.md": "one"})
    repo.commit({"a.md": (LINK, b"b.md")})
    repo.commit({"a.md": "two"})
    assert told(list(GitHistory(repo.path))) == [("docs/a.md", "one"), ("docs/a.md", "ended"), ("docs/a.md", "two")]


def test_a_version_that_can_not_be_read_is_refused_with_its_commit(repo: Repo) -> None:
    """Each such version has its message; the versions around it are read."""
    repo.commit({"a.md": "one"})
    repo.commit({"a.md": "---\ntitle: [\n---\ntwo"})
    repo.commit({"a.md": b"\xff\xfe\xff"})
    repo.commit({"a.md": "x" * 2_000})
    repo.commit({"a.md": "three"})
    items = list(GitHistory(repo.path, options=ReaderOptions(max_bytes=1_000)))
    assert [what for _, what in told(items)] == ["one", "FRONT_MATTER", "NOT_UTF8", "TOO_LARGE", "three"]
    assert isinstance(items[1], Refusal) and items[1].location == f"{str(repo.commits[1])[:10]}:a.md:3"


def test_names_that_make_no_id_are_refused_once(repo: Repo) -> None:
    """A line break in a name is said once, however often the file changes; odd names are fine."""
    repo.commit({"a\nb.md": "one", "ünï cødé #1%.md": "two", "'\"$(x).md": "three"})
    repo.commit({"a\nb.md": "four"})
    items = list(GitHistory(repo.path))
    assert told(items) == [("", "BAD_NAME"), ("docs/'\"$(x).md", "three"), ("docs/ünï cødé #1%.md", "two")]


def test_a_folder_of_a_repository_is_a_source_of_its_own(repo: Repo) -> None:
    """Paths count from the folder; what moves in is new, what moves out has ended."""
    repo.commit({"docs/a.md": "text of a\n" * 5, "b.md": "text of b\n" * 5}, checkout=True)
    repo.move("docs/a.md", "a.md")
    repo.move("b.md", "docs/b.md")
    repo.commit()
    items = list(GitHistory(repo.path / "docs", source="guide"))
    assert [(doc_id, text == "ended") for doc_id, text in told(items)] == [
        ("guide/a.md", False),
        ("guide/a.md", True),
        ("guide/b.md", False),
    ]


def test_bare_repositories_and_branches_are_read(tmp_path: Path) -> None:
    """A bare repository is named without `.git`; a branch, a tag or a commit can be asked for."""
    repo = Repo(tmp_path / "handbook.git", bare=True)
    repo.commit({"a.md": "one"})
    repo.git.references.create("refs/heads/old", repo.commits[0])
    repo.commit({"a.md": "two"})
    assert told(list(GitHistory(repo.path))) == [("handbook/a.md", "one"), ("handbook/a.md", "two")]
    assert told(list(GitHistory(repo.path, branch="old"))) == [("handbook/a.md", "one")]
    assert told(list(GitHistory(repo.path, branch=str(repo.commits[0])))) == [("handbook/a.md", "one")]


def test_what_can_not_be_opened_says_why(tmp_path: Path, repo: Repo) -> None:
    """No path, no repository, no commits, no such branch: each has its message."""
    (tmp_path / "plain").mkdir()
    for make, detail in [
        (lambda: GitHistory(tmp_path / "none"), "must be a git repository"),
        (lambda: GitHistory(tmp_path / "plain"), "which is none"),
        (lambda: GitHistory(repo.path), "has no commits"),
        (lambda: GitHistory(repo.path, since="{}"), "has no commits"),
    ]:
        with pytest.raises(SourceError, match=detail):
            make()
    repo.commit({"a.md": "one"})
    with pytest.raises(SourceError, match="branch must exist in .*, got 'nope'") as caught:
        GitHistory(repo.path, branch="nope")
    assert "main" in caught.value.remedy
    for since in ("{}", "nonsense", '{"format": 99}'):
        with pytest.raises(SourceError, match="state of the git history is not readable"):
            GitHistory(repo.path, since=since)


def test_a_repository_is_found_by_its_own_folder(repo: Repo) -> None:
    """The folder that git keeps its objects in names the whole repository."""
    repo.commit({"a.md": "one"})
    assert told(list(GitHistory(repo.path / ".git", source="docs"))) == [("docs/a.md", "one")]


def test_a_folder_that_is_not_committed_says_so(repo: Repo) -> None:
    """A folder that no commit holds has no history."""
    repo.commit({"a.md": "one"}, checkout=True)
    (repo.path / "new").mkdir()
    with pytest.raises(SourceError, match="folder must be in the repository at .*, got 'new'"):
        GitHistory(repo.path / "new")


def test_two_readings_are_alike(repo: Repo) -> None:
    """The same history gives the same items, and iterating again begins anew."""
    repo.commit({"a.md": "one", "b.md": "two"})
    repo.commit({"a.md": None, "c.md": "three"})
    history = GitHistory(repo.path)
    assert list(history) == list(history) == list(GitHistory(repo.path))


def test_a_shallow_history_is_said(repo: Repo, tmp_path: Path) -> None:
    """Where history was cut off the reading begins there, and says so."""
    repo.commit({"a.md": "one"})
    repo.commit({"a.md": "two"})
    clone = tmp_path / "shallow" / "docs"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{repo.path}", str(clone)], check=True)
    history = GitHistory(clone)
    assert told(list(history)) == [("docs/a.md", "two")]
    assert [skip.reason for skip in history.skipped] == [SkipReason.HISTORY]
    assert "cut off" in history.skipped[0].detail
