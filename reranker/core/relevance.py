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


class TermReasons:
    """Explain s of the passages of one question, token by token; what many of them share is made once."""

    def __init__(self, columns: TermColumns, lexicon: Lexicon, bm25: Floats) -> None:
        self._columns, self._bm25, self._terms = columns, bm25, lexicon.terms
        self._weights = [
            (given(count, "times the question says it"), given(idf))
            for count, idf in zip(lexicon.counts.tolist(), lexicon.idf.tolist(), strict=True)
        ]
        self._title_average, self._body_average = given(lexicon.title_average), given(lexicon.body_average)
        self.bound = explain_bound(lexicon)

    def explain(self, row: int) -> Explanation:
        """Explain s of one passage."""
        columns = self._columns
        title = _FieldReasons(_TITLE_BOOST, given(int(columns.title_len[row])), self._title_average)
        body = _FieldReasons(_BODY_BOOST, given(int(columns.body_len[row])), self._body_average)
        in_titles, in_bodies = columns.title_tf[row].tolist(), columns.body_tf[row].tolist()
        held = zip(self._terms, self._weights, in_titles, in_bodies, strict=True)
        parts = {
            term: _explain_term(count, idf, title.explain(in_title), body.explain(in_body))
            for term, (count, idf), in_title, in_body in held
            if in_title or in_body
        }
        return summed(self._bm25[row], parts)


def explain_bm25f(columns: TermColumns, lexicon: Lexicon, row: int) -> Explanation:
    """Explain s of one passage, token by token; for many of them use `TermReasons`."""
    return TermReasons(columns, lexicon, bm25f(columns, lexicon)).explain(row)


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


def _explain_term(count: Explanation, idf: Explanation, title: Explanation, body: Explanation) -> Explanation:
    tf = derived(title.value + body.value, "title + body", title=title, body=body)
    value = count.value * idf.value * (tf.value / (K1 + tf.value))
    return derived(value, "count * idf * tf / (k1 + tf)", count=count, idf=idf, tf=tf, k1=_K1)


@dataclass(frozen=True, slots=True)
class _FieldReasons:
    """Explain what a field of one passage adds to tf'."""

    boost: Explanation
    length: Explanation
    average: Explanation

    def explain(self, tf: int) -> Explanation:
        """Explain it for one token."""
        norm = (1.0 - B) + B * (self.length.value / self.average.value)
        return derived(
            tf * self.boost.value / norm,
            "boost * tf / (1 - b + b * length / average)",
            boost=self.boost,
            tf=given(tf),
            b=_B,
            length=self.length,
            average=self.average,
        )


# The same in every explanation.
_K1: Final = given(K1)
_B: Final = given(B)
_TITLE_BOOST: Final = given(TITLE_BOOST)
_BODY_BOOST: Final = given(BODY_BOOST)
