"""Where passages stand: one passage for each run of versions in which text, title and path are the same."""

from hypothesis import given
from hypothesis import strategies as st

from indexer.chunking import Chunk
from indexer.placing import Content, place
from mappings.document import Observation
from mappings.interval import Span
from mappings.series import DocumentRecord
from mappings.version import versions_of


def content(*texts, title="T", path=("A",)):
    return Content(title, tuple(Chunk(path, "a", number, text) for number, text in enumerate(texts)))


def placed(*contents, undated=None):
    """Place one document that read so at 1, 2, 3 …; the undated reading comes last."""
    by_hash = {f"h{i}": each for i, each in enumerate(contents)}
    observations = [Observation(key, Span.instant(i + 1)) for i, key in enumerate(by_hash)]
    if undated:
        by_hash["u"] = undated
        observations.append(Observation("u", None))
    versions = versions_of(DocumentRecord("d").merge(observations))
    return [(p.chunk.text, p.span.first, p.span.last) for p in place(versions, by_hash)], place(versions, by_hash)


def test_text_that_stays_is_one_passage():
    """A change elsewhere on the page does not make it new."""
    rows, passages = placed(content("x", "y"), content("x", "z"), content("x", "z", "w"))
    assert rows == [("x", 0, 2), ("y", 0, 0), ("z", 1, 2), ("w", 2, 2)]
    assert len({passage.passage_id for passage in passages}) == 4


def test_text_that_returns_is_another_passage():
    """A gap ends the run; after it the age counts anew."""
    rows, passages = placed(content("x"), content("y"), content("x"))
    assert rows == [("x", 0, 0), ("y", 1, 1), ("x", 2, 2)]
    assert len({passage.passage_id for passage in passages}) == 3


def test_other_title_or_path_is_another_passage():
    """The same words under another heading are another passage."""
    assert placed(content("x"), content("x", title="U"))[0] == [("x", 0, 0), ("x", 1, 1)]
    assert placed(content("x"), content("x", path=("B",)))[0] == [("x", 0, 0), ("x", 1, 1)]


def test_equal_texts_in_one_version_are_counted():
    """Two equal paragraphs are two passages, and the one that stays keeps its place."""
    assert placed(content("x", "x"), content("x"))[0] == [("x", 0, 1), ("x", 0, 0)]


def test_moved_text_stays_the_passage_it_was():
    """A paragraph put in before changes the number, not the passage."""
    assert placed(content("x"), content("new", "x"))[0] == [("x", 0, 1), ("new", 1, 1)]


def test_undated_version_stands_apart():
    """It has its own passages at position -1, whatever the dated ones say."""
    assert placed(content("x"), undated=content("x", "y"))[0] == [("x", 0, 0), ("x", -1, -1), ("y", -1, -1)]


def test_nothing_gives_nothing():
    """A document of drafts alone has no passages."""
    assert place((), {}) == ()


@given(st.lists(st.lists(st.sampled_from("xyz"), max_size=4), min_size=1, max_size=6))
def test_every_version_has_exactly_its_chunks(states):
    """For each version, the passages that stand in it are its texts, each as often as it has it."""
    rows, passages = placed(*(content(*texts, str(i % 2), title="T") for i, texts in enumerate(states)))
    assert len({passage.passage_id for passage in passages}) == len(passages)
    for position, texts in enumerate(states):
        here = sorted(text for text, first, last in rows if first <= position <= last)
        assert here == sorted([*texts, str(position % 2)])
