"""A time line tells each version with its state, as known at the moment, to who may know."""

import pytest

from reranker.history import history
from tests.conftest import NOW
from tests.reranker.handbook import build


def lines(handbook, key, **asked):
    moments = {"as_of": NOW, "known_at": NOW} | asked
    return [(entry.doc_id, str(entry.state), entry.label) for entry in history(handbook.engine, key, **moments)]


def test_document_has_its_versions_in_order(handbook):
    """The versions of one document, the earliest first."""
    assert lines(handbook, "refunds") == [
        ("refunds", "SUPERSEDED", "until 2024-03-01, replaced by a later version"),
        ("refunds", "VALID", "until 2024-07-01"),
    ]


def test_series_has_those_of_all_its_documents(handbook):
    """A series is asked for by its key."""
    assert [doc_id for doc_id, _, _ in lines(handbook, "money")] == ["refunds", "refunds", "refunds-plan"]


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("gone", "until 2024-04-01, then its document ended"),
        ("travel", "until 2024-02-01"),
        ("refunds-plan", "from 2024-07-01"),
        ("parking", "undated"),
    ],
)
def test_labels(handbook, key, label):
    """Each version says in words how it stands."""
    assert lines(handbook, key)[-1][-1] == label


def test_withdrawn_text_is_told(handbook):
    """What never held is in the time line, as withdrawn."""
    assert lines(handbook, "wrong")[-1] == ("wrong", "RETRACTED", "withdrawn 2024-04-01")


def test_later_readings_do_not_show(handbook):
    """What nobody knew then is not in the time line of then."""
    then = NOW - 200 * 86_400_000_000
    assert lines(handbook, "refunds", as_of=then, known_at=then) == [("refunds", "VALID", "in force since 2023-01-10")]


@pytest.mark.parametrize(("principals", "versions"), [((), 0), (("hr",), 1)])
def test_reader_without_the_right_is_told_nothing(handbook, principals, versions):
    """A document that a reader may not read is not there."""
    assert len(lines(handbook, "salary", principals=principals)) == versions


def test_unknown_name_has_no_versions(handbook):
    """Neither a document nor a series."""
    assert lines(handbook, "nothing") == []


def test_entry_reads_as_plain_data(handbook):
    """Instants are printed as RFC 3339, what is open as null."""
    printed = history(handbook.engine, "gone", as_of=NOW, known_at=NOW)[0].to_json()
    assert (printed["observed_at"], printed["valid_until"], printed["ended_at"]) == (
        "2023-05-01T00:00:00Z",
        None,
        "2024-04-01T00:00:00Z",
    )
    assert printed["codes"] == ["RETRACTED"]


def test_entry_says_why_and_what_else_was_declared(tmp_path):
    """Reasons of type and kind, and the keys that stilltrue has no word for, come with each version."""
    said = {"date": "2024-01-01", "type": "policy", "Owner": "ann", "weight": [1.5, {"b": None}]}
    desk = build(tmp_path / "index", [("a", "Lunch", "Lunch is at noon.", said)], NOW)
    (entry,) = history(desk.engine, "a", as_of=NOW, known_at=NOW)
    assert entry.reasons[0] == "type policy: metadata"
    assert entry.metadata == {"Owner": "ann", "weight": [1.5, {"b": None}]}
    shown = entry.to_json()
    assert (shown["metadata"], shown["reasons"]) == (entry.metadata, list(entry.reasons))
