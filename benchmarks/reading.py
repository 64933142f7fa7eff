"""Measure what reading the time in a question costs, beside dateparser's own parse of the dates in it.

    python benchmarks/reading.py [--json] [--check]

Ratios within one run, of processor time, so that a busy machine does not count: a question over dateparser's parse of
its leaf dates (at most 3); the 99th percentile over the median of 10,000 random questions (at most 20); and the
exponent of growth from 10 kB to 100 kB of text.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import string
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from time import process_time

from dateparser.date import DateDataParser

from mappings.interval import DAY, parse_moment
from reranker.timewords import Releases, read

NOW = parse_moment("2025-06-18T10:00:00Z").start
RELEASES = Releases.of([("", f"2.{number}", number * DAY) for number in range(60)])
QUESTIONS = (
    ("what was the refund policy in March 2022", ["March 2022"]),
    ("who approved travel expenses between January 5th 2015 and 2018-05-01", ["January 5th 2015", "2018-05-01"]),
    ("retention of audit logs since last month", ["last month"]),
    ("incident reports for the payment service two weeks ago", ["two weeks ago"]),
    ("which rules held on 22/Jan/2019 for contractors", ["22/Jan/2019"]),
)
UNITS = ("first day of ", '"in 2019" ', "in 2.11 ", "how do refunds work ")
WORDS = ("in", "since", "2019", "May", "last", "week", "of", "3.12", "Q3", "between", "and", "refund", "early", "the")


@dataclass(frozen=True, slots=True)
class Figure:
    """One ratio, and the most that is fine; None: only shown."""

    name: str
    value: float
    bound: float | None = None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="a line of JSON for each figure")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is not met")
    options = parser.parse_args(arguments)
    figures = [*_beside_dateparser(), _spread(), *_growth()]
    for figure in figures:
        bound = "" if figure.bound is None else f"at most {figure.bound:g}"
        print(json.dumps(asdict(figure)) if options.json else f"{figure.name:70} {figure.value:8.2f} {bound}")
    return int(options.check and any(f.bound is not None and f.value > f.bound for f in figures))


def _beside_dateparser() -> Iterator[Figure]:
    parser = DateDataParser(languages=["en"])
    for text, leaves in QUESTIONS:
        ours = _median(lambda asked=text: read(asked, now=NOW))
        theirs = _median(lambda parts=leaves: [parser.get_date_data(leaf) for leaf in parts])
        yield Figure(f"question over its dates: {text[:44]}", ours / theirs, 3.0)


def _spread() -> Figure:
    source = random.Random(20251130)
    texts = [" ".join(source.choices(WORDS, k=source.randint(1, 12))) for _ in range(5_000)]
    texts += ["".join(source.choices(string.printable, k=source.randint(1, 80))) for _ in range(5_000)]
    spent = [_seconds(lambda asked=text: read(asked, now=NOW, releases=RELEASES)) for text in texts]
    name = "99th percentile over the median, 10,000 random questions"
    return Figure(name, quantiles(spent, n=100)[98] / median(spent), 20.0)


def _growth() -> Iterator[Figure]:
    for unit in UNITS:
        short, long = (unit * (size // len(unit)) for size in (10_000, 100_000))
        brief = _median(lambda asked=short: read(asked, now=NOW, releases=RELEASES), 5)
        whole = _median(lambda asked=long: read(asked, now=NOW, releases=RELEASES), 3)
        yield Figure(f"exponent of growth to 100 kB of {unit.strip()!r}", math.log10(whole / brief))


def _median(work: Callable[[], object], times: int = 31) -> float:
    return median(_seconds(work) for _ in range(times))


def _seconds(work: Callable[[], object]) -> float:
    started = process_time()
    work()
    return process_time() - started


if __name__ == "__main__":
    sys.exit(main())
