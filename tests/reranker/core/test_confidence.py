"""Confidence is the written arithmetic, and the verdict the first that fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reranker.core.confidence import Tier, Verdict, confidence, verdict
from reranker.core.explanation import recompute


def test_documented_example():
    """The example of the response: top 0.667875, margin 0.22, threshold 0.27."""
    sure = confidence(0.667875, 0.667875 * 0.78, answer_threshold=0.27)
    assert (sure.tier, round(sure.value, 4), round(sure.margin, 2)) == (Tier.HIGH, 0.9501, 0.22)


@pytest.mark.parametrize(
    ("top", "second", "severity", "tier"),
    [
        pytest.param(0.50, None, 0.0, Tier.HIGH, id="alone"),
        pytest.param(0.40, 0.30, 0.0, Tier.HIGH, id="ahead"),
        pytest.param(0.40, 0.40, 0.0, Tier.LOW, id="level"),
        pytest.param(0.35, 0.30, 0.0, Tier.MEDIUM, id="hardly-ahead"),
        pytest.param(0.40, 0.30, 1.0, Tier.MEDIUM, id="ahead-in-conflict"),
        pytest.param(0.10, None, 0.0, Tier.LOW, id="about-nothing"),
        pytest.param(0.0, None, 0.0, Tier.LOW, id="nothing-found"),
    ],
)
def test_tiers(top, second, severity, tier):
    """A clear lead over the threshold is HIGH, a thin one less."""
    assert confidence(top, second, answer_threshold=0.27, severity=severity).tier is tier


@given(st.floats(0, 1), st.one_of(st.none(), st.floats(0, 1)), st.floats(0.01, 1), st.floats(0, 1))
def test_explanation_computes_to_the_value(top, share, threshold, severity):
    """Recomputing the printed arithmetic gives the printed value, and the value is a share."""
    second = None if share is None else top * share
    sure = confidence(top, second, answer_threshold=threshold, severity=severity)
    assert 0.0 <= sure.value <= 1.0
    assert recompute(sure.explanation.to_json()) == pytest.approx(sure.value, abs=1e-12)


@given(st.floats(0.01, 1), st.floats(0, 1), st.floats(0, 1))
def test_conflict_never_raises_it(top, second, severity):
    """A contradiction lowers confidence or leaves it."""
    second *= top
    calm = confidence(top, second, answer_threshold=0.27)
    assert confidence(top, second, answer_threshold=0.27, severity=severity).value <= calm.value


@pytest.mark.parametrize(("top", "low", "high"), [(-1e6, 0.0, 0.001), (1e6, 0.999, 1.0)])
def test_extremes_do_not_overflow(top, low, high):
    """However far off a score is, the value is a number."""
    assert low <= confidence(top, None, answer_threshold=0.27).value <= high


@pytest.mark.parametrize(
    ("best", "in_conflict", "caveat", "said"),
    [
        (0.26, True, True, Verdict.NONE),
        (0.27, True, True, Verdict.CONFLICT),
        (0.27, False, True, Verdict.CAVEAT),
        (0.27, False, False, Verdict.STRONG),
    ],
)
def test_verdict(best, in_conflict, caveat, said):
    """Nothing here is about it, before a conflict, before a caveat."""
    assert verdict(best_relevance=best, answer_threshold=0.27, in_conflict=in_conflict, caveat=caveat) is said
