"""The check of an index against its truth finds what was damaged, and the repair mends it."""

from dataclasses import replace

import pytest

from indexer.settings import IngestSettings
from indexer.verify import repair, verify
from mappings.interval import OPEN
from mappings.series import LinkCopy, PassageSpan
from store.engine import PassageRow
from tests.conftest import NOW
from tests.indexer.arrivals import EMBEDDER, open_index, state_of
from tests.indexer.library import fill, page

SETTINGS = IngestSettings()


@pytest.fixture
def engine(quick_path):
    """An index with replaced versions, a link across records, and readers."""
    engine = open_index(quick_path / "index")
    fill(
        engine,
        page("a", "2024-01-01"),
        page("a", "2024-02-01"),
        page("b", "2024-03-01", supersedes="a"),
        page("c", "2024-01-01", principals=["hr"]),
    )
    yield engine
    engine.close()


def passage_of(engine, doc_id):
    return next(each for each in engine.stored(engine.series_keys()).values() if each.doc_id == doc_id)


def lose_passage(engine, writer):
    writer.remove([passage_of(engine, "a").passage_id])


def wrong_stamp(engine, writer):
    passage = passage_of(engine, "b")
    writer.stamp({passage.passage_id: replace(passage.stamps, closed=OPEN, until=NOW)})


def wrong_readers(engine, writer):
    writer.set_readers({"c": ()})


def wrong_copy(engine, writer):
    record = engine.records(["a"])["a"]
    writer.commit([replace(record, links=())])


def made_up_copy(engine, writer):
    record = engine.records(["c"])["c"]
    writer.commit([replace(record, links=(LinkCopy("x", "c", "v", 0, 0),))])


def forgotten_passage(engine, writer):
    record = engine.records(["b"])["b"]
    writer.commit([replace(record, passages={})])


def misplaced_passage(engine, writer):
    record = engine.records(["b"])["b"]
    writer.commit([replace(record, passages={key: PassageSpan("b", -1, -1) for key in record.passages})])


def other_passage(engine, writer):
    have = passage_of(engine, "b")
    row = PassageRow(
        have.passage_id, have.doc_id, have.series, have.source, "policy", have.kind, "", "", "x", (), ("x",),
        have.text_key, have.readers, have.stamps,
    )  # fmt: skip
    writer.put([row], {})


def stray_passage(engine, writer):
    have = passage_of(engine, "b")
    row = PassageRow(
        "gone#1", "gone", "gone", have.source, have.content_type, have.kind, "", "", "x", (), ("x",), have.text_key, (),
        have.stamps,
    )  # fmt: skip
    writer.put([row], {})


def unfinished(engine, writer):
    writer.begin_work(["a", "never written"])


DAMAGE = {
    "a passage is gone": (lose_passage, "passage is missing"),
    "a stamp is wrong": (wrong_stamp, "stamps are not those of the record"),
    "readers are wrong": (wrong_readers, "readers of its passages are not those of the record"),
    "a copy of a link is gone": (wrong_copy, "copies of links are not those of the linking documents"),
    "a copy of no link": (made_up_copy, "copies of links are not those of the linking documents"),
    "a record forgot a passage": (forgotten_passage, "record lacks a passage that its texts have"),
    "a record misplaced a passage": (misplaced_passage, "record places a passage in other versions than its texts do"),
    "a passage is another": (other_passage, "passage says something else"),
    "a passage is nobody's": (stray_passage, "passage belongs to no series"),
    "work was not finished": (unfinished, "write was begun and not finished"),
}


@pytest.mark.parametrize(("damage", "finding"), DAMAGE.values(), ids=DAMAGE)
def test_damage_is_found_and_mended(engine, damage, finding):
    """Each kind of damage has its words; after the repair the index is what it was."""
    before = state_of(engine)
    assert verify(engine, SETTINGS).differences == ()
    with engine.writer() as writer:
        damage(engine, writer)
    assert finding in [each.detail for each in verify(engine, SETTINGS).differences]
    verdict = repair(engine, SETTINGS, embedder=EMBEDDER)
    assert verdict.differences == ()
    assert verdict.mended > 0
    assert state_of(engine) == before


def test_lost_text_is_told_and_takes_nothing_along(engine):
    """What only its source can bring back is told; the stored passages stay, and reading the source mends it."""
    lost = engine.records(["a"])["a"].documents["a"].observations[0].content_hash
    passages = engine.stored(["a"])
    with engine.writer() as writer:
        writer.drop_contents([lost])
    verdict = repair(engine, SETTINGS, embedder=EMBEDDER)
    assert [(each.key, each.detail[:30]) for each in verdict.differences] == [(lost, "text of an observation is lost")]
    assert engine.stored(["a"]) == passages
    fill(engine, page("a", "2024-01-01"))
    assert verify(engine, SETTINGS).differences == ()


def test_repair_of_a_sound_index_writes_nothing(engine):
    """Looking does not change anything."""
    sequence = engine.info().sequence
    assert repair(engine, SETTINGS, embedder=EMBEDDER).mended == 0
    assert engine.info().sequence == sequence


def test_repair_cuts_anew_after_a_change_of_the_size(engine):
    """With another size of passages the index differs, and a repair makes it right."""
    text = "\n\n".join(f"paragraph {i} " + "word " * 30 for i in range(12))
    fill(engine, page("long", "2024-01-01", text))
    small = IngestSettings(chunk_tokens=40)
    assert verify(engine, small).differences
    assert repair(engine, small, embedder=EMBEDDER).differences == ()
    assert len([each for each in engine.stored(["long"])]) == 12
    assert verify(engine, small).differences == ()
