"""Faults on a node: what is interrupted is finished, what is refused is said, nothing is missing without a word."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mappings.templates import META, VERSION
from store.errors import (
    EmbedderMismatchError,
    NewerFormatError,
    NotAStoreError,
    RowError,
    StaleRecordError,
    StoreError,
    StoreLockedError,
    StoreMissingError,
    StoreUnavailableError,
)
from store.opensearch import bulk
from store.opensearch.lock import LEASE_S
from store.opensearch.writing import OpenSearchWriter
from store.values import EmbedderId
from tests.store.worlds import AT, EMBEDDER, found, put, record, row, vectors

pytestmark = pytest.mark.opensearch

ROOT = Path(__file__).resolve().parents[3]


class Stopped(Exception):
    """Stands for the end of a process."""


def stop_at(monkeypatch, number):
    """Let the process end before its write of this number to the node."""
    seen = []
    write = bulk.write

    def counted(cluster, operations, **options):
        operations = list(operations)
        if operations:
            seen.append(operations)
            if len(seen) > number:
                raise Stopped
        return write(cluster, operations, **options)

    monkeypatch.setattr(bulk, "write", counted)
    return seen


def change(writer):
    """Replace one passage by another, in the order of the contract."""
    writer.begin_work(["s"])
    writer.put([row("s#2", "blue roof", series="s")], vectors(row("s#2", "blue roof")))
    writer.refresh()
    writer.commit([record("s", "s", revision=1)])
    writer.remove(["s#1"])
    writer.refresh()
    writer.finish_work(["s"])


STEPS = range(12)


@pytest.mark.parametrize("step", STEPS)
def test_a_writer_that_dies_leaves_nothing_half_done(engine, place, monkeypatch, step):
    """Wherever it ends, what was begun is pending or done, and the next writer finds everything consistent."""
    put(engine, row("s#1", series="s"))
    with engine.writer() as writer:
        writer.commit([record("s", "s")])
    with monkeypatch.context() as patch:
        seen = stop_at(patch, step)
        died = False
        try:
            with engine.writer() as writer:
                change(writer)
        except Stopped:
            died = True
    # The lock of a process that ended so is free to the next one of its machine; here the process is our own.
    engine._cluster.ask("DELETE", f"/{engine.info().index}-control/_doc/writer", ignore=404)
    other = place.open()
    visible = found(other)
    assert visible in (["s#1"], ["s#1", "s#2"], ["s#2"])
    if died and visible != ["s#1"]:
        assert other.pending_work() == ("s",) or visible == ["s#2"]
    with other.writer() as writer:
        writer.remove(["s#1"])
    assert other.check() == ()
    assert died is (len(seen) > step)
    other.close()


def test_an_interrupted_move_is_finished(engine, place, monkeypatch):
    """Of two copies that a crash leaves the newer is the passage, and the next writer erases the other."""
    put(engine, row("a"))
    index = engine.info().index
    put(engine, row("z", stamps=row("z").stamps.__class__(40 * 10**15, 40 * 10**15)))
    control = engine._now()
    later = next(label for label in control.held if label != "1970")
    hit = engine._cluster.search(f"{index}-g1-passages-1970", {"query": {"match_all": {}}})["hits"]["hits"][0]
    copy = {**hit["_source"], "doc_id": "old", "written": 0}
    bulk.write(engine._cluster, [bulk.Operation("index", control.dated(later), "a", copy)], refresh=True)
    assert [difference.key for difference in engine.check() if difference.part == "truth"] == ["a"]
    assert engine.stored(["a"])["a"].doc_id == "a"
    with engine.writer() as writer:
        writer.rebuild()
    assert engine.check() == ()


def test_a_killed_writer_is_followed_by_the_next(engine, place):
    """A process that is killed while it writes holds nobody up, and what it had refreshed is there."""
    script = textwrap.dedent(f"""
        import os, signal, sys
        sys.path.insert(0, {str(ROOT)!r})
        from store import open_engine
        from tests.store.worlds import EMBEDDER, row, vectors
        engine = open_engine({place.url!r}, embedder=EMBEDDER)
        with engine.writer() as writer:
            writer.begin_work(["a"])
            writer.put([row("a")], vectors(row("a")))
            writer.refresh()
            writer.put([row("b")], vectors(row("b")))
            os.kill(os.getpid(), signal.SIGKILL)
    """)
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=120).returncode == -signal.SIGKILL
    with engine.writer():
        assert (engine.pending_work(), found(engine)) == (("a",), ["a"])


def test_a_holder_elsewhere_is_waited_for(engine, monkeypatch):
    """A lock of another machine is respected until its renewals have not come for a lease."""
    other = {"what": "writer", "key": "writer", "body": {"host": "elsewhere", "pid": os.getpid()}}
    index = f"{engine.info().index}-control"
    bulk.write(engine._cluster, [bulk.Operation("index", index, "writer", other)])
    moment = [1000.0]
    monkeypatch.setattr("store.opensearch.lock.time.monotonic", lambda: moment[0])
    for _ in range(2):
        with pytest.raises(StoreLockedError, match=f"by process {os.getpid()} on elsewhere"), engine.writer():
            pytest.fail("two writers")
        moment[0] += LEASE_S - 1
        bulk.write(engine._cluster, [bulk.Operation("index", index, "writer", other)])  # it is renewed
        with pytest.raises(StoreLockedError), engine.writer():
            pytest.fail("two writers")
    moment[0] += LEASE_S + 1
    with engine.writer():
        pass


def test_a_writer_that_was_taken_over_is_told(engine, place):
    """Its passages are not sent, and its records not stored, once another has written."""
    other = place.open()
    with pytest.raises(StoreLockedError, match="taken over by another writer"), engine.writer() as slow:
        slow.put([row("a")], vectors(row("a")))
        OpenSearchWriter(other._reader, other._records).put([], {})
        quick = OpenSearchWriter(other._reader, other._records)
        quick.put([row("b")], vectors(row("b")))
        quick.refresh()
        slow.refresh()
    assert found(other) == ["b"]
    assert other.check() == ()
    other.close()


def test_racing_commits_keep_all_or_nothing(engine, place, monkeypatch):
    """Where two change a record at once, one is told, and nothing else of its commit stays."""
    other = place.open()
    with engine.writer() as writer:
        writer.commit([record("s", "a"), record("t", "b")])
    documents = engine._cluster.documents

    def overtaken(*args, **options):
        found = documents(*args, **options)
        monkeypatch.undo()
        other._records.commit([record("t", "b", "c", revision=1)])
        return found

    monkeypatch.setattr(engine._cluster, "documents", overtaken)
    with pytest.raises(StaleRecordError, match="'t' has revision 2"):
        engine._records.commit([record("new", "x"), record("s", "a", "d", revision=1), record("t", "b", revision=1)])
    assert engine.records(["new", "s", "t"]) == {
        "s": record("s", "a", revision=1),
        "t": record("t", "b", "c", revision=2),
    }
    other.close()


@pytest.mark.parametrize("what", ["_close", "_block/read"])
def test_an_index_that_does_not_answer_is_said(engine, what):
    """With one dated index closed or blocked there is an error, not a shorter list."""
    put(engine, row("a"), row("b", stamps=row("b").stamps.__class__(40 * 10**15, 40 * 10**15)))
    index = engine._now().all_dated()[0]
    if what == "_close":
        engine._cluster.ask("POST", f"/{index}/{what}")
    else:
        engine._cluster.ask("PUT", f"/{index}/_settings", {"index.blocks.read": True})
    with pytest.raises(StoreUnavailableError, match=r"can not be used: (index_closed|cluster_block)"):
        found(engine)
    with pytest.raises(StoreError):
        engine.statistics(["red"])


def test_a_block_on_writing_is_said(engine):
    """A cluster whose disk is full refuses writes; nothing is lost silently, and the way out is named."""
    put(engine, row("a"))
    index = engine._now().all_dated()[0]
    engine._cluster.ask("PUT", f"/{index}/_settings", {"index.blocks.read_only_allow_delete": True})
    with pytest.raises(StoreUnavailableError, match="free disk space"):
        put(engine, row("b"))
    engine._cluster.ask("PUT", f"/{index}/_settings", {"index.blocks.read_only_allow_delete": None})
    put(engine, row("b"))
    assert found(engine) == ["a", "b"]
    assert engine.check() == ()


def test_a_passage_that_the_server_refuses_is_named(engine):
    """The error names the document and the field; what came before it is taken up by the next write."""
    with pytest.raises(RowError, match=r"document 'a': .*immense term in field=\"source\""):
        put(engine, row("a", source="x" * 40_000))
    put(engine, row("b"))
    assert found(engine) == ["b"]
    assert engine.check() == ()


def test_what_is_not_ours_is_refused(engine, place):
    """Foreign and newer mappings, an absent store and another embedder are told apart."""
    cluster, control = engine._cluster, f"{engine.info().index}-control"
    with pytest.raises(EmbedderMismatchError, match="made with embedder toy 1"):
        type(engine).open(cluster.address, embedder=EmbedderId("other", "1", 6))
    mapping = f"/{control}/_mapping"
    cluster.ask("PUT", mapping, {"_meta": {META: {"mapping": VERSION + 1}}})
    with pytest.raises(NewerFormatError, match=f"has format {VERSION + 1}"):
        place.open()
    cluster.ask("PUT", mapping, {"_meta": {"theirs": 1}})
    for attempt in (place.open, place.make):
        with pytest.raises(NotAStoreError, match="that is not ours"):
            attempt()
    cluster.ask("DELETE", f"/{control}")
    with pytest.raises(StoreMissingError, match="no index at opensearch://"):
        place.open()


def test_templates_that_were_lost_come_back(engine):
    """A new dated index has our mapping, whatever happened to the templates since."""
    name = engine.info().index
    engine._cluster.ask("DELETE", f"/_index_template/{name}-*")
    put(engine, row("a"))
    assert found(engine) == ["a"]


def test_a_question_may_be_deep_only_as_a_page_is(engine):
    """A depth beyond what a server gives is refused with its limit."""
    from mappings.errors import BadValueError

    with pytest.raises(BadValueError, match="depth must be at most 10000, got 10001"):
        engine.search(["red"], None, AT, depth=10_001)
    assert EMBEDDER == engine.embedder
