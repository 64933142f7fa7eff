"""Own what an event is at a moment, seen from its own dates."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mappings.interval import DAY, OPEN
from reranker.core.gates import Bools

# Nobody writes down the end of everything: an event without one is taken to last a week.
DAYS_WITHOUT_END: Final = 7


def under_way(inside: Bools, begins: NDArray[np.int64], ends: NDArray[np.int64], as_of: int) -> Bools:
    """Tell which events are going on at a moment, (n,) bool.

    Args:
        inside: (n,) bool, whether the state is TEMPORAL: an event inside its window.
        begins: (n,) int64, µs.
        ends: (n,) int64, µs; `mappings.interval.OPEN` where no end is recorded.
        as_of: µs.
    """
    lasting = (ends < OPEN) | (as_of < begins + DAYS_WITHOUT_END * DAY)
    running: Bools = inside & lasting
    return running
