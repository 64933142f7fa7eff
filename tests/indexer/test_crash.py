"""A run that dies: the next one finishes its work, nothing is lost or double, and no answer sees half a version."""

import os
import random
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from indexer.ingest import ingest
from indexer.settings import IngestSettings
from indexer.sources.jsonl import JsonLines
from indexer.verify import verify
from tests.conftest import NOW
from tests.indexer.arrivals import EMBEDDER, LENIENT, changes_of, live_passages, open_index, state_of, take
from tests.indexer.conftest import quick_folder
from tests.mappings.worlds import document, observation

BEFORE = {
    "a": document(observation("A", 1), observation("B", 5), readers=("ann",)),
    "b": document(observation("A", 2)),
    "c": document(observation("C", 3), series="r"),
}
# A new version, a late one, an end, a link into another record, wider readers: every step of a write has work.
AFTER = {
    "a": document(observation("C", 9), observation("A", 3), readers=()),
    "b": document(observation("B", 4, supersedes=("c",)), ends=[8]),
    "d": document(observation("B", 6), series="r"),
}
STEPS = ("begin_work", "keep_contents", "put", "stamp", "set_readers", "refresh", "commit", "remove", "finish_work")
QUESTIONS = [(t, t, reader) for t in (2, 4, 6, 8, 10) for reader in ((), ("ann",))]
# begin, texts, put, stamps, readers, visible, commit, stamps, readers, remove, visible, finish
STEPS_OF_A_WRITE = 12
# What was made visible before the crash is found begun and not finished.
BETWEEN_VISIBLE_AND_DONE = range(6, 11)
REPO = Path(__file__).resolve().parents[2]


class Crash(BaseException):
    """Stands for the end of the process."""


class Fused:
    """A writer that dies before its n-th step."""

    def __init__(self, writer, steps_left):
        self._writer, self._left = writer, steps_left

    def __getattr__(self, name):
        inner = getattr(self._writer, name)
        if name not in STEPS:
            return inner

        def step(*args):
            if self._left == 0:
                raise Crash(name)
            self._left -= 1
            return inner(*args)

        return step


class FusedEngine:
    """An engine whose writer dies before its n-th step; all else is the engine's."""

    def __init__(self, engine, steps_left):
        self._engine, self._steps_left = engine, steps_left

    def __getattr__(self, name):
        return getattr(self._engine, name)

    @contextmanager
    def writer(self, *, wait_s=0.0):
        with self._engine.writer(wait_s=wait_s) as writer:
            yield Fused(writer, self._steps_left)


def answers(engine):
    return [live_passages(engine, *question) for question in QUESTIONS]


@pytest.fixture(scope="module")
def states():
    """Give the folder before the write, and answers and state before and after it."""
    with quick_folder() as folder:
        yield _states(folder)


def _states(folder):
    engine = open_index(folder / "base")
    take(engine, [changes_of(BEFORE)])
    before = answers(engine)
    engine.close()
    shutil.copytree(folder / "base", folder / "done")
    engine = open_index(folder / "done")
    take(engine, [changes_of(AFTER)])
    after, state = answers(engine), state_of(engine)
    engine.close()
    return folder / "base", before, after, state


@pytest.mark.slow
@pytest.mark.parametrize("steps", range(STEPS_OF_A_WRITE + 1))
def test_crash_between_two_steps_is_finished_by_the_next_run(quick_path, states, steps):
    """Whatever step was the last: answers are those of before or after, and the next run brings the rest."""
    base, before, after, state = states
    shutil.copytree(base, quick_path / "index")
    engine = open_index(quick_path / "index")
    died = False
    try:
        take(FusedEngine(engine, steps), [changes_of(AFTER)])
    except Crash:
        died = True
    assert answers(engine) in (before, after)
    engine.close()
    engine = open_index(quick_path / "index")
    assert answers(engine) in (before, after)
    report = ingest(engine, [], LENIENT, embedder=EMBEDDER, now=NOW)
    assert report.mended > 0 or steps not in BETWEEN_VISIBLE_AND_DONE
    assert verify(engine, LENIENT).differences == ()
    assert answers(engine) in (before, after)
    take(engine, [changes_of(AFTER)])
    assert (answers(engine), state_of(engine)) == (after, state)
    assert verify(engine, LENIENT).differences == ()
    engine.close()
    assert died is (steps < STEPS_OF_A_WRITE)


# Loads everything once; then, for each line "index source", a child ingests and this one tells how it ended.
DRIVER = """
import os
import sys
from tests.conftest import NOW
import indexer.ingest
from indexer.settings import IngestSettings
from indexer.sources.jsonl import JsonLines
from tests.indexer.arrivals import EMBEDDER, open_index
indexer.ingest.BATCH_DOCUMENTS = 16
for line in sys.stdin:
    index, source = line.split()
    child = os.fork()
    if child == 0:
        engine = open_index(index)
        indexer.ingest.ingest(engine, JsonLines(source), IngestSettings(), embedder=EMBEDDER, now=NOW)
        engine.close()
        os._exit(0)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@contextmanager
def driver():
    """Give a function that begins a run, kills it after a while and returns how it ended (0: it had finished)."""
    command = [sys.executable, "-c", DRIVER]
    with subprocess.Popen(command, cwd=REPO, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None
        assert stdout is not None

        def run(index, source, delay):
            stdin.write(f"{index} {source}\n")
            stdin.flush()
            child = int(stdout.readline())
            select.select([stdout], [], [], delay)
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            return int(stdout.readline())

        yield run
        stdin.close()


def write_source(path, documents=240):
    """Write versions of pages, some of which replace one another, in the order of their dates."""
    lines = []
    for i in range(documents):
        page, day = i % 40, 1 + i // 40
        body = " ".join(f"word{(i * 7 + j) % 97}" for j in range(60))
        lines.append(
            f'{{"id": "page/{page}", "series": "set/{page % 20}", "title": "Page {page}", '
            f'"text": "# Fixed\\n\\nalways the same {page}\\n\\n# News\\n\\n{body}", '
            f'"observed_at": "2024-01-{day:02d}"}}\n'
        )
    path.write_text("".join(lines))


def kill_many_times(folder, times):
    source = folder / "docs.jsonl"
    write_source(source)
    clean = open_index(folder / "clean")
    began = time.perf_counter()
    ingest(clean, JsonLines(source), IngestSettings(), embedder=EMBEDDER, now=NOW)
    whole_run_s = time.perf_counter() - began
    expected = state_of(clean)
    known = {version.version_id for line in clean.timelines(clean.series_keys()).values() for version in line.versions}
    pick = random.Random(7)
    killed = 0
    with driver() as run:
        for round_ in range(times):
            index = folder / f"index{round_}"
            for _ in range(3):
                killed += run(index, source, pick.random() * whole_run_s) == -signal.SIGKILL
                engine = open_index(index)
                for key in engine.series_keys():  # what is there is whole: each version has all its passages
                    line = engine.timelines([key])[key]
                    assert {version.version_id for version in line.versions} <= known
                    assert set(line.record.passages) <= set(engine.stored([key]))
                engine.close()
            engine = open_index(index)
            ingest(engine, JsonLines(source), IngestSettings(), embedder=EMBEDDER, now=NOW)
            assert state_of(engine)["passages"] == expected["passages"]
            assert state_of(engine)["records"] == expected["records"]
            assert verify(engine, IngestSettings()).differences == ()
            engine.close()
    clean.close()
    return killed


@pytest.mark.slow
def test_killed_at_random_moments(quick_path):
    """Killed three times a round at random moments, the last run ends where an undisturbed one does."""
    assert kill_many_times(quick_path, 8) >= 20


@pytest.mark.soak
def test_killed_two_hundred_times(quick_path):
    """The same for as long as it takes."""
    assert kill_many_times(quick_path, 80) >= 200
