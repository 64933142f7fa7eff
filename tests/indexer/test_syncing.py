"""A source that is read as it stands now: what counts by its own date, what by the moment of the reading, what ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.door import Door
from indexer.ingest import ingest
from indexer.report import IngestReport
from indexer.settings import IngestSettings
from indexer.sources.folder import Folder
from indexer.syncing import SyncRules, moment_of, sync
from mappings.document import Observation
from mappings.interval import DAY, Span, format_instant, parse_moment
from mappings.profile import DEFAULT_PROFILES
from mappings.series import DocumentRecord, End
from reranker.history import history
from store.embed import get_embedder, identity
from store.opening import open_engine

EMBEDDER = get_embedder("hashing")
NOW = parse_moment("2024-06-01").start


def at(day: int) -> int:
    """Return the n-th day of 2024, µs."""
    return parse_moment("2024-01-01").start + (day - 1) * DAY


def said(text: str, day: int | None, *, whole_day: bool = False, draft: bool = False) -> Observation:
    """Return an observation of a text on a day of 2024."""
    span = None if day is None else Span(at(day), at(day) + DAY) if whole_day else Span.instant(at(day))
    return Observation(text, span, draft=draft)


def ended(day: int) -> End:
    """Return an end on a day of 2024."""
    return End(Span.instant(at(day)))


LEADS = "own date"
PLACES = [
    ("never read before", [], [], said("a", 3), LEADS),
    ("read again", [said("a", 3)], [], said("a", 3), LEADS),
    ("a later text", [said("a", 3)], [], said("b", 5), LEADS),
    ("the same text, a later date", [said("a", 3)], [], said("a", 5), LEADS),
    ("the same text, an earlier date", [said("a", 3)], [], said("a", 2), LEADS),
    ("an edit that left the date alone", [said("a", 3)], [], said("b", 3), NOW),
    ("an edit on the same day", [said("a", 3, whole_day=True)], [], said("b", 3, whole_day=True), NOW),
    ("put back to an old text", [said("a", 3), said("b", 5)], [], said("a", 3), NOW),
    ("put back, read again", [said("a", 3), said("b", 5), said("a", 9)], [], said("a", 3), at(9)),
    ("another text of an older date", [said("a", 3)], [], said("b", 2), NOW),
    ("back after an end", [said("a", 3)], [ended(7)], said("a", 3), NOW),
    ("back after an end, read again", [said("a", 3), said("a", 9)], [ended(7)], said("a", 3), LEADS),
    ("back with a newer date", [said("a", 3)], [ended(7)], said("b", 8), LEADS),
    ("back with a date before the end", [said("a", 3)], [ended(7)], said("b", 5), NOW),
    ("an end that is still to come", [said("a", 3)], [ended(300)], said("a", 3), LEADS),
    ("undated, beside nothing", [said("a", None)], [], said("b", None), LEADS),
    ("undated, beside a date", [said("a", 3)], [], said("b", None), NOW),
    ("undated, as it was", [said("a", 3)], [], said("a", None), at(3)),
    ("undated, back after an end", [said("a", None)], [ended(7)], said("a", None), LEADS),
    ("dated at last, after an end", [said("a", None)], [ended(7)], said("a", 3), NOW),
    ("a draft is in no order", [said("a", 5, draft=True)], [], said("b", 3), LEADS),
]


@pytest.mark.parametrize(
    ("known", "ends", "new", "expected"), [row[1:] for row in PLACES], ids=[row[0] for row in PLACES]
)
def test_a_reading_counts_by_its_own_date_or_by_the_moment(
    known: list[Observation], ends: list[End], new: Observation, expected: object
) -> None:
    """Its own date rules where it makes the reading the last state; else the moment of the reading does."""
    moment = moment_of(DocumentRecord("d").merge(known, ends), new, now=NOW)
    assert (LEADS if moment is None else moment) == expected


class Desk:
    """A folder, an index, and readings of the one into the other, a day apart."""

    def __init__(self, place: Path) -> None:
        self.root = place / "docs"
        self.root.mkdir()
        self.engine = open_engine(str(place / "store"), embedder=identity(EMBEDDER), create=True)
        self.now = NOW

    def write(self, **pages: str | None) -> Desk:
        """Write pages, or delete those given as None; a page of text alone is dated 1 March."""
        for name, text in pages.items():
            place = self.root / f"{name}.md"
            if text is None:
                place.unlink()
            else:
                place.write_text(text if text.startswith("---") else f"---\ndate: 2024-03-01\n---\n{text}\n")
        return self

    def read(self, *, mode: str = "strict", **rules: bool) -> IngestReport:
        """Sync the folder, a day after the last time."""
        self.now += DAY
        settings = IngestSettings.model_validate({"mode": mode})
        folder = Folder(self.root)
        door = Door(settings, self.now, DEFAULT_PROFILES)
        items = sync(folder, iter(folder), self.engine, door, rules=SyncRules(**rules))
        return ingest(self.engine, items, settings, embedder=EMBEDDER, now=self.now)

    def states(self, name: str) -> list[tuple[str, str]]:
        """Return text and label of each version of a page, as of now."""
        entries = history(self.engine, f"docs/{name}.md", as_of=self.now, known_at=self.now)
        return [(entry.title, entry.label) for entry in entries]


@pytest.fixture
def desk(quick_path: Path) -> Desk:
    """Give an empty folder and an empty index."""
    return Desk(quick_path)


def test_reading_twice_changes_nothing(desk: Desk) -> None:
    """The second reading finds everything as it was."""
    desk.write(a="# One", b="# Two").read()
    report = desk.read()
    assert (report.added, report.updated, report.ended, report.unchanged) == (0, 0, 0, 2)


def test_an_edit_that_left_its_date_alone_is_new_now(desk: Desk) -> None:
    """The old text holds until the sync that found the new one; the date that the page declares is kept beside."""
    desk.write(a="# One").read()
    assert desk.write(a="# Two").read().refused == []
    assert desk.states("a") == [
        ("One", "until 2024-06-03, replaced by a later version"),
        ("Two", "in force since 2024-06-03"),
    ]
    report = desk.read()
    assert (report.added, report.updated, report.unchanged) == (0, 0, 1)
    record = desk.engine.records(["docs/a.md"])["docs/a.md"]
    attributes = record.documents["docs/a.md"].observations[-1].attributes
    assert (attributes.date_source, format_instant(attributes.own_date)) == ("sync", "2024-03-01T00:00:00Z")


def test_what_is_gone_has_ended_and_comes_back(desk: Desk) -> None:
    """The end is at the sync that found it; the page's return is a new state from the sync that found that."""
    desk.write(a="# One", b="# Two", c="# Three").read()
    assert desk.write(a=None).read().ended == 1
    assert desk.states("a") == [("One", "until 2024-06-03, then its document ended")]
    assert desk.read().ended == 0
    desk.write(a="# One").read()
    assert [label for _, label in desk.states("a")][-1] == "in force since 2024-06-05"
    assert desk.read().added == 0


def test_an_undated_page_ends_too(desk: Desk) -> None:
    """A page without a date, gone, is closed; back, it stands again."""
    desk.write(a="---\nx: y\n---\n# Stray", b="# Two", c="# Three").read(mode="lenient")
    desk.write(a=None).read(mode="lenient")
    assert desk.states("a")[0][1].endswith("its document ended")
    desk.write(a="---\nx: y\n---\n# Stray").read(mode="lenient")
    assert desk.states("a") == [("Stray", "undated")]


def test_missing_pages_can_be_left_alone(desk: Desk) -> None:
    """With keep_missing nothing ends."""
    desk.write(a="# One", b="# Two", c="# Three").read()
    assert desk.write(a=None).read(keep_missing=True).ended == 0


def test_more_than_half_ends_only_by_force(desk: Desk) -> None:
    """A folder that is suddenly almost empty is rather a mistake: nothing ends, and that is said."""
    desk.write(a="# One", b="# Two", c="# Three").read()
    report = desk.write(a=None, b=None).read()
    (refusal,) = report.refused
    assert (report.ended, refusal.code) == (0, "TOO_MANY_ENDS")
    assert refusal.detail == "2 of 3 documents of 'docs' are gone, more than half: none was ended"
    assert desk.read(force=True).ended == 2


def test_a_page_that_can_not_be_read_is_not_gone(desk: Desk) -> None:
    """A broken page, and the entries of a broken changelog, stay as they were."""
    desk.write(a="# One", CHANGELOG="# C\n\n## 1.0\n\nx\n\n## 1.1\n\ny").read()
    (desk.root / "a.md").write_bytes(b"\xff")
    (desk.root / "CHANGELOG.md").write_bytes(b"\xff")
    report = desk.read(force=True)
    assert (report.ended, len(report.refused)) == (0, 2)


def test_an_entry_taken_out_of_a_changelog_has_ended(desk: Desk) -> None:
    """Entries are documents: what is taken out is gone, the others stay."""
    desk.write(CHANGELOG="# C\n\n## 1.0 - 2024-01-01\n\nx\n\n## 1.1 - 2024-02-01\n\ny").read()
    assert desk.write(CHANGELOG="# C\n\n## 1.1 - 2024-02-01\n\ny").read().ended == 1


def test_other_sources_are_left_alone(desk: Desk) -> None:
    """Documents of another source end by nothing that is missing here, nor do those of a git history."""
    from indexer.sources.git import GitHistory
    from tests.indexer.sources.repos import Repo

    repo = Repo(desk.root.parent / "git" / "docs")
    repo.commit({"old.md": "# Old"})
    settings = IngestSettings()
    ingest(desk.engine, GitHistory(repo.path), settings, embedder=EMBEDDER, now=NOW)
    desk.write(a="# One").read()
    assert desk.read().ended == 0
    assert desk.states("old") == [("Old", "in force since 2024-01-01")]
