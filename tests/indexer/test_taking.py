"""A whole source taken in: which one is meant, where a history is read on, and what would be stored."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from indexer.errors import SourceError
from indexer.preview import preview_source
from indexer.report import IngestReport
from indexer.settings import IngestSettings
from indexer.sources.folder import Folder
from indexer.sources.git import GitHistory
from indexer.sources.jsonl import JsonLines
from indexer.sources.opening import SourceRequest, open_source
from indexer.taking import TakeRules, take_source
from mappings.interval import SECOND, parse_moment
from store.embed import get_embedder, identity
from store.engine import Engine
from store.opening import open_engine
from tests.conftest import NOW
from tests.indexer.sources.bigrepo import START, generate, line_of, show
from tests.indexer.sources.repos import HOUR, Repo
from tests.indexer.sources.repos import START as BEGIN

EMBEDDER = get_embedder("hashing")
SETTINGS = IngestSettings()


@pytest.fixture
def engine(quick_path: Path) -> Engine:
    """Give an empty index."""
    return open_engine(str(quick_path / "store"), embedder=identity(EMBEDDER), create=True)


def take(engine: Engine, argument: object, *, settings: IngestSettings = SETTINGS, **rules: object) -> IngestReport:
    """Take in a source."""
    request = SourceRequest(str(argument), **{key: rules.pop(key) for key in ("name", "dates") if key in rules})  # type: ignore[arg-type]
    return take_source(engine, request, settings, embedder=EMBEDDER, now=NOW, rules=TakeRules(**rules))  # type: ignore[arg-type]


def in_force(engine: Engine, doc_id: str, moment: int) -> list[str]:
    """Return the texts of a document that are in force, and known, at a moment in µs."""
    series = engine.series_of([doc_id]).get(doc_id)
    if series is None:
        return []
    standing = engine.timelines([series])[series].at(moment, moment).in_force()
    hashes = [each.version.content_hash for each in standing if each.version.doc_id == doc_id]
    texts = engine.contents(hashes)
    return [texts[key].text for key in hashes]


def test_arguments_tell_what_is_meant(tmp_path: Path) -> None:
    """A folder, a history and a file of JSON lines are told by what they look like, or by the format."""
    repo = Repo(tmp_path / "do@cs")
    repo.commit({"a.md": "x"}, checkout=True)
    (tmp_path / "a.jsonl").touch()
    options = SETTINGS.reader_options()
    for argument, form, kind in [
        (repo.path, None, Folder),
        (f"git+{repo.path}", None, GitHistory),
        (f"git+{repo.path}@main", None, GitHistory),
        (repo.path, "git", GitHistory),
        (tmp_path / "a.jsonl", None, JsonLines),
    ]:
        assert isinstance(open_source(SourceRequest(str(argument), format=form), options=options), kind)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (SourceRequest("nowhere"), "got 'nowhere' which does not exist"),
        (SourceRequest("page.md"), r"source must be a folder, git\+PATH\[@BRANCH\], or end in .jsonl or .jsonl.gz"),
        (SourceRequest("x", format="tape"), "format must be one of folder, git, jsonl, got 'tape'"),
        (SourceRequest("git+https://example.org/x"), "read from a folder of this machine"),
        (SourceRequest("a.jsonl", dates="mtime"), "date_from is for folders, got 'mtime'"),
        (SourceRequest("git+nowhere@main"), "source must be a git repository"),
    ],
    ids=lambda value: getattr(value, "argument", ""),
)
def test_what_is_no_source_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request_: SourceRequest, said: str
) -> None:
    """Each argument that means nothing has its message."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").touch()
    with pytest.raises(SourceError, match=said):
        open_source(request_, options=SETTINGS.reader_options())


def test_a_history_is_read_on_from_the_last_commit_seen(engine: Engine, tmp_path: Path) -> None:
    """A second run reads only what is new; other settings, or force, read from the beginning again."""
    repo = Repo(tmp_path / "docs")
    repo.commit({"a.md": "one"})
    assert take(engine, f"git+{repo.path}").read == 1
    assert take(engine, f"git+{repo.path}").read == 0
    repo.commit({"b.md": "two"})
    report = take(engine, f"git+{repo.path}")
    assert (report.read, report.added) == (1, 1)
    assert take(engine, f"git+{repo.path}", force=True).unchanged == 2
    assert take(engine, f"git+{repo.path}", content_type="runbook").updated == 2
    assert take(engine, f"git+{repo.path}", name="other").added == 2


def test_a_rewritten_history_is_put_right(engine: Engine, tmp_path: Path) -> None:
    """What dropped commits said holds until the new line is read; then the new line holds, and that is said."""
    repo = Repo(tmp_path / "docs")
    repo.commit({"a.md": "one"})
    repo.commit({"a.md": "two", "b.md": "of the dropped commit"})
    take(engine, f"git+{repo.path}")
    repo.reset(0)
    repo.commit({"c.md": "three"}, at=BEGIN + 5 * HOUR)
    report = take(engine, f"git+{repo.path}")
    assert any("history was rewritten" in str(skip) for skip in report.skipped)
    later = (BEGIN + 6 * HOUR) * SECOND
    assert [in_force(engine, f"docs/{name}.md", later) for name in "abc"] == [["one"], [], ["three"]]
    assert in_force(engine, "docs/a.md", (BEGIN + 2 * HOUR) * SECOND) == ["two"]


def test_a_folder_is_synced(engine: Engine, tmp_path: Path) -> None:
    """What is gone ends, what was passed over is told, and pages are dated as asked for."""
    root = tmp_path / "guide"
    root.mkdir()
    for name in ("a.md", "b.md", "c.md"):
        (root / name).write_text("Words.")
    (root / "x.png").touch()
    assert [refusal.code for refusal in take(engine, root).refused] == ["UNDATED"] * 3
    report = take(engine, root, dates="2024-03-01", content_type="policy")
    assert (report.added, [skip.location for skip in report.skipped]) == (3, ["x.png"])
    (observation,) = engine.records(["guide/b.md"])["guide/b.md"].documents["guide/b.md"].observations
    assert observation.attributes.reasons[0] == "type policy: rule for path '**'"
    (root / "a.md").unlink()
    assert take(engine, root, dates="2024-03-01", keep_missing=True).ended == 0
    assert take(engine, root, dates="2024-03-01").ended == 1
    (root / "b.md").unlink()
    (root / "c.md").unlink()
    assert [refusal.code for refusal in take(engine, root).refused] == ["TOO_MANY_ENDS"]
    assert take(engine, root, force=True).ended == 2


def test_settings_rule_how_files_are_read(engine: Engine, tmp_path: Path) -> None:
    """Encoding, order of dates and size are settings."""
    root = tmp_path / "guide"
    root.mkdir()
    (root / "a.md").write_bytes("Updated: 03/04/2024\n\ncafé".encode("latin-1"))
    (root / "b.md").write_text("Updated: 2024-01-01\n\n" + "x" * 200)
    settings = IngestSettings.model_validate({"encoding": "latin-1", "date_order": "day_first", "max_file_bytes": 100})
    report = take(engine, root, settings=settings)
    assert (report.added, [refusal.code for refusal in report.refused]) == (1, ["TOO_LARGE"])
    (observation,) = engine.records(["guide/a.md"])["guide/a.md"].documents["guide/a.md"].observations
    assert observation.observed == parse_moment("2024-04-03")
    with pytest.raises(ValueError, match="encoding must be one that Python knows"):
        IngestSettings(encoding="klingon")


def test_a_preview_tells_what_would_be_stored_and_why(tmp_path: Path) -> None:
    """Every item has its action, its facts and its reasons; nothing needs an index."""
    repo = Repo(tmp_path / "docs")
    repo.commit({"policies/a.md": "---\neffective: 2024-02-01\nOwner: ann\n---\nText.", "bad.md": b"\xff"})
    repo.commit({"policies/a.md": None})
    refused, stored, ended = preview_source(SourceRequest(f"git+{repo.path}"), SETTINGS, now=NOW)
    assert (refused.action, refused.facts["code"], refused.reasons[1][:14]) == ("refuse", "NOT_UTF8", "save it as UTF")
    assert stored.to_json() | {"location": ""} == {
        "action": "store",
        "doc_id": "docs/policies/a.md",
        "location": "",
        "title": "A",
        "observed_at": "2024-01-01T00:00:00Z",
        "date_source": "git",
        "date_confidence": "high",
        "valid_from": "2024-02-01T00:00:00Z",
        "valid_until": None,
        "content_type": "policy",
        "kind": "STATIC",
        "series": "docs/policies/a.md",
        "supersedes": [],
        "principals": [],
        "draft": False,
        "metadata": {"Owner": "ann"},
        "reasons": ["date: git", "type policy: folder 'policies'", stored.reasons[2]],
    }
    assert (ended.action, ended.facts["at"]) == ("end", "2024-01-01T01:00:00Z")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a.md").write_text("Words.")
    (undated,) = preview_source(SourceRequest(str(tmp_path / "plain")), SETTINGS, now=NOW)
    assert (undated.action, undated.facts["code"]) == ("refuse", "UNDATED")


@pytest.mark.slow
def test_the_version_in_force_is_what_git_shows(engine: Engine, tmp_path: Path) -> None:
    """For 300 random (file, moment) of 2,000 commits the index holds what `git show` of that moment gives."""
    history = generate(tmp_path / "big.git", commits=2_000, seed=11)
    report = take(engine, f"git+{history.path}")
    assert report.refused == []
    commits = line_of(history.path)
    draw = random.Random(5)
    paths = sorted({path for commit in history.commits for path in commit.tree})
    checked = 0
    for _ in range(300):
        moment = draw.randrange(START, history.commits[-1].observed + 1_000)
        place = max((n for n, commit in enumerate(history.commits) if commit.observed <= moment), default=None)
        standing = sorted(history.commits[place].tree) if place is not None else paths
        path = draw.choice(standing if draw.random() < 0.7 else paths)
        shown = None if place is None else show(history.path, commits[place], path)
        truth = history.truth(path, moment)
        assert (truth[1] if truth else None) == shown
        if truth:
            assert in_force(engine, f"big/{truth[0]}", moment * SECOND) == [truth[1].strip()]
            checked += 1
    assert checked > 150
    # And nothing else: at the end, what is in force is what the last tree holds.
    last = history.commits[-1]
    names = {f"big/{name}" for name, _ in last.tree.values()}
    after = last.observed * SECOND
    assert {key for key in engine.series_keys() if in_force(engine, key, after)} == names
    assert take(engine, f"git+{history.path}").read == 0
