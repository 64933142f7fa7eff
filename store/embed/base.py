"""Own what an embedder is: text in, unit vectors out, and the constants that its likeness is read with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from store.engine import EmbedderId


class Embedder(Protocol):
    """Turns texts into vectors; the same text gives the same vector in every process.

    Attributes:
        name, version, dimension: what an index records, and refuses to mix.
        semantic_share: a in relevance = (1 - a) * words + a * cosine, in [0, 1].
        answer_threshold: relevance below which nothing found is about the question, in [0, 1].
    """

    @property
    def name(self) -> str:
        """Name in the settings."""
        ...

    @property
    def version(self) -> str:
        """Changes with every change of a vector."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        ...

    @property
    def semantic_share(self) -> float:
        """Share of the cosine in relevance."""
        ...

    @property
    def answer_threshold(self) -> float:
        """Relevance of the best hit from which on an answer is given."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return (n, dimension) float32, each row of length 1, or all zeros for a text without words."""
        ...


def identity(embedder: Embedder) -> EmbedderId:
    """Return what an index records of an embedder."""
    return EmbedderId(embedder.name, embedder.version, embedder.dimension)
