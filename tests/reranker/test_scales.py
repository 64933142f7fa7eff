"""A raw score counts in the scale that was declared for it, and in no other."""

import math

import pytest

from reranker.errors import RequestError
from reranker.scales import parse_scale


@pytest.mark.parametrize(
    ("scale", "raw", "leg", "value"),
    [
        ("cosine", -0.9, "cosine", -0.9),
        ("cosine", 1.0000001, "cosine", 1.0),
        ("half_cosine", 0.9, "cosine", 0.8),
        ("inverse_distance", 1 / 1.2, "cosine", 0.8),
        ("bm25:16", 11.2, "words", 0.7),
        ("range:-10:10", 5, "relevance", 0.75),
        ("logit", 6.2, "relevance", 0.997974),
        ("logit", -8.1, "relevance", 0.000303),
    ],
)
def test_scores_of_a_scale(scale, raw, leg, value):
    """Each scale gives what it says, to the leg that it is of."""
    declared = parse_scale(scale)
    assert declared.leg == leg
    assert declared.convert(raw) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(
    ("scale", "raw"),
    [
        ("cosine", 1.2),
        ("cosine", math.nan),
        ("half_cosine", -0.1),
        ("inverse_distance", 0.2),
        ("inverse_distance", math.nan),
        ("bm25:16", 17.0),
        ("range:0:10", math.inf),
        ("logit", math.inf),
        ("logit", math.nan),
    ],
)
def test_what_a_scale_does_not_hold_is_no_score(scale, raw):
    """A number outside its scale is invalid, not clipped into sense."""
    assert math.isnan(parse_scale(scale).convert(raw))


BAD_SCALES = ["guess", "bm25", "bm25:0", "bm25:x", "range:0", "range:5:5", "range:0:inf", "cosine:1"]


@pytest.mark.parametrize("text", BAD_SCALES)
def test_undeclared_scales_are_refused(text):
    """A scale has a name and its numbers, or it is none."""
    with pytest.raises(RequestError, match="scale"):
        parse_scale(text)
