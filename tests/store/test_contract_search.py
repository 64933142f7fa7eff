"""What every engine finds: held against the obvious answer over rows whose moments lie microseconds apart."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.document import Kind
from mappings.errors import BadValueError
from mappings.interval import BEGIN, OPEN
from mappings.stamps import Stamps
from store import Where
from tests.store.places import ENGINES, place_of
from tests.store.worlds import (
    AT,
    EMBEDDER,
    WORDS,
    admitted,
    excluded,
    found,
    found_by_vector,
    found_by_words,
    put,
    random_rows,
    row,
    vector,
    vectors,
)

ROWS = random_rows(seed=7, count=400)
MOMENTS = st.integers(-1, 13)


def some(values):
    return st.lists(st.sampled_from(values), max_size=2, unique=True).map(tuple)


WHERES = st.builds(
    Where,
    as_of=MOMENTS,
    known_at=MOMENTS,
    principals=some(["ann", "bob", "eve", "public"]),
    states=st.sampled_from([True, True, False]),
    undated=st.booleans(),
    content_types=st.just(()) | some(["policy", "incident", "none"]),
    kinds=st.just(()) | some(list(Kind)),
    sources=st.just(()) | some(["here", "there"]),
    series=st.just(()) | some([each.series for each in ROWS[:20]]),
    doc_ids=st.just(()) | some([each.doc_id for each in ROWS[:40]]),
    period=st.none() | st.sampled_from([(BEGIN, 5), (3, 4), (2, 9), (8, OPEN), (20, 30)]),
)
QUESTIONS = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=4)


@pytest.fixture(scope="module", params=ENGINES)
def world(request, tmp_path_factory):
    """Give an index of all rows, put in two goes and stamped in between."""
    engine = place_of(request, tmp_path_factory.mktemp("world") / "index").make()
    with engine.writer() as writer:
        first = [replace(each, stamps=Stamps(3, 4)) for each in ROWS[:250]]
        writer.put(first, vectors(*first))
        writer.refresh()
        writer.put(ROWS[200:], vectors(*ROWS[200:]))
        writer.stamp({each.passage_id: each.stamps for each in ROWS[:200]})
    yield engine
    engine.close()


class TestFilter:
    """Nothing that is out is found, nothing that is in is missing."""

    @given(where=WHERES, terms=QUESTIONS)
    def test_words(self, world, where, terms):
        """The leg of words brings exactly what is admitted and holds a term."""
        wanted = {
            each.passage_id
            for each in ROWS
            if admitted(each, where) and {*each.title_terms, *each.body_terms} & set(terms)
        }
        assert found_by_words(world, " ".join(terms), where, depth=500) == sorted(wanted)

    @given(where=WHERES)
    def test_vectors(self, world, where):
        """The leg of vectors brings exactly what is admitted and has a vector."""
        wanted = {each.passage_id for each in ROWS if admitted(each, where) and each.text}
        assert found_by_vector(world, "red", where, depth=500) == sorted(wanted)

    @given(where=WHERES, depth=st.integers(1, 30))
    def test_nearest_are_those_of_all(self, world, where, depth):
        """The cut is made after the filter: the nearest of what is admitted are found, however few those are."""
        question = vector("red").astype(np.float64)
        likeness = [
            (float(vector(each.text) @ question), each.passage_id)
            for each in ROWS
            if admitted(each, where) and each.text
        ]
        got = world.search([], vector("red"), where, depth=depth)
        best = sorted((value for value, _ in likeness), reverse=True)[:depth]
        assert sorted(got.cosine.tolist(), reverse=True) == pytest.approx(best, abs=1e-6)

    @given(where=WHERES, limit=st.integers(1, 30))
    def test_newest_are_those_of_all(self, world, where, limit):
        """The passages observed last are those of all that is admitted, words or not, and no leg brought them."""
        observed = sorted((each.stamps.observed for each in ROWS if admitted(each, where)), reverse=True)
        got = world.newest(["red"], vector("red"), where, limit=limit)
        assert sorted(got.observed.tolist(), reverse=True) == observed[:limit]
        assert not got.from_lexical.any() and not got.from_dense.any()
        by_id = {each.passage_id: each for each in ROWS}
        assert all(admitted(by_id[key], where) for key in got.passage_ids)

    def test_newest_needs_a_limit(self, world):
        """None of the newest is no question."""
        with pytest.raises(BadValueError, match="limit must be at least 1"):
            world.newest([], None, AT, limit=0)

    @given(where=WHERES, terms=QUESTIONS)
    def test_excluded(self, world, where, terms):
        """What the stamps keep out is counted by the first of them, for this reader, whatever else is asked."""
        assert world.excluded(terms, where) == excluded(ROWS, terms, where)

    @pytest.mark.parametrize("moment", [BEGIN, OPEN], ids=["begin", "open"])
    def test_moments_must_be_instants(self, moment):
        """The two ends of time are no moments of a question."""
        with pytest.raises(BadValueError, match="as_of must be an instant"):
            Where(moment, 5)


class TestColumns:
    """A candidate comes back as counts and an exact cosine."""

    @given(where=WHERES, terms=QUESTIONS, depth=st.integers(1, 50))
    def test_counts_and_cosines(self, world, where, terms, depth):
        """Every column of every candidate is what its row says, whichever leg brought it."""
        by_id = {each.passage_id: each for each in ROWS}
        got = world.search(terms, vector("big"), where, depth=depth)
        rows = [by_id[key] for key in got.passage_ids]
        assert got.terms == tuple(dict.fromkeys(terms))
        assert got.title_tf.tolist() == [[each.title_terms.count(t) for t in got.terms] for each in rows]
        assert got.body_tf.tolist() == [[each.body_terms.count(t) for t in got.terms] for each in rows]
        assert got.title_len.tolist() == [len(each.title_terms) for each in rows]
        assert got.body_len.tolist() == [len(each.body_terms) for each in rows]
        assert got.observed.tolist() == [each.stamps.observed for each in rows]
        assert got.cosine == pytest.approx([vector(e.text) @ vector("big") for e in rows], abs=1e-6)
        assert (got.doc_ids, got.series) == ([e.doc_id for e in rows], [e.series for e in rows])
        assert (got.content_types, got.kinds) == ([e.content_type for e in rows], [e.kind for e in rows])

    def test_are_sorted_and_say_their_leg(self, world):
        """Candidates are in the order of their ids, each brought by one leg or both."""
        got = world.search(["red"], vector("blue"), Where(8, 8), depth=5)
        assert got.passage_ids == sorted(got.passage_ids)
        assert (got.from_lexical | got.from_dense).all()
        assert 5 <= len(got) <= 10

    def test_a_cosine_does_not_depend_on_the_depth(self, world):
        """A candidate has the same cosine to the last bit, whatever it stands beside."""
        few = world.search([], vector("blue"), AT, depth=3)
        many = world.search(["red"], vector("blue"), AT, depth=300)
        exact = dict(zip(many.passage_ids, many.cosine.tolist(), strict=True))
        assert [exact[key] for key in few.passage_ids] == few.cosine.tolist()

    def test_without_a_question(self, world):
        """Neither words nor a vector: nothing, and no failure."""
        assert len(world.search([], None, AT, depth=10)) == 0
        assert len(world.search([], vector(""), AT, depth=10)) == 0

    def test_a_vector_of_another_length_is_refused(self, world):
        """A question of another embedder is told by its length."""
        with pytest.raises(BadValueError, match=r"vector must have shape \(6,\), got \(5,\)"):
            world.search([], np.ones(5, dtype=np.float32), AT, depth=10)

    def test_a_depth_of_nothing_is_refused(self, world):
        """At least one candidate a leg."""
        with pytest.raises(BadValueError, match="depth must be at least 1, got 0"):
            world.search(["red"], None, AT, depth=0)


class TestStatistics:
    """Exact over everything that is stored, whatever was stored before."""

    @given(terms=QUESTIONS)
    def test_are_exact(self, world, terms):
        """Frequencies count passages that hold a term in either field; averages are over all passages."""
        got = world.statistics(terms)
        assert got.terms == tuple(dict.fromkeys(terms))
        assert got.passages == len(ROWS)
        assert got.df.tolist() == [
            sum(term in {*each.title_terms, *each.body_terms} for each in ROWS) for term in got.terms
        ]
        assert got.title_avg == sum(len(each.title_terms) for each in ROWS) / len(ROWS)
        assert got.body_avg == sum(len(each.body_terms) for each in ROWS) / len(ROWS)

    def test_of_an_empty_index(self, engine):
        """Nothing stored: all zeros."""
        got = engine.statistics(["red"])
        assert (got.passages, got.df.tolist(), got.title_avg, got.body_avg) == (0, [0], 0.0, 0.0)
        assert found(engine) == [] and engine.excluded(["red"], AT) == {}


class TestTies:
    """What is cut at the depth does not depend on what was put in when."""

    def index(self, place, rows, *, goes):
        engine = place.make()
        with engine.writer() as writer:
            for start in range(0, len(rows), goes):
                writer.put(rows[start : start + goes], vectors(*rows[start : start + goes]))
                writer.refresh()
        return engine

    @pytest.mark.parametrize("kind", ENGINES)
    def test_equal_passages(self, request, tmp_path, kind):
        """Of many equal passages the same ones are found in whatever order and portions they were put."""
        rows = [row(f"d{number}", "red door" if number % 3 else "red roof") for number in range(300)]
        results = []
        for seed, goes in ((1, 300), (2, 120), (3, 40)):
            random.Random(seed).shuffle(rows)
            engine = self.index(place_of(request, tmp_path / f"{seed}", kind), rows, goes=goes)
            results.append([leg(engine, "red door", AT, depth=20) for leg in (found_by_words, found_by_vector)])
            engine.close()
        assert results[0] == results[1] == results[2]
        assert [len(ids) for ids in results[0]] == [20, 20]


def test_everything_public_hides_nothing_named_public(engine):
    """A principal may be called what the engine calls everybody."""
    put(engine, row("a", readers=("public",)), row("b"))
    assert found(engine) == ["b"]
    assert found(engine, where=replace(AT, principals=("public",))) == ["a", "b"]


def test_the_dimension_is_the_embedders(engine):
    """The index says which embedder made it."""
    assert engine.info().embedder == EMBEDDER
