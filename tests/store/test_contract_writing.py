"""What every engine keeps: passages, records, links, contents, work; and that nothing of a refused change stays."""

from dataclasses import replace

import numpy as np
import pytest

from mappings.document import Kind, Section
from mappings.interval import BEGIN, OPEN
from mappings.series import SeriesRecord
from mappings.stamps import Stamps
from mappings.timeline import Timeline
from store.engine import Content, Link, PassageText
from store.errors import RowError, StaleRecordError, StoreLockedError
from tests.store.worlds import (
    AT,
    found,
    found_by_vector,
    found_by_words,
    put,
    record,
    row,
    vector,
    vectors,
)


class TestPut:
    """Passages go in, are replaced, and come out whole."""

    def test_is_found_after_refresh(self, engine):
        """What was put is not found before the refresh, and is after it."""
        with engine.writer() as writer:
            writer.put([row("a")], vectors(row("a")))
            assert found(engine) == []
            writer.refresh()
            assert found(engine) == ["a"]

    def test_leaving_the_block_refreshes(self, engine):
        """The end of the block makes the rest visible."""
        put(engine, row("a"), row("b", "blue roof"))
        assert found(engine) == ["a", "b"]

    def test_an_exception_drops_what_was_not_refreshed(self, engine):
        """What was refreshed stays, what came after it is gone."""
        with pytest.raises(KeyError), engine.writer() as writer:
            writer.put([row("a")], vectors(row("a")))
            writer.refresh()
            writer.put([row("b")], vectors(row("b")))
            raise KeyError
        assert found(engine) == ["a"]
        assert engine.check() == ()

    def test_again_replaces(self, engine):
        """The same id with other text, stamps and readers is the new one everywhere, once."""
        put(engine, row("a"), row("b"))
        put(engine, row("a", "blue roof", readers=("ann",), stamps=Stamps(7, 8), content_type="faq"))
        assert found(engine) == ["b"]
        seen = replace(AT, principals=("ann",))
        assert found_by_words(engine, "blue", seen) == ["a"]
        assert engine.statistics(["red", "blue"]).df.tolist() == [1, 1]
        (stored,) = engine.stored(["a"]).values()
        assert (stored.readers, stored.stamps, stored.content_type) == (("ann",), Stamps(7, 8), "faq")
        assert engine.check() == ()

    def test_a_stored_vector_need_not_be_given_again(self, engine):
        """Equal texts share a vector, also between calls."""
        put(engine, row("a"))
        with engine.writer() as writer:
            assert writer.known_vectors(["red door", "new"]) == {"red door"}
            writer.put([row("b")], {})
        assert found_by_vector(engine) == ["a", "b"]

    def test_without_a_word_or_a_vector(self, engine):
        """An empty passage is stored and found by nothing."""
        put(engine, row("a", ""))
        assert (engine.info().passages, found(engine), list(engine.texts(["a"]))) == (1, [], ["a"])

    def test_texts_are_given_back(self, engine):
        """What a reader is shown comes back letter for letter; what is not there is absent."""
        strange = "naïve 日本 \0 'quoted' \"x\" \\ \n\t\U0001f44d"
        put(engine, row("a", strange, body_terms=("naïv",), title="T", section="S > U", text_key="k" * 40))
        assert engine.texts(["a", "b"]) == {"a": PassageText("a", "T", "S > U", strange)}

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"body_terms": ("red", "")}, "must hold no white space, got ''"),
            ({"title_terms": ("red door",)}, "must hold no white space, got 'red door'"),
            ({"body_terms": ("a\u2003b",)}, "must hold no white space"),
            ({"text_key": "absent"}, "needs a vector for text_key 'absent'"),
            ({"stamps": Stamps(OPEN + 1, 0)}, "must fit 64 bits, got 9223372036854775808"),
            ({"stamps": Stamps(0, BEGIN - 1)}, "must fit 64 bits, got -9223372036854775809"),
            ({"text": "\ud800"}, "must be valid Unicode, its text is not"),
            ({"passage_id": "good"}, "must stand once in a call, got 'good' twice"),
        ],
        ids=["empty", "space", "wide space", "no vector", "late", "early", "surrogate", "twice"],
    )
    def test_refuses_what_can_not_be_stored(self, engine, changes, message):
        """A bad row is refused with its value, and nothing of the call is stored."""
        good = row("good")
        with engine.writer() as writer, pytest.raises(RowError, match=message):
            writer.put([good, replace(row("bad"), **changes)], vectors(good))
        assert engine.info().passages == 0

    @pytest.mark.parametrize(
        "bad",
        [np.ones(6), np.ones(5), np.full(6, np.nan), np.full(6, np.inf), np.full(6, 1e-9)],
        ids=["long", "dimension", "nan", "infinite", "short"],
    )
    def test_refuses_a_vector_that_is_none(self, engine, bad):
        """A vector has the index's dimension and length 1, or is all zeros."""
        with engine.writer() as writer, pytest.raises(RowError, match="vector of 'red door' must have"):
            writer.put([row("a")], {"red door": bad.astype(np.float32)})


class TestStamp:
    """Stamps and readers change in place."""

    def test_opens_and_closes(self, engine):
        """A stamp takes effect with the refresh, in both legs."""
        put(engine, row("a"), row("b"))
        with engine.writer() as writer:
            writer.stamp({"a": Stamps(1, 1, closed=50, closed_by="replaced")})
            assert found(engine) == ["a", "b"]
        assert found_by_words(engine) == found_by_vector(engine) == ["b"]
        assert found(engine, where=replace(AT, as_of=49)) == ["a", "b"]
        with engine.writer() as writer:
            writer.stamp({"a": Stamps(1, 1)})
        assert found_by_words(engine) == found_by_vector(engine) == ["a", "b"]
        assert engine.check() == ()

    def test_equal_stamps_change_nothing(self, engine):
        """Stamping again what is stamped is no new sequence."""
        put(engine, row("a"))
        before = engine.info().sequence
        with engine.writer() as writer:
            writer.stamp({"a": row("a").stamps})
        assert engine.info().sequence == before

    def test_an_unknown_passage_is_refused(self, engine):
        """A stamp needs its passage."""
        with engine.writer() as writer, pytest.raises(RowError, match="must be stored before it is stamped"):
            writer.stamp({"ghost": Stamps(1, 1)})

    def test_readers_follow_the_document(self, engine):
        """All passages of a document change their readers, those of others do not."""
        put(engine, row("a#1"), row("a#2"), row("b#1", readers=("eve",)))
        with engine.writer() as writer:
            writer.set_readers({"a": ("ann", "bob"), "b": ()})
        assert found(engine) == ["b#1"]
        assert found_by_words(engine, where=replace(AT, principals=("bob",))) == ["a#1", "a#2", "b#1"]
        assert engine.check() == ()


class TestRemove:
    """What is removed is gone, with what only it used."""

    def test_is_found_no_more(self, engine):
        """Gone from both legs, the statistics and the texts; unknown ids are fine."""
        put(engine, row("a"), row("b"), row("c", "blue"))
        with engine.writer() as writer:
            writer.remove(["a", "ghost"])
        assert found(engine) == ["b", "c"]
        assert engine.statistics(["red"]).df.tolist() == [1]
        assert (engine.texts(["a"]), engine.stored(["a"])) == ({}, {})
        assert engine.check() == ()

    def test_vectors_go_with_their_last_passage(self, engine):
        """A vector stays as long as some passage uses it."""
        put(engine, row("a"), row("b"))
        for gone, left in (("a", {"red door"}), ("b", set())):
            with engine.writer() as writer:
                writer.remove([gone])
                writer.refresh()
                assert writer.known_vectors(["red door"]) == left

    def test_and_put_again(self, engine):
        """A passage that was removed can come back, in the same go as well."""
        put(engine, row("a"))
        with engine.writer() as writer:
            writer.remove(["a"])
            writer.put([row("a", "blue")], vectors(row("a", "blue")))
        assert (found_by_words(engine, "red"), found_by_words(engine, "blue")) == ([], ["a"])
        assert engine.check() == ()


class TestCommit:
    """Records are changed by compare-and-set, all or none."""

    def test_gives_revisions(self, engine):
        """The first revision is 1, each commit adds one; records come back equal."""
        with engine.writer() as writer:
            assert writer.commit([record("s", "a"), record("t", "b")]) == {"s": 1, "t": 1}
            assert writer.commit([record("s", "a", "c", revision=1)]) == {"s": 2}
        assert engine.records(["s", "t", "ghost"]) == {
            "s": record("s", "a", "c", revision=2),
            "t": record("t", "b", revision=1),
        }
        assert (engine.info().series, engine.info().documents) == (2, 3)

    @pytest.mark.parametrize("revision", [0, 2], ids=["older", "newer"])
    def test_refuses_a_stale_record(self, engine, revision):
        """A change to another revision is refused, and nothing of the commit stays."""
        with engine.writer() as writer:
            writer.commit([record("s", "a")])
            with pytest.raises(StaleRecordError, match="'s' has revision 1") as caught:
                writer.commit([record("new", "x"), record("s", "a", revision=revision)])
            assert (caught.value.found, caught.value.expected) == (1, revision)
        assert list(engine.series_keys()) == ["s"]
        assert engine.series_of(["x"]) == {}

    def test_refreshes_first(self, engine):
        """Passages are visible before the record that names them is."""
        with engine.writer() as writer:
            writer.put([row("a")], vectors(row("a")))
            writer.commit([record("a", "a")])
            assert found(engine) == ["a"]

    def test_is_seen_at_once(self, engine):
        """Another engine's time lines follow a commit without being told."""
        with engine.writer() as writer:
            writer.commit([record("s", "a")])
            assert list(engine.timelines(["s"])["s"].record.documents) == ["a"]
            writer.commit([record("s", "a", "b", revision=1)])
            assert list(engine.timelines(["s"])["s"].record.documents) == ["a", "b"]

    def test_time_lines_are_kept_while_nothing_changes(self, engine):
        """The same object comes back until the record changes; a series without a record is absent."""
        with engine.writer() as writer:
            writer.commit([record("s", "a")])
        first = engine.timelines(["s", "ghost"])
        assert isinstance(first["s"], Timeline)
        assert engine.timelines(["s"])["s"] is first["s"]
        assert list(first) == ["s"]

    def test_an_empty_record_is_erased(self, engine):
        """A record without documents goes, with its documents and links; the series starts anew."""
        with engine.writer() as writer:
            writer.commit([record("s", "a", supersedes=("b",))])
            assert writer.commit([SeriesRecord("s", revision=1)]) == {"s": 0}
            assert (engine.series_of(["a"]), engine.inbound_links(["b"]), engine.records(["s"])) == ({}, {}, {})
            assert writer.commit([record("s", "a")])["s"] >= 1
            assert list(engine.records(["s"])["s"].documents) == ["a"]

    def test_a_document_moves_between_series(self, engine):
        """A document belongs to the series whose record holds it, in one commit, whatever the order."""
        with engine.writer() as writer:
            writer.commit([record("s", "a", "b"), record("t", "c")])
            writer.commit([record("t", "b", "c", revision=1), record("s", "a", revision=1)])
        assert engine.series_of(["a", "b", "c", "ghost"]) == {"a": "s", "b": "t", "c": "t"}

    def test_series_keys_in_order(self, engine):
        """All keys come, sorted, also more than are read at once."""
        keys = [f"s{number:04}" for number in range(1_200)]
        with engine.writer() as writer:
            writer.commit([record(key, f"d-{key}") for key in reversed(keys)])
        assert list(engine.series_keys()) == keys


class TestLinks:
    """Who replaces whom is found from the replaced side."""

    def test_inbound(self, engine):
        """Links are found by their target, from all series, sorted; a record takes its own back."""
        with engine.writer() as writer:
            writer.commit([record("s", "a", supersedes=("x",)), record("t", "b", supersedes=("x", "y"))])
            assert engine.inbound_links(["x", "y", "z"]) == {
                "x": (Link("x", "a", "s"), Link("x", "b", "t")),
                "y": (Link("y", "b", "t"),),
            }
            writer.commit([record("t", "b", revision=1)])
        assert engine.inbound_links(["x", "y"]) == {"x": (Link("x", "a", "s"),)}

    def test_waiting(self, engine):
        """A link to a document that is not here is listed until it arrives."""
        with engine.writer() as writer:
            writer.commit([record("s", "a", supersedes=("x",))])
            assert engine.waiting_links() == (Link("x", "a", "s"),)
            writer.commit([record("x", "x")])
            assert engine.waiting_links() == ()


class TestContents:
    """The text of each content hash is kept once, whole."""

    def test_come_back(self, engine):
        """Title, text and sections come back equal, whether or not a section is a piece of the text."""
        plain = Content("T", "one two\n\nthree", (Section((), "one two"), Section(("H", "I"), "three")))
        made = Content("", "text", (Section(("é",), "not in it"), Section((), "text"), Section((), "te")))
        with engine.writer() as writer:
            writer.keep_contents({"a": plain, "b": made})
        assert engine.contents(["a", "b", "c"]) == {"a": plain, "b": made}

    def test_stay_as_they_are(self, engine):
        """A hash stands for one reading: keeping it again changes nothing; dropping erases it."""
        with engine.writer() as writer:
            writer.keep_contents({"a": Content("T", "one", ())})
            writer.keep_contents({"a": Content("T", "two", ())})
            assert writer.known_contents(["a", "b"]) == {"a"}
        assert engine.contents(["a"])["a"].text == "one"
        with engine.writer() as writer:
            writer.drop_contents(["a"])
        assert engine.contents(["a"]) == {}


class TestWork:
    """An interrupted write is found."""

    def test_is_pending_until_finished(self, engine):
        """What was begun is listed in order until it is finished."""
        with engine.writer() as writer:
            writer.begin_work(["t", "s", "s"])
        assert (engine.pending_work(), engine.info().pending) == (("s", "t"), 2)
        with engine.writer() as writer:
            writer.finish_work(["s"])
        assert engine.pending_work() == ("t",)

    def test_is_durable_with_the_passages(self, engine):
        """No passage is visible whose work is not on record."""
        with pytest.raises(KeyError), engine.writer() as writer:
            writer.begin_work(["a"])
            writer.put([row("a")], vectors(row("a")))
            writer.refresh()
            raise KeyError
        assert (engine.pending_work(), found(engine)) == (("a",), ["a"])


class TestWriters:
    """One at a time."""

    def test_a_second_writer_is_refused(self, engine, place):
        """While one writes, another is told so, also from another engine on the same place; reading goes on."""
        other = place.open()
        with engine.writer() as writer:
            writer.put([row("a")], vectors(row("a")))
            for second in (engine, other):
                with pytest.raises(StoreLockedError, match="is being written by process"), second.writer():
                    pytest.fail("two writers")
            assert found(other) == []
        with other.writer():
            pass
        assert found(other) == ["a"]
        other.close()


class TestReopen:
    """What was written is there after the last process has gone."""

    def test_everything_is_still_there(self, engine, place):
        """An engine that is opened later finds the same."""
        put(engine, row("a"), row("b", readers=("ann",)))
        with engine.writer() as writer:
            writer.commit([record("a", "a")])
        engine.close()
        again = place.open()
        assert found(again) == ["a"]
        assert again.search(["red"], vector("red"), AT, depth=5).cosine == pytest.approx(
            engine.search(["red"], vector("red"), AT, depth=5).cosine, abs=0
        )
        assert list(again.records(["a"])) == ["a"]
        assert again.check() == ()
        again.close()

    def test_a_closed_engine_opens_again(self, engine):
        """Closing lets go; the next call takes up again."""
        put(engine, row("a"))
        engine.close()
        assert found(engine) == ["a"]

    def test_rebuild_changes_nothing(self, engine):
        """What is built again answers as before."""
        rows = [row(f"d{number}", "red door" if number % 2 else "blue", kind=Kind.EVENT) for number in range(50)]
        put(engine, *rows)
        with engine.writer() as writer:
            writer.remove([each.passage_id for each in rows[:9]])
        before = (found(engine, "red door"), engine.statistics(["red"]).df.tolist(), engine.info())
        with engine.writer() as writer:
            writer.rebuild()
        assert (found(engine, "red door"), engine.statistics(["red"]).df.tolist(), engine.info()) == before
        assert engine.check() == ()


class TestNotes:
    """Texts that are kept for whoever ingests."""

    def test_is_kept_until_another_takes_its_place(self, engine):
        """A note is read back by its key; another key knows nothing of it; a later text replaces it."""
        with engine.writer() as writer:
            writer.keep_note("a", "one")
            writer.keep_note("b", "two")
            writer.keep_note("a", "three")
        assert [engine.note(key) for key in ("a", "b", "c")] == ["three", "two", None]

    def test_goes_with_what_was_not_refreshed(self, engine):
        """An exception drops a note like everything else."""
        with pytest.raises(KeyError), engine.writer() as writer:
            writer.keep_note("a", "one")
            raise KeyError
        assert engine.note("a") is None
