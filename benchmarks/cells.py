"""Own the cells of a run: one set, track and surface, with the figures of every system, and the means over sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from measures import MEASURES, mean, means
from runner import PRODUCT, Answer, Run

# With fewer queries one question moves a set by more than a tenth, and a set counts once in a macro mean.
LEAST_QUERIES: Final = 10

Figures = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Cell:
    """Figures of one set, track and surface (and kind of query, where those are told apart).

    Attributes:
        n: queries asked.
        figures: by system, the mean of each measure over the queries that it applies to; None: none.
        counts: by measure, how many queries it applies to.
    """

    name: str
    track: str
    surface: str
    n: int
    figures: dict[str, Figures]
    kind: str = ""
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def ours(self) -> Figures:
        """Return the figures of the product."""
        return self.figures[PRODUCT]

    def to_json(self) -> dict[str, Any]:
        """Return the cell as one line of a run."""
        return {"set": self.name, "track": self.track, "surface": self.surface, "n": self.n, **self.ours}


def cells(runs: Iterable[Run], *, by_kind: bool = False) -> list[Cell]:
    """Return the cells of runs, in the order of sets, then surfaces, then kinds."""
    return [cell for run in runs for cell in _cells(run, by_kind=by_kind)]


def _cells(run: Run, *, by_kind: bool) -> Iterator[Cell]:
    parts: dict[tuple[str, str], list[Answer]] = {}
    for answer in run.answers:
        key = answer.query.surface, answer.query.kind if by_kind else ""
        parts.setdefault(key, []).append(answer)
    for (surface, kind), answers in sorted(parts.items()):
        rows = {system: [answer.values[system] for answer in answers] for system in answers[0].values}
        counts = {name: sum(name in row for row in rows[PRODUCT]) for name in MEASURES}
        figures = {system: means(values) for system, values in rows.items()}
        yield Cell(run.name, run.track, surface, len(answers), figures, kind, counts)


def macro(part: Sequence[Cell], system: str = PRODUCT) -> Figures:
    """Return the mean over sets, each counting once; sets with fewer than ten queries are left out."""
    rows = [cell.figures[system] for cell in part if cell.n >= LEAST_QUERIES and system in cell.figures]
    return {name: mean(value for row in rows if (value := row[name]) is not None) for name in MEASURES}


def micro(part: Sequence[Cell], system: str = PRODUCT) -> Figures:
    """Return the mean over queries, each counting once, of all sets."""
    return {name: _micro(part, system, name) for name in MEASURES}


def _micro(part: Sequence[Cell], system: str, name: str) -> float | None:
    rows = [(cell.figures[system][name], cell.counts[name]) for cell in part if system in cell.figures]
    applies = [(value, count) for value, count in rows if value is not None]
    total = sum(count for _, count in applies)
    return sum(value * count for value, count in applies) / total if total else None
