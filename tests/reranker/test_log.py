"""The log of a question is for who asked it, and names nothing that this reader may not see now."""

import pytest

from reranker.errors import UnknownQueryError
from reranker.log import log_to_json, read_log
from tests.conftest import NOW
from tests.reranker.handbook import build

ROWS = [
    ("bands", "Salary bands", "Band A ends at 40.", {"date": "2023-01-01", "principals": ["hr"]}),
    ("bands", "Salary bands", "Band A ends at 50.", {"date": "2024-01-01", "principals": ["hr"]}),
    ("lunch", "Lunch", "Band A eats at noon.", {"date": "2023-01-01"}),
    ("lunch", "Lunch", "Band A eats at one.", {"date": "2024-01-01"}),
]


def named(entry):
    return [(each.doc_id, str(each.code)) for each in entry.rejected]


def test_candidates_are_counted_and_named(tmp_path):
    """What was looked at is there by code and content type, for the principals of the question."""
    desk = build(tmp_path / "index", ROWS, NOW)
    answer = desk.ask("band A", principals=["hr"], explain=True)
    entry = read_log(desk.engine, answer.query_id, principals=["hr"])
    assert sorted(named(entry)) == [("bands", "SUPERSEDED"), ("lunch", "SUPERSEDED")]
    question, *lines = log_to_json(entry)
    assert question["rejected"] == {"SUPERSEDED": 2}
    assert question["by_type"] == [{"code": "SUPERSEDED", "content_type": "reference", "candidates": 2}]
    assert sorted(line["doc_id"] for line in lines) == ["bands", "lunch"]


@pytest.mark.parametrize("principals", [[], ["it"], ["hr", "it"]], ids=["nobody", "another", "more"])
def test_only_who_asked_is_shown_it(tmp_path, principals):
    """With other principals there is no such question."""
    desk = build(tmp_path / "index", ROWS, NOW)
    answer = desk.ask("band A", principals=["hr"])
    with pytest.raises(UnknownQueryError, match=f"no question '{answer.query_id}' of this reader") as refused:
        read_log(desk.engine, answer.query_id, principals=principals)
    assert "query_id" in refused.value.remedy


def test_document_closed_since_is_no_longer_named(tmp_path):
    """Readers are those of now, in the log too."""
    desk = build(tmp_path / "index", ROWS, NOW)
    answer = desk.ask("band A", explain=True)
    assert named(read_log(desk.engine, answer.query_id)) == [("lunch", "SUPERSEDED")]
    closed = ("lunch", "Lunch", "Band A eats at two.", {"date": "2024-02-01", "principals": ["hr"]})
    desk.engine.close()
    again = build(tmp_path / "index", [closed], NOW)
    assert named(read_log(again.engine, answer.query_id)) == []
