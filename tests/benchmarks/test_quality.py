"""The command: a small set goes in and is asked, and figures come out."""

import json
from pathlib import Path

import pytest
from quality import main
from sets import load

import stilltrue
from stilltrue.cli.run import run


def test_a_set_is_measured_on_both_tracks(bench_set: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line holds set, track, surface, n and four figures; two versions of a page are told apart by their days."""
    assert main([str(bench_set), "--json", "--gates"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    fine = {"hit_1": 1.0, "wrong_version_1": 0.0, "future_leak_10": 0.0, "ndcg_10": 1.0}
    assert lines == [
        {"set": "desk", "track": track, "surface": surface, "n": n} | fine
        for track in ("given", "inferred")
        for surface, n in (("current", 1), ("parameter", 3))
    ]


def test_the_table_shows_the_rules_beside_it(bench_set: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Words alone can not tell two versions apart; the row says so."""
    assert main([str(bench_set), "--track", "given", "--surface", "parameter", "--by-kind", "--misses", "2"]) == 0
    shown = capsys.readouterr().out
    row = next(line for line in shown.splitlines() if line.startswith("desk"))
    assert row.split()[:4] == ["desk", "3", "0.000", "1.000/0.000/1.000"]
    assert "macro mean" in shown and "who_books" in shown


def test_rankings_are_kept_for_another_scorer(bench_set: Path, tmp_path: Path) -> None:
    """A file a set and track, a line a query: qid and document ids, best first."""
    main([str(bench_set), "--track", "given", "--surface", "current", "--save", str(tmp_path / "runs")])
    line = json.loads((tmp_path / "runs" / "desk.given.jsonl").read_text(encoding="utf-8"))
    assert line["qid"] == "now" and line["ranked"][0] == "trains@2"


def test_a_bar_that_is_not_met_ends_with_one(bench_set: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Fewer than ten questions make no mean, so the bars have nothing to be met by, and the command says which."""
    assert main([str(bench_set), "--track", "given", "--surface", "parameter", "--bars", "search"]) == 1
    assert "FAILS parameter, given: hit_1: nothing, at least 0.7600" in capsys.readouterr().err


def test_a_folder_without_a_set_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message goes to stderr, the exit code is 2."""
    assert main([str(tmp_path)]) == 2
    assert "holds no set" in capsys.readouterr().err


def test_the_command_line_finds_what_python_finds(
    bench_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked of one index, `stilltrue search --json` prints the hits that `Index.search` returns, number for number."""
    source, store = tmp_path / "desk.jsonl.gz", str(tmp_path / "desk.store")
    bench = load(bench_set)
    bench.write(source, "given")
    assert run(["ingest", str(source), "--store", store]) == 0
    capsys.readouterr()
    with stilltrue.open(store) as index:
        for query in (query for query in bench.queries if query.as_of):
            assert run(["search", query.text, "--as-of", str(query.as_of), "--store", store, "--json"]) == 0
            printed = json.loads(capsys.readouterr().out)
            assert printed["hits"] == index.search(query.text, as_of=query.as_of).to_json()["hits"]
