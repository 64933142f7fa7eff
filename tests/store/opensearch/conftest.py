"""Own the place of what only the engine on a cluster promises."""

import pytest

from tests.store.places import place_of
from tests.store.worlds import Place


@pytest.fixture
def place(request, tmp_path) -> Place:
    """Give a place on a node."""
    return place_of(request, tmp_path, "opensearch")


@pytest.fixture
def engine(place):
    """Give an empty index on a node."""
    made = place.make()
    yield made
    made.close()
