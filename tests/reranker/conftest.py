"""Own the indexes that the tests of this package ask; each is built once."""

import pytest

from tests.conftest import NOW
from tests.reranker.handbook import build_handbook


@pytest.fixture(scope="session")
def handbook(tmp_path_factory):
    """Give the handbook to be asked; nobody writes to it."""
    return build_handbook(tmp_path_factory.mktemp("reranker") / "handbook", NOW)
