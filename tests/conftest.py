"""Own what every test may lean on: hypothesis settings, the fixed clock, and where the benchmark folders lie."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# 2024-06-01T00:00:00Z in µs since 1970: the one "now" of the tests, so that no test depends on the day it runs.
NOW = 1_717_200_000_000_000

# The same cases in every run: a failure that only some runs see can not be bisected. No deadline: a busy
# machine is not a bug.
settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
# `HYPOTHESIS_PROFILE=explore` looks for new counter-examples instead.
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture
def now() -> int:
    """Give the fixed moment at which the tests happen, µs since 1970 UTC."""
    return NOW


@pytest.fixture(scope="session")
def bench_root() -> Path:
    """Give the folder of benchmark sets; skip where there is none, fail in CI, where there must be one."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "bench"
    root = Path(os.environ.get("STILLTRUE_BENCH") or beside)
    if not root.is_dir():
        absent = f"no benchmark folder at {root.name!r}; name one with STILLTRUE_BENCH"
        if os.environ.get("CI"):
            pytest.fail(absent + "; CI must have it")
        pytest.skip(absent)
    return root.resolve()


@pytest.fixture(scope="session")
def opensearch_url() -> str:
    """Give the URL of a node; skip where OPENSEARCH_URL names none, fail in CI."""
    node = os.environ.get("OPENSEARCH_URL", "").rstrip("/")
    if not node:
        absent = "no OpenSearch node: `make test-opensearch` starts one, or name yours with OPENSEARCH_URL"
        if os.environ.get("CI"):
            pytest.fail(absent + "; CI must have it")
        pytest.skip(absent)
    return node
