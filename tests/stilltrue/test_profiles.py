"""The numbers of time: which are in force, where each came from, what chose them for a document, what is odd."""

import json
import os
import re
from pathlib import Path

import pytest

import stilltrue
from mappings.profile import DEFAULT_PROFILES, PROFILE_FIELDS
from stilltrue.cli.profile import HEADS
from stilltrue.cli.run import run
from stilltrue.profiles import profiles_in_force

NOTICES = Path(__file__).resolve().parents[2] / "examples" / "notices.jsonl"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder with none of our variables set."""
    for name in [name for name in os.environ if name.startswith("STILLTRUE_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(text: str) -> str:
    """Write the settings file and return its path."""
    Path("stilltrue.toml").write_text(text, encoding="utf-8")
    return str(Path("stilltrue.toml").absolute())


def test_every_number_says_where_it_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Default, file and environment are told apart; a type of one's own begins with the numbers of reference."""
    path = settings("[profile.policy]\nhalf_life_days = 3\n[profile.howto]\nw_silent = 0.1\n")
    monkeypatch.setenv("STILLTRUE_PROFILE__NEWS__TTL_DAYS", "2")
    found = profiles_in_force()
    assert list(found.numbers) == [*DEFAULT_PROFILES, "howto"]
    told = {(t, k): (n.value, n.origin, n.place) for t, numbers in found.numbers.items() for k, n in numbers.items()}
    assert told["policy", "half_life_days"] == (3, "file", path)
    assert told["policy", "w_silent"] == (0.05, "default", "")
    assert told["news", "ttl_days"] == (2, "environment", "STILLTRUE_PROFILE__NEWS__TTL_DAYS")
    assert told["howto", "w_silent"] == (0.1, "file", path)
    assert told["howto", "half_life_days"] == (1825, "default of reference", "")
    assert found.of("never heard of") == ("reference", found.numbers["reference"])


def test_table_shows_every_type_and_marks_what_is_set(capsys: pytest.CaptureFixture[str]) -> None:
    """A row a content type; a star and a line for each number that somebody set."""
    path = settings("[profile.policy]\nhalf_life_days = 3\n")
    assert run(["profile", "show"]) == 0
    shown = capsys.readouterr().out
    assert tuple(HEADS) == PROFILE_FIELDS
    assert [line.split()[0] for line in shown.splitlines()[1:14]] == list(DEFAULT_PROFILES)
    assert re.search(r"^policy +3\* ", shown, flags=re.MULTILINE)
    assert f"* policy.half_life_days = 3  {path}\n" in shown
    assert run(["profile", "show", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["file"] == path
    assert document["profiles"]["policy"]["half_life_days"] == {"value": 3.0, "origin": "file", "place": path}


def test_document_says_what_chose_its_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    """Type, kind and the rule that chose them, then the numbers; a type without numbers has those of reference."""
    settings('[ingest]\ntypes = [{ path = "shipping*", type = "howto" }]\n')
    lines = [
        {"id": "shipping", "text": "Ships on Monday.", "observed_at": "2024-01-01"},
        {"id": "travel", "text": "Trips are booked.", "observed_at": "2024-01-01", "type": "policy"},
    ]
    Path("pages.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert run(["ingest", "pages.jsonl"]) == 0
    capsys.readouterr()
    assert run(["profile", "show", "shipping"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("shipping · howto · STATIC\n  type howto: rule for path 'shipping*'\n")
    assert "  numbers of reference: howto has none of its own\n    half_life_days   1825" in shown
    assert run(["profile", "show", "travel", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["content_type"], told["profile"], told["reasons"][0]) == ("policy", "policy", "type policy: metadata")
    assert told["numbers"]["half_life_days"] == {"value": 90.0, "origin": "default", "place": None}


def test_document_is_shown_as_it_holds_and_to_who_may_read_it(capsys: pytest.CaptureFixture[str]) -> None:
    """A series shows each of its documents; what this reader may not read does not exist."""
    with stilltrue.open() as index:
        index.ingest(NOTICES)
    assert run(["profile", "show", "refunds", "--json"]) == 0
    told = [json.loads(line)["doc_id"] for line in capsys.readouterr().out.splitlines()]
    assert told == ["refunds-2021", "refunds-2022", "refunds-2024"]
    assert run(["profile", "show", "salary-bands", "--json"]) == 2
    assert json.loads(capsys.readouterr().err)["code"] == "unknown_document"
    assert run(["profile", "show", "salary-bands", "--principal", "managers"]) == 0


REFUSED = {
    "a key": ("[profile.policy]\nhalf_life = 3\n", "setting 'profile.policy.half_life' is not known", "half_life_days"),
    "a range": ("[profile.policy]\nw_present = 1\n", "profile.policy.w_present: input should be less than 1", ""),
    "a choice": ("[profile.policy]\nweak = 'par'\n", "profile.policy.weak: input should be 'caveat' or 'pair'", ""),
    "another group": ("[serch]\ndepth = 3\n", "group 'serch' is not known", "search"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "detail", "near"), REFUSED.values(), ids=REFUSED)
def test_check_refuses_what_can_not_be(text: str, detail: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A key that is not known names the nearest, a value its range."""
    settings(text)
    assert run(["profile", "check", "--json"]) == 2
    fault = json.loads(capsys.readouterr().err)
    assert detail in fault["detail"]
    assert near in fault["remedy"]


ODD = {
    "a misspelt type": (
        "[profile.policies]\nw_silent = 0\n",
        "profile 'policies' is of no content type with numbers; did you mean 'policy'",
    ),
    "a type in another spelling": (
        "[profile.Release-Notes]\nw_silent = 0\n",
        "profile 'Release-Notes' is of no content type with numbers; did you mean 'release_notes'",
    ),
    "a rule for a misspelt type": (
        '[ingest]\ntypes = [{ path = "a/**", type = "runbok" }]\n',
        "ingest.types gives type 'runbok', which has no numbers; did you mean 'runbook'",
    ),
    "weights the wrong way round": (
        "[profile.legal]\nw_silent = 0.5\n",
        "profile 'legal': w_silent should not be above w_present, got 0.5 > 0.25: "
        "a question about now would weigh time less",
    ),
    "a time to live of what never expires": (
        "[profile.news]\nttl_days = 5\n",
        "profile 'news': ttl_days does nothing where events are a chronicle, got 5; set events_are = 'notice'",
    ),
}


@pytest.mark.parametrize(("text", "finding"), ODD.values(), ids=ODD)
def test_check_finds_what_is_hardly_meant(text: str, finding: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is allowed and odd is a finding, one line each."""
    path = settings(text)
    assert run(["profile", "check"]) == 1
    assert capsys.readouterr().out == finding + "\n"
    assert run(["profile", "check", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["findings"] == [finding]
    assert run(["profile", "check", "--config", path]) == 1


def test_check_is_content_with_what_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers for a type of one's own, or for one that a rule gives, are in order."""
    settings('[ingest]\ntypes = [{ path = "a/**", type = "runbok" }]\n[profile.runbok]\nw_silent = 0\n[profile.zoo]\n')
    assert run(["profile", "check"]) == 0
    assert capsys.readouterr().out.startswith("15 content types are in order; settings file: ")
