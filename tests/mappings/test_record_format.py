"""Records as bytes: equal records give equal bytes, all of a record returns, and what is no record is refused."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.document import Attributes, Kind, Observation
from mappings.errors import RecordError
from mappings.interval import Precision, Span
from mappings.record_format import FORMAT, record_from_json, record_to_json
from mappings.series import DocumentRecord, End, LinkCopy, PassageSpan, SeriesRecord, Withdrawal
from tests.mappings.worlds import to_records, worlds

RICH = Attributes(
    "incident", Kind.EVENT, True, "Outage", "feed", "https://example.org/1", "2.11", "quota", "10", ("a", "b"),
    "updated", "low", 5, 6, 7, ("by path",), '{"author":"ann"}',
)  # fmt: skip

FULL = SeriesRecord(
    series="s",
    documents={
        "a": DocumentRecord(
            "a",
            (
                Observation("A", Span(0, 10, Precision.DAY), 1, 9, "declared", ("b", "c"), 3, False, 12, RICH),
                Observation("B", None, draft=True, read_at=4),
            ),
            (End(Span.instant(20), 2, "sync", "gone"),),
            (Withdrawal("A", 30, True, "a mistake"),),
            ("ann", "bob"),
            (0, 3),
        ),
        "b": DocumentRecord("b"),
    },
    links=(LinkCopy("x", "a", "v", 1, 2, ((3, 4),), ("ann",), 5), LinkCopy("y", "a", "w", 1, 2)),
    passages={"p": PassageSpan("a", 0, 1)},
    revision=7,
)


def test_a_full_record_returns_whole():
    """Every field survives; the revision is the store's, and kept beside."""
    assert record_from_json(record_to_json(FULL), revision=7) == FULL
    assert record_from_json(record_to_json(FULL)).revision == 0


@given(worlds())
def test_any_record_returns_whole(world):
    """Writing and reading are inverse, links of other records among what is written."""
    for record in to_records(world).values():
        assert record_from_json(record_to_json(record)) == record


def test_two_thousand_observations_are_small():
    """Columns, and attributes written once: about 50 bytes an observation besides its hash."""
    attributes = Attributes(title="A page", source="handbook", reasons=("by path",))
    day = 10**15
    rows = [Observation(f"{i:032x}", Span.instant(day + i), read_at=day, attributes=attributes) for i in range(2000)]
    record = SeriesRecord("s").with_document(DocumentRecord("a").merge(rows))
    assert len(record_to_json(record)) < 220_000


BODY = orjson.loads(record_to_json(FULL))

UNREADABLE = {
    "empty": b"",
    "cut off": record_to_json(FULL)[:-1],
    "not UTF-8": b'{"format": "\xff"}',
    "a number": b"5",
    "a list": b"[]",
    "no format": b"{}",
    "format of another type": b'{"format": "one"}',
    "no documents": orjson.dumps({**BODY, "documents": None}),
    "documents in a list": orjson.dumps({**BODY, "documents": ["a"]}),
    "a link that is a text": orjson.dumps({**BODY, "links": ["x"]}),
    "a link with more": orjson.dumps({**BODY, "links": [{**BODY["links"][0], "more": 1}]}),
    "a passage with less": orjson.dumps({**BODY, "passages": {"p": ["a"]}}),
    "no readers": orjson.dumps({**BODY, "documents": {"a": {**BODY["documents"]["a"], "principals_key": []}}}),
    "attributes of nobody": orjson.dumps({**BODY, "documents": {"a": {**BODY["documents"]["a"], "attributes": []}}}),
    "an inverted span": orjson.dumps({**BODY, "documents": {"a": {**BODY["documents"]["a"], "ends": [[5, 5, "day"]]}}}),
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_record_is_refused_with_a_remedy(data):
    """Bytes that are damaged or something else are refused by their beginning, never half read."""
    with pytest.raises(RecordError, match="record must be readable") as refused:
        record_from_json(data)
    assert "from a copy" in refused.value.remedy


def test_a_newer_format_is_refused_by_its_number():
    """The way out is the program that wrote it."""
    with pytest.raises(RecordError, match=f"at most {FORMAT}, got {FORMAT + 1}") as refused:
        record_from_json(orjson.dumps({**BODY, "format": FORMAT + 1}))
    assert "newer stilltrue" in refused.value.remedy


@given(st.integers(0, len(record_to_json(FULL)) - 1), st.binary(max_size=3))
def test_a_damaged_record_is_read_or_refused(at, bytes_put_in):
    """Whatever byte is changed, nothing but RecordError comes out."""
    data = record_to_json(FULL)
    try:
        record_from_json(data[:at] + bytes_put_in + data[at + 1 :])
    except RecordError as refused:
        assert refused.remedy
