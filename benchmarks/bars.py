"""Own what the figures must reach: bars on the means over sets, and gates that hold for every set by itself.

Bars rise from step to step of the project; gates hold at every step. The set of inferred means leaves out `peps`, which
records neither series nor, on that track, what supersedes what: nothing in it tells which text is the newer one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cells import Cell, macro
from runner import WITHOUT_TIME

# Where the time stands in the words only, a misread phrase may cost this much.
MISREAD: Final = 0.02
# A mean over some fifty to two hundred questions moves by this much when passages are cut elsewhere.
NOISE: Final = 0.005
# Between two runs of different code, the larger of one question and this.
STEP: Final = 0.01
ROUNDING: Final = 1e-9

# Sets whose lineage is recorded completely: a wrong version on top is a bug, not a miss.
SURE_LINEAGE: Final[Mapping[str, tuple[str, ...]]] = {
    "given": ("opensearch-docs", "govuk-runbooks", "endoflife-records", "tempreason", "peps"),
    "inferred": ("opensearch-docs", "govuk-runbooks", "endoflife-records"),
}
# Abstracts without any time: what time brings must cost them nothing.
NO_TIME: Final = ("cacm", "vaswani", "pubmedqa")
NO_LINEAGE: Final[Mapping[str, tuple[str, ...]]] = {"given": (), "inferred": ("peps",)}


@dataclass(frozen=True, slots=True)
class Bar:
    """Least means over sets for one surface and track; `wrong_version_1` is the most."""

    surface: str
    track: str
    hit_1: float
    ndcg_10: float
    wrong_version_1: float | None = None


STEPS: Final[Mapping[str, tuple[Bar, ...]]] = {
    "search": (
        Bar("parameter", "given", 0.76, 0.85, 0.15),
        Bar("parameter", "inferred", 0.74, 0.82, 0.15),
        Bar("timeless", "given", 0.80, 0.81),
        Bar("timeless", "inferred", 0.80, 0.81),
    ),
    "rules": (
        Bar("parameter", "given", 0.88, 0.93, 0.04),
        Bar("parameter", "inferred", 0.87, 0.90, 0.06),
        Bar("current", "given", 0.81, 0.90, 0.03),
        Bar("current", "inferred", 0.80, 0.90, 0.03),
        Bar("timeless", "given", 0.80, 0.81),
        Bar("timeless", "inferred", 0.80, 0.81),
    ),
    "words": (
        Bar("words", "given", 0.89, 0.93, 0.02),
        Bar("words", "inferred", 0.87, 0.91, 0.03),
    ),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One bar or gate and whether it is met; `text` says what was asked and what was found."""

    met: bool
    text: str


def check_bars(cells: Sequence[Cell], step: str) -> Iterator[Finding]:
    """Yield a finding for each figure of each bar of a step that the run has cells for."""
    for bar in STEPS[step]:
        part = for_means(cells, bar.surface, bar.track)
        if not part:
            continue
        found = macro(part)
        where = f"{bar.surface}, {bar.track}"
        yield _at_least(f"{where}: hit_1", found["hit_1"], bar.hit_1)
        yield _at_least(f"{where}: ndcg_10", found["ndcg_10"], bar.ndcg_10)
        if bar.wrong_version_1 is not None:
            yield _at_most(f"{where}: wrong_version_1", found["wrong_version_1"], bar.wrong_version_1)


def check_gates(cells: Iterable[Cell]) -> Iterator[Finding]:
    """Yield a finding for each gate of the cells of a run."""
    for cell in cells:
        slack = MISREAD if cell.surface == "words" else 0.0
        yield _at_most(f"{_name(cell)}: future_leak_10", cell.ours["future_leak_10"], slack)
        if cell.name in SURE_LINEAGE[cell.track] and cell.ours["wrong_version_1"] is not None:
            yield _at_most(f"{_name(cell)}: wrong_version_1", cell.ours["wrong_version_1"], slack)
        if cell.surface == "timeless":
            yield from _timeless(cell)


def check_falls(cells: Iterable[Cell], before: Iterable[Mapping[str, object]]) -> Iterator[Finding]:
    """Yield a finding for each figure of an earlier run: it falls by no more than one question or 0.01.

    Args:
        cells: of this run.
        before: lines of `quality.py --json`.
    """
    earlier = {(line["set"], line["track"], line["surface"]): line for line in before}
    for cell in cells:
        line = earlier.get((cell.name, cell.track, cell.surface))
        if line is None:
            continue
        slack = max(1.0 / cell.n, STEP)
        for name, sign in (("hit_1", 1), ("ndcg_10", 1), ("wrong_version_1", -1), ("future_leak_10", -1)):
            was, now = line.get(name), cell.ours[name]
            if isinstance(was, int | float) and now is not None:
                text = f"{_name(cell)}: {name} was {was:.3f}, is {now:.3f}"
                yield Finding(sign * (was - now) <= slack + ROUNDING, text)


def for_means(cells: Iterable[Cell], surface: str, track: str) -> list[Cell]:
    """Return the cells that a mean over sets takes."""
    return [
        cell
        for cell in cells
        if (cell.surface, cell.track) == (surface, track) and cell.name not in NO_LINEAGE[track]
    ]


def _timeless(cell: Cell) -> Iterator[Finding]:
    found, name = cell.ours["ndcg_10"], f"{_name(cell)}: ndcg_10"
    beside = [WITHOUT_TIME, *(["words"] if cell.name in NO_TIME else [])]
    for other in beside:
        least = cell.figures[other]["ndcg_10"]
        if least is not None:
            yield _at_least(f"{name} beside {other!r} {least:.4f}", found, least - NOISE)


def _name(cell: Cell) -> str:
    return f"{cell.name}, {cell.surface}, {cell.track}"


def _at_least(name: str, value: float | None, least: float) -> Finding:
    shown = "nothing" if value is None else f"{value:.4f}"
    return Finding(value is not None and value >= least - ROUNDING, f"{name}: {shown}, at least {least:.4f}")


def _at_most(name: str, value: float | None, most: float) -> Finding:
    shown = "nothing" if value is None else f"{value:.4f}"
    return Finding(value is None or value <= most + ROUNDING, f"{name}: {shown}, at most {most:.4f}")
