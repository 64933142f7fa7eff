"""A request is refused before any work, with the key, the value and what is allowed."""

import pytest

from mappings.document import Kind
from reranker.core.scoring import Scoring
from reranker.errors import RequestError
from reranker.request import Filters, SearchRequest, request_from


@pytest.mark.parametrize(
    ("data", "field", "text"),
    [
        pytest.param({}, "query", "query is missing", id="no-query"),
        pytest.param({"query": 5}, "query", "query must be a text, got 5", id="number-for-a-query"),
        pytest.param({"query": " \n"}, "query", "query must hold a word", id="blank"),
        pytest.param({"query": "a" * 4097}, "query", "at most 4096 characters, got 4097", id="too-long"),
        pytest.param({"query": "a", "top_k": 0}, "top_k", "top_k must be a whole number, 1 to 100, got 0", id="none"),
        pytest.param({"query": "a", "top_k": -1}, "top_k", "got -1", id="negative"),
        pytest.param({"query": "a", "top_k": 101}, "top_k", "got 101", id="too-many"),
        pytest.param({"query": "a", "top_k": True}, "top_k", "got True", id="flag-for-a-count"),
        pytest.param({"query": "a", "top_k": 2.5}, "top_k", "got 2.5", id="half-a-hit"),
        pytest.param({"query": "a", "per_document": 11}, "per_document", "1 to 10, got 11", id="per-document"),
        pytest.param({"query": "a", "offset": -1}, "offset", "at least 0, got -1", id="offset"),
        pytest.param({"query": "a", "history": "yes"}, "history", "history must be true or false", id="flag"),
        pytest.param({"query": "a", "scoring": "best"}, "scoring", "one of default, off, additive", id="scoring"),
        pytest.param({"query": "a", "top": 3}, "top", "did you mean top_k", id="misspelt"),
        pytest.param({"query": "a", "principals": ["hr"]}, "principals", "is not a key", id="rights-are-not-asked-for"),
        pytest.param({"query": "a", "xyz": 3}, "xyz", "known keys: ", id="unknown"),
        pytest.param({"query": "a", "filters": ["x"]}, "filters", "must be a table", id="filters"),
        pytest.param({"query": "a", "filters": {"types": []}}, "filters.types", "known keys", id="unknown-filter"),
        pytest.param({"query": "a", "filters": {"kinds": []}}, "filters.kinds", "did you mean filters.kind", id="near"),
        pytest.param({"query": "a", "filters": {"kind": ["EVNT"]}}, "filters.kind", "VERSIONED, EVENT", id="kind"),
        pytest.param({"query": "a", "filters": {"source": "x"}}, "filters.source", "a list of texts", id="no-list"),
        pytest.param({"query": "a", "filters": {"source": [1]}}, "filters.source", "a list of texts", id="numbers"),
        pytest.param({"query": "a", "filters": {"active": 1}}, "filters.active", "true or false", id="active"),
    ],
)
def test_bad_requests(data, field, text):
    """Each names its field, and says the value and what is allowed."""
    with pytest.raises(RequestError) as refusal:
        request_from(data)
    assert refusal.value.field == field
    assert text in str(refusal.value)


def test_filters_must_be_filters():
    """Past the door a table is no filter any more."""
    with pytest.raises(RequestError, match="filters must be Filters"):
        SearchRequest("a", filters={})


def test_request_is_read_from_plain_data():
    """What a wire gives becomes frozen values; who asks comes from elsewhere."""
    data = {"query": "a", "filters": {"kind": ["EVENT"], "doc_id": ["x"]}, "top_k": 5, "scoring": "off"}
    request = request_from(data, principals=["hr"])
    assert request == SearchRequest(
        "a", ("hr",), Filters(kind=(Kind.EVENT,), doc_id=("x",)), top_k=5, scoring=Scoring.OFF
    )


def test_longest_question_is_allowed():
    """The limits themselves are inside."""
    assert request_from({"query": "a" * 4096, "top_k": 100, "per_document": 10, "filters": None}).offset == 0
