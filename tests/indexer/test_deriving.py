"""What follows from records and texts: the cache of chunked texts, and steps that keep nothing out of an answer."""

from dataclasses import replace

from indexer import deriving
from indexer.deriving import Chunker, Wanted
from indexer.writing import plan
from mappings.document import Kind, Section
from mappings.interval import OPEN
from mappings.stamps import Stamps
from store.engine import Content, StoredPassage

PASSAGE = StoredPassage("p", "d", "s", "web", "faq", Kind.STATIC, "key", (), Stamps(1, 1))


def test_chunker_reads_a_text_once_and_forgets_the_oldest(monkeypatch):
    """A text is read and cut once while it is in use; past the bound the one longest unused goes."""
    monkeypatch.setattr(deriving, "_CACHED_CONTENTS", 2)
    asked = []

    def read(hashes):
        asked.append(list(hashes))
        return {key: Content("T", key, (Section((), key),)) for key in hashes if key != "lost"}

    chunker = Chunker(read, chunk_tokens=40)
    assert list(chunker.get(["a", "b", "lost"])) == ["a", "b"]
    chunker.get(["a"])
    chunker.get(["c"])
    chunker.get(["a"])
    chunker.get(["b"])
    assert asked == [["a", "b", "lost"], ["c"], ["b"]]


def steps(**changes):
    """Plan the way from the stored passage to one that is changed so."""
    return plan({"p": Wanted(replace(PASSAGE, **changes), None)}, {"p": PASSAGE})


def test_plan_of_what_is_right_is_empty():
    """Nothing to do is nothing done."""
    assert steps().empty


def test_stamps_that_close_come_after_the_commit():
    """Before it the passage is as wide as before."""
    closed = replace(PASSAGE.stamps, closed=5, closed_by="replaced")
    plan_ = steps(stamps=closed)
    assert (plan_.open_stamps, plan_.close_stamps) == ({}, {"p": closed})


def test_stamps_that_open_come_before_the_commit():
    """A passage that stands longer than before is widened first."""
    wider = replace(PASSAGE.stamps, observed=0, valid_from=0)
    plan_ = steps(stamps=wider)
    assert (plan_.open_stamps, plan_.close_stamps) == ({"p": wider}, {})


def test_stamps_that_do_both_are_first_widened_and_then_narrowed():
    """Until the commit the passage is live for the old record and for the new one."""
    moved = Stamps(0, 0, until=9)
    plan_ = steps(stamps=moved)
    assert plan_.open_stamps == {"p": Stamps(0, 0, until=OPEN)}
    assert plan_.close_stamps == {"p": moved}


def test_readers_are_both_until_the_commit():
    """Whoever may read it by the old record or by the new one finds it; the record decides."""
    have = {"p": replace(PASSAGE, readers=("ann",))}
    plan_ = plan({"p": Wanted(replace(PASSAGE, readers=("bob",)), None)}, have)
    assert (plan_.open_readers, plan_.close_readers) == ({"d": ("ann", "bob")}, {"d": ("bob",)})
    assert steps(readers=("bob",)).open_readers == {"d": ()}


def test_passage_that_no_record_names_is_removed():
    """What is stored beyond what is wanted goes."""
    assert plan({}, {"p": PASSAGE}).remove == ["p"]
