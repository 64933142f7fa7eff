"""The sample handbook: the same on every machine, readable, and showing every state."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import stilltrue
from mappings.document import State
from mappings.errors import StilltrueError
from stilltrue.api import Index
from stilltrue.demo.handbook import build, read_story


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """Give an index of the handbook and of the old wiki, as a manager sees it."""
    place = tmp_path_factory.mktemp("handbook")
    build(place)
    with stilltrue.open(str(place / "store"), principals=["managers"]) as index:
        assert index.ingest(f"git+{place / 'handbook'}").refused == []
        assert index.ingest(str(place / "old-wiki"), lenient=True).refused == []
        yield index


# document, as of, known at (else the same): state and label of each version that there is then
STATES = [
    ("policies/refunds.md", "2021-05", None, ["VALID in force since 2021-02-01"]),
    (
        "policies/refunds.md",
        "2023-01-17",
        None,
        [
            "SUPERSEDED until 2022-06-15, replaced by a later version",
            "SUPERSEDED until 2023-01-16, replaced by a later version",
            "VALID in force since 2023-01-16",
        ],
    ),
    (
        "policies/refunds.md",
        "2023-01-25",
        None,
        [
            "SUPERSEDED until 2022-06-15, replaced by a later version",
            "VALID in force since 2022-06-15",
            "RETRACTED withdrawn 2023-01-19",
        ],
    ),
    (
        "policies/refunds.md",
        "2025-06",
        "2025-06-18",
        [
            "SUPERSEDED until 2022-06-15, replaced by a later version",
            "SUPERSEDED until 2023-02-06, replaced by a later version",
            "RETRACTED withdrawn 2023-01-19",
            "VALID in force since 2023-02-06",
        ],
    ),
    ("policies/data-retention.md", "2023-02-01", None, ["VALID in force since 2022-02-14"]),
    (
        "policies/data-retention.md",
        "2023-02-01",
        "2023-06-01",
        ["SUPERSEDED until 2023-01-01, replaced by a later version", "VALID in force since 2023-01-01"],
    ),
    ("policies/travel.md", "2022-01-15", None, ["VALID until 2022-02-01", "NOT_YET_VALID from 2022-02-01"]),
    (
        "policies/travel.md",
        "2024-02",
        None,
        [
            "SUPERSEDED until 2022-02-01, replaced by a later version",
            "SUPERSEDED until 2024-01-15, replaced by handbook/policies/expenses.md",
        ],
    ),
    ("policies/parental-leave.md", "2024-06-01", None, ["NOT_YET_VALID from 2024-07-01"]),
    (
        "policies/parental-leave.md",
        "2024-07-15",
        None,
        ["RETRACTED withdrawn 2024-06-10", "NOT_YET_VALID from 2024-09-01"],
    ),
    ("policies/winter-hours.md", "2025-01-15", None, ["VALID until 2025-03-01"]),
    ("policies/winter-hours.md", "2025-06", None, ["EXPIRED until 2025-03-01"]),
    ("policies/winter-hours.md", "2024-12-01", "2024-09-01", []),
    ("office/gym.md", "2023-07-02", None, ["VALID in force since 2021-02-01"]),
    ("office/gym.md", "2023-07-03", None, ["RETRACTED until 2023-07-03, then its document ended"]),
    ("announcements/office-move.md", "2022-05-01", None, ["TEMPORAL until 2022-05-14"]),
    ("announcements/office-move.md", "2022-06-01", None, ["EXPIRED until 2022-05-14"]),
    ("incidents/2023-03-04-late-alerts.md", "2023-03-05", None, ["TEMPORAL since 2023-03-04"]),
    (
        "incidents/2023-03-04-late-alerts.md",
        "2023-04-05",
        None,
        ["SUPERSEDED replaced from its start by a later version", "VALID ended 2023-03-06"],
    ),
    ("policies/remote-work.md", "2025-03-15", None, None),
    ("runbooks/restore-a-backup.md", "2025-06", None, ["VALID in force since 2021-02-01"]),
    ("managers/salary-bands.md", "2025-06-18", None, ["VALID until 2025-07-01", "NOT_YET_VALID from 2025-07-01"]),
]


@pytest.mark.parametrize(
    ("page", "as_of", "known_at", "expected"), STATES, ids=[f"{row[0]} {row[1]}" for row in STATES]
)
def test_every_page_stands_as_its_story_says(
    index: Index, page: str, as_of: str, known_at: str | None, expected: list[str] | None
) -> None:
    """At each moment each version of a page has the state that follows from the story."""
    entries = _history(index, f"handbook/{page}", as_of, known_at)
    if expected is not None:
        assert [f"{state} {label}" for state, label, _ in entries] == expected
    else:  # a renamed page is one document
        assert [title for *_, title in entries] == ["Remote work", "Working from home", "Working from home"]


def _history(index: Index, doc_id: str, as_of: str, known_at: str | None) -> list[tuple[str, str, str]]:
    try:
        entries = index.history(doc_id, as_of=as_of, known_at=known_at)
    except StilltrueError:  # nothing of it was known then
        return []
    return [(str(entry.state), entry.label, entry.title) for entry in entries]


def test_every_state_is_shown(index: Index) -> None:
    """Among the pages and moments above, and the old wiki, each state stands once at least; the future is not shown."""
    seen = {state for page, *moments, _ in STATES for state, *_ in _history(index, f"handbook/{page}", *moments)}
    seen |= {state for state, *_ in _history(index, "old-wiki/parking.md", "2025-06-18", None)}
    assert seen | {"FUTURE"} == set(State)
    assert _history(index, "handbook/policies/winter-hours.md", "2024-09-01", None) == []


def test_the_page_for_managers_is_for_managers(index: Index) -> None:
    """Who is no manager knows nothing of it."""
    with stilltrue.open(index.url) as other:
        assert _history(other, "handbook/managers/salary-bands.md", "2025-06-18", None) == []
        hits = other.search("salary bands for software", as_of="2025-06-18").hits
    assert [hit.doc_id for hit in hits if "managers" in hit.doc_id] == []
    top = index.search("salary bands for software", as_of="2025-06-18").hits[0]
    assert top.doc_id == "handbook/managers/salary-bands.md"


def test_two_builds_are_the_same_commit(tmp_path: Path) -> None:
    """The history depends on its texts alone, and what is checked out is its last state."""
    tips = []
    for name in ("one", "two"):
        root = build(tmp_path / name)
        git = ["git", "-C", str(root)]
        tips.append(subprocess.run([*git, "rev-parse", "main"], check=True, capture_output=True, text=True).stdout)
        assert subprocess.run([*git, "status", "--short"], check=True, capture_output=True, text=True).stdout == ""
    assert tips[0] == tips[1]
    with pytest.raises(StilltrueError, match="folder must be empty"):
        build(tmp_path / "one")


def test_the_story_is_told_in_order() -> None:
    """Steps follow each other in time over four years, and each says what it does."""
    story = read_story()
    moments = [step.at for step in story]
    assert moments == sorted(moments)
    assert (moments[-1] - moments[0]).days > 4 * 365
    assert all(step.writes or step.moves or step.deletes for step in story)
    assert all(step.subject and len(step.subject) <= 72 for step in story)
