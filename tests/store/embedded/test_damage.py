"""What is derived may be lost, damaged or behind; the truth may be foreign: never a wrong result."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from store import open_engine
from store.embedded import schema
from store.errors import (
    EmbedderError,
    EmbedderMismatchError,
    NewerFormatError,
    NotAStoreError,
    StoreCorruptError,
    StoreError,
    StoreMissingError,
)
from tests.store.worlds import AT, EMBEDDER, Place, found, put, row, vector, vectors

ROWS = [row(f"d{number}", "red door" if number % 3 else "blue roof") for number in range(60)]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Give an index with a few passages, some of them gone and some stamped, and what it answers."""
    path = tmp_path_factory.mktemp("made") / "index"
    place = Place(f"embedded:{path}", path)
    engine = place.make()
    put(engine, *ROWS[:40])
    with engine.writer() as writer:
        writer.put(ROWS[40:], vectors(*ROWS[40:]))
        writer.remove([each.passage_id for each in ROWS[:5]])
    engine.close()
    return place, answers(place)


@pytest.fixture
def place(made, tmp_path):
    """Give a copy of that index which nobody has open."""
    shutil.copytree(made[0].path, tmp_path / "index")
    return Place(f"embedded:{tmp_path / 'index'}", tmp_path / "index")


@pytest.fixture
def before(made):
    """Give what the index answers before anything happens to it."""
    return made[1]


def answers(place):
    """Return what the index answers now."""
    engine = place.open()
    columns = engine.search(["red", "roof"], vector("red"), AT, depth=30)
    result = (
        columns.passage_ids,
        columns.cosine.tolist(),
        columns.body_tf.tolist(),
        engine.statistics(["red", "roof"]).df.tolist(),
        engine.check(),
    )
    engine.close()
    return result


def folder(place) -> Path:
    """Return the derived folder that is in use."""
    return place.path / "derived" / (place.path / "derived" / "current").read_text().strip()


def one(pattern):
    """Return a finder of the largest file by a pattern."""
    return lambda place: max(folder(place).glob(pattern), key=lambda file: file.stat().st_size)


def flip(file: Path) -> None:
    """Change one byte in the middle."""
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0x40
    file.write_bytes(data)


def halve(file: Path) -> None:
    """Cut a file in the middle."""
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])


def fill(file: Path) -> None:
    """Put other bytes in place of all."""
    file.write_bytes(b"\xa5" * file.stat().st_size)


def empty(file: Path) -> None:
    """Leave nothing in it."""
    file.write_bytes(b"")


FILES = {
    "vectors": one("vectors.f32"),
    "columns": one("columns.*"),
    "meta": one("terms/meta.json"),
    "term": one("terms/*.term"),
    "postings": one("terms/*.idx"),
    "fast": one("terms/*.fast"),
    "store": one("terms/*.store"),
    "norms": one("terms/*.fieldnorm"),
    "notes": one("terms/files.json"),
    "pointer": lambda place: place.path / "derived" / "current",
}


@pytest.mark.parametrize("harm", [flip, halve, fill, empty, Path.unlink], ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("name", list(FILES))
def test_a_damaged_file_is_built_again(place, before, name, harm):
    """Whatever happens to a derived file, the next to open the index answers as before."""
    harm(FILES[name](place))
    assert answers(place) == before


@pytest.mark.parametrize("which", ["derived", "terms", "folder"])
def test_a_lost_folder_is_built_again(place, before, which):
    """Derived folders can be deleted at any time."""
    lost = {"derived": place.path / "derived", "terms": folder(place) / "terms", "folder": folder(place)}
    shutil.rmtree(lost[which])
    assert answers(place) == before


def test_damage_under_an_open_engine_is_found_when_it_is_opened_again(place, before):
    """A file that is cut while it is open is no matter for the next process."""
    engine = place.open()
    assert found(engine)
    halve(FILES["postings"](place))
    engine.close()
    assert answers(place) == before


def test_damage_is_mended_before_writing(place):
    """A writer builds again what is damaged before it adds to it."""
    halve(FILES["vectors"](place))
    engine = place.open()
    put(engine, row("new", "red wall"))
    assert "new" in found(engine)
    assert engine.check() == ()
    engine.close()


def test_a_derived_folder_of_another_index_is_not_believed(place, before, tmp_path):
    """The truth knows what was derived from it: a folder from elsewhere, at the same sequence, is built again."""
    other = Place(f"embedded:{tmp_path / 'other'}", tmp_path / "other")
    engine = other.make()
    put(engine, *[row(f"x{number}", "red door") for number in range(40)])
    put(engine, row("y"))
    assert engine.info().sequence == 2
    engine.close()
    shutil.rmtree(place.path / "derived")
    shutil.copytree(other.path / "derived", place.path / "derived")
    assert answers(place) == before


def test_an_old_derived_folder_catches_up(place, tmp_path):
    """A folder from before is brought up from the log of changes; nothing is built again."""
    shutil.copytree(place.path / "derived", tmp_path / "old")
    engine = place.open()
    put(engine, row("new"), row("d9", "blue"))
    with engine.writer() as writer:
        writer.remove(["d7"])
    engine.close()
    before = answers(place)
    shutil.rmtree(place.path / "derived")
    shutil.copytree(tmp_path / "old", place.path / "derived")
    name = folder(place).name
    assert answers(place) == before
    assert folder(place).name == name


def test_past_the_end_of_the_log_it_is_built_again(place, tmp_path, monkeypatch):
    """A folder that is older than the log of changes is built again."""
    monkeypatch.setattr("store.embedded.writing._LOG_ROWS", 3)
    shutil.copytree(place.path / "derived", tmp_path / "old")
    engine = place.open()
    for number in range(9):
        put(engine, row(f"new{number}"))
    engine.close()
    before = answers(place)
    shutil.rmtree(place.path / "derived")
    shutil.copytree(tmp_path / "old", place.path / "derived")
    name = folder(place).name
    assert answers(place) == before
    assert folder(place).name != name


def test_mostly_dead_folders_are_built_again(place, monkeypatch):
    """When most slots are dead, the folder is made anew without them."""
    monkeypatch.setattr("store.embedded.derived._MANY_DEAD", 10)
    engine = place.open()
    with engine.writer() as writer:
        writer.remove([each.passage_id for each in ROWS[:40]])
    name = folder(place).name
    put(engine, row("new"))
    assert folder(place).name != name
    assert engine.check() == ()
    assert len(found(engine)) == 21
    engine.close()


class TestTruth:
    """What lies at the place is an index, or is refused and left alone."""

    def test_nothing_there(self, tmp_path):
        """No index: said, with the way to make one; nothing is created."""
        with pytest.raises(StoreMissingError, match="no index at 'none'; make one with"):
            open_engine(str(tmp_path / "none"))
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("create", [True, False])
    def test_a_folder_of_something_else(self, tmp_path, create):
        """A folder with other files is not written into."""
        (tmp_path / "notes.md").write_text("mine")
        with pytest.raises(NotAStoreError, match="holds something that is not an index"):
            open_engine(str(tmp_path), embedder=EMBEDDER, create=create)
        assert [file.name for file in tmp_path.iterdir()] == ["notes.md"]

    @pytest.mark.parametrize("create", [True, False])
    def test_a_file(self, tmp_path, create):
        """A file is not an index."""
        (tmp_path / "file").write_text("mine")
        with pytest.raises(NotAStoreError):
            open_engine(str(tmp_path / "file"), embedder=EMBEDDER, create=create)

    @pytest.mark.parametrize("create", [True, False])
    def test_another_database(self, place, create):
        """A SQLite file of another program is refused, and stays as it is."""
        (place.path / "store.sqlite").unlink()
        foreign = sqlite3.connect(place.path / "store.sqlite")
        foreign.execute("CREATE TABLE theirs (x)")
        foreign.commit()
        foreign.close()
        before = (place.path / "store.sqlite").read_bytes()
        with pytest.raises(NotAStoreError, match="a database that is not an index"):
            open_engine(str(place.path), embedder=EMBEDDER, create=create)
        assert (place.path / "store.sqlite").read_bytes() == before

    @pytest.mark.parametrize("create", [True, False])
    def test_no_database_at_all(self, place, create):
        """Bytes that are no database are refused."""
        (place.path / "store.sqlite").write_bytes(b"not a database, but long enough to look at" * 40)
        with pytest.raises(NotAStoreError, match="file is not a database"):
            open_engine(str(place.path), embedder=EMBEDDER, create=create)

    def test_a_damaged_database(self, place):
        """Damage to the truth is said, not repaired and not passed over."""
        file = place.path / "store.sqlite"
        data = bytearray(file.read_bytes())
        page = schema._PAGE_BYTES
        for start in range(page, len(data), page):
            data[start : start + 600] = b"\xff" * 600
        file.write_bytes(data)
        shutil.rmtree(place.path / "derived")
        with pytest.raises(StoreCorruptError, match=r"restore the file from a copy"):
            found(place.open())

    @pytest.mark.parametrize("create", [True, False])
    def test_a_newer_format(self, place, create):
        """An index that a newer program wrote is refused with both numbers, and left alone."""
        connection = sqlite3.connect(place.path / "store.sqlite")
        connection.execute(f"PRAGMA user_version = {schema.FORMAT + 1}")
        connection.close()
        message = f"has format {schema.FORMAT + 1}, this program reads formats up to {schema.FORMAT}"
        with pytest.raises(NewerFormatError, match=message):
            open_engine(str(place.path), embedder=EMBEDDER, create=create)

    def test_another_embedder(self, place):
        """Vectors of two embedders are never mixed: another name, version or dimension is refused."""
        for other in (
            type(EMBEDDER)("other", "1", 6),
            type(EMBEDDER)("toy", "2", 6),
            type(EMBEDDER)("toy", "1", 8),
        ):
            with pytest.raises(EmbedderMismatchError, match=r"made with embedder toy 1 \(6 numbers\), got"):
                open_engine(place.url, embedder=other)
        open_engine(place.url).close()

    def test_a_new_index_needs_an_embedder(self, tmp_path):
        """Which embedder it is for is recorded from the first."""
        with pytest.raises(EmbedderError, match="must be made with an embedder"):
            open_engine(str(tmp_path / "new"), create=True)

    def test_a_folder_that_can_not_be_written(self, tmp_path):
        """A refusal of the operating system is an error of the store."""
        (tmp_path / "file").write_text("")
        with pytest.raises(StoreError, match="'below'"):
            open_engine(str(tmp_path / "file" / "below"), embedder=EMBEDDER, create=True)
