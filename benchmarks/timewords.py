"""Score the reader of time words on a file of gold rows, beside dateparser in the same run.

    python benchmarks/timewords.py FILE [--language en] [--by-kind] [--misses] [--json]

FILE holds JSON lines: text, span, reference, start, end, granularity, slack_days, negative. `right` is the share of
positives whose start and end both lie within slack_days of gold (open ends must be open), `found` the share of which
anything was read, `span` the share of found ones with exactly the characters of gold, `false_alarm` the share of
negatives in which anything was read.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mappings.interval import from_datetime, to_datetime
from reranker.timewords import read

Row = dict[str, Any]
# What a reader says of a row: start, end (days as text or None), characters; None: nothing.
Said = tuple[str | None, str | None, list[int]] | None
Reader = Callable[[Row], Said]


def ours(language: str) -> Reader:
    """Return the reader of this project; a question is asked at noon UTC of its reference day."""

    def reader(row: Row) -> Said:
        noon = datetime.fromisoformat(row["reference"]).replace(hour=12, tzinfo=UTC)
        reading = read(row["text"], now=from_datetime(noon), language=language)
        span = next((one for one in reading.spans if not one.unread), None)
        if span is None:
            return None
        end = span.until_us if span.until_us is None else span.until_us - 1
        first = None if span.from_us is None else to_datetime(span.from_us).date()
        last = None if end is None else to_datetime(end).date() + timedelta(days=1)
        return first and first.isoformat(), last and last.isoformat(), [span.start, span.end]

    return reader


def dateparsers(language: str) -> Reader:
    """Return dateparser's search at its best: the period of each point widens it, two points are a range."""
    from dateparser.search import search_dates

    def reader(row: Row) -> Said:
        settings = {
            "RELATIVE_BASE": datetime.fromisoformat(row["reference"]).replace(hour=12),
            "PREFER_DATES_FROM": "past",
            "PREFER_DAY_OF_MONTH": "first",
            "PREFER_MONTH_OF_YEAR": "first",
            "RETURN_TIME_SPAN": True,
        }
        found = search_dates(row["text"], languages=[language], settings=settings)
        if not found:
            return None
        days = sorted(moment.date() for _, moment in found)
        at = row["text"].find(found[0][0])
        return days[0].isoformat(), (days[-1] + timedelta(days=1)).isoformat(), [at, at + len(found[0][0])]

    return reader


def near(gold: str | None, said: str | None, slack: int) -> bool:
    """Tell whether two days, or two open ends, agree within so many days."""
    if gold is None or said is None:
        return gold is said
    return abs((date.fromisoformat(gold) - date.fromisoformat(said)).days) <= slack


def judge(row: Row, said: Said) -> dict[str, float]:
    """Return the measures of one row, each 0 or 1."""
    if row["negative"]:
        return {"false_alarm": float(said is not None)}
    slack = row["slack_days"]
    right = said is not None and near(row["start"], said[0], slack) and near(row["end"], said[1], slack)
    measures = {"found": float(said is not None), "right": float(right)}
    if said is not None:
        measures["span"] = float(said[2] == row["span"])
    return measures


def measure(rows: Iterable[Row], reader: Reader) -> tuple[dict[str, dict[str, float]], list[tuple[Row, Said]], float]:
    """Return the means by kind ("all" too), the rows that are wrong, and the seconds that reading took."""
    values: dict[str, dict[str, list[float]]] = {"all": {}}
    wrong, spent = [], 0.0
    for row in rows:
        begun = time.perf_counter()
        said = reader(row)
        spent += time.perf_counter() - begun
        measures = judge(row, said)
        if measures.get("false_alarm") or measures.get("right") == 0.0:
            wrong.append((row, said))
        kind = "negative" if row["negative"] else row["granularity"]
        for name in ("all", kind):
            table = values.setdefault(name, {})
            table.setdefault("n", []).append(1.0)
            for metric, value in measures.items():
                table.setdefault(metric, []).append(value)
    means = {
        kind: {metric: len(cells) if metric == "n" else sum(cells) / len(cells) for metric, cells in table.items()}
        for kind, table in sorted(values.items())
    }
    return means, wrong, spent


def show(title: str, means: dict[str, dict[str, float]], by_kind: bool) -> None:
    """Print one table."""
    print(f"{title:18}     n   right   found    span  false_alarm")
    for kind, row in means.items():
        if kind == "all" or by_kind:
            cells = [f"{row[m]:8.3f}" if m in row else " " * 8 for m in ("right", "found", "span", "false_alarm")]
            print(f"  {kind:16}{row['n']:6.0f}", *cells, sep="")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="gold rows, JSON lines")
    parser.add_argument("--language", default="en", help="table to read with")
    parser.add_argument("--by-kind", action="store_true", help="also by granularity")
    parser.add_argument("--misses", action="store_true", help="list the rows that are wrong")
    parser.add_argument("--json", action="store_true", help="one object")
    args = parser.parse_args()
    rows = [json.loads(line) for line in args.file.read_text(encoding="utf8").splitlines() if line.strip()]
    mine, wrong, seconds = measure(rows, ours(args.language))
    theirs, _, their_seconds = measure(rows, dateparsers(args.language))
    if args.json:
        report: dict[str, Any] = {**mine["all"], "ms_per_row": 1000 * seconds / max(1, len(rows))}
        report["dateparser"] = {**theirs["all"], "ms_per_row": 1000 * their_seconds / max(1, len(rows))}
        if args.by_kind:
            report["kinds"] = {kind: row for kind, row in mine.items() if kind != "all"}
            report["dateparser"]["kinds"] = {kind: row for kind, row in theirs.items() if kind != "all"}
        print(json.dumps(report))
        return
    show("stilltrue", mine, args.by_kind)
    show("dateparser", theirs, args.by_kind)
    print(f"ms a row: {1000 * seconds / max(1, len(rows)):.2f} and {1000 * their_seconds / max(1, len(rows)):.2f}")
    for row, said in wrong if args.misses else ():
        gold = "nothing" if row["negative"] else f"{row['start']}..{row['end']}"
        print(f"  {row['id']} {row['text'][:90]!r} at {row['reference']}: gold {gold}, said {said}")


if __name__ == "__main__":
    main()
