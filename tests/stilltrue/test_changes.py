"""What changed between two days, from the command line and from Python; and names that are nearly right."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import stilltrue
from indexer.errors import UnknownDocumentError
from stilltrue.api import Index
from stilltrue.cli.run import run
from stilltrue.demo.handbook import build

TRAVEL, GYM, BANDS = "handbook/policies/travel.md", "handbook/office/gym.md", "handbook/managers/salary-bands.md"
REFUNDS, LEAVE = "handbook/policies/refunds.md", "handbook/policies/parental-leave.md"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the handbook and its index."""
    place = tmp_path_factory.mktemp("changes")
    build(place)
    with stilltrue.open(str(place / ".stilltrue")) as index:
        index.ingest(f"git+{place / 'handbook'}")
    return place


@pytest.fixture
def index(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """Stand beside the index, and open it as somebody without rights."""
    monkeypatch.chdir(place)
    with stilltrue.open() as index:
        yield index


# document, two days: document compared with, how it stood at both, fields, kinds of change in the text
CHANGES = [
    (REFUNDS, "2022-01", "2023-01-17", REFUNDS, "in force since 2021-02-01", "in force since 2023-01-16", 1),
    (TRAVEL, "2023-06", "2024-06", "handbook/policies/expenses.md", "in force since 2022-02-01",
     "in force since 2024-01-15", 13),
    (GYM, "2023-01", "2024-01", GYM, "in force since 2021-02-01", "until 2023-07-03, then its document ended", 2),
    (GYM, "2020-01", "2022-01", GYM, "not known yet", "in force since 2021-02-01", 2),
    (LEAVE, "2024-06-01", "2024-10", LEAVE, "from 2024-07-01", "in force since 2024-09-01", 4),
    (REFUNDS, "2022-07", "2023-03", REFUNDS, "in force since 2022-06-15", "in force since 2023-02-06", 0),
]


@pytest.mark.parametrize(("asked", "expected"), [(row[:3], row[3:]) for row in CHANGES], ids=lambda row: str(row[0]))
def test_diff_says_how_it_stood_and_what_the_text_became(
    index: Index, asked: tuple[str, str, str], expected: tuple[str, str, str, int]
) -> None:
    """Between two days a document stood so and stands so; one that was replaced is compared with what replaced it."""
    other, stood, stands, sentences = expected
    (change,) = index.diff(*asked)
    assert (change.doc_id, change.stands_before, change.stands_after) == (other, stood, stands)
    assert len(change.sentences) == sentences


def test_same_day_twice_is_no_change(index: Index) -> None:
    """A document that stood unchanged has nothing that differs."""
    (change,) = index.diff(REFUNDS, "2022-01", "2022-02")
    assert change.same
    assert change.to_json() == []


def test_nothing_in_force_is_no_change(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing was in force on either day, that is said."""
    assert index.diff(GYM, "2024-01", "2025-01") == ()
    assert run(["history", GYM, "--diff", "2024-01", "2025-01"]) == 0
    assert "nothing was in force on either day" in capsys.readouterr().out


def test_known_at_rules_both_days(index: Index) -> None:
    """As known later, the days of the mistake were days of the rule before it."""
    (change,) = index.diff(REFUNDS, "2022-07", "2023-01-17", known_at="2023-02-01")
    assert change.same


@pytest.mark.usefixtures("index")
def test_json_is_a_line_a_change(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json each thing that changed is a line: how it stands, a field, a sentence with its values."""
    assert run(["history", REFUNDS, "--diff", "2022-01", "2023-01-17", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["field"] for line in lines] == ["state", "valid_from", "observed_at", "text"]
    assert lines[-1]["values"] == [{"kind": "number", "before": "30", "after": "45"}]
    assert lines[1]["before"] == "2021-02-01T09:00:00Z"
    assert {line["doc_id"] for line in lines} == {REFUNDS}


@pytest.mark.usefixtures("index")
def test_two_days_leave_no_room_for_a_third(capsys: pytest.CaptureFixture[str]) -> None:
    """--diff and --as-of together are refused."""
    assert run(["history", REFUNDS, "--diff", "2022", "2023", "--as-of", "2024"]) == 2
    assert "leave --as-of out" in capsys.readouterr().err


def test_pages_of_others_do_not_exist(index: Index) -> None:
    """Without the right to read it a page has no difference, and is no name that is near."""
    with pytest.raises(UnknownDocumentError) as caught:
        index.diff(BANDS, "2024", "2025-08")
    assert "managers" not in caught.value.remedy
    with stilltrue.open(principals=["managers"]) as manager:
        (change,) = manager.diff(BANDS, "2024", "2025-08")
        with pytest.raises(UnknownDocumentError, match="did you mean 'handbook/managers/salary-bands.md'"):
            manager.history("managers/salary-bands.md")
    assert [(v.before, v.after) for v in change.sentences[0].values] == [("34,000", "39,000"), ("46,000", "53,000")]


@pytest.mark.parametrize("name", ["policies/travel.md", "handbook/policies/travl.md", "handbook/Policies/travel.md"])
def test_nearly_right_name_is_answered_with_the_right_one(index: Index, name: str) -> None:
    """A path without its source, or misspelt, is refused with the id that is meant."""
    with pytest.raises(UnknownDocumentError, match=f"did you mean '{TRAVEL}'"):
        index.history(name)


def test_repeated_fault_is_not_repeated_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of one fault in very many documents some are listed and the rest counted; JSON lists all."""
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"id": f"p{number}", "title": "Page", "text": "When?"}) for number in range(50)]
    (tmp_path / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert run(["ingest", "pages.jsonl"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert (len(told), told[-1]) == (21, "refused 30 more [UNDATED]; --json lists all")
    assert run(["ingest", "pages.jsonl", "--json"]) == 1
    assert len(json.loads(capsys.readouterr().out)["refused"]) == 50
