"""Measure what stilltrue finds, on folders of dated documents and questions, beside the simple ways to do it.

    python benchmarks/quality.py FOLDER...                    a folder is a set, or holds sets
    python benchmarks/quality.py FOLDER... --json             a line a set, track and surface
    python benchmarks/quality.py FOLDER... --gates --bars search --against benchmarks/figures.jsonl

Each set goes in through `stilltrue.open(...).ingest(...)`; each question is asked on its own day by a clock that stands
there, as of the moment that it gives beside its words, if any. Nothing else of it or of its answer reaches the product.

Exit codes: 0 fine, 1 a gate or a bar is not met or a document was refused, 2 wrong use.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

# One core a job: figures of speed are then those of one core, and jobs do not fight.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import bars
import tables
import verdicts
from cells import Cell, cells
from runner import PRODUCT, Run, run
from sets import SURFACES, TRACKS, find

FINE, FINDING, WRONG_USE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    options = _parser().parse_args(arguments)
    if options.reliability:
        embedder = ["--embedder", options.embedder] if options.embedder else []
        return verdicts.main([*map(str, options.folder), *embedder, *(["--json"] if options.json else [])])
    try:
        folders = find(options.folder)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return WRONG_USE
    runs = list(_runs(folders, options))
    measured = cells(runs)
    for line in _lines(runs, measured, options):
        print(line)
    if options.save:
        _save(runs, options.save)
    unmet = [finding.text for finding in _findings(measured, options) if not finding.met]
    refused = [f"{run.name}, {run.track}: refused {line}" for run in runs for line in run.refused]
    for text in chain(unmet, refused):
        print(f"FAILS {text}", file=sys.stderr)
    return FINDING if unmet or refused else FINE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="quality.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--track", action="append", choices=TRACKS, help="default: both, one after the other")
    parser.add_argument("--surface", action="append", choices=SURFACES, help="default: all")
    parser.add_argument("--embedder", metavar="NAME", help="default: that of the settings")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="sets at a time (default: 1)")
    parser.add_argument("--json", action="store_true", help="JSON lines in place of the table")
    parser.add_argument("--reliability", action="store_true", help="Hit@1 by tier of confidence, as verdicts.py does")
    parser.add_argument("--by-kind", action="store_true", help="tell the kinds of questions apart")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="print up to N misses a set and surface")
    parser.add_argument("--gates", action="store_true", help="exit with 1 where a gate is not met")
    steps = ", ".join(bars.STEPS)
    parser.add_argument(
        "--bars", action="append", default=[], choices=tuple(bars.STEPS), metavar="STEP", help=f"of {steps}"
    )
    parser.add_argument("--against", type=Path, metavar="FILE", help="an earlier --json: no figure may fall")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="keep the rankings, a file a set and track")
    return parser


def _runs(folders: Sequence[Path], options: argparse.Namespace) -> Iterator[Run]:
    surfaces = tuple(options.surface or SURFACES)
    one = partial(_run, surfaces=surfaces, embedder=options.embedder)
    work = [(folder, track) for track in options.track or TRACKS for folder in folders]
    if options.jobs <= 1:
        results: Iterable[Run] = map(one, work)
        yield from _told(results, len(work))
    else:
        with ProcessPoolExecutor(options.jobs) as pool:
            yield from _told(pool.map(one, work), len(work))


def _run(work: tuple[Path, str], *, surfaces: Sequence[str], embedder: str | None) -> Run:
    folder, track = work
    return run(folder, track, surfaces=surfaces, embedder=embedder)


def _told(runs: Iterable[Run], total: int) -> Iterator[Run]:
    """Pass runs on, and say on stderr how far it is."""
    for number, one in enumerate(runs, start=1):
        each = f"{one.passages / one.ingest_s:,.0f} passages/s" if one.ingest_s else "-"
        asked = f"{one.ask_s / len(one.answers) * 1e3:.1f} ms a question" if one.answers else "no question"
        head = f"[{number}/{total}] {one.name}, {one.track}:"
        print(f"{head} {one.documents:,} documents, {one.passages:,} passages, {each}, {asked}", file=sys.stderr)
        yield one


def _lines(runs: Sequence[Run], measured: Sequence[Cell], options: argparse.Namespace) -> Iterator[str]:
    if options.json:
        yield from (json.dumps(_rounded(cell.to_json())) for cell in measured)
    else:
        yield from tables.table(measured)
        if options.by_kind:
            yield from tables.table(cells(runs, by_kind=True))
    yield from tables.misses(runs, options.misses)


def _rounded(line: dict[str, Any]) -> dict[str, Any]:
    return {key: round(value, 6) if isinstance(value, float) else value for key, value in line.items()}


def _findings(measured: Sequence[Cell], options: argparse.Namespace) -> Iterator[bars.Finding]:
    if options.gates:
        yield from bars.check_gates(measured)
    for step in options.bars:
        yield from bars.check_bars(measured, step)
    if options.against:
        lines = options.against.read_text(encoding="utf-8").splitlines()
        yield from bars.check_falls(measured, [json.loads(line) for line in lines if line.startswith("{")])


def _save(runs: Iterable[Run], folder: Path) -> None:
    """Write rankings as lines of {"qid", "ranked"}."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in runs:
        rows = ({"qid": a.query.qid, "ranked": a.rankings[PRODUCT]} for a in one.answers)
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{one.name}.{one.track}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
