"""Relevance is BM25F over its bound, and the exact cosine; nobody else's numbers are in it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reranker.core import relevance as rel
from reranker.core.explanation import recompute


def lexicon(tokens, df, *, passages=100, title_average=4.0, body_average=80.0):
    return rel.lexicon(
        tokens,
        passages=passages,
        df=np.array(df, dtype=np.int64),
        title_average=title_average,
        body_average=body_average,
    )


def columns(rows):
    """Rows of (title_tf list, body_tf list, title_len, body_len)."""
    titles, bodies, title_len, body_len = zip(*rows, strict=True)
    return rel.TermColumns(
        np.array(titles, dtype=np.int32),
        np.array(bodies, dtype=np.int32),
        np.array(title_len, dtype=np.int32),
        np.array(body_len, dtype=np.int32),
    )


COUNTS = st.integers(0, 6)
TERMS = 3
ROW = st.tuples(
    st.lists(COUNTS, min_size=TERMS, max_size=TERMS),
    st.lists(COUNTS, min_size=TERMS, max_size=TERMS),
    st.integers(18, 60),
    st.integers(18, 400),
)


def test_score_is_the_written_formula():
    """One row by hand, both fields, a repeated token."""
    words = lexicon(["refund", "take", "refund"], [10, 40])
    got = rel.bm25f(columns([([1, 0], [2, 1], 4, 120)]), words)[0]
    body = 0.25 + 0.75 * 120 / 80
    first, second = 5 / 1.0 + 2 / body, 1 / body
    idf = [math.log(1 + (100 - df + 0.5) / (df + 0.5)) for df in (10, 40)]
    assert got == pytest.approx(2 * idf[0] * first / (1.2 + first) + idf[1] * second / (1.2 + second))


def test_bound_counts_repeats_and_unknown_tokens():
    """U is the sum of idf over all tokens of the question, the unknown one at df 0."""
    words = lexicon(["a", "b", "a"], [10, 0])
    known, unknown = math.log(1 + 90.5 / 10.5), math.log(1 + 100.5 / 0.5)
    assert words.terms == ("a", "b")
    assert words.bound == pytest.approx(2 * known + unknown)


def test_empty_index_counts_every_token_alike():
    """Without statistics idf is ln 2 and a field is taken to be 100 long."""
    words = lexicon(["a", "b"], [0, 0], passages=0, title_average=0.0, body_average=0.0)
    assert words.idf.tolist() == pytest.approx([math.log(2)] * 2)
    assert (words.title_average, words.body_average) == (100.0, 100.0)


def test_token_in_every_passage_still_weighs_more_than_nothing():
    """The idf is never negative."""
    assert rel.idf(100, np.array([100]))[0] > 0


@given(st.lists(ROW, min_size=1, max_size=12))
def test_score_stays_below_its_bound(rows):
    """However often a passage says a word, s < U."""
    words = lexicon(["a", "b", "c"], [1, 50, 100])
    scores = rel.bm25f(columns(rows), words)
    assert ((scores >= 0) & (scores < words.bound)).all()


@given(st.lists(ROW, min_size=2, max_size=12), st.data())
def test_score_does_not_depend_on_the_others(rows, data):
    """A passage scores the same bits alone and among others."""
    words = lexicon(["a", "b", "c"], [1, 50, 100])
    at = data.draw(st.integers(0, len(rows) - 1))
    assert rel.bm25f(columns(rows), words)[at] == rel.bm25f(columns([rows[at]]), words)[0]


@given(ROW, st.floats(-1, 1), st.sampled_from([0.0, 0.1, 0.3, 1.0]))
def test_explanation_computes_to_the_relevance(row, cosine, share):
    """Recomputing the explained relevance gives the relevance, token by token."""
    words, table = lexicon(["a", "b", "a", "c"], [1, 50, 99]), columns([row])
    score = rel.bm25f(table, words)
    value = rel.fuse(rel.share_of_bound(score, words.bound), np.array([cosine]), share)[0]
    explained = rel.explain_relevance(
        value,
        bm25=rel.explain_bm25f(table, words, 0),
        bound=rel.explain_bound(words),
        cosine=cosine,
        semantic_share=share,
    )
    assert recompute(explained.to_json()) == pytest.approx(value, rel=1e-12, abs=1e-15)


def test_question_without_tokens_has_no_lexical_part():
    """Stop words alone leave the cosine, and the explanation says so."""
    words = lexicon([], [])
    table = columns([([], [], 4, 80)])
    lexical = rel.share_of_bound(rel.bm25f(table, words), words.bound)
    value = rel.fuse(lexical, np.array([0.5]), 0.1)[0]
    explained = rel.explain_relevance(
        value,
        bm25=rel.explain_bm25f(table, words, 0),
        bound=rel.explain_bound(words),
        cosine=0.5,
        semantic_share=0.1,
    )
    assert lexical.tolist() == [0.0]
    assert recompute(explained.to_json()) == pytest.approx(value) == 0.05


@pytest.mark.parametrize(
    ("lexical", "cosine", "value"),
    [(0.7, 0.55, 0.685), (0.0, -0.5, 0.0), (1.0, 1.0, 1.0)],
    ids=["documented-example", "negative-cosine-counts-nothing", "both-full"],
)
def test_fusion_clips_each_part(lexical, cosine, value):
    """Each part lies in [0, 1] before they are weighed."""
    assert rel.fuse(np.array([lexical]), np.array([cosine]), 0.1)[0] == pytest.approx(value)
