"""Own what keeps a candidate out for a number of its own: never a number stretched over the pool."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from reranker.core.explanation import Explanation, derived, given
from reranker.core.relevance import Floats

Bools = NDArray[np.bool_]

# Below this neither the words nor the vector say that the passage has to do with the question.
RELEVANCE_GATE: Final = 0.05


def relevance_gate(lexical: Floats, cosine: Floats, gate: float = RELEVANCE_GATE) -> Bools:
    """Tell which candidates have to do with the question: max(cosine, s / U) >= gate, (n,) bool.

    Args:
        lexical: (n,) float64, s / U in [0, 1].
        cosine: (n,) float64.
        gate: the least of the two that lets a candidate in.
    """
    return np.maximum(lexical, cosine) >= gate


def explain_relevance_gate(lexical: float, cosine: float, gate: float = RELEVANCE_GATE) -> Explanation:
    """Explain whether one candidate passed the gate."""
    return derived(
        bool(max(lexical, cosine) >= gate),
        "max(lexical, cosine) >= gate",
        lexical=given(lexical, "bm25 / bm25_max"),
        cosine=given(cosine),
        gate=given(gate),
    )


def finite(*columns: Floats) -> Bools:
    """Tell which candidates have a number in every column: NaN and infinity are no scores, (n,) bool."""
    numbers: Bools = np.logical_and.reduce([np.isfinite(column) for column in columns])
    return numbers
