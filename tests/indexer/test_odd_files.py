"""A folder full of trouble: each bad file has its own message, each odd one goes in, and so does the rest."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.ingest import ingest
from indexer.report import IngestReport
from indexer.settings import IngestSettings
from indexer.sources import files
from indexer.sources.base import RawDocument, Refusal
from indexer.sources.dateorder import settle_dates
from indexer.sources.files import SkipReason
from indexer.sources.folder import Folder
from store.embed import get_embedder
from store.engine import EmbedderId, Engine
from store.opening import open_engine
from tests.conftest import NOW
from tests.indexer.odd_files import FINE, REFUSED

# Names that no refusal and no skip can be told by: they are made, not written.
NEW_LINE, NOT_UTF8 = "line\nbreak.md", os.fsdecode(b"latin-\xe9.md")


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Folder, Engine, IngestReport]:
    """Ingest the whole folder once."""
    base = tmp_path_factory.mktemp("odd")
    root = base / "odd"
    for name, (content, *_) in {**REFUSED, **FINE}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content.encode() if isinstance(content, str) else content)
    for name in (NEW_LINE, NOT_UTF8):
        (root / name).write_text("Some words.")
    with (root / "huge.md").open("wb") as huge:
        huge.truncate(100 * 2**20)
    (base / "outside.md").write_text("Secret.")
    (root / "out.md").symlink_to(base / "outside.md")
    (root / "in.md").symlink_to("twin.md")
    (root / "dangling.md").symlink_to("nowhere.md")
    (root / "loop").symlink_to(".")
    os.mkfifo(root / "pipe.md")
    (root / ".hidden.md").write_text("x")
    (root / ".cache").mkdir()
    (root / "picture.png").write_bytes(b"\x89PNG")
    embedder = get_embedder("hashing")
    identity = EmbedderId(embedder.name, embedder.version, embedder.dimension)
    engine = open_engine(str(base / "store"), embedder=identity, create=True)
    folder = Folder(root)
    report = ingest(engine, settle_dates(folder), IngestSettings(), embedder=embedder, now=NOW)
    return root, folder, engine, report


def refusal_of(report: IngestReport, name: str) -> Refusal:
    """Return the one refusal of a file."""
    (refusal,) = [each for each in report.refused if each.doc_id == f"odd/{name}"]
    return refusal


@pytest.mark.parametrize("name", REFUSED)
def test_bad_file_is_refused_with_its_own_message(
    troubled: tuple[Path, Folder, Engine, IngestReport], name: str
) -> None:
    """The refusal names the file, says what is wrong with which value, and how to put it right."""
    _, code, said = REFUSED[name]
    refusal = refusal_of(troubled[3], name)
    assert (refusal.code, refusal.location.split(":")[0]) == (code, name)
    assert said in refusal.detail
    assert refusal.remedy


@pytest.mark.parametrize(
    ("location", "code", "said"),
    [
        ("huge.md", "TOO_LARGE", "file has 104,857,600 bytes, at most 10,485,760 are read"),
        ("line\\nbreak.md", "BAD_NAME", "holds a control character, got 'line\\nbreak.md'"),
        ("latin-\\udce9.md", "BAD_NAME", "is not UTF-8, got b'latin-\\xe9.md'"),
    ],
)
def test_bad_name_or_size_is_refused(
    troubled: tuple[Path, Folder, Engine, IngestReport], location: str, code: str, said: str
) -> None:
    """A file that is too large is not even read; a name that makes no id is shown escaped."""
    (refusal,) = [each for each in troubled[3].refused if each.location == location]
    assert (refusal.code, said in refusal.detail) == (code, True)


def test_every_fault_is_told_once(troubled: tuple[Path, Folder, Engine, IngestReport]) -> None:
    """There are as many refusals as bad files, more than forty, and no two faults have one message."""
    report = troubled[3]
    assert len(report.refused) == len(REFUSED) + 3 > 40
    messages = {(each.code, each.detail) for each in report.refused}
    empty = sum(code == "EMPTY" for _, code, _ in REFUSED.values())
    missing = sum(said == "observed_at is missing" for *_, said in REFUSED.values())
    assert len(messages) == len(report.refused) - (empty - 1) - (missing - 1)


@pytest.mark.parametrize("name", FINE)
def test_odd_file_goes_in(troubled: tuple[Path, Folder, Engine, IngestReport], name: str) -> None:
    """What is odd but readable is in the index, word for word."""
    engine = troubled[2]
    record = engine.records([f"odd/{name}"])[f"odd/{name}"]
    (observation,) = record.documents[f"odd/{name}"].observations
    assert FINE[name][1] in engine.contents([observation.content_hash])[observation.content_hash].text


@pytest.mark.parametrize(
    ("name", "reason", "said"),
    [
        ("out.md", SkipReason.SYMLINK, "is a link out of the folder"),
        ("in.md", SkipReason.SYMLINK, "is a link inside the folder, to 'twin.md': not followed"),
        ("dangling.md", SkipReason.SYMLINK, "is a link inside the folder, to 'nowhere.md'"),
        ("loop", SkipReason.SYMLINK, "is a link inside the folder, to '.'"),
        ("pipe.md", SkipReason.SPECIAL, "is no regular file"),
        (".hidden.md", SkipReason.HIDDEN, "file is hidden"),
        (".cache", SkipReason.HIDDEN, "folder is hidden"),
        ("picture.png", SkipReason.NOT_A_DOCUMENT, "is not Markdown, reST, HTML or text"),
    ],
)
def test_what_is_no_document_is_named_and_passed_over(
    troubled: tuple[Path, Folder, Engine, IngestReport], name: str, reason: SkipReason, said: str
) -> None:
    """Links, pipes, hidden and other files are no faults; they are named, and nothing of them goes in."""
    _, folder, engine, _ = troubled
    (skip,) = [each for each in folder.skipped if each.location == name]
    assert (skip.reason, said in skip.detail) == (reason, True)
    assert f"odd/{name}" not in set(engine.series_keys())


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that somebody writes to is read a second time, and refused when it changes again."""
    root = tmp_path / "live"
    root.mkdir()
    log = root / "log.md"
    log.write_text("One.\n")
    reads = iter(range(10))
    real = files.read_stream

    def busy(descriptor: int, limit: int) -> bytes:
        data = real(descriptor, limit)
        log.write_text(f"One, and {next(reads)} more.\n")
        return data

    monkeypatch.setattr(files, "read_stream", busy)
    (refusal,) = Folder(root)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.detail) == ("CHANGED", "file changed while it was read")
    assert next(reads) == 2
    monkeypatch.setattr(files, "read_stream", lambda d, limit: busy(d, limit) if next(reads) == 3 else real(d, limit))
    (document,) = Folder(root)
    assert isinstance(document, RawDocument) and document.text == "One, and 4 more."


def test_a_file_that_goes_away_meanwhile_is_refused(tmp_path: Path) -> None:
    """A file that was listed and is gone when its turn comes has its message; what is a folder now too."""
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_text("Words.")
    items: Iterator[object] = iter(Folder(tmp_path, source="x"))
    assert isinstance(next(items), RawDocument)
    (tmp_path / "b.md").unlink()
    (tmp_path / "c.md").unlink()
    (tmp_path / "c.md").mkdir()
    gone, folder = items
    assert isinstance(gone, Refusal) and gone.detail == "file can not be read: no such file or directory"
    assert isinstance(folder, Refusal) and folder.detail == "file can not be read: is a directory"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_refused(tmp_path: Path) -> None:
    """A file and a folder without permission have their messages; the rest goes in."""
    (tmp_path / "a.md").write_text("Words.")
    (tmp_path / "closed.md").write_text("Words.")
    (tmp_path / "closed.md").chmod(0)
    (tmp_path / "locked").mkdir(mode=0)
    try:
        document, closed, locked = Folder(tmp_path, source="x")
    finally:
        (tmp_path / "locked").chmod(0o700)
    assert isinstance(document, RawDocument)
    assert isinstance(closed, Refusal) and closed.detail == "file can not be read: permission denied"
    assert isinstance(locked, Refusal) and locked.detail == "folder can not be read: permission denied"
