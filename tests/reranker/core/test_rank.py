"""The order is total, and a page is a slice of it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reranker.core.rank import order, page, per_document

SCORES = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0]), max_size=30)


@given(SCORES, st.randoms(use_true_random=False))
def test_order_is_by_score_then_id(scores, random):
    """Higher scores first; equal ones by passage_id."""
    ids = [f"p{i:03}" for i in range(len(scores))]
    random.shuffle(ids)
    expected = sorted(range(len(scores)), key=lambda i: (-scores[i], ids[i]))
    assert order(np.array(scores), ids) == expected


@given(SCORES, st.randoms(use_true_random=False))
def test_order_of_two_ignores_the_others(scores, random):
    """Leaving candidates out never turns two that stay."""
    ids = [f"p{i:03}" for i in range(len(scores))]
    some = sorted(random.sample(range(len(scores)), len(scores) // 2))
    whole = [ids[i] for i in order(np.array(scores), ids) if i in some]
    part = order(np.array([scores[i] for i in some]), [ids[i] for i in some])
    assert [ids[some[i]] for i in part] == whole


def test_document_keeps_its_best_passages():
    """Of one document at most so many stay, the best."""
    assert list(per_document([3, 1, 0, 2], ["a", "a", "b", "a"], 2)) == [3, 1, 2]


DOCS = st.lists(st.sampled_from("abcd"), max_size=20)


@given(DOCS, st.integers(0, 5), st.integers(1, 6), st.integers(1, 3))
def test_page_is_prefix_of_the_longer_page(docs, offset, top_k, limit):
    """Asking for more changes nothing that was shown."""
    short = page(per_document(range(len(docs)), docs, limit), offset=offset, top_k=top_k)
    longer = page(per_document(range(len(docs)), docs, limit), offset=offset, top_k=top_k + 3)
    assert longer[: len(short)] == short


def test_nothing_ranks_to_nothing():
    """No candidates give no order."""
    assert order(np.array([]), []) == []
