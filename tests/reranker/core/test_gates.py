"""A gate looks at a candidate's own numbers and at nothing else."""

import numpy as np
import pytest

from reranker.core import gates
from reranker.core.explanation import recompute


@pytest.mark.parametrize(
    ("lexical", "cosine", "passes"),
    [
        pytest.param(0.05, 0.0, True, id="words-at-the-gate"),
        pytest.param(0.0, 0.05, True, id="vector-at-the-gate"),
        pytest.param(0.049, 0.049, False, id="neither"),
        pytest.param(0.0, -0.9, False, id="opposite"),
    ],
)
def test_relevance_gate(lexical, cosine, passes):
    """Words or vector have to reach the gate, and the explanation says the same."""
    assert gates.relevance_gate(np.array([lexical]), np.array([cosine]))[0] == passes
    explained = gates.explain_relevance_gate(lexical, cosine)
    assert explained.value is passes
    assert recompute(explained.to_json()) == passes


def test_only_numbers_are_finite():
    """NaN and infinity in any column are no scores."""
    first = np.array([1.0, np.nan, 1.0, 0.0])
    second = np.array([1.0, 1.0, np.inf, 0.0])
    assert gates.finite(first, second).tolist() == [True, False, False, True]
