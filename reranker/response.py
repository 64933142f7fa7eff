"""Own what a search answers: its hits, and how they read as plain data (the same for terminal, file and wire)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mappings.document import Code, Kind, State
from mappings.interval import format_instant
from reranker.core.explanation import Explanation


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage of an answer, how it stands, and its numbers.

    Attributes:
        rank: in its channel, from 1.
        version_id: of the version that the passage is shown for: of its run, the one that holds.
        observed_at: when the passage could first be known, µs; its age counts from it. None: no date.
        valid_from, valid_until, superseded_at: of the version, µs; None: open, or not known to the reader.
        superseded_by: documents known to take its place, the earliest in force first.
        verified_at: when the version was last confirmed unchanged, µs; None: never since.
        age_days: at the moment asked for; None: no date.
        bm25, bm25_max: score of its words, and the most a passage could reach; cosine: of its vector.
        relevance, temporal, weight, score: see docs/score.md.
    """

    rank: int
    passage_id: str
    doc_id: str
    version_id: str
    series: str
    title: str
    section: str
    text: str
    url: str | None
    source: str
    content_type: str
    kind: Kind
    state: State
    label: str
    observed_at: int | None
    valid_from: int | None
    valid_until: int | None
    superseded_at: int | None
    superseded_by: tuple[str, ...]
    verified_at: int | None
    age_days: float | None
    bm25: float
    bm25_max: float
    cosine: float
    relevance: float
    temporal: float
    weight: float
    score: float
    codes: tuple[Code, ...]
    explainer: Callable[[], Explanation] = field(repr=False, compare=False)

    @property
    def explanation(self) -> Explanation:
        """Where the score came from, made when it is asked for."""
        return self.explainer()

    def to_json(self, *, explain: bool = False) -> dict[str, Any]:
        """Return the hit as plain data, with its explanation where asked for."""
        data = {name: _plain(name, getattr(self, name)) for name in self.__slots__ if name != "explainer"}
        return data | ({"explanation": self.explanation.to_json()} if explain else {})


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """What a search answers.

    Attributes:
        query_id: of this question at these moments.
        as_of, known_at: the moments that ruled, µs.
        history: what no longer holds, upcoming: what does not hold yet; empty unless asked for.
        undated: passages without a date, apart from the hits where a past moment was asked for.
        rejected: passages with a word of the question that are not among the hits, by what keeps them out.
        took_ms: by stage.
        explain: whether `to_json` prints explanations.
    """

    query_id: str
    as_of: int
    known_at: int
    hits: tuple[Hit, ...]
    history: tuple[Hit, ...]
    upcoming: tuple[Hit, ...]
    undated: tuple[Hit, ...]
    rejected: Mapping[Code, int]
    took_ms: Mapping[str, float]
    explain: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the answer as plain data; instants as RFC 3339 in UTC."""
        channels = ("hits", "history", "upcoming", "undated")
        return {
            "query_id": self.query_id,
            "as_of": format_instant(self.as_of),
            "known_at": format_instant(self.known_at),
            **{name: [hit.to_json(explain=self.explain) for hit in getattr(self, name)] for name in channels},
            "rejected": {str(code): number for code, number in self.rejected.items()},
            "took_ms": dict(self.took_ms),
        }


_INSTANTS = ("observed_at", "valid_from", "valid_until", "superseded_at", "verified_at")


def _plain(name: str, value: Any) -> Any:
    if name in _INSTANTS:
        return format_instant(value)
    if isinstance(value, tuple):
        return [str(item) for item in value]
    if isinstance(value, Kind | State):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
