"""Several processes on one index: readers see every commit, one writes at a time, and any of them may die."""

import itertools
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from store.errors import StoreLockedError
from tests.store.worlds import Place, found, found_by_vector, found_by_words, put, record, row, vectors

REPO = Path(__file__).resolve().parents[3]

# Each starts processes of its own.
pytestmark = pytest.mark.slow


@pytest.fixture
def place(tmp_path):
    """Give an index with one passage."""
    place = Place(f"embedded:{tmp_path / 'index'}", tmp_path / "index")
    engine = place.make()
    put(engine, row("first"))
    engine.close()
    return place


def start(place, script) -> subprocess.Popen[str]:
    """Start a process that runs a script with the index open as `engine`."""
    head = f"""
        import os, signal, sys
        from pathlib import Path
        from tests.store.worlds import *
        from tests.store.worlds import Place
        place = Place({place.url!r}, Path({str(place.path)!r}))
        engine = place.open()
        def say(word): print(word, flush=True)
        def hear(): return sys.stdin.readline().strip()
        def die(*_): os.kill(os.getpid(), signal.SIGKILL)
    """
    code = textwrap.dedent(head) + textwrap.dedent(script)
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code], cwd=REPO, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )


def finish(process, said=None):
    """Wait for the end of a process and return what it said."""
    out, err = process.communicate(said, timeout=120)
    assert process.returncode == 0, err
    return out.split()


READER = """
    seen, rounds = 0, 0
    while seen < 13:
        ids = found(engine)
        assert len(ids) >= seen, (ids, seen)
        assert found_by_words(engine, "red") == found_by_vector(engine) or len(found(engine)) > len(ids)
        seen, rounds = len(ids), rounds + 1
    say(rounds)
"""


def test_readers_see_each_commit(place):
    """While one process writes, others search without an error, and never see less than before."""
    readers = [start(place, READER) for _ in range(2)]
    engine = place.open()
    with engine.writer() as writer:
        for number in range(12):
            each = row(f"d{number}")
            writer.put([each], vectors(each))
            writer.refresh()
    assert all(int(rounds) >= 1 for reader in readers for rounds in finish(reader))
    engine.close()


def test_a_reader_that_was_there_before_sees_what_comes(place):
    """An open engine of another process follows: after each refresh the passage is there."""
    reader = start(place, 'for _ in range(3):\n    hear()\n    say(",".join(found(engine)))')
    engine = place.open()
    for number in range(3):
        put(engine, row(f"d{number}"))
        reader.stdin.write("look\n")
        reader.stdin.flush()
        assert reader.stdout.readline().strip() == ",".join([*(f"d{n}" for n in range(number + 1)), "first"])
    finish(reader)
    engine.close()


WATCHER = """
    say("watching")
    import threading
    over = threading.Event()
    threading.Thread(target=lambda: (hear(), over.set()), daemon=True).start()
    rounds = 0
    while not over.is_set():
        ids = found(engine)
        assert len(ids) == 1, ids
        rounds += 1
    say(rounds)
"""


@pytest.mark.parametrize("again", [{"content_type": "faq"}, {"series": "other"}, {"text": "red roof"}], ids=repr)
def test_readers_miss_nothing_that_is_put_again(place, again):
    """While a passage is put again and again, saying something else of itself or of its text, it is always found."""
    watcher = start(place, WATCHER)
    assert watcher.stdout.readline() == "watching\n"
    engine = place.open()
    with engine.writer() as writer:
        for number in range(24):
            each = row("first", **(again if number % 2 else {}))
            writer.put([each], vectors(each))
            writer.refresh()
    (rounds,) = finish(watcher, "over\n")
    assert int(rounds) >= 1
    assert engine.check() == ()
    engine.close()


def test_readers_miss_nothing_that_changes_its_name(place):
    """While one passage goes and another comes in its place, one of them is always found."""
    watcher = start(place, WATCHER)
    assert watcher.stdout.readline() == "watching\n"
    engine = place.open()
    names = ["first", "second"] * 12
    with engine.writer() as writer:
        for old, new in itertools.pairwise(names):
            each = row(new)
            writer.put([each], vectors(each))
            writer.remove([old])
            writer.refresh()
    (rounds,) = finish(watcher, "over\n")
    assert int(rounds) >= 1
    assert engine.check() == ()
    engine.close()


class TestWriters:
    """The right to write belongs to one process."""

    HOLDER = """
        with engine.writer():
            say("holding")
            hear()
    """

    def test_another_process_is_refused(self, place):
        """A second writer is told which process writes, and gets in when that has ended."""
        holder = start(place, self.HOLDER)
        assert holder.stdout.readline() == "holding\n"
        engine = place.open()
        with pytest.raises(StoreLockedError, match=f"'index' is being written by process {holder.pid}"):
            put(engine, row("a"))
        assert found(engine) == ["first"]
        finish(holder, "go\n")
        put(engine, row("a"))
        assert found(engine) == ["a", "first"]
        engine.close()

    def test_another_process_can_wait(self, place):
        """With a time to wait, a second writer gets in as soon as the first has ended."""
        holder = start(place, self.HOLDER)
        assert holder.stdout.readline() == "holding\n"
        engine = place.open()
        timer = threading.Timer(0.2, lambda: holder.communicate("go\n"))
        timer.start()
        with engine.writer(wait_s=60) as writer:
            writer.put([row("a")], vectors(row("a")))
        assert found(engine) == ["a", "first"]
        timer.join()
        assert holder.returncode == 0
        engine.close()

    def test_a_killed_writer_leaves_no_lock(self, place):
        """The lock ends with its process."""
        holder = start(place, self.HOLDER)
        assert holder.stdout.readline() == "holding\n"
        holder.kill()
        holder.communicate()
        engine = place.open()
        put(engine, row("a"))
        assert found(engine) == ["a", "first"]
        engine.close()


# Where the writing process is killed, and whether what it was writing is in the truth by then.
CRASHES = {
    "before the truth is committed": ("EmbeddedWriter._log_changes", False),
    "before anything is derived": ("Derived.catch_up", True),
    "before the columns": ("derived.write_columns", True),
    "before the terms are committed": ("TermFolder.commit", True),
    "before the files are noted": ("TermFolder.settle", True),
}
CRASH = """
    from store.embedded import derived
    from store.embedded.derived import Derived
    from store.embedded.terms import TermFolder
    from store.embedded.writing import EmbeddedWriter
    with engine.writer() as writer:
        writer.begin_work(["new"])
        writer.put([row("new"), row("first", "red roof")], vectors(row("new"), row("first", "red roof")))
        owner, name = "{point}".split(".")
        setattr(dict(vars())[owner], name, die)
"""


@pytest.mark.parametrize("step", list(CRASHES))
def test_a_writer_killed_between_two_steps(place, step):
    """Whoever comes next finds all of what was refreshed or nothing of it, whole, and can go on."""
    point, kept = CRASHES[step]
    victim = start(place, CRASH.format(point=point))
    assert victim.communicate(timeout=120)[1] == ""
    assert victim.returncode == -9
    engine = place.open()
    wanted = ["first", "new"] if kept else ["first"]
    assert found_by_words(engine) == found_by_vector(engine) == wanted
    assert found_by_words(engine, "roof") == (["first"] if kept else [])
    assert engine.pending_work() == (("new",) if kept else ())
    assert engine.check() == ()
    put(engine, row("later"))
    assert found(engine) == sorted([*wanted, "later"])
    assert engine.check() == ()
    engine.close()


def test_a_rebuild_that_is_killed(place):
    """A folder that was half built again is not used."""
    script = """
        from store.embedded.derived import _Parts
        with engine.writer() as writer:
            _Parts._publish = die
            writer.rebuild()
    """
    victim = start(place, script)
    victim.communicate(timeout=120)
    assert victim.returncode == -9
    engine = place.open()
    assert found(engine) == ["first"]
    with engine.writer() as writer:
        writer.rebuild()
    assert (found(engine), engine.check()) == (["first"], ())
    engine.close()


def test_a_commit_that_is_killed(place):
    """Of a commit of several records there is all or nothing."""
    script = """
        from store.embedded.writing import EmbeddedWriter
        with engine.writer() as writer:
            EmbeddedWriter._store_table = die
            writer.commit([record("s", "a"), record("t", "b")])
    """
    victim = start(place, script)
    victim.communicate(timeout=120)
    assert victim.returncode == -9
    engine = place.open()
    assert (list(engine.series_keys()), engine.info().series) == ([], 0)
    with engine.writer() as writer:
        assert writer.commit([record("s", "a")]) == {"s": 1}
    engine.close()


def test_a_creation_that_is_killed(tmp_path):
    """A place where the making of an index was interrupted can be made an index."""
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "store.sqlite").write_bytes(b"")
    (tmp_path / "index" / "lock").write_bytes(b"")
    engine = Place("", tmp_path / "index")
    engine.url = str(engine.path)
    made = engine.make()
    put(made, row("a"))
    assert found(made) == ["a"]
    made.close()


def test_a_forked_child_stands_alone(place):
    """After a fork parent and child both search and write, with nothing carried over."""
    script = """
        assert found(engine) == ["first"]
        child = os.fork()
        if child == 0:
            assert found(engine) == ["first"]
            put(engine, row("child"))
            assert found(engine) == ["child", "first"]
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert found(engine) == ["child", "first"]
        put(engine, row("parent"))
        with engine.writer():
            child = os.fork()
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)
        assert found(engine) == ["child", "first", "parent"] and engine.check() == ()
        say("done")
    """
    assert finish(start(place, script)) == ["done"]


def test_a_writer_is_not_inherited(place):
    """In a forked child the parent's writer refuses, and leaves what the parent writes alone."""
    script = """
        from store.errors import StoreLockedError
        with engine.writer() as writer:
            writer.put([row("a")], vectors(row("a")))
            child = os.fork()
            if child:
                assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
                writer.put([row("b")], vectors(row("b")))
            else:
                try:
                    writer.remove(["a"])
                except StoreLockedError as error:
                    assert "must not be used after a fork" in str(error)
                    sys.exit(7)
        assert found(engine) == ["a", "b", "first"] and engine.check() == ()
        say("done")
    """
    assert finish(start(place, script)) == ["done"]


def test_a_lock_is_not_inherited(place):
    """A child that was forked while its parent wrote does not keep others from writing after that."""
    script = """
        with engine.writer():
            child = os.fork()
            if child == 0:
                hear()
                os._exit(0)
        put(engine, row("a"))
        say(",".join(found(engine)))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    """
    assert finish(start(place, script)) == ["a,first"]


def test_threads_share_an_engine(place):
    """Several threads search while another writes."""
    engine = place.open()
    errors = []

    def search():
        try:
            while len(found_by_words(engine)) < 9:
                found_by_vector(engine)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(8):
        put(engine, row(f"d{number}"))
    for thread in threads:
        thread.join(60)
    assert errors == []
    with engine.writer() as writer:
        writer.commit([record("s", "a")])
    engine.close()
