"""Own the engines that the contract is run over."""

import pytest

from tests.store.places import ENGINES, place_of
from tests.store.worlds import Place


@pytest.fixture(params=ENGINES)
def place(request, tmp_path) -> Place:
    """Give a place for an index of each kind of engine; another engine joins by its name in `ENGINES`."""
    return place_of(request, tmp_path / "index")


@pytest.fixture
def engine(place):
    """Give an empty index."""
    made = place.make()
    yield made
    made.close()
