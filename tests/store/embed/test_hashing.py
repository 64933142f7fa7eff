"""The embedder by spelling: the same numbers everywhere, near for like spelling, cheap."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.embed import get_embedder, identity
from store.embed.hashing import DIMENSION, HashingEmbedder
from store.engine import EmbedderId
from store.errors import UnknownEmbedderError

PINNED_PLACES = [1, 13, 41, 106, 185, 197]
PINNED_VALUES = [0.22941573, 0.22941573, -0.22941573, -0.22941573, 0.22941573, 0.22941573]


@pytest.fixture(scope="module")
def embedder():
    return get_embedder("hashing")


def likeness(embedder, one, other):
    a, b = embedder.embed([one, other])
    return float(a @ b)


def test_is_named_for_what_it_is(embedder):
    """Name, version and dimension are what an index records."""
    assert identity(embedder) == EmbedderId("hashing", "1", 512)
    assert (embedder.semantic_share, embedder.answer_threshold) == (0.1, 0.23)


@given(st.lists(st.text(max_size=80), max_size=4))
def test_rows_have_length_one_or_nought(texts):
    """Whatever the text, its row is of length 1, or all zeros where it has no words that count."""
    rows = HashingEmbedder().embed(texts)
    assert (rows.shape, rows.dtype) == ((len(texts), DIMENSION), np.float32)
    lengths = np.sqrt(np.square(rows, dtype=np.float64).sum(axis=1))
    assert np.all((np.abs(lengths - 1) < 1e-6) | (lengths == 0))


@given(st.lists(st.text(max_size=40), min_size=1, max_size=4))
def test_a_row_depends_on_its_text_alone(texts):
    """A text has the same row to the last bit, alone or among others, first or later."""
    embedder = HashingEmbedder()
    together = embedder.embed(texts)
    assert np.array_equal(together, np.concatenate([HashingEmbedder().embed([text]) for text in texts]))
    assert np.array_equal(together, embedder.embed(texts))


@pytest.mark.parametrize("text", ["", " ", "the of and", "... !?", "\n\t"])
def test_without_words_all_is_zero(embedder, text):
    """Nothing that counts: all zeros, so that the leg of vectors brings nothing."""
    assert not embedder.embed([text]).any()


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (("refund", "refunding"), ("refund", "holiday")),
        (("restart the server", "server restarts"), ("restart the server", "paint the wall")),
        (("kubernetes", "kubernets"), ("kubernetes", "postgres")),
    ],
)
def test_like_spelling_is_near(embedder, near, far):
    """Inflections and slips of the pen are nearer than other words."""
    assert likeness(embedder, *near) > 0.3 > likeness(embedder, *far)


def test_case_and_order_do_not_matter(embedder):
    """Words count, not their case or place."""
    assert likeness(embedder, "Red DOOR", "door red") == pytest.approx(1.0)


def test_a_word_counts_by_the_logarithm(embedder):
    """A word said a thousand times does not drown the rest."""
    rows = embedder.embed(["red", "red " * 1000 + "door", "red " * 5000 + "door"])
    assert 0.8 < rows[0] @ rows[1] < 0.99
    assert np.array_equal(rows[1], embedder.embed(["red " * 1000 + "door"])[0])


@pytest.mark.parametrize("seed", ["0", "12345"])
def test_is_the_same_in_every_process(embedder, seed):
    """Nothing depends on the process, its hash seed least of all."""
    code = (
        "from store.embed import get_embedder;"
        "print(get_embedder('hashing').embed(['how long do refunds take ü'])[0].tobytes().hex())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == embedder.embed(["how long do refunds take ü"])[0].tobytes().hex()


def test_numbers_are_pinned(embedder):
    """A change of any vector is a change of version: these are the first numbers of version 1."""
    row = embedder.embed(["how long do refunds take"])[0]
    assert np.flatnonzero(row)[:6].tolist() == PINNED_PLACES
    assert row[row != 0][:6].tolist() == pytest.approx(PINNED_VALUES, abs=1e-7)


def test_an_unknown_name_is_refused():
    """The nearest name is offered."""
    with pytest.raises(UnknownEmbedderError, match=r"got 'hashin'; did you mean 'hashing'\? known are hashing, minilm"):
        get_embedder("hashin")
