"""Own the place of what only the embedded engine promises."""

import pytest

from tests.store.worlds import Place


@pytest.fixture
def place(tmp_path) -> Place:
    """Give a place for an embedded index."""
    return Place(f"embedded:{tmp_path / 'index'}", tmp_path / "index")
