"""`stilltrue log` shows what a question left out, as text and as JSON lines, to who asked it."""

import json
from pathlib import Path

import pytest

import stilltrue
from stilltrue.cli.run import run

NOTICES = Path(__file__).resolve().parents[2] / "examples" / "notices.jsonl"
QUESTION = "how long do refunds take"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give an index that holds the notices."""
    place = str(tmp_path_factory.mktemp("log") / "store")
    with stilltrue.open(place) as index:
        index.ingest(NOTICES)
    return place


def asked(store: str, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, object]:
    """Ask a question on the command line and return its answer."""
    assert run(["search", QUESTION, "--as-of", "2024-03", "--store", store, "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)


def test_log_is_the_question_and_a_line_a_candidate(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With --json the first line counts as the answer did, the others name what was looked at."""
    answer = asked(store, capsys, "--explain")
    assert run(["log", str(answer["query_id"]), "--store", store, "--json"]) == 0
    question, *lines = map(json.loads, capsys.readouterr().out.splitlines())
    assert list(question) == ["query_id", "asked_at", "as_of", "known_at", "rejected", "by_type"]
    assert (question["query_id"], question["rejected"]) == (answer["query_id"], answer["rejected"])
    assert sum(row["candidates"] for row in question["by_type"]) == len(lines) > 0
    assert {line["doc_id"] for line in lines} >= {"refunds-2021", "refunds-2022"}
    assert list(lines[0]) == ["code", "content_type", "doc_id", "passage_id"]


def test_log_reads_as_text(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    """For a person: the moments, the counts, and the candidates where the question asked for them."""
    quiet, told = asked(store, capsys), asked(store, capsys, "--explain")
    assert run(["log", str(quiet["query_id"]), "--store", store]) == 0
    shown = capsys.readouterr().out
    assert "as of 2024-03-31\nkept out: 1 FUTURE_OBSERVED, 5 SUPERSEDED\n" in shown
    assert "--explain names the candidates" in shown
    assert run(["log", str(told["query_id"]), "--store", store]) == 0
    assert "SUPERSEDED · policy\n" in capsys.readouterr().out


def test_question_of_somebody_else_is_not_known(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown id, and one that others asked, are refused in the same words."""
    answer = asked(store, capsys, "--principal", "managers")
    for query_id in ("0" * 16, str(answer["query_id"])):
        assert run(["log", query_id, "--store", store, "--json"]) == 2
        fault = json.loads(capsys.readouterr().err)
        assert (fault["code"], fault["detail"]) == (
            "unknown_query",
            f"no question {query_id!r} of this reader is in the log",
        )
    assert run(["log", str(answer["query_id"]), "--store", store, "--principal", "managers"]) == 0
