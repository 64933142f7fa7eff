"""Going on after the last commit seen, and noticing that a history was rewritten."""

from pathlib import Path

import pytest

from indexer.sources.files import SkipReason
from indexer.sources.git import GitHistory
from mappings.interval import SECOND, format_instant
from tests.indexer.sources.repos import HOUR, START, Repo
from tests.indexer.sources.test_git import at, moments, told


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Give a repository with three commits, a rename and an end among them."""
    repo = Repo(tmp_path / "docs")
    repo.commit({"a.md": "the same text, long enough to be known again\n" * 3, "gone.md": "x", "bin.md": b"a\0"})
    repo.move("a.md", "b.md")
    repo.commit({"gone.md": None})
    repo.commit({"c.md": "see"})
    return repo


def read(repo: Repo, since: str | None = None) -> tuple[list, GitHistory]:
    """Read a repository to its end."""
    history = GitHistory(repo.path, since=since)
    return list(history), history


def test_nothing_new_is_nothing_to_read(repo: Repo) -> None:
    """A second reading without new commits gives nothing and the same state."""
    _, first = read(repo)
    items, second = read(repo, first.state)
    assert (items, second.state) == ([], first.state)


def test_reading_in_pieces_is_reading_at_once(repo: Repo) -> None:
    """After each commit, state in hand: the same items as in one reading, names and silent files included."""
    other = Repo(repo.path.parent / "again" / "docs")
    state = None
    pieces = []
    steps = [
        {"a.md": "the same text, long enough to be known again\n" * 3, "gone.md": "x", "bin.md": b"a\0"},
        {"gone.md": None},
        {"c.md": "see"},
        {"bin.md": None, "a.md": "another"},
        {"gone.md": "back"},
        {"b.md": None},
        {"b.md": "returned"},
    ]
    for number, step in enumerate(steps):
        if number == 1:
            other.move("a.md", "b.md")
        other.commit(step)
        items, history = read(other, state)
        state = history.state
        pieces += items
    whole, history = read(other)
    assert pieces == whole
    assert state == history.state
    assert [doc_id for doc_id, _ in told(whole)] == [
        "docs/a.md", "docs/gone.md", "docs/gone.md", "docs/a.md", "docs/c.md", "docs/a.md~2", "docs/gone.md",
        "docs/a.md", "docs/a.md",
    ]  # fmt: skip


def test_a_rewritten_history_is_said_and_put_right(repo: Repo) -> None:
    """New commits are read from where the lines part; what the dropped ones did is taken back at the new tip."""
    repo.commit({"c.md": "dropped", "d.md": "dropped too", "b.md": None})
    _, first = read(repo)
    repo.reset(2)
    repo.commit({"e.md": "instead"}, at=START + 4 * HOUR)
    items, second = read(repo, first.state)
    assert told(items) == [
        ("docs/e.md", "instead"),
        ("docs/d.md", "ended"),
        ("docs/a.md", "\n".join(["the same text, long enough to be known again"] * 3)),
        ("docs/c.md", "see"),
        ("docs/e.md", "instead"),
    ]
    assert moments(items) == [(at(4), 3)] * 5
    (said,) = [skip for skip in second.skipped if skip.reason is SkipReason.HISTORY]
    assert "history was rewritten" in said.detail and str(repo.commits[-1])[:10] in said.detail
    assert read(repo, second.state)[0] == []


def test_a_branch_set_back_is_a_rewritten_history(repo: Repo) -> None:
    """Where the new tip is older, the dropped state ends no earlier than it began."""
    repo.commit({"c.md": "dropped"})
    _, first = read(repo)
    repo.reset(2)
    items, second = read(repo, first.state)
    assert told(items) == [("docs/c.md", "see")]
    assert moments(items) == [(str(format_instant((START + 3 * HOUR + 1) * SECOND)), 2)]
    assert any("rewritten" in skip.detail for skip in second.skipped)


def test_a_history_whose_seen_commit_is_gone_is_read_again(repo: Repo, tmp_path: Path) -> None:
    """Without the old commit nothing can be compared: everything is read, and that is said."""
    _, first = read(repo)
    fresh = Repo(tmp_path / "fresh" / "docs")
    fresh.commit({"z.md": "other"})
    items, history = read(fresh, first.state)
    assert told(items) == [("docs/z.md", "other")]
    assert ["rewritten" in skip.detail for skip in history.skipped] == [True, False]
    assert "the commit seen last is gone" in history.skipped[1].detail

