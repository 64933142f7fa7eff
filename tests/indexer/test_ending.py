"""The two ways to go: an end closes, a withdrawal says that a text never held, and both reach the right versions."""

import pytest

from indexer.ending import WithdrawalRequest, end_document, plan_withdrawal, withdraw_document
from indexer.errors import UnknownDocumentError, UnknownVersionError
from indexer.settings import IngestSettings
from indexer.verify import verify
from mappings.interval import Span
from mappings.series import End
from tests.conftest import NOW
from tests.indexer.arrivals import EMBEDDER, open_index, state_of
from tests.indexer.library import at, fill, in_force, line_of, page, states

SETTINGS = IngestSettings()


@pytest.fixture
def engine(quick_path):
    """An index with three versions of one page."""
    engine = open_index(quick_path / "index")
    fill(engine, page("a", "2024-01-01"), page("a", "2024-02-01"), page("a", "2024-03-01"), page("b", "2024-01-01"))
    yield engine
    assert verify(engine, SETTINGS).differences == ()
    engine.close()


def end(engine, day, doc_id="a"):
    mark = End(Span.instant(at(day)), None, "command", "closed down")
    return end_document(engine, doc_id, mark, settings=SETTINGS, embedder=EMBEDDER)


def withdraw(engine, **request):
    plan = plan_withdrawal(engine, WithdrawalRequest("a", **{"at": at("2024-05-01"), **request}))
    return plan, withdraw_document(engine, plan, settings=SETTINGS, embedder=EMBEDDER)


def test_end_closes_the_document_and_nothing_else(engine):
    """After it nothing of the document is in force, before it all is as it was, and others are not touched."""
    assert end(engine, "2024-05-01").ended == 1
    assert in_force(engine, "a", "2024-04-01") == ["2024-03-01"]
    assert in_force(engine, "a", "2024-06-01") == []
    assert in_force(engine, "b", "2024-06-01") == ["2024-01-01"]


def test_end_given_twice_is_one_end(engine):
    """The second time nothing changes."""
    end(engine, "2024-05-01")
    before = state_of(engine)
    assert end(engine, "2024-05-01").ended == 0
    assert state_of(engine) == before


def test_document_may_come_back_after_its_end(engine):
    """The end closes what was before it, not what comes after."""
    end(engine, "2024-05-01")
    fill(engine, page("a", "2024-05-05", "a as of 2024-03-01"))
    assert states(engine, "a", "2024-06-01") == {
        "2024-01-01": "RETRACTED",
        "2024-02-01": "RETRACTED",
        "2024-03-01": "RETRACTED",
        "2024-05-05": "VALID",
    }


def test_end_of_an_unknown_document_is_an_error(engine):
    """A slip in an id does not go unseen."""
    with pytest.raises(UnknownDocumentError, match="document must be one that the index holds, got 'nope'"):
        end(engine, "2024-05-01", "nope")


def test_withdrawal_of_what_is_in_force_brings_the_version_before_back(engine):
    """Without a version or a moment the text in force at the withdrawal is meant."""
    plan, report = withdraw(engine, reason="misprint")
    assert ([run.observed for run in plan.runs], report.withdrawn) == ([at("2024-02-29") + 1], 1)
    assert in_force(engine, "a", "2024-04-01") == ["2024-03-01"]
    assert in_force(engine, "a", "2024-06-01") == ["2024-02-01"]


def test_withdrawal_by_a_moment_is_resolved_once(engine):
    """`as_of` names the version in force then, as known at the withdrawal."""
    withdraw(engine, as_of=at("2024-02-10"))
    assert states(engine, "a", "2024-06-01")["2024-02-01"] == "RETRACTED"
    assert in_force(engine, "a", "2024-02-10", known="2024-06-01") == ["2024-01-01"]


def test_withdrawal_by_version_id_or_its_first_digits(engine):
    """A version can be named."""
    version = line_of(engine, "a").versions[1]
    plan, _ = withdraw(engine, version=version.version_id[:6])
    assert plan.runs == (version,)


@pytest.mark.parametrize("request_", [{"as_of": at("2024-02-10")}, {"version": True}], ids=["as_of", "version"])
def test_withdrawal_can_be_taken_back(engine, request_):
    """Between the two the text is void, after the second it is not."""
    if "version" in request_:
        request_ = {"version": line_of(engine, "a").versions[1].version_id}
    withdraw(engine, **request_)
    withdraw(engine, **request_, at=at("2024-07-01"), undo=True)
    assert in_force(engine, "a", "2024-02-10", known="2024-06-01") == ["2024-01-01"]
    assert in_force(engine, "a", "2024-02-10", known="2024-08-01") == ["2024-02-01"]
    assert in_force(engine, "a", "2024-02-10") == ["2024-02-01"]


def test_plan_lists_every_run_of_the_text(engine):
    """A text that stood twice is void twice, and the plan says so before anything is done."""
    fill(engine, page("a", "2024-04-01", "a as of 2024-02-01"))
    plan, _ = withdraw(engine)
    assert [run.position for run in plan.runs] == [1, 3]
    assert in_force(engine, "a", "2024-06-01") == ["2024-03-01"]


def test_plan_alone_changes_nothing(engine):
    """A plan can be shown and dropped."""
    before = state_of(engine)
    plan_withdrawal(engine, WithdrawalRequest("a", at("2024-05-01")))
    assert state_of(engine) == before


UNKNOWN = {
    "no such version": ({"version": "ffffffff"}, "version must name one version of 'a', got 'ffffffff' which fits 0"),
    "too few digits": ({"version": "1"}, "version must name one version of 'a', got '1' which fits"),
    "nothing in force": ({"as_of": at("2023-01-01")}, "must have a version in force, got none at 2023-01-01"),
    "before it was known": ({"at": at("2024-01-10"), "version": 2}, "withdrawal must not be earlier than version"),
}


@pytest.mark.parametrize(("request_", "message"), UNKNOWN.values(), ids=UNKNOWN)
def test_withdrawal_of_what_is_not_there_is_an_error(engine, request_, message):
    """The message says what was asked, what there is, and where to look."""
    if isinstance(request_.get("version"), int):
        request_ = {**request_, "version": line_of(engine, "a").versions[request_["version"]].version_id}
    with pytest.raises(UnknownVersionError, match=message) as caught:
        withdraw(engine, **request_)
    assert caught.value.remedy


def test_repeat_of_a_withdrawn_text_does_not_revive_it(engine):
    """Only another text, an end, or other dates between make it a new version."""
    withdraw(engine)
    fill(engine, page("a", "2024-06-01", "a as of 2024-03-01"))
    assert in_force(engine, "a", "2024-06-02") == ["2024-02-01"]
    fill(engine, page("a", "2024-07-01", "between"), page("a", "2024-08-01", "a as of 2024-03-01"))
    assert in_force(engine, "a", "2024-08-02") == ["2024-08-01"]
    assert NOW < at("2024-08-02")
