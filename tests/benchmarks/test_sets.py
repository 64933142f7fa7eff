"""Folders of sets: which are found, and what of a document a track may see."""

import gzip
import json
from pathlib import Path

import pytest
from sets import find, load


def test_a_folder_of_sets_stands_for_its_sets(bench_set: Path, tmp_path: Path) -> None:
    """A set given twice, by itself and by the folder above it, is run once."""
    (tmp_path / "notes").mkdir()
    assert find([tmp_path, bench_set]) == [bench_set]


def test_a_folder_without_a_set_is_refused(tmp_path: Path) -> None:
    """The message says what a set holds."""
    with pytest.raises(FileNotFoundError, match=r"holds no set; a set has docs\.jsonl\.gz, queries\.jsonl"):
        find([tmp_path])


def test_a_track_sees_its_fields_and_no_others(bench_set: Path, tmp_path: Path) -> None:
    """What the inferred track writes holds no window, kind or link."""
    path = tmp_path / "out.jsonl.gz"
    load(bench_set).write(path, "inferred")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    assert [set(row) for row in rows] == [{"id", "series", "title", "text", "source", "version", "observed_at"}] * 3


def test_queries_are_read_with_their_moment(bench_set: Path) -> None:
    """A query without as_of is asked on its own day."""
    moments = {query.qid: query.moment for query in load(bench_set).queries}
    assert moments["before"] == "2022-05-01" and moments["now"] == "2024-12-31"
