"""Own the order: total, the same on every engine and in every run.

Score descending, then passage_id ascending; of one document at most `per_document` passages, its best. A page
is a slice of that order, so page k is a prefix of page k + 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.core.gates import Bools
from reranker.core.relevance import Floats


def order(scores: Floats, passage_ids: Sequence[Any], among: NDArray[np.intp] | None = None) -> list[int]:
    """Return positions from best to worst: score descending, then passage_id ascending.

    Args:
        scores: (n,) float64, finite.
        passage_ids: (n), distinct; or tuples that end in it, where something else breaks ties first.
        among: the positions to order, ascending; None: all n.
    """
    candidates = scores if among is None else scores[among]
    order = np.argsort(-candidates, kind="stable")
    descending = candidates[order]
    order = order if among is None else among[order]
    ranked: list[int] = order.tolist()
    equal = descending[1:] == descending[:-1]
    if equal.any():
        for start, stop in _runs(equal):
            ranked[start:stop] = sorted(ranked[start:stop], key=passage_ids.__getitem__)
    return ranked


def per_document(ranked: Iterable[int], doc_ids: Sequence[str], limit: int) -> Iterable[int]:
    """Yield the positions of `ranked` with at most `limit` of each document, in their order.

    Args:
        ranked: positions, best first.
        doc_ids: (n) the document of each position.
        limit: at least 1.
    """
    if max(Counter(doc_ids).values(), default=0) <= limit:
        yield from ranked
        return
    seen: dict[str, int] = {}
    for position in ranked:
        doc_id = doc_ids[position]
        count = seen.get(doc_id, 0)
        if count < limit:
            seen[doc_id] = count + 1
            yield position


def page(ranked: Iterable[int], *, offset: int, top_k: int) -> list[int]:
    """Return the `top_k` positions that follow the first `offset`."""
    return list(islice(ranked, offset, offset + top_k))


def _runs(equal: Bools) -> Iterable[tuple[int, int]]:
    """Return [start, stop) of each run of equal scores, from whether each score equals the next."""
    padded = np.concatenate(([False], equal, [False]))
    edges = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
    return zip(edges[::2], (edge + 1 for edge in edges[1::2]), strict=True)
