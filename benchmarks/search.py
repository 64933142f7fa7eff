"""Measure how fast stilltrue takes texts in and finds them, beside the parts that it stands on.

    python benchmarks/search.py                       100,000 passages of made text
    python benchmarks/search.py --passages 20000 --json
    python benchmarks/search.py --check               exit with 1 where a bound is not met

Search is asked in turn with tantivy's own query and numpy's bare product over the same passages, question by question,
so that a busy machine is busy for all three; medians are compared. Ingest and search each run in a process of their
own, one core each, whose peak memory is the figure.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any, Final

# One core: BLAS would else take all there are.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import corpus
import parts

import stilltrue
from mappings.interval import parse_moment
from store.embed import get_embedder
from store.opening import open_engine

# A filter that leaves about a tenth: one of four content types, at a day when under half was written.
FILTER: Final = {"content_type": ["policy"]}
FILTER_DAY: Final = "2019-06-30"
DEPTH: Final = 100
TIMES: Final = 7
_BATCH: Final = 2_000
_MB: Final = 1e6


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number; `bound` is the most, or with *least* the least, that is fine. None: only shown."""

    name: str
    value: float
    unit: str
    bound: float | None = None
    least: bool = False

    @property
    def met(self) -> bool:
        """Whether the bound holds."""
        if self.bound is None:
            return True
        return self.value >= self.bound if self.least else self.value <= self.bound


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    options = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="stilltrue-bench-") as place:
        figures = list(_measure(Path(place), options))
    for figure in figures:
        print(json.dumps(asdict(figure) | {"met": figure.met}) if options.json else _line(figure))
    return int(options.check and not all(figure.met for figure in figures))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="search.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=100_000, metavar="N", help="default: 100000")
    parser.add_argument("--questions", type=int, default=300, metavar="N", help="default: 300")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each figure")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is not met")
    return parser


def _measure(place: Path, options: argparse.Namespace) -> Iterator[Figure]:
    source, store = place / "made.jsonl", place / "store"
    made = corpus.write(source, passages=options.passages, questions=options.questions)
    taken = _apart(_take_in, str(source), str(store))
    passages = taken["passages"]
    yield Figure("passages", passages, "")
    yield Figure("ingest", passages / taken["cpu_s"], "passages/s of one core", 1_000, least=True)
    yield Figure("ingest, by the clock", passages / taken["wall_s"], "passages/s")
    yield Figure("ingest, peak memory", taken["peak_mb"], "MB", 1_000)
    yield Figure("disk", _size(store) / passages / 1e3, "kB a passage")
    yield Figure("text alone", source.stat().st_size / passages / 1e3, "kB a passage")
    yield Figure("search, peak memory", _apart(_only_search, str(store), made.questions)["peak_mb"], "MB", 1_000)
    for name, filtered in (("search", False), ("search, filtered", True)):
        yield from _compared(name, _apart(_search, str(store), made.questions, filtered))
    yield Figure("stilltrue --version", _timed_command("--version"), "s", 0.3)
    asked = _timed_command("search", made.questions[0], "--store", str(store))
    yield Figure("stilltrue search", asked, "s", 1.0)


def _compared(name: str, times: Mapping[str, list[float]]) -> Iterator[Figure]:
    ours, words, vectors = (median(times[part]) for part in ("ours", "words", "vectors"))
    yield Figure(f"{name}, p50", ours * 1e3, "ms")
    yield Figure(f"{name}, p95", quantiles(times["ours"], n=20)[-1] * 1e3, "ms")
    yield Figure(f"{name}, tantivy's query, p50", words * 1e3, "ms")
    yield Figure(f"{name}, numpy's product, p50", vectors * 1e3, "ms")
    yield Figure(f"{name}, p50 over the sum of both", ours / (words + vectors), "times", 3.0)


def _apart(work: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Run in a fresh process, so that memory is that of the work alone."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def _take_in(source: str, store: str) -> dict[str, Any]:
    wall, cpu = perf_counter(), process_time()
    with stilltrue.open(store) as index:
        report = index.ingest(source)
        if report.refused:
            raise RuntimeError(f"a made document was refused: {report.refused[0]}")
        spent = {"wall_s": perf_counter() - wall, "cpu_s": process_time() - cpu, "peak_mb": _peak_mb()}
        return spent | {"passages": index.status().info.passages}


def _only_search(store: str, questions: Sequence[str]) -> dict[str, Any]:
    with stilltrue.open(store) as index:
        for question in questions:
            index.search(question)
    return {"peak_mb": _peak_mb()}


def _search(store: str, questions: Sequence[str], filtered: bool) -> dict[str, Any]:
    """Ask each question of the three in turn, after a first round that warms them up."""
    passages = list(_passages(store))
    embedder = get_embedder("hashing")
    words = parts.Words(passages)
    vectors = parts.Vectors([f"{passage.title}\n{passage.text}" for passage in passages], embedder)
    times: dict[str, list[float]] = {"ours": [], "words": [], "vectors": []}
    with stilltrue.open(store) as index:
        options: dict[str, Any] = {"as_of": FILTER_DAY, "filters": FILTER} if filtered else {}
        where = parts.Filter("policy", parse_moment(FILTER_DAY).last) if filtered else None
        for warm, question in [(True, question) for question in questions[:20]] + [(False, q) for q in questions]:
            query, vector = words.query(question, where), embedder.embed([question])[0]
            found = {
                "ours": _seconds(lambda asked=question: index.search(asked, **options)),
                "words": _seconds(lambda asked=query: words.best(asked, DEPTH)),
                "vectors": _seconds(lambda asked=vector: vectors.product(asked)),
            }
            for part, spent in found.items():
                if not warm:
                    times[part].append(spent)
    return times


def _passages(store: str) -> Iterator[parts.Passage]:
    """Yield all passages of an index, as the parts take them."""
    engine = open_engine(store)
    keys = list(engine.series_keys())
    for start in range(0, len(keys), _BATCH):
        stored = engine.stored(keys[start : start + _BATCH])
        texts = engine.texts(list(stored))
        for name, row in stored.items():
            shown = texts[name]
            title = f"{shown.title} {shown.section}"
            yield parts.Passage(title, shown.text, row.content_type, row.stamps.observed, row.stamps.closed)
    engine.close()


def _timed_command(*arguments: str) -> float:
    """Return the median seconds of a command, from its start to its end."""
    command = [str(Path(sys.executable).with_name("stilltrue")), *arguments]
    times = []
    for _ in range(TIMES):
        started = perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(perf_counter() - started)
    return median(times)


def _seconds(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts in kB, macOS in bytes.
    return peak / _MB if sys.platform == "darwin" else peak * 1024 / _MB


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _line(figure: Figure) -> str:
    if figure.bound is None:
        return f"{figure.name:40} {figure.value:12,.3f} {figure.unit}"
    word, mark = "at least" if figure.least else "at most", "" if figure.met else "   NOT MET"
    return f"{figure.name:40} {figure.value:12,.3f} {figure.unit:24} {word} {figure.bound:,g}{mark}"


if __name__ == "__main__":
    sys.exit(main())
