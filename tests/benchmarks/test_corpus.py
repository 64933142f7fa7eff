"""The made texts of the figures of speed: the same each time, with the shape that is promised."""

import importlib
import json
from pathlib import Path

from corpus import SECTIONS, write


def test_made_texts_are_the_same_each_time(tmp_path: Path) -> None:
    """Two runs write the same bytes and ask the same questions."""
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    assert write(one, passages=80, questions=5) == write(other, passages=80, questions=5)
    assert one.read_bytes() == other.read_bytes()


def test_made_documents_have_sections_and_some_changed(tmp_path: Path) -> None:
    """A passage a section; what changed once is read twice, on two days."""
    path = tmp_path / "made.jsonl"
    made = write(path, passages=400, questions=7)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert made.documents == 400 // SECTIONS and len(made.questions) == 7
    assert made.documents < made.readings == len(rows) == len({(row["id"], row["observed_at"]) for row in rows})
    assert all(row["text"].count("## ") == SECTIONS for row in rows)


def test_the_benchmark_of_search_finds_its_parts() -> None:
    """The command and what it is measured beside load together."""
    search = importlib.import_module("search")
    assert search.parts.Words and search.parts.Vectors
