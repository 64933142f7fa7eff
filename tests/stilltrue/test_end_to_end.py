"""The whole way over the sample notices: in, asked, ended, withdrawn, verified, by command line and by Python."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import stilltrue
from stilltrue.cli.run import run
from store.opening import open_engine

NOTICES = Path(__file__).resolve().parents[2] / "examples" / "notices.jsonl"
REFUNDS = "how long do refunds take"

RESPONSE_KEYS = (
    "query_id as_of known_at time_read cue cue_weight verdict confidence hits history upcoming undated rejected took_ms"
)
HIT_KEYS = (
    "rank passage_id doc_id version_id series title section text url source content_type kind state label "
    "observed_at valid_from valid_until superseded_at superseded_by verified_at age_days bm25 bm25_max cosine "
    "relevance temporal weight score codes"
)
STATUS_KEYS = "engine index generation sequence embedder documents series versions passages undated"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Take the notices in, once for all tests."""
    place = tmp_path_factory.mktemp("filled") / "store"
    with stilltrue.open(str(place)) as index:
        assert index.ingest(NOTICES).added == 16
    return place


@pytest.fixture
def store(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with a store of its own that holds the notices."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(filled, tmp_path / ".stilltrue"))


@pytest.fixture
def index(store: Path) -> Iterator[stilltrue.Index]:
    """Open the store as anybody."""
    with stilltrue.open(str(store)) as opened:
        yield opened


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """Run a command with --json and return what it printed."""
    code = run([*arguments, "--json"])
    printed = capsys.readouterr()
    assert code == 0, printed.err
    return json.loads(printed.out)


@pytest.mark.usefixtures("store")
def test_answer_has_the_agreed_keys(capsys: pytest.CaptureFixture[str]) -> None:
    """`search --json` prints the keys of the contract, in its order."""
    answer = ask(capsys, "search", REFUNDS, "--as-of", "2024-03")
    assert " ".join(answer) == RESPONSE_KEYS
    assert " ".join(answer["hits"][0]) == HIT_KEYS
    assert answer["as_of"] == "2024-03-31T23:59:59.999999Z"


@pytest.mark.usefixtures("store")
def test_explain_adds_explanations_and_what_was_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    """`--explain` adds `explanation` to each hit and `dropped` to the answer."""
    answer = ask(capsys, "search", REFUNDS, "--as-of", "2024-03", "--explain")
    assert all(hit["explanation"]["value"] == hit["score"] for hit in answer["hits"])
    assert {drop["doc_id"] for drop in answer["dropped"]} >= {"refunds-2021", "refunds-2022"}


def test_command_line_and_python_give_the_same(
    index: stilltrue.Index, capsys: pytest.CaptureFixture[str]
) -> None:
    """An answer printed as JSON is the answer that Python gets."""
    printed = ask(capsys, "search", REFUNDS, "--as-of", "2024-02", "--history")
    answer = index.search(REFUNDS, as_of="2024-02", history=True).to_json()
    for own in (printed, answer):
        del own["took_ms"], own["query_id"]  # both depend on when they were asked
    assert printed == answer


QUESTIONS = [
    (REFUNDS, "2021-06", "refunds-2021"),
    (REFUNDS, "2022-05-31", "refunds-2021"),
    (REFUNDS, "2022-06-01", "refunds-2022"),
    (REFUNDS, "2024-02-29", "refunds-2022"),
    (REFUNDS, "2024-03-01", "refunds-2024"),
    ("may I work from home", "2023-02", "remote-work"),
    ("may I work from home", "2023-03", "where-we-work"),
    ("is the workshop closed", "2023-12-24", "winter-closing"),
    ("what does shipping cost", "2023-07-02", "shipping-2022"),
    ("what does shipping cost", "2023-07-03", "shipping-2023"),
]


@pytest.mark.parametrize(("query", "as_of", "doc_id"), QUESTIONS, ids=[f"{row[2]} on {row[1]}" for row in QUESTIONS])
def test_first_hit_is_what_held(index: stilltrue.Index, query: str, as_of: str, doc_id: str) -> None:
    """The first hit is the document that held on the day, from its first day to its last."""
    assert index.search(query, as_of=as_of).hits[0].doc_id == doc_id


def test_page_for_managers_exists_for_managers_only(index: stilltrue.Index, store: Path) -> None:
    """Without the right a document is in no channel, no count and no history."""
    answer = index.search("salary bands", as_of="2024-06", history=True, upcoming=True, explain=True).to_json()
    assert "salary-bands" not in json.dumps(answer)
    with pytest.raises(stilltrue.StilltrueError, match="no document or series 'salary-bands' is known"):
        index.history("salary-bands")
    with stilltrue.open(str(store), principals=["managers"]) as managers:
        assert managers.search("salary bands", as_of="2024-06").hits[0].doc_id == "salary-bands"
        assert len(managers.history("salary-bands")) == 1


@pytest.mark.usefixtures("store")
def test_second_ingest_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """The same source again adds nothing, and the index says the same of itself."""
    before = ask(capsys, "status")
    report = ask(capsys, "ingest", str(NOTICES))
    assert (report["added"], report["unchanged"], report["passages"]) == (0, 16, 0)
    assert ask(capsys, "status") == before
    assert set(STATUS_KEYS.split()) <= set(before)


def test_refused_document_is_a_finding_and_the_rest_goes_in(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bad line is named with its place and remedy, exits with 1, and keeps nothing else out."""
    source = store.parent / "more.jsonl"
    good = {"id": "good", "title": "Good", "text": "Holds.", "observed_at": "2024-01-01"}
    bad = {"id": "bad", "title": "Bad", "text": "When?"}
    source.write_text(json.dumps(good) + "\n" + json.dumps(bad) + "\n", encoding="utf-8")
    assert run(["ingest", str(source)]) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("1 added, 0 unchanged, 1 refused")
    assert re.search(r"^refused more\.jsonl:2: ", printed.err)
    assert run(["ingest", str(source), "--lenient"]) == 0
    assert capsys.readouterr().out.startswith("1 added, 1 unchanged, 1 undated")


@pytest.mark.usefixtures("store")
def test_ended_document_is_gone_from_then_on(capsys: pytest.CaptureFixture[str]) -> None:
    """After `end` the document answers before the day and not after."""
    assert ask(capsys, "end", "warranty", "--at", "2025-01-01") == {"doc_id": "warranty", "ended": 1}
    before = ask(capsys, "search", "how long does the warranty last", "--as-of", "2024-12-31")
    after = ask(capsys, "search", "how long does the warranty last", "--as-of", "2025-01-01")
    assert before["hits"][0]["doc_id"] == "warranty"
    assert "warranty" not in {hit["doc_id"] for hit in after["hits"]}


@pytest.mark.usefixtures("store")
def test_withdrawn_text_gives_way_to_its_predecessor(capsys: pytest.CaptureFixture[str]) -> None:
    """After `withdraw` the version before is in force again; after `--undo` it is not."""

    def first(as_of: str) -> str:
        return ask(capsys, "search", REFUNDS, "--as-of", as_of)["hits"][0]["doc_id"]

    done = ask(capsys, "withdraw", "refunds-2024", "--at", "2024-05-01", "--yes")
    assert (len(done["versions"]), first("2024-04-30"), first("2024-05-02")) == (1, "refunds-2024", "refunds-2022")
    ask(capsys, "withdraw", "refunds-2024", "--at", "2024-05-08", "--undo", "--yes")
    assert (first("2024-05-02"), first("2024-05-09")) == ("refunds-2022", "refunds-2024")


@pytest.mark.usefixtures("store")
def test_withdrawal_without_anybody_to_ask_does_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Off a terminal `withdraw` lists what it would void and asks for --yes."""
    assert run(["withdraw", "refunds-2024"]) == 2
    shown = capsys.readouterr().err
    assert "this voids 1 of refunds-2024" in shown
    assert "add --yes" in shown
    assert ask(capsys, "search", REFUNDS, "--as-of", "2024-06")["hits"][0]["doc_id"] == "refunds-2024"


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("command", ["end", "history", "withdraw"])
def test_unknown_document_is_wrong_use(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A document that is not there is said to be unknown, with exit code 2."""
    assert run([command, "nowhere", "--json"]) == 2
    assert json.loads(capsys.readouterr().err)["code"] == "unknown_document"


@pytest.mark.usefixtures("store")
def test_history_prints_a_line_a_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`history --json` is JSON lines, the earliest version first."""
    assert run(["history", "refunds", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["doc_id"] for line in lines] == ["refunds-2021", "refunds-2022", "refunds-2024"]


@pytest.mark.usefixtures("store")
def test_sound_index_has_no_differences(capsys: pytest.CaptureFixture[str]) -> None:
    """`verify` finds nothing in an index that nobody touched."""
    assert ask(capsys, "verify") == {"differences": [], "mended": 0}


def test_second_writer_is_told_to_wait(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """While another process writes, an ingest fails with 3 and a search answers."""
    engine = open_engine(str(store))
    with engine.writer():
        assert run(["ingest", str(NOTICES), "--json"]) == 3
        assert json.loads(capsys.readouterr().err)["code"] == "store_locked"
        assert ask(capsys, "search", REFUNDS, "--as-of", "2024-06")["hits"]
    engine.close()


@pytest.mark.usefixtures("store")
def test_period_sets_the_moment_and_keeps_what_overlaps(capsys: pytest.CaptureFixture[str]) -> None:
    """`--from` and `--until` ask about a closed past period as at its end."""
    answer = ask(capsys, "search", "checkout payments failed", "--from", "2023-11", "--until", "2023-11")
    assert answer["as_of"] == "2023-11-30T23:59:59.999999Z"
    assert answer["hits"][0]["doc_id"] == "checkout-outage"


def test_date_and_text_mean_the_same_moment(index: stilltrue.Index) -> None:
    """A date, an aware datetime and their texts are read alike."""
    from datetime import UTC, date, datetime

    by_day = {index.search(REFUNDS, as_of=moment).as_of for moment in ("2024-02-01", date(2024, 2, 1))}
    by_instant = {
        index.search(REFUNDS, as_of=moment).as_of
        for moment in ("2024-02-01T10:00:00Z", datetime(2024, 2, 1, 10, tzinfo=UTC))
    }
    assert (len(by_day), len(by_instant)) == (1, 1)


def test_misspelt_option_is_refused(index: stilltrue.Index) -> None:
    """An option that no search has is named, with the nearest that one has."""
    with pytest.raises(stilltrue.StilltrueError, match="topk is not a key of a search; did you mean top_k"):
        index.search(REFUNDS, topk=3)  # type: ignore[call-arg]
