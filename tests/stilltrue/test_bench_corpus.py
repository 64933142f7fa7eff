"""A real corpus that others wrote, taken in whole on both tracks, and fifty of its questions asked as of their day."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import stilltrue
from mappings.interval import parse_moment

SET = "prometheus"
ASKED = 50
# Of fifty questions: this many must be answered by the first hit, and at most so many by another state of the right
# thing. Set below what is reached (see `make bench`), so that a fall is seen and noise is not.
LEAST_RIGHT = 33
MOST_WRONG_VERSION = 5


def narrowed(bench: Path, track: str, target: Path) -> int:
    """Write the documents of a track with the fields that it may read; return how many there are."""
    fields = json.loads((bench / "dataset.json").read_text(encoding="utf-8"))["tracks"][track]
    with gzip.open(bench / "docs.jsonl.gz", "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    chosen = [{key: document[key] for key in document if fields == "all" or key in fields} for document in documents]
    target.write_text("\n".join(json.dumps(document) for document in chosen), encoding="utf-8")
    return len(chosen)


def questions(bench: Path) -> list[dict[str, Any]]:
    """Return fifty questions with a given day, spread evenly over the set."""
    lines = (bench / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["surface"] == "parameter"]
    return [rows[at * len(rows) // ASKED] for at in range(ASKED)]


@pytest.mark.bench
@pytest.mark.parametrize("track", ["given", "inferred"])
def test_fifty_questions_are_answered_for_their_day(bench_root: Path, tmp_path: Path, track: str) -> None:
    """Nothing from after the day is shown, and most first hits are the state that held."""
    bench = bench_root / SET
    source = tmp_path / "docs.jsonl"
    documents = narrowed(bench, track, source)
    right = wrong_version = 0
    with stilltrue.open(str(tmp_path / "store")) as index:
        report = index.ingest(source)
        assert (report.added, report.refused) == (documents, [])
        for row in questions(bench):
            answer = index.search(row["query"], as_of=row["as_of"], known_at=row["as_of"], per_document=1)
            day = parse_moment(row["as_of"]).last
            assert all(hit.observed_at is not None and hit.observed_at <= day for hit in answer.hits)
            first = answer.hits[0].doc_id if answer.hits else ""
            right += first in row["gold"]
            wrong_version += first in row["wrong_version"]
        assert index.verify().differences == ()
    assert right >= LEAST_RIGHT
    assert wrong_version <= MOST_WRONG_VERSION
