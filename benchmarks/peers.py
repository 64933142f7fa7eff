"""Measure what a user would pick instead, from its package, on the same sets with the same passages and vectors.

    pip install -c benchmarks/peers.txt -e '.[peers]'
    python benchmarks/peers.py FOLDER...            a folder is a set, or holds sets
    python benchmarks/peers.py FOLDER... --by-set   a row for each set too
    python benchmarks/peers.py FOLDER... --json     a line a set, surface and system

Each set goes in through `stilltrue.open(...).ingest(...)` with all that it records; ours is asked as by
`benchmarks/quality.py`, the peers of `rankers` rank the passages of the same index. See there for what each is given.

Exit codes: 0 fine, 2 wrong use or a package is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

# One core: BLAS would else take all there are.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import baselines
import rankers
import shelf
from cells import LEAST_QUERIES, Cell, Figures, cells, macro
from measures import MEASURES, measure

# What search.py measures its speed beside.
from parts import Filter as Filter
from parts import Passage as Passage
from parts import Vectors as Vectors
from parts import Words as Words
from runner import PRODUCT, Answer, Clock, Run, ask, settings_with
from sets import BenchSet, find, load

import stilltrue
from store.embed import get_embedder
from store.opening import open_engine

FINE, WRONG_USE = 0, 2
SURFACES: Final = ("parameter", "current")
TRACK: Final = "given"
_WIDE: Final = 18


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison and return the exit code."""
    options = _parser().parse_args(arguments)
    missing = rankers.missing()
    if missing:
        print(f"packages are missing: {', '.join(missing)}; {rankers.INSTALL}", file=sys.stderr)
        return WRONG_USE
    try:
        folders = find(options.folder)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return WRONG_USE
    measured: list[Cell] = []
    for number, folder in enumerate(folders, start=1):
        measured += cells([run(load(folder), options.surface or SURFACES)])
        print(f"[{number}/{len(folders)}] {folder.name}", file=sys.stderr)
    for line in _json(measured) if options.json else _tables(measured, by_set=options.by_set):
        print(line)
    return FINE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="peers.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--surface", action="append", choices=SURFACES, help="default: both")
    parser.add_argument("--by-set", action="store_true", help="a row for each set too")
    parser.add_argument("--json", action="store_true", help="JSON lines in place of the tables")
    return parser


def run(bench: BenchSet, surfaces: Sequence[str]) -> Run:
    """Take a set in, and let ours and every peer answer its questions."""
    embedder, queries = get_embedder("hashing"), [query for query in bench.queries if query.surface in surfaces]
    with tempfile.TemporaryDirectory(prefix="stilltrue-bench-") as place:
        source, store, clock = Path(place) / f"{bench.name}.jsonl.gz", Path(place) / "store", Clock()
        bench.write(source, TRACK)
        with stilltrue.Index(str(store), settings=settings_with("hashing"), clock=clock) as index:
            report = index.ingest(str(source))
            rankings = [{PRODUCT: ask(index, query, clock)[PRODUCT]} for query in queries]
        dated = {name: row.observed for name, row in baselines.read(bench.documents).items()}
        passages = shelf.fill(open_engine(str(store)), dated, embedder)
    others, answers = rankers.rankers(passages), []
    for query, ranked in zip(queries, rankings, strict=True):
        asked = passages.ask(query.text, embedder, baselines.last_second(query.moment))
        ranked |= {name: rank(asked) for name, rank in others.items()}
        values = {name: measure(query, docs, bench.observed()) for name, docs in ranked.items()}
        answers.append(Answer(query, ranked, values))
    refused = tuple(str(refusal) for refusal in report.refused)
    counts = len(bench.documents), len(passages.doc_ids)
    return Run(bench.name, TRACK, tuple(answers), *counts, refused=refused, ingest_s=0.0, ask_s=0.0)


def _json(measured: Sequence[Cell]) -> Iterator[str]:
    for cell in measured:
        for system, figures in cell.figures.items():
            named = {"set": cell.name, "surface": cell.surface, "n": cell.n, "system": system}
            yield json.dumps(named | {name: figures[name] for name in MEASURES})


def _tables(measured: Sequence[Cell], *, by_set: bool) -> Iterator[str]:
    """Yield the means over sets, a table a surface."""
    for surface in SURFACES:
        part = [cell for cell in measured if cell.surface == surface]
        large = [cell for cell in part if cell.n >= LEAST_QUERIES] or part
        if not part:
            continue
        yield f"\n{surface}: {sum(cell.n for cell in large)} questions of {len(large)} sets, each set counting once"
        yield f"{'':{_WIDE}}{'Hit@1':>8}{'nDCG@10':>9}{'WrongVersion@1':>16}{'FutureLeak@10':>15}"
        for system in part[0].figures:
            yield _row(system, macro(large, system) if len(large) > 1 else large[0].figures[system])
            for cell in part if by_set else ():
                yield _row(f"  {cell.name}"[: _WIDE - 1], cell.figures[system])


def _row(name: str, row: Figures) -> str:
    shown = ((row["hit_1"], 8), (row["ndcg_10"], 9), (row["wrong_version_1"], 16), (row["future_leak_10"], 15))
    return f"{name:{_WIDE}}" + "".join(f"{'-' if value is None else f'{value:.3f}':>{width}}" for value, width in shown)


if __name__ == "__main__":
    sys.exit(main())
