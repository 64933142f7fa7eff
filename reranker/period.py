"""Own periods that are asked for, and what lies in one.

A closed period in the past sets both moments to its last instant; one that contains now leaves them at now; one
wholly ahead sets `as_of` to its end; an open one leaves them. What overlaps it is kept. An event without a recorded
end is a point: it must have been observed inside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mappings.document import Kind
from mappings.interval import BEGIN, OPEN
from mappings.timeline import Standing
from reranker.core.gates import Bools
from reranker.pool import Pool


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open interval of instants, µs since 1970; BEGIN and OPEN where it has no bound."""

    start: int = BEGIN
    until: int = OPEN

    @property
    def is_closed(self) -> bool:
        """Whether it has an end."""
        return self.until < OPEN

    def moments(self, now: int) -> tuple[int, int]:
        """Return (as_of, known_at) that the period asks for, where no parameter says otherwise, µs."""
        if not self.is_closed or self.start <= now < self.until:
            return now, now
        return self.until - 1, min(self.until - 1, now)


def lies_in(pool: Pool, period: Period) -> Bools:
    """Tell which candidates lie in a period, (n,) bool; what carries no date is not ruled out."""
    observed = pool.columns.observed.tolist()
    rows = zip(pool.standings, pool.columns.kinds, observed, strict=True)
    return np.fromiter((_lies_in(row, kind, seen, period) for row, kind, seen in rows), dtype=bool, count=len(pool))


def held_until(standing: Standing) -> int:
    """Return what first closes a version as far as known, µs: its end, a replacement, the end of its document."""
    version = standing.version
    replaced = OPEN if standing.superseded_at is None else standing.superseded_at
    return min(version.valid_until, replaced, version.ended_at)


def _lies_in(standing: Standing, kind: Kind, observed: int, period: Period) -> bool:
    version = standing.version
    if version.undated:
        return True
    if kind is Kind.EVENT and version.valid_until == OPEN:
        return period.start <= observed < period.until
    return version.valid_from < period.until and held_until(standing) > period.start
