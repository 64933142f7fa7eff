"""Own what a search may be set to, apart from what each question says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mappings.errors import BadValueError
from reranker.core.gates import RELEVANCE_GATE

# Deep enough that two stages equal one: measured on nine of ten sets, the tenth needs the leg of the newest.
DEFAULT_DEPTH: Final = 100
MOST_DEPTH: Final = 1_000
# Enough to ask about any answer of the day of a busy team; a row is a few kB at most.
DEFAULT_LOG: Final = 1_000
MOST_LOG: Final = 1_000_000
# An event is lifted from this share of the answer threshold on. Measured on 33 questions about incidents under way:
# 31 right up to here, 22 at three fifths of the threshold, 17 at all of it; what shares no word stays far below.
EVENT_FLOOR_SHARE: Final = 0.35


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How deep a search looks and what it lets in.

    Attributes:
        depth: candidates that each leg brings, 1 to 1000; no page reaches beyond it.
        relevance_gate: least of cosine and s / U of a hit, in [0, 1].
        event_floor: least relevance of an event that is lifted, in [0, 1]; None: a share of the answer threshold.
        rejection_log: questions whose rejections are kept, the newest; 0: none are.
    """

    depth: int = DEFAULT_DEPTH
    relevance_gate: float = RELEVANCE_GATE
    event_floor: float | None = None
    rejection_log: int = DEFAULT_LOG

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= MOST_DEPTH:
            raise BadValueError(f"depth must be 1 to {MOST_DEPTH}, got {self.depth!r}")
        if not 0.0 <= self.relevance_gate <= 1.0:
            raise BadValueError(f"relevance_gate must be 0 to 1, got {self.relevance_gate!r}")
        if self.event_floor is not None and not 0.0 <= self.event_floor <= 1.0:
            raise BadValueError(f"event_floor must be 0 to 1, got {self.event_floor!r}")
        if not 0 <= self.rejection_log <= MOST_LOG:
            raise BadValueError(f"rejection_log must be 0 to {MOST_LOG}, got {self.rejection_log!r}")

    def floor_of_events(self, answer_threshold: float) -> float:
        """Return the least relevance of an event that is lifted, under an embedder with this threshold."""
        return EVENT_FLOOR_SHARE * answer_threshold if self.event_floor is None else self.event_floor


DEFAULT_SETTINGS: Final = SearchSettings()
