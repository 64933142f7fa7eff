"""Bars and gates: which figures are held to what, and what a finding says."""

from typing import Any

import pytest
from bars import STEPS, Finding, check_bars, check_falls, check_gates
from cells import Cell, macro, micro


def cell(
    name: str, surface: str = "parameter", track: str = "given", n: int = 100, **figures: float | None
) -> Cell:
    """Return a cell whose figures are fine unless said otherwise."""
    fine: dict[str, float | None] = {"hit_1": 1.0, "wrong_version_1": 0.0, "future_leak_10": 0.0, "ndcg_10": 1.0}
    ours = fine | figures
    counts = dict.fromkeys(ours, n)
    return Cell(name, track, surface, n, {"stilltrue": ours, "scoring off": fine, "words": fine}, counts=counts)


def unmet(findings: Any) -> list[str]:
    """Return the texts of the findings that are not met."""
    return [finding.text for finding in findings if not finding.met]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (cell("any", future_leak_10=0.01), "any, parameter, given: future_leak_10: 0.0100, at most 0.0000"),
        (cell("peps", wrong_version_1=0.02), "peps, parameter, given: wrong_version_1: 0.0200, at most 0.0000"),
        (
            cell("vaswani", "timeless", ndcg_10=0.99),
            "vaswani, timeless, given: ndcg_10 beside 'words' 1.0000: 0.9900, at least 0.9950",
        ),
        (
            cell("any", "timeless", ndcg_10=0.99),
            "any, timeless, given: ndcg_10 beside 'scoring off' 1.0000: 0.9900, at least 0.9950",
        ),
    ],
    ids=["leak", "wrong version", "words alone", "scoring off"],
)
def test_a_gate_names_what_fails_it(bad: Cell, says: str) -> None:
    """Each gate is checked set by set, and says set, surface, track, figure and bound."""
    assert says in unmet(check_gates([bad]))


@pytest.mark.parametrize(
    "fine",
    [
        cell("any", wrong_version_1=0.5),
        cell("peps", track="inferred", wrong_version_1=0.5),
        cell("cacm", "timeless", ndcg_10=0.995),
        cell("any", "words", future_leak_10=0.02),
    ],
    ids=["lineage is not sure", "lineage is hidden", "within the slack", "a misread phrase"],
)
def test_what_no_gate_asks(fine: Cell) -> None:
    """A set with doubtful lineage may be wrong, abstracts may move a little, a phrase may be misread."""
    assert not unmet(check_gates([fine]))


def test_words_may_be_misread_a_little() -> None:
    """Where the time stands in the words, two in a hundred may be wrong and no more."""
    assert unmet(check_gates([cell("peps", "words", wrong_version_1=0.03)])) == [
        "peps, words, given: wrong_version_1: 0.0300, at most 0.0200"
    ]


def test_bars_are_on_means_over_sets() -> None:
    """A set counts once; what is below ten questions, and peps where its lineage is hidden, is left out."""
    good, small = cell("a", hit_1=0.8, ndcg_10=0.9), cell("b", n=9, hit_1=0.0, ndcg_10=0.0)
    assert not unmet(check_bars([good, small], "search"))
    hidden = [cell("a", track="inferred"), cell("peps", track="inferred", hit_1=0.0, ndcg_10=0.0)]
    assert not unmet(check_bars(hidden, "search"))
    assert unmet(check_bars([cell("a", hit_1=0.7)], "search")) == [
        "parameter, given: hit_1: 0.7000, at least 0.7600"
    ]


def test_every_step_is_checked_on_both_tracks() -> None:
    """No step forgets the track without declared windows."""
    assert all({bar.track for bar in step} == {"given", "inferred"} for step in STEPS.values())


@pytest.mark.parametrize(
    ("n", "now", "met"),
    [(100, 0.79, True), (100, 0.785, False), (10, 0.7, True), (10, 0.69, False), (500, 0.791, True)],
)
def test_no_figure_falls_by_more_than_a_question(n: int, now: float, met: bool) -> None:
    """The slack against an earlier run is the larger of one question and 0.01."""
    before = {"set": "a", "track": "given", "surface": "parameter", "n": n, "hit_1": 0.8, "ndcg_10": None}
    found = list(check_falls([cell("a", n=n, hit_1=now)], [before]))
    assert found == [Finding(met, f"a, parameter, given: hit_1 was 0.800, is {now:.3f}")]


def test_means_count_sets_or_queries() -> None:
    """The macro mean counts a set once, the micro mean a query; None where nothing applies."""
    part = [cell("a", n=30, hit_1=1.0), cell("b", n=10, hit_1=0.0, wrong_version_1=None)]
    assert macro(part)["hit_1"] == 0.5 and micro(part)["hit_1"] == 0.75
    assert macro(part)["wrong_version_1"] == 0.0
    assert macro([])["hit_1"] is None and micro([])["hit_1"] is None
