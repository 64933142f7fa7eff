"""Measure what the core takes to rank candidates, beside the bare arithmetic and beside the formula written plainly.

    python benchmarks/speed.py                  20 to 100,000 candidates
    python benchmarks/speed.py --json           a line of JSON for each size
    python benchmarks/speed.py --check          exit with 1 where a bound is not met

columns   `rank_channel`: terms counted and cosines known, to the order of all and a page of ten: relevance, rates of
          each content type, age, events under way, gates, order, at most three passages of a document
objects   the same with a page of a hundred, what is said of the answer, and the page as hits, each explained
numpy     the same arithmetic for one question written out over ready arrays, without ids, kinds, states or reasons
obvious   temporal-rag's additive formula as one writes it first: each document looks at the whole pool. It grows with
          the square and is measured to a thousand

All take turns on the same candidates, each once to warm up and once for the figure, in core time of this process;
medians are compared.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final

# One core: BLAS would else take all there are.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from made_pool import Made, make

from reranker.hits import hits
from reranker.judgement import judge
from reranker.ranking import Cut, rank_channel

SIZES: Final = (20, 100, 1_000, 10_000, 100_000)
PAGE: Final = 10
EXPLAINED: Final = 100
# Squared growth: ten thousand would take a minute a turn.
OBVIOUS_TO: Final = 1_000
# Growth is told from here on; below, what a call costs whatever it ranks would flatter it.
GROWTH_FROM: Final = 1_000
# Turns of each size: enough for a steady median within seconds.
TURNS: Final = {20: 201, 100: 201, 1_000: 101, 10_000: 41, 100_000: 9}
OBVIOUS_TURNS: Final = 3


@dataclass(frozen=True, slots=True)
class Row:
    """Medians of one size, in ms; None: not measured."""

    n: int
    columns_ms: float
    objects_ms: float
    numpy_ms: float
    obvious_ms: float | None


@dataclass(frozen=True, slots=True)
class Bound:
    """One ratio that is held; with *least* the bound is the least that is fine, else the most."""

    name: str
    value: float
    bound: float
    least: bool = False

    @property
    def met(self) -> bool:
        """Whether the bound holds."""
        return self.value >= self.bound if self.least else self.value <= self.bound


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    options = _parser().parse_args(arguments)
    rows = []
    for n in options.sizes:
        rows.append(measure(make(n), options.turns or TURNS.get(n, 9)))
        print(_line(rows[-1], options), flush=True)
    held = bounds(rows)
    if not options.json:
        print("\n".join(_said(bound) for bound in held))
    return int(options.check and not all(bound.met for bound in held))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="speed.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="default: 20 to 100000")
    parser.add_argument("--turns", type=int, metavar="N", help="of each size; default: 201 to 9")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each size")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is not met")
    return parser


def measure(made: Made, turns: int) -> Row:
    """Let each way take its turns."""
    ways: dict[str, Callable[[], object]] = {
        "columns": lambda: columns(made),
        "objects": lambda: objects(made),
        "numpy": made.arithmetic,
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(turns):
        for name, way in ways.items():
            way()  # what the others left in the caches is theirs
            times[name].append(_ms(way))
    n = len(made.pool)
    obvious = median(_ms(made.obvious) for _ in range(OBVIOUS_TURNS)) if n <= OBVIOUS_TO else None
    return Row(n, median(times["columns"]), median(times["objects"]), median(times["numpy"]), obvious)


def columns(made: Made) -> list[int]:
    """Rank from columns; return the positions on the page."""
    return list(rank_channel(made.question, made.pool, made.tuning, cut=Cut(PAGE)).page)


def objects(made: Made) -> list[float]:
    """Rank, judge, and make hits with their explanations; return the explained scores."""
    ranked = rank_channel(made.question, made.pool, made.tuning, cut=Cut(EXPLAINED))
    return [hit.explanation.value for hit in hits(ranked, made.texts, judge(ranked))]


def bounds(rows: Sequence[Row]) -> list[Bound]:
    """Return the ratios that are held, of the sizes that were measured."""
    by_size = {row.n: row for row in rows}
    held = [
        Bound(f"columns over numpy, {n:,}", by_size[n].columns_ms / by_size[n].numpy_ms, most)
        for n, most in ((100, 5.0), (1_000, 5.0), (10_000, 3.0))
        if n in by_size
    ]
    thousand = by_size.get(1_000)
    if thousand is not None and thousand.obvious_ms is not None:
        slower = thousand.obvious_ms / thousand.columns_ms
        held.append(Bound("objects over numpy, 1,000", thousand.objects_ms / thousand.numpy_ms, 60.0))
        held.append(Bound("obvious over columns, 1,000", slower, 500.0, least=True))
    grown = growth({row.n: row.columns_ms for row in rows if row.n >= GROWTH_FROM})
    return held if grown is None else [*held, Bound("exponent of growth, from 1,000", grown, 1.1)]


def growth(times: Mapping[int, float]) -> float | None:
    """Return the exponent e of time ~ n ** e by least squares of the logarithms; None of fewer than two sizes."""
    if len(times) < 2:
        return None
    points = [(math.log(n), math.log(ms)) for n, ms in times.items()]
    x, y = (sum(point[at] for point in points) / len(points) for at in (0, 1))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def _ms(work: Callable[[], object]) -> float:
    started = process_time()
    work()
    return (process_time() - started) * 1e3


def _line(row: Row, options: argparse.Namespace) -> str:
    if options.json:
        return json.dumps(asdict(row))
    head = f"{'candidates':>10} {'columns':>12} {'objects':>12} {'numpy':>12} {'obvious':>12}   ms\n"
    obvious = "-" if row.obvious_ms is None else f"{row.obvious_ms:,.3f}"
    figures = f"{row.n:>10,} {row.columns_ms:12,.3f} {row.objects_ms:12,.3f} {row.numpy_ms:12,.3f} {obvious:>12}"
    ratios = f"   columns {row.columns_ms / row.numpy_ms:.1f} x numpy, objects {row.objects_ms / row.numpy_ms:.1f} x"
    return (head if row.n == options.sizes[0] else "") + figures + ratios


def _said(bound: Bound) -> str:
    word, mark = "at least" if bound.least else "at most", "" if bound.met else "   NOT MET"
    return f"{bound.name:34} {bound.value:10,.2f}   {word} {bound.bound:g}{mark}"


if __name__ == "__main__":
    sys.exit(main())
