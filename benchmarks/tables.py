"""Own how figures read on a terminal: set by surface, the means, and what was missed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bars import NO_LINEAGE, for_means
from baselines import RULES
from cells import LEAST_QUERIES, Cell, Figures, macro, micro
from runner import PRODUCT, WITHOUT_TIME, Answer, Run
from sets import SURFACES, TRACKS

_SYSTEMS: Final = (PRODUCT, WITHOUT_TIME, *RULES)
_WIDE: Final = 19
_LEGEND: Final = (
    "Each cell: Hit@1 / WrongVersion@1 / nDCG@10, and of stilltrue FutureLeak@10. A dash: does not apply.\n"
    "words: BM25F alone. observed: without what was observed later. newest: of each series the last observed.\n"
    "windows: declared windows and links. decay, blend: score * 0.5^(age/1y), * (0.7 + 0.3 * 0.5^(age/1y)).\n"
    "All of them take the same index, analyzer and fields; none reads a time in the words."
)


def table(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the lines of a table: a row a cell, then the means of each surface and track."""
    yield _LEGEND
    for track in TRACKS:
        for surface in SURFACES:
            part = [cell for cell in cells if (cell.surface, cell.track) == (surface, track)]
            if part:
                yield from _part(part, surface, track)


def _part(part: Sequence[Cell], surface: str, track: str) -> Iterator[str]:
    systems = [name for name in _SYSTEMS if any(name in cell.figures for cell in part)]
    width = max(len(_label(cell)) for cell in part) + 2
    yield f"\n{surface}, {track}"
    yield f"{'':{width}}{'n':>5}  leak " + "".join(f"{name:>{_WIDE}}" for name in systems)
    for cell in part:
        yield _row(_label(cell), width, cell.n, [cell.figures.get(name) for name in systems])
    if any(cell.kind for cell in part):
        return
    meant, total = for_means(part, surface, track), sum(cell.n for cell in part)
    small = [cell.name for cell in meant if cell.n < LEAST_QUERIES]
    yield _row("macro mean", width, total, [macro(meant, name) for name in systems])
    yield _row("micro mean", width, total, [micro(meant, name) for name in systems])
    left = [*small, *(name for name in NO_LINEAGE[track] if any(cell.name == name for cell in part))]
    if left:
        yield f"{'':{width}}not in the macro mean: {', '.join(left)}"


def _label(cell: Cell) -> str:
    return f"{cell.name} {cell.kind}".rstrip()


def _row(name: str, width: int, n: int, figures: Sequence[Figures | None]) -> str:
    leak = _number(figures[0]["future_leak_10"] if figures[0] else None)
    return f"{name:{width}}{n:>5} {leak:>5} " + "".join(f"{_triple(row):>{_WIDE}}" for row in figures)


def _triple(row: Figures | None) -> str:
    if row is None:
        return ""
    return "/".join(_number(row[name]) for name in ("hit_1", "wrong_version_1", "ndcg_10"))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def misses(runs: Iterable[Run], most: int) -> Iterator[str]:
    """Yield the first queries of each set and surface whose first document is not gold, with what stood there."""
    for run in runs:
        shown: dict[str, int] = {}
        for answer in run.answers:
            surface = answer.query.surface
            if _missed(answer) and shown.get(surface, 0) < most:
                shown[surface] = shown.get(surface, 0) + 1
                yield from _miss(run, answer)


def _missed(answer: Answer) -> bool:
    values = answer.values[PRODUCT]
    return values.get("hit_1") == 0.0 or bool(values.get("wrong_version_1")) or bool(values["future_leak_10"])


def _miss(run: Run, answer: Answer) -> Iterator[str]:
    query, ranked = answer.query, answer.rankings[PRODUCT]
    yield f"\n{run.name}, {run.track}, {query.surface}, {query.kind}  {query.qid}  at {query.moment}: {query.text!r}"
    for doc in sorted(query.gold)[:3]:
        place = ranked.index(doc) + 1 if doc in ranked else "absent"
        yield f"    gold  {place!s:>6}  {doc}"
    for at, doc in enumerate(ranked[:3]):
        word = "gold" if doc in query.gold else "wrong" if doc in query.wrong else ""
        yield f"    {word:5} {at + 1:>6}  {doc}"
