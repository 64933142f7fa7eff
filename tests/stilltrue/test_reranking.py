"""Candidates from anywhere, ranked from Python and from the command line: each comes back once."""

import doctest
import io
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import stilltrue
from mappings.document import Code
from mappings.errors import ProfileError
from mappings.profile import DEFAULT_PROFILES
from reranker.errors import RequestError
from reranker.scales import parse_scale
from stilltrue.cli.run import run
from stilltrue.reranking import with_numbers

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "how long do refunds take"
CANDIDATES: list[dict[str, Any]] = [
    {"id": "old", "text": "refunds take 30 days", "observed_at": "2021-01-01", "superseded_at": "2024-02-01"},
    {"id": "new", "text": "refunds take no long time", "observed_at": "2024-02-01", "content_type": "policy"},
    {"id": "far", "text": "parking is free", "observed_at": "2024-02-01"},
    {"id": "coming", "text": "refunds will take 2 days", "observed_at": "2024-02-01", "valid_from": "2024-07-01"},
    {"id": "also", "text": "refunds take a form", "observed_at": "2024-01-01"},
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(monkeypatch: pytest.MonkeyPatch, lines: bytes, *arguments: str) -> int:
    """Run `stilltrue rerank` over lines on stdin and return its exit code."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    return run(["rerank", *arguments])


def written(*candidates: dict[str, Any]) -> bytes:
    """Write candidates as JSON lines, with a blank one among them."""
    return b"\n\n".join(json.dumps(candidate).encode() for candidate in candidates)


def test_python_ranks_what_holds() -> None:
    """Hits are what holds then, best first; the rest is dropped with its code."""
    answer = stilltrue.rerank(CANDIDATES, query=QUESTION, as_of="2024-03", explain=True)
    assert [hit.doc_id for hit in answer.hits] == ["new", "also"]
    assert {drop.doc_id: drop.code for drop in answer.dropped or ()} == {
        "old": Code.SUPERSEDED,
        "far": Code.BELOW_RELEVANCE_GATE,
        "coming": Code.NOT_YET_VALID,
    }
    assert answer.hits[0].explanation.value == answer.hits[0].score


def test_python_takes_moments_as_people_give_them() -> None:
    """A datetime, a month and a relative moment; without `now` nothing is relative, and no moment is past."""
    undated = [*CANDIDATES, {"id": "none", "text": "refunds take long"}]
    exact = stilltrue.rerank(undated, query=QUESTION, as_of=datetime(2024, 3, 31, 23, 59, 59, 999999, tzinfo=UTC))
    month = stilltrue.rerank(undated, query=QUESTION, as_of="2024-03")
    assert [hit.score for hit in exact.hits] == [hit.score for hit in month.hits]
    assert ("none" in {hit.doc_id for hit in month.hits}, month.undated) == (True, ())
    past = stilltrue.rerank(undated, query=QUESTION, as_of="-1m", now="2024-05")
    assert [hit.doc_id for hit in past.undated] == ["none"]
    early = stilltrue.rerank(undated, query=QUESTION, as_of="2024-03", known_at="2023")
    assert [hit.doc_id for hit in early.hits] == ["old"]
    with pytest.raises(RequestError, match="as_of: .*'-1m'"):
        stilltrue.rerank(undated, query=QUESTION, as_of="-1m")


def test_python_takes_numbers_of_time() -> None:
    """Numbers of a content type are laid over its defaults; one that is not known names the nearest."""
    plain = stilltrue.rerank(CANDIDATES, query=f"{QUESTION} now", as_of="2024-03")
    aged = stilltrue.rerank(
        CANDIDATES, query=f"{QUESTION} now", as_of="2024-03", profiles={"policy": {"half_life_days": 1}}
    )
    assert aged.hits[-1].doc_id == "new" != plain.hits[-1].doc_id
    own = with_numbers({"howto": {"w_silent": 0.1}, "news": DEFAULT_PROFILES["legal"]})
    assert (own["howto"].half_life_days, own["news"].half_life_days) == (1825, 365)
    with pytest.raises(ProfileError, match="has no number 'halflife'; did you mean 'half_life_days'"):
        with_numbers({"policy": {"halflife": 1}})


@pytest.mark.parametrize(
    ("scale", "scores", "order"),
    [
        ("cosine", [0.2, 0.4], ["b", "a"]),
        ("inverse_distance", [0.9, 0.6], ["a", "b"]),
        ("range:0:10", [9, 3], ["a", "b"]),
    ],
)
def test_raw_scores_have_a_named_scale(scale: str, scores: list[float], order: list[str]) -> None:
    """The score of another engine counts in the scale that is named."""
    rows = [{"id": name, "score": score, "observed_at": "2024"} for name, score in zip("ab", scores, strict=True)]
    answer = stilltrue.rerank(rows, query="", as_of="2024-12-31", scale=scale)
    assert [hit.doc_id for hit in answer.hits] == order


def test_every_line_comes_back_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Ranked lines first, then what may not be served in the order of the input, with score 0 and its codes."""
    undated = {"id": "none", "text": "refunds take long"}
    assert typed(monkeypatch, written(undated, *CANDIDATES), QUESTION, "--as-of", "2024-03") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["rank"], line["passage_id"]) for line in lines] == [
        (1, "new"), (2, "also"), (None, "none"), (None, "old"), (None, "far"), (None, "coming"),
    ]  # fmt: skip
    answer = stilltrue.rerank([undated, *CANDIDATES], query=QUESTION, as_of="2024-03", now="2025")
    assert lines[0] == answer.hits[0].to_json()
    assert lines[3] == lines[3] | {"score": 0.0, "state": "SUPERSEDED", "codes": ["SUPERSEDED"]}
    assert all(line["sentence"] for line in lines[2:])


def test_options_of_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Readers, number of lines, scale, scoring, explanations and settings have their say."""
    rows = [
        {"score": 8, "observed_at": "2024-01-02", "principals": ["hr"]},
        {"score": 6, "observed_at": "2024-01-02"},
        {"score": 4, "observed_at": "2024-01-02"},
    ]
    Path("stilltrue.toml").write_text("[search]\nrelevance_gate = 0.5\n", encoding="utf-8")
    told = ["--as-of", "2024-02", "--scale", "range:0:10", "--scoring", "off", "--explain"]
    assert typed(monkeypatch, written(*rows), "", *told, "--principal", "hr", "--top-k", "2") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["passage_id"], line["score"]) for line in lines] == [("1", 0.8), ("3", 0.6)]
    assert lines[0]["explanation"]["value"] == 0.8
    assert typed(monkeypatch, written(*rows), "", *told) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["passage_id"], line["codes"]) for line in lines] == [("3", []), ("5", ["BELOW_RELEVANCE_GATE"])]


def test_no_candidates_are_no_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing in, nothing out, and no failure."""
    assert typed(monkeypatch, b"\n", QUESTION) == 0
    assert capsys.readouterr().out == ""


BAD_LINES = {
    "no JSON": (b"{'id': 1}", "is no JSON (Expecting property name enclosed in double quotes)"),
    "a list": (b"[1]", "must be a JSON object, got [1]"),
    "not UTF-8": (b'{"text": "\xff"}', "text must be UTF-8"),
    "half a character": (b'{"text": "\\ud800"}', "text must be UTF-8"),
    "too deep": (b'{"a": ' + b"[" * 100_000, "is no JSON (too many levels or digits)"),
    "too many digits": (b'{"score": ' + b"9" * 5_000 + b"}", "is no JSON (too many levels or digits)"),
    "a score without its scale": (b'{"score": 3}', "score needs its scale, got 3"),
    "words without their maximum": (b'{"bm25": 3}', "bm25 needs its maximum, got 3"),
    "an id that was there": (b'{"id": "first"}', "id 'first' stands in line 1 too"),
}


@pytest.mark.parametrize(("line", "detail"), BAD_LINES.values(), ids=BAD_LINES)
def test_bad_line_is_named_and_nothing_is_ranked(
    line: bytes, detail: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line that is no candidate is wrong use, with its number; the others are not ranked without it."""
    lines = b'{"id": "first", "text": "a"}\n\n' + line
    assert typed(monkeypatch, lines, QUESTION, "--json") == 2
    printed = capsys.readouterr()
    assert (printed.out, json.loads(printed.err)["detail"]) == ("", f"line 3: {detail}")


@pytest.mark.parametrize("score", [b"NaN", b"Infinity", b"1e999", b"9" * 400, b'"high"'])
def test_score_that_is_no_number_of_its_scale_has_its_code(
    score: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One bad score does not fail the question."""
    lines = b'{"id": "a", "cosine": 0.5}\n{"id": "b", "cosine": ' + score + b"}"
    assert typed(monkeypatch, lines, "") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["passage_id"], line["codes"]) for line in found] == [("a", ["UNDATED"]), ("b", ["INVALID_SCORE"])]


@pytest.mark.parametrize(
    ("options", "detail"),
    [
        (["--scale", "score"], "scale is not known"),
        (["--scoring", "linear"], "scoring must be one of default, off, additive"),
        (["--top-k", "0"], "top_k must be a whole number, at least 1"),
        (["--as-of", "soon"], "as_of: "),
    ],
)
def test_bad_option_is_refused(
    options: list[str], detail: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is allowed stands in the line."""
    assert typed(monkeypatch, written(*CANDIDATES), QUESTION, *options) == 2
    assert detail in capsys.readouterr().err


def test_page_on_reranking_is_what_happens() -> None:
    """What the page shows at the prompt comes out, and its scales are those that there are."""
    page = (ROOT / "docs" / "reranking.md").read_text(encoding="utf-8")
    example = doctest.DocTestParser().get_doctest(page.replace("```", ""), {}, "reranking", "reranking.md", 0)
    assert doctest.DocTestRunner().run(example).failed == 0
    table = page[page.index("| scale |") :].splitlines()[2:]
    for row in table:
        parse_scale(row.split("`")[1].replace("MAX", "9").replace("LOW", "0").replace("HIGH", "9"))
    with pytest.raises(RequestError) as refused:
        parse_scale("none")
    assert [row.split("`")[1] for row in table] == refused.value.remedy.removeprefix("known: ").split(", ")
