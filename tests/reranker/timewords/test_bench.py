"""The reader on the benchmark: expressions and questions."""

import gzip
import json
import subprocess
import sys
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
