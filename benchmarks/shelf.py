"""Own what every peer ranks: the passages of one set with their days, words and vectors, and one question's candidates.

The passages are those of our index, so that nobody is ahead by how texts are cut; the vectors those of its embedder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from store.analysis import analyze
from store.embed import Embedder
from store.engine import Engine

# Best of each leg: what the peers' own defaults and examples take at most.
DEPTH: Final = 100
_BATCH: Final = 2_000


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: its words, its vector, and the moment that it is asked about.

    Attributes:
        at: seconds since 1970.
        known: how many passages were observed by then; they are the first of the shelf.
    """

    text: str
    vector: NDArray[np.float32]
    at: float
    known: int


@dataclass(frozen=True)
class Shelf:
    """Passages in the order of their days.

    Attributes:
        doc_ids, texts: (n).
        observed: (n,) float64, seconds since 1970, ascending.
        vectors: (n, d) float32, unit rows.
    """

    doc_ids: Sequence[str]
    texts: Sequence[str]
    observed: NDArray[np.float64]
    vectors: NDArray[np.float32]

    @cached_property
    def tokens(self) -> list[list[str]]:
        """The analysed texts."""
        return [analyze(text) for text in self.texts]

    def ask(self, text: str, embedder: Embedder, at: float) -> Asked:
        """Return a question about a moment."""
        known = int(np.searchsorted(self.observed, at, side="right"))
        return Asked(text, embedder.embed([text])[0], at, known)

    def nearest(self, asked: Asked, *, known_only: bool = True) -> list[tuple[int, float]]:
        """Return the passages nearest to a question with their cosines, best first."""
        stop = asked.known if known_only else len(self.doc_ids)
        return best(self.vectors[:stop] @ asked.vector, DEPTH)

    def documents(self, positions: Sequence[int]) -> list[str]:
        """Return the documents of passages, each at its best place."""
        return list(dict.fromkeys(self.doc_ids[at] for at in positions))


def best(scores: NDArray[np.floating], most: int) -> list[tuple[int, float]]:
    """Return the positions of the highest scores with them, equal ones in their order."""
    order = np.argsort(-scores, kind="stable")[:most]
    return list(zip(order.tolist(), scores[order].tolist(), strict=True))


def fill(engine: Engine, observed: Mapping[str, float], embedder: Embedder) -> Shelf:
    """Read all passages of an index.

    Args:
        engine: of the index.
        observed: by document, seconds since 1970.
        embedder: of the index.
    """
    rows = sorted(_passages(engine), key=lambda row: (observed[row[0]], row))
    texts = [text for _, text in rows]
    batches = [embedder.embed(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
    return Shelf(
        doc_ids=[doc_id for doc_id, _ in rows],
        texts=texts,
        observed=np.array([observed[doc_id] for doc_id, _ in rows]),
        vectors=np.concatenate(batches) if batches else np.zeros((0, embedder.dimension), dtype=np.float32),
    )


def _passages(engine: Engine) -> Iterator[tuple[str, str]]:
    keys = list(engine.series_keys())
    for start in range(0, len(keys), _BATCH):
        stored = engine.stored(keys[start : start + _BATCH])
        texts = engine.texts(list(stored))
        for name, row in stored.items():
            shown = texts[name]
            yield row.doc_id, "\n".join(part for part in (shown.title, shown.section, shown.text) if part)
