"""Settings of a search are checked when they are built."""

import pytest

from mappings.errors import BadValueError
from reranker.settings import SearchSettings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("depth", 0),
        ("depth", 1001),
        ("relevance_gate", -0.1),
        ("relevance_gate", 1.1),
        ("event_floor", 1.5),
        ("rejection_log", -1),
    ],
)
def test_numbers_outside_their_range(name, value):
    """Each is refused with its name, its range and the value."""
    with pytest.raises(BadValueError, match=rf"{name} must be .*, got {value}"):
        SearchSettings(**{name: value})


@pytest.mark.parametrize(("floor", "share"), [(None, 0.35), (0.5, 0.5), (0.0, 0.0)])
def test_floor_of_events(floor, share):
    """Unset, it is a share of the answer threshold."""
    assert SearchSettings(event_floor=floor).floor_of_events(1.0) == pytest.approx(share)
