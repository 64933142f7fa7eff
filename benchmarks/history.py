"""Measure how fast a git history is read and taken in, and how little of it is stored twice.

    python benchmarks/history.py                    2,000 generated commits
    python benchmarks/history.py --commits 500 --json
    python benchmarks/history.py --repository PATH  somebody's repository
    python benchmarks/history.py --check            exit with 1 where a bound is not met

Seconds are of this process's own core time, so that a busy machine does not show. What embedding takes is measured and
left out of the rate of ingest.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, process_time

# One core: BLAS would else take all there are.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from indexer.settings import IngestSettings
from indexer.sources.base import RawDocument
from indexer.sources.git import GitHistory
from indexer.sources.opening import SourceRequest
from indexer.taking import take_source
from mappings.interval import parse_moment
from store.embed import Embedder, get_embedder, identity
from store.engine import Engine, Vector
from store.opening import open_engine
from tests.indexer.sources.bigrepo import generate

NOW = parse_moment("2026-01-01").start


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
        """Whether the number is within its bound."""
        if self.bound is None:
            return True
        return self.value >= self.bound if self.least else self.value <= self.bound


class Timed:
    """An embedder that counts the core time that it takes."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.seconds = 0.0

    def embed(self, texts: Sequence[str]) -> Vector:
        """Embed, and count."""
        begun = process_time()
        try:
            return self._inner.embed(texts)
        finally:
            self.seconds += process_time() - begun

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)


def measure(path: Path, store: Path) -> Iterator[Figure]:
    """Yield the figures of one repository."""
    begun = process_time()
    versions = sum(isinstance(item, RawDocument) for item in GitHistory(path))
    yield Figure("file-versions", versions, "")
    yield Figure("reading alone", versions / (process_time() - begun), "versions/s", 300, least=True)
    embedder = Timed(get_embedder("hashing"))
    engine = open_engine(str(store), embedder=identity(embedder), create=True)  # type: ignore[arg-type]
    begun = process_time()
    take(engine, path, embedder)
    took = process_time() - begun
    yield Figure("ingest, without embedding", versions / (took - embedder.seconds), "versions/s", 300, least=True)
    yield Figure("ingest, with embedding", versions / took, "versions/s")
    begun = perf_counter()
    take(engine, path, embedder)
    yield Figure("again, nothing new", perf_counter() - begun, "s", 1)
    stored, distinct = passages(engine)
    yield Figure("passages", stored, "")
    yield Figure("passages to distinct passages", stored / max(1, distinct), "x", 1.5)
    size = sum(file.stat().st_size for file in store.rglob("*") if file.is_file())
    yield Figure("on disk, a passage", size / max(1, stored), "bytes")


def take(engine: Engine, path: Path, embedder: Timed) -> None:
    """Ingest a history, or what is new of it."""
    request = SourceRequest(f"git+{path}")
    take_source(engine, request, IngestSettings(), embedder=embedder, now=NOW)  # type: ignore[arg-type]


def passages(engine: Engine) -> tuple[int, int]:
    """Return how many passages are stored, and how many different ones (title, section, text) there are."""
    stored = engine.stored(engine.series_keys())
    texts = engine.texts(sorted(stored))
    return len(stored), len({(text.title, text.section, text.text) for text in texts.values()})


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure how fast a git history is taken in.")
    parser.add_argument("--commits", type=int, default=2_000)
    parser.add_argument("--repository", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = options.repository or generate(Path(folder) / "made.git", commits=options.commits).path
        figures = list(measure(path, Path(folder) / "store"))
    for figure in figures:
        if options.json:
            print(json.dumps({**asdict(figure), "met": figure.met}))
            continue
        bound = "" if figure.bound is None else f"   {'at least' if figure.least else 'at most'} {figure.bound:,g}"
        print(f"{figure.name:32}{figure.value:14,.2f} {figure.unit:12}{bound}{'' if figure.met else '   NOT MET'}")
    return int(options.check and not all(figure.met for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
