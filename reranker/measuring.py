"""Own the relevance of candidates without an index: as their scores were declared, else from their own text.

A text is measured with our analyzer and an embedder, as in an empty index: every token weighs ln 2, a field is taken
to be 100 tokens long. Nothing is stretched over the candidates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reranker.candidate import Candidate
from reranker.core import relevance
from reranker.core.explanation import Explanation, derived, given
from reranker.core.relevance import TermColumns
from reranker.question import Question
from reranker.ranking import Words
from store.analysis import analyze_passage
from store.embed import Embedder


def measure(candidates: Sequence[Candidate], question: Question, embedder: Embedder) -> Words:
    """Return what the words and vectors of candidates say; NaN where a declared score is no number of its scale."""
    silent = [at for at, candidate in enumerate(candidates) if _is_silent(candidate)]
    texts = _Texts([candidates[at] for at in silent], question, embedder)
    places = {at: row for row, at in enumerate(silent)}
    share, cosine, relevant = (np.zeros(len(candidates)) for _ in range(3))
    bm25, bound = np.full(len(candidates), np.nan), np.full(len(candidates), np.nan)
    for at, candidate in enumerate(candidates):
        if at in places:
            row = places[at]
            share[at], cosine[at], relevant[at] = texts.share[row], texts.cosine[row], texts.relevance[row]
            bm25[at], bound[at] = texts.bm25[row], question.lexicon.bound
            continue
        share[at], cosine[at] = _gated(candidate), candidate.cosine or 0.0
        relevant[at] = _declared(candidate, embedder.semantic_share).value
        bm25[at], bound[at] = _shown(candidate.bm25), _shown(candidate.bm25_max)

    def explain(at: int) -> Explanation:
        if at in places:
            return texts.explain(places[at])
        return _declared(candidates[at], embedder.semantic_share)

    return Words(bm25, bound, share, cosine, relevant, explain)


class _Texts:
    """Relevance of candidates by their own text."""

    def __init__(self, candidates: Sequence[Candidate], question: Question, embedder: Embedder) -> None:
        self._lexicon, self._semantic_share = question.lexicon, embedder.semantic_share
        fields = [analyze_passage(c.title, c.section, c.text) for c in candidates]
        titles, bodies = [title for title, _ in fields], [body for _, body in fields]
        self._columns = TermColumns(
            _counts(titles, question.lexicon.terms),
            _counts(bodies, question.lexicon.terms),
            np.array([len(tokens) for tokens in titles], dtype=np.int32),
            np.array([len(tokens) for tokens in bodies], dtype=np.int32),
        )
        vectors = embedder.embed(["\n".join(filter(None, (c.title, c.section, c.text))) for c in candidates])
        self.bm25 = relevance.bm25f(self._columns, question.lexicon)
        self.share = relevance.share_of_bound(self.bm25, question.lexicon.bound)
        self.cosine = (vectors.astype(np.float64) * question.vector).sum(axis=1)
        self.relevance = relevance.fuse(self.share, self.cosine, embedder.semantic_share)

    def explain(self, row: int) -> Explanation:
        return relevance.explain_relevance(
            float(self.relevance[row]),
            bm25=relevance.explain_bm25f(self._columns, self._lexicon, row),
            bound=relevance.explain_bound(self._lexicon),
            cosine=float(self.cosine[row]),
            semantic_share=self._semantic_share,
        )


def _is_silent(candidate: Candidate) -> bool:
    return candidate.share is None and candidate.cosine is None and candidate.relevance is None


def _declared(candidate: Candidate, semantic_share: float) -> Explanation:
    """Return relevance as declared: itself, or from both legs, or from the one that is there."""
    if candidate.relevance is not None:
        return given(candidate.relevance, "as declared")
    if candidate.share is None:
        cosine = candidate.cosine or 0.0
        return derived(min(max(cosine, 0.0), 1.0), "clip(cosine)", cosine=given(cosine, "as declared"))
    if candidate.cosine is None:
        return given(candidate.share, "bm25 / bm25_max, as declared")
    return derived(
        (1.0 - semantic_share) * candidate.share + semantic_share * min(max(candidate.cosine, 0.0), 1.0),
        "(1 - a) * share + a * clip(cosine)",
        a=given(semantic_share, "semantic share of the embedder"),
        share=given(candidate.share, "bm25 / bm25_max, as declared"),
        cosine=given(candidate.cosine, "as declared"),
    )


def _gated(candidate: Candidate) -> float:
    """Return what the relevance gate looks at beside the cosine."""
    if candidate.relevance is not None:
        return candidate.relevance
    return 0.0 if candidate.share is None else candidate.share


def _shown(number: float | None) -> float:
    return np.nan if number is None else number


def _counts(fields: Sequence[Sequence[str]], terms: Sequence[str]) -> relevance.Ints:
    counts = [[tokens.count(term) for term in terms] for tokens in fields]
    return np.array(counts, dtype=np.int32).reshape(len(fields), len(terms))
