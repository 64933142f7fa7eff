"""Declared values without a word of ours: one text for equal values, whatever they are."""

import json
from datetime import UTC, date, datetime

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.metadata import metadata_text, metadata_values

NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), PLAIN, max_size=4))
def test_plain_values_return_whole(values):
    """Plain data comes back as it was, and can be printed; the order of keys makes no other text."""
    text = metadata_text(values)
    valid = json.dumps(values, ensure_ascii=False).encode("utf-8", "replace").decode()
    assert metadata_values(text) == json.loads(valid)
    assert metadata_text(dict(reversed(values.items()))) == text
    assert orjson.loads(orjson.dumps(metadata_values(text))) == metadata_values(text)


def nested(levels: int) -> object:
    value: object = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (date(2024, 3, 1), "2024-03-01"),
        (datetime(2024, 3, 1, tzinfo=UTC), "2024-03-01 00:00:00+00:00"),
        (("a", 1), ["a", 1]),
        ("half \ud800", "half ?"),
        (nested(49), nested(49)),
        (nested(300), json.dumps(nested(300), separators=(",", ":"))),
    ],
    ids=["a day", "a moment", "a tuple", "half a character", "deep", "too deep"],
)
def test_what_json_has_no_word_for_is_kept_as_text(value, kept):
    """Nothing that a source can declare fails, and what is kept can be printed."""
    values = metadata_values(metadata_text({"key": value}))
    assert values == {"key": kept}
    assert orjson.dumps(values)


def test_nothing_is_no_text():
    """A document that declares nothing else costs nothing."""
    assert metadata_text({}) == ""
    assert metadata_values("") == {}
