"""Two thousand generated commits: what the source tells is what git shows, for any file and moment."""

import random
from collections import defaultdict
from pathlib import Path

import pytest

from indexer.sources.base import RawDocument, RawEnd
from indexer.sources.git import GitHistory
from mappings.interval import SECOND, parse_moment
from tests.indexer.sources.bigrepo import START, History, generate, line_of, show


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    """Generate the history once for all tests of this file."""
    return generate(tmp_path_factory.mktemp("big") / "big.git", commits=2_000)


@pytest.mark.slow
def test_what_is_told_is_what_git_shows(history: History) -> None:
    """For 300 random (file, moment) the latest observation of the document there says what `git show` says."""
    told: dict[str, list[tuple[int, int, str | None]]] = defaultdict(list)
    for item in GitHistory(history.path):
        assert isinstance(item, RawDocument | RawEnd), item
        observed = parse_moment(item.found[0].value).start // SECOND
        assert item.sequence is not None
        said = item.text if isinstance(item, RawDocument) else None
        told[item.doc_id].append((observed, item.sequence, said))
    commits = line_of(history.path)
    assert len(commits) == len(history.commits)
    draw = random.Random(3)
    paths = sorted({path for commit in history.commits for path in commit.tree})
    last = history.commits[-1].observed
    seen = 0
    for _ in range(300):
        moment = draw.randrange(START, last + 1_000)
        place = max((n for n, commit in enumerate(history.commits) if commit.observed <= moment), default=None)
        standing = sorted(history.commits[place].tree) if place is not None else paths
        path = draw.choice(standing if draw.random() < 0.7 else paths)
        truth = history.truth(path, moment)
        assert (truth[1] if truth else None) == (None if place is None else show(history.path, commits[place], path))
        if truth is None:
            continue
        seen += 1
        name, text = truth
        known = [event for event in told[f"big/{name}"] if event[0] <= moment]
        assert max(known)[2] == text.strip()
    assert seen > 150


@pytest.mark.slow
def test_reading_in_two_pieces_is_reading_at_once(history: History) -> None:
    """Stopped after any commit and resumed, the items are the same."""
    whole = list(GitHistory(history.path))
    commits = line_of(history.path)
    for place in (0, 700, 1_998):
        first = GitHistory(history.path, branch=commits[place])
        pieces = list(first)
        assert pieces + list(GitHistory(history.path, since=first.state)) == whole


@pytest.mark.slow
def test_reading_on_gives_only_what_is_new(history: History) -> None:
    """Where there is nothing new nothing is read, and of one commit only what it touched."""
    source = GitHistory(history.path)
    assert list(source)
    before = GitHistory(history.path, branch=line_of(history.path)[-2])
    assert list(before)
    assert list(GitHistory(history.path, since=source.state)) == []
    assert len(list(GitHistory(history.path, since=before.state))) <= 4


@pytest.mark.slow
def test_this_projects_own_history_is_read() -> None:
    """The repository that this file lies in, where it is one, gives its documents and refuses nothing."""
    root = Path(__file__).resolve().parents[3]
    if not (root / ".git").exists():
        pytest.skip("not a git checkout")
    history = GitHistory(root, source="stilltrue")
    items = list(history)
    assert {item.doc_id for item in items} >= {"stilltrue/docs/architecture.md"}
    assert all(isinstance(item, RawDocument | RawEnd) for item in items), items
