"""Own the stamps of a passage and the filter over them: scalar and array form side by side.

A stamp is an int64 in µs since 1970. The filter never excludes a passage that is live; what it lets through by
mistake the series records decide. The OpenSearch clause of the same rule joins with that engine.

    rule            scalar and array                 keeps a passage when
    observed        observed <= known_at             it could be known
    begins          valid_from <= as_of              its window has begun
    ends            as_of < until                    its window has not ended (open for a chronicle)
    withdrawn       withdrawn > known_at             nobody has said that it never held
    closed          closed > min(as_of, known_at)    neither ended nor replaced
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mappings.document import Code, Kind
from mappings.interval import BEGIN, OPEN

type Int64s = NDArray[np.int64]
