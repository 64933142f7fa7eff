"""Own relevance: how well a passage answers the words of a question, seen alone.

No number here depends on another candidate: a third can not change the order of two. The engine counts terms
and measures cosines; this module scores.

    tf'       = sum over fields of boost * tf / (1 - b + b * length / average)
    s         = sum over the question's tokens of idf * tf' / (k1 + tf')           BM25F, s < U
    U         = sum over the question's tokens of idf                              repeats count
    relevance = (1 - a) * clip(s / U) + a * clip(cos)

Source: Robertson, Zaragoza, Taylor, "Simple BM25 extension to multiple weighted fields" (CIKM 2004); idf as
in Lucene's BM25Similarity, which is never negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reranker.core.explanation import Explanation, derived, given, summed

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

# Lucene's defaults, on which the measurements in docs/benchmarks.md were made.
K1: Final = 1.2
B: Final = 0.75
# A heading names what its section is about. Over twelve sets 5 is ahead of 2, of 3, and of one joint field.
TITLE_BOOST: Final = 5.0
BODY_BOOST: Final = 1.0
# An empty index has no average; passages are made about this long, and idf is ln 2 for every token there.
EMPTY_AVERAGE: Final = 100.0


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The tokens of a question, weighed by the statistics of one index.

    Attributes:
        terms: (q) the distinct tokens, in the order of the question.
        counts: (q,) float64, how often the question says each.
        idf: (q,) float64, > 0.
        title_average, body_average: terms a field has on average, > 0.
    """

    terms: tuple[str, ...]
    counts: Floats
    idf: Floats
    title_average: float
    body_average: float

    @property
    def bound(self) -> float:
        """U, the score that no passage reaches: the sum of idf over the question's tokens."""
        return float(np.dot(self.counts, self.idf))


@dataclass(frozen=True, slots=True)
class TermColumns:
    """What the passages hold of a question's q distinct tokens.

    Attributes:
        title_tf, body_tf: (n, q) int32, how often each token stands in the field.
        title_len, body_len: (n,) int32, tokens in the field.
    """

    title_tf: Ints
    body_tf: Ints
    title_len: Ints
    body_len: Ints


def distinct(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return each token once, in the order of first appearance."""
    return tuple(dict.fromkeys(tokens))


def idf(passages: int, df: NDArray[np.int64]) -> Floats:
    """Return the weight of tokens that `df` of `passages` hold: ln(1 + (N - df + 0.5) / (df + 0.5)).

    Args:
        passages: N, the passages of the index; 0 gives ln 2 for a token that none holds.
        df: (q,) int64, passages that hold each token in either field; 0 for an unknown one.
    """
    return np.log1p((passages - df + 0.5) / (df + 0.5))


def lexicon(
    tokens: Sequence[str], *, passages: int, df: NDArray[np.int64], title_average: float, body_average: float
) -> Lexicon:
    """Weigh the tokens of a question.

    Args:
        tokens: the analysed question, with its repeats.
        passages: N, the passages of the index.
        df: (q,) int64 in the order of `distinct(tokens)`.
        title_average: terms that a title has on average; 0 where no passage has one.
        body_average: terms that a body has on average; 0 in an empty index.
    """
    terms = distinct(tokens)
    counts = np.array([tokens.count(term) for term in terms], dtype=np.float64)
    return Lexicon(
        terms, counts, idf(passages, df), title_average or EMPTY_AVERAGE, body_average or EMPTY_AVERAGE
    )


def bm25f(columns: TermColumns, lexicon: Lexicon) -> Floats:
    """Return s, (n,) float64 in [0, U): see the head of this module."""
    weighted = _weighted_tf(columns, lexicon)
    weighted /= K1 + weighted
    weighted *= lexicon.counts * lexicon.idf
    scores: Floats = np.add.reduce(weighted, axis=1)
    return scores


def share_of_bound(bm25: Floats, bound: float) -> Floats:
    """Return s / U clipped to [0, 1], (n,) float64; 0 where the question holds no token."""
    if bound <= 0.0:
        return np.zeros_like(bm25)
    return np.clip(bm25 / bound, 0.0, 1.0)


def fuse(lexical: Floats, cosine: Floats, semantic_share: float) -> Floats:
    """Return relevance, (n,) float64 in [0, 1]: (1 - a) * lexical + a * clip(cosine).

    Args:
        lexical: (n,) float64 in [0, 1], from `share_of_bound`.
        cosine: (n,) float64 in [-1, 1], exact for every candidate.
        semantic_share: a in [0, 1], a constant of the embedder.
    """
    return (1.0 - semantic_share) * lexical + semantic_share * np.clip(cosine, 0.0, 1.0)


def explain_bm25f(columns: TermColumns, lexicon: Lexicon, row: int) -> Explanation:
    """Explain s of one passage, token by token."""
    value = bm25f(
        TermColumns(
            columns.title_tf[row : row + 1],
            columns.body_tf[row : row + 1],
            columns.title_len[row : row + 1],
            columns.body_len[row : row + 1],
        ),
        lexicon,
    )[0]
    held = [
        at for at in range(len(lexicon.terms)) if columns.title_tf[row, at] or columns.body_tf[row, at]
    ]
    return summed(value, {lexicon.terms[at]: _explain_term(columns, lexicon, row, at) for at in held})


def explain_bound(lexicon: Lexicon) -> Explanation:
    """Explain U, token by token."""
    parts = {
        term: derived(count * weight, "count * idf", count=given(count), idf=given(weight))
        for term, count, weight in zip(lexicon.terms, lexicon.counts, lexicon.idf, strict=True)
    }
    return summed(lexicon.bound, parts)


def explain_relevance(
    relevance: float, *, bm25: Explanation, bound: Explanation, cosine: float, semantic_share: float
) -> Explanation:
    """Explain the relevance of one passage from its two scores."""
    share = given(semantic_share, "semantic share of the embedder")
    similar = given(cosine, "cosine of question and passage")
    if bound.value <= 0.0:
        return derived(relevance, "a * clip(cosine)", a=share, cosine=similar)
    formula = "(1 - a) * clip(bm25 / bm25_max) + a * clip(cosine)"
    return derived(relevance, formula, bm25=bm25, bm25_max=bound, a=share, cosine=similar)


def _weighted_tf(columns: TermColumns, lexicon: Lexicon) -> Floats:
    """Return tf', (n, q) float64."""
    title = _norm(columns.title_len, lexicon.title_average)
    body = _norm(columns.body_len, lexicon.body_average)
    weighted: Floats = columns.title_tf * (TITLE_BOOST / title)[:, None]
    weighted += columns.body_tf * (BODY_BOOST / body)[:, None]
    return weighted


def _norm(length: Ints, average: float) -> Floats:
    return (1.0 - B) + B * (length / average)


def _explain_term(columns: TermColumns, lexicon: Lexicon, row: int, at: int) -> Explanation:
    title = _explain_field(
        columns.title_tf[row, at], columns.title_len[row], lexicon.title_average, TITLE_BOOST
    )
    body = _explain_field(columns.body_tf[row, at], columns.body_len[row], lexicon.body_average, BODY_BOOST)
    tf = derived(title.value + body.value, "title + body", title=title, body=body)
    value = lexicon.counts[at] * lexicon.idf[at] * (tf.value / (K1 + tf.value))
    return derived(
        value,
        "count * idf * tf / (k1 + tf)",
        count=given(lexicon.counts[at], "times the question says it"),
        idf=given(lexicon.idf[at]),
        tf=tf,
        k1=given(K1),
    )


def _explain_field(tf: int, length: int, average: float, boost: float) -> Explanation:
    value = tf * boost / ((1.0 - B) + B * (length / average))
    return derived(
        value,
        "boost * tf / (1 - b + b * length / average)",
        boost=given(boost),
        tf=given(tf),
        b=given(B),
        length=given(length),
        average=given(average),
    )
