"""Own the numbers of time of each candidate: its content type's profile, and its kind's floor, as columns."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import count

import numpy as np

from mappings.document import Kind
from mappings.profile import Profile, profile_for
from reranker.core.relevance import Floats


@dataclass(frozen=True, slots=True)
class Rates:
    """How time counts for n candidates.

    Attributes:
        half_life: (n,) float64, days, > 0.
        silent, present: (n,) float64 in [0, 1), the weight without and under the strongest word of the present.
        floor: (n,) float64 in [0, 1), least that age leaves.
        when_running, when_in_period: (n,) float64 >= 1, boosts of an event under way, and inside a period asked for.
        max_age: (n,) float64, days; infinite where the type sets none.
    """

    half_life: Floats
    silent: Floats
    present: Floats
    floor: Floats
    when_running: Floats
    when_in_period: Floats
    max_age: Floats


def rates(content_types: Sequence[str], kinds: Sequence[Kind], profiles: Mapping[str, Profile]) -> Rates:
    """Look up the numbers of time of n candidates.

    Args:
        content_types: (n); a type without a profile has that of `reference`.
        kinds: (n).
        profiles: by content type.
    """
    rows: defaultdict[tuple[str, Kind], int] = defaultdict(count().__next__)
    pairs = zip(content_types, kinds, strict=True)
    at = np.fromiter(map(rows.__getitem__, pairs), dtype=np.intp, count=len(content_types))
    table = np.array([_row(profile_for(name, profiles), kind) for name, kind in rows], dtype=np.float64)
    return Rates(*np.ascontiguousarray(table.reshape(-1, len(fields(Rates))).T).take(at, axis=1))


def _row(profile: Profile, kind: Kind) -> tuple[float, ...]:
    """Return the numbers of one content type and kind in the order of the fields of `Rates`."""
    return (
        profile.half_life_days,
        profile.w_silent,
        profile.w_present,
        profile.floor(kind),
        profile.boost_under_way,
        profile.boost_in_period,
        math.inf if profile.max_age_days is None else profile.max_age_days,
    )
