"""The reader on the benchmark: expressions, questions, and what a question costs."""

import gzip
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mappings.interval import DAY, format_day, parse_moment
from reranker.timewords import Releases, read

SCRIPT = Path(__file__).resolve().parents[3] / "benchmarks" / "timewords.py"
NOW = parse_moment("2025-06-18T10:00:00Z").start


def scores(gold: Path, *options: str) -> dict:
    command = [sys.executable, SCRIPT, gold, "--json", *options]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.mark.slow
def test_the_benchmark_scores_a_file_beside_dateparser():
    """One object: n, right, found, span, false_alarm, by kind on request, and dateparser's in the same run."""
    report = scores(Path(__file__).with_name("german.jsonl"), "--language", "de", "--by-kind")
    assert (report["right"], report["false_alarm"]) == (1.0, 0.0)
    assert {"n", "found", "span"} <= set(report)
    assert report["kinds"]["open"]["right"] == 1.0
    assert report["dateparser"]["right"] < 0.5


@pytest.mark.bench
def test_expressions(bench_root):
    """At least .98 of the expressions are right, at most .005 of the others are read."""
    report = scores(bench_root / "timeexpr" / "gold.jsonl")
    assert report["right"] >= 0.98
    assert report["false_alarm"] <= 0.005
    assert report["dateparser"]["right"] < 0.5


def _releases(folder: Path) -> Releases:
    with gzip.open(folder / "docs.jsonl.gz", "rt", encoding="utf8") as lines:
        rows = [json.loads(line) for line in lines]
    named = [row for row in rows if row.get("version") and "." in row["version"]]
    return Releases.of(("", row["version"], parse_moment(row["observed_at"]).start) for row in named)


@pytest.mark.bench
@pytest.mark.parametrize(
    "name", ["opensearch-docs", "prometheus", "django", "govuk-runbooks", "tempreason", "peps", "endoflife",
             "endoflife-records", "agrc-incidents", "cacm", "vaswani", "pubmedqa"],
)  # fmt: skip
def test_questions(bench_root, name):
    """Every period in the words is the one that was meant, and nothing is read where there is none."""
    releases = _releases(bench_root / name) if name in ("opensearch-docs", "prometheus", "django") else None
    for line in (bench_root / name / "queries.jsonl").read_text(encoding="utf8").splitlines():
        query = json.loads(line)
        reading = read(query["query"], now=parse_moment(query["now"]).start + DAY // 2, releases=releases)
        found = [(span.from_us, span.until_us) for span in reading.spans if not span.unread]
        days = [[bound and format_day(bound) for bound in bounds] for bounds in found]
        assert days == ([query["resolved"]] if query["surface"] == "words" else []), query["query"]


def _median(call: Callable[[], object], times: int = 31) -> float:
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        call()
        spent.append(time.perf_counter() - begun)
    return sorted(spent)[times // 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("what was the refund policy in March 2022", ["March 2022"]),
        ("who approved travel expenses between January 5th 2015 and 2018-05-01", ["January 5th 2015", "2018-05-01"]),
        ("retention of audit logs since last month", ["last month"]),
        ("incident reports for the payment service two weeks ago", ["two weeks ago"]),
        ("which rules held on 22/Jan/2019 for contractors", ["22/Jan/2019"]),
    ],
)
def test_a_question_costs_at_most_three_times_the_parse_of_its_dates(text, leaves):
    """After warm-up, beside dateparser's own parse of the dates in the question."""
    from dateparser.date import DateDataParser

    parser = DateDataParser(languages=["en"])

    def parse() -> None:
        for leaf in leaves:
            parser.get_date_data(leaf)

    assert _median(lambda: read(text, now=NOW)) <= 3 * _median(parse)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["first day of ", '"in 2019" ', "in 2.11 "])
def test_time_grows_with_the_length(unit):
    """Ten times the text takes about ten times as long, up to 100 kB."""
    releases = Releases.of([("", f"2.{n}", n * DAY) for n in range(60)])
    short, long = (unit * (size // len(unit)) for size in (10_000, 100_000))
    brief = _median(lambda: read(short, now=NOW, releases=releases), 3)
    # twice the factor for a busy machine, and a floor under what a clock can tell apart
    assert _median(lambda: read(long, now=NOW, releases=releases), 1) <= 20 * brief + 0.02
