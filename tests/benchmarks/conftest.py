"""Own what the tests of the benchmarks lean on: their folder on the path, and a small set to run them over."""

import gzip
import json
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
# They are scripts, not a package that is installed: run from their folder they find one another, and so here.
sys.path.insert(0, str(BENCHMARKS))


def document(name: str, series: str | None, day: str, until: str | None, text: str) -> dict[str, object]:
    """Return a document as a set holds it."""
    return {
        "id": name,
        "series": series,
        "title": "Travel desk",
        "text": text,
        "source": "handbook",
        "version": None,
        "observed_at": day,
        "valid_from": day,
        "valid_until": until,
        "kind": "VERSIONED",
        "content_type": "policy",
        "supersedes": [],
    }


def query(qid: str, as_of: str | None, gold: list[str], wrong: list[str], surface: str) -> dict[str, object]:
    """Return a question as a set holds it."""
    return {
        "qid": qid,
        "query": "who books a train for a journey",
        "as_of": as_of,
        "now": "2024-12-31",
        "surface": surface,
        "gold": gold,
        "wrong_version": wrong,
        "answer": None,
        "kind": "who_books",
    }


DOCUMENTS = [
    document("trains@1", "trains", "2021-01-04", "2023-06-01", "The office manager books every train for a journey."),
    document("trains@2", "trains", "2023-06-01", None, "Everybody books the train for a journey alone, by app."),
    document("meals@1", "meals", "2021-02-01", None, "Meals are paid back up to a daily sum."),
]
QUERIES = [
    query("before", "2022-05-01", ["trains@1"], ["trains@2"], "parameter"),
    query("after", "2024-05-01", ["trains@2"], ["trains@1"], "parameter"),
    query("too early", "2020-05-01", [], ["trains@1", "trains@2"], "parameter"),
    query("now", None, ["trains@2"], ["trains@1"], "current"),
]
FIELDS = ["id", "series", "title", "text", "source", "version", "observed_at"]


@pytest.fixture
def bench_set(tmp_path: Path) -> Path:
    """Write a set of three documents and four questions; give its folder."""
    folder = tmp_path / "desk"
    folder.mkdir()
    with gzip.open(folder / "docs.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in DOCUMENTS)
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUERIES), encoding="utf-8")
    tracks = {"given": list(DOCUMENTS[0]), "inferred": FIELDS}
    (folder / "dataset.json").write_text(json.dumps({"name": "desk", "tracks": tracks}), encoding="utf-8")
    return folder
