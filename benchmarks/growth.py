"""Measure how the cost of ingest and search grows with the number of passages, beside SQLite's own full-text index.

    python benchmarks/growth.py                          10,000 to 100,000 passages
    python benchmarks/growth.py --sizes 5000 20000 --json

Cost ~ passages ** exponent, fitted by least squares over the sizes on logarithmic axes: 1.0 grows like the passages.
FTS5 takes the same analysed terms and the same questions in the same process. Ingest is time of one core; search is
the median by the clock, asked in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

# One core: BLAS would else take all there are.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import corpus
import numpy as np

import stilltrue
from store.analysis import analyze

SIZES = (10_000, 30_000, 100_000)
QUESTIONS = 100
DEPTH = 100


@dataclass(frozen=True, slots=True)
class Row:
    """What one size cost: seconds of one core for all passages, milliseconds for a question at the median."""

    passages: int
    ingest_s: float
    fts5_ingest_s: float
    search_ms: float
    fts5_search_ms: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), metavar="N", help="passages, two or more")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each size, then the exponents")
    options = parser.parse_args(arguments)
    rows = [measure(size) for size in sorted(options.sizes)]
    exponents = {name: exponent(rows, name) for name in list(asdict(rows[0]))[1:]}
    for row in rows:
        print(json.dumps(asdict(row)) if options.json else _line(row))
    print(json.dumps({"exponents": exponents}) if options.json else _exponents(exponents))
    return 0


def measure(passages: int) -> Row:
    """Take made texts in and ask them, stilltrue and FTS5 alike."""
    with tempfile.TemporaryDirectory(prefix="stilltrue-bench-") as place:
        source = Path(place) / "made.jsonl"
        questions = corpus.write(source, passages=passages, questions=QUESTIONS).questions
        with stilltrue.open(str(Path(place) / "store")) as index:
            started = process_time()
            index.ingest(source)
            ingested = process_time() - started
            stored = index.status().info.passages
            table, fts5_ingested = _fill(source, Path(place) / "fts5.sqlite")
            ours, theirs = [], []
            for question in questions:
                ours.append(_seconds(partial(index.search, question)))
                theirs.append(_seconds(partial(_match, table, question)))
            table.close()
    # The first questions open files and fill caches.
    warm = slice(len(questions) // 10, None)
    return Row(stored, ingested, fts5_ingested, median(ours[warm]) * 1e3, median(theirs[warm]) * 1e3)


def exponent(rows: Sequence[Row], name: str) -> float:
    """Return b of cost ~ passages ** b by least squares on logarithmic axes."""
    sizes = np.log([row.passages for row in rows])
    costs = np.log([getattr(row, name) for row in rows])
    return float(np.polyfit(sizes, costs, 1)[0])


def _fill(source: Path, path: Path) -> tuple[sqlite3.Connection, float]:
    """Return a full-text table of the same texts, cut as they are written, and what it cost with their analysis."""
    table = sqlite3.connect(path)
    table.execute("CREATE VIRTUAL TABLE texts USING fts5(title, body, tokenize = 'unicode61 remove_diacritics 0')")
    started = process_time()
    with source.open(encoding="utf-8") as lines:
        documents = map(json.loads, lines)
        rows = ((" ".join(analyze(d["title"])), " ".join(analyze(d["text"]))) for d in documents)
        table.executemany("INSERT INTO texts VALUES (?, ?)", rows)
    table.commit()
    return table, process_time() - started


def _match(table: sqlite3.Connection, question: str) -> list[tuple[int]]:
    query = " OR ".join(f'"{term}"' for term in dict.fromkeys(analyze(question)))
    return table.execute(
        "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 5.0, 1.0) LIMIT ?", (query, DEPTH)
    ).fetchall()


def _seconds(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def _line(row: Row) -> str:
    return (
        f"{row.passages:>9,} passages: ingest {row.ingest_s:7.1f} s, FTS5 {row.fts5_ingest_s:6.1f} s;"
        f" search {row.search_ms:6.1f} ms, FTS5 {row.fts5_search_ms:6.1f} ms"
    )


def _exponents(exponents: dict[str, float]) -> str:
    return "exponents: " + ", ".join(f"{name} {value:.2f}" for name, value in exponents.items())


if __name__ == "__main__":
    sys.exit(main())
