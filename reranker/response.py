"""Own what a search answers, and how it reads as plain data: the same for terminal, file and wire."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mappings.document import Code, Kind, State
from mappings.interval import format_instant
from reranker.core.confidence import Confidence, Verdict
from reranker.core.explanation import Explanation
from reranker.core.scoring import Scoring
from reranker.question import TimeReading


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
        partner: passage of a fresher source, for a weak hit whose content type asks for one.
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
    partner: str | None = None
    explainer: Callable[[], Explanation] = field(repr=False, compare=False, kw_only=True)

    @property
    def explanation(self) -> Explanation:
        """Where the score came from, made when it is asked for."""
        return self.explainer()

    def to_json(self, *, explain: bool = False) -> dict[str, Any]:
        """Return the hit as plain data, with its explanation where asked for."""
        data = _plain_fields(self)
        if self.partner is None:
            del data["partner"]
        return data | ({"explanation": self.explanation.to_json()} if explain else {})


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate that would have been on the page.

    Attributes:
        sentence: how well it matched, and why it is not there.
        score: what it would have had.
    """

    passage_id: str
    doc_id: str
    version_id: str
    series: str
    title: str
    section: str
    state: State
    code: Code
    sentence: str
    score: float
    explainer: Callable[[], Explanation] = field(repr=False, compare=False, kw_only=True)

    @property
    def explanation(self) -> Explanation:
        """Where its score came from, or which gate it failed."""
        return self.explainer()

    def to_json(self, *, explain: bool = False) -> dict[str, Any]:
        """Return the candidate as plain data, with its explanation where asked for."""
        return _plain_fields(self) | ({"explanation": self.explanation.to_json()} if explain else {})


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a conflict: a value, and who declares it since when (µs)."""

    value: str
    passage_id: str
    doc_id: str
    version_id: str
    observed_at: int | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Sources in force that give different values for one topic, the newest first."""

    topic: str
    severity: float
    sides: tuple[Side, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the conflict as plain data."""
        return {
            "topic": self.topic,
            "severity": self.severity,
            "sides": [_plain_fields(side) for side in self.sides],
        }


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """What a search answers.

    Attributes:
        query_id: of this question at these moments.
        as_of, known_at: the moments that ruled, µs.
        time_read: what of the question's words was read as time.
        cue, cue_weight: how they stand to time, and how strongly; None where they do not.
        history: what no longer holds, upcoming: what does not hold yet; empty unless asked for.
        undated: passages without a date, apart from the hits where a past moment was asked for.
        conflicts: sources in force that disagree.
        rejected: passages with a word of the question that are not among the hits, by what keeps them out.
        took_ms: by stage.
        dropped: what would have been on the page; None where nobody asked.
        explain: whether `to_json` prints where each number came from.
    """

    query_id: str
    as_of: int
    known_at: int
    time_read: tuple[TimeReading, ...]
    cue: str | None
    cue_weight: float | None
    verdict: Verdict
    confidence: Confidence
    hits: tuple[Hit, ...]
    history: tuple[Hit, ...]
    upcoming: tuple[Hit, ...]
    undated: tuple[Hit, ...]
    conflicts: tuple[Disagreement, ...]
    rejected: Mapping[Code, int]
    took_ms: Mapping[str, float]
    dropped: tuple[Dropped, ...] | None = None
    explain: bool = False
    scoring: Scoring = Scoring.DEFAULT

    def to_json(self) -> dict[str, Any]:
        """Return the answer as plain data; instants as RFC 3339 in UTC."""
        data: dict[str, Any] = {
            "query_id": self.query_id,
            "as_of": format_instant(self.as_of),
            "known_at": format_instant(self.known_at),
            "time_read": [_reading(reading) for reading in self.time_read],
            "cue": self.cue,
            "cue_weight": self.cue_weight,
            "verdict": str(self.verdict),
            "confidence": _confidence(self.confidence, explain=self.explain),
        }
        for name in ("hits", "history", "upcoming", "undated"):
            data[name] = [hit.to_json(explain=self.explain) for hit in getattr(self, name)]
        if self.conflicts:
            data["conflicts"] = [conflict.to_json() for conflict in self.conflicts]
        if self.dropped is not None:
            data["dropped"] = [candidate.to_json(explain=self.explain) for candidate in self.dropped]
        if self.scoring is not Scoring.DEFAULT:
            data["scoring"] = str(self.scoring)
        rejected = {str(code): number for code, number in self.rejected.items()}
        return data | {"rejected": rejected, "took_ms": dict(self.took_ms)}


_INSTANTS = ("observed_at", "valid_from", "valid_until", "superseded_at", "verified_at")


def _plain_fields(record: Hit | Dropped | Side) -> dict[str, Any]:
    return {name: _plain(name, getattr(record, name)) for name in record.__slots__ if name != "explainer"}


def _plain(name: str, value: Any) -> Any:
    if name in _INSTANTS:
        return format_instant(value)
    if isinstance(value, tuple):
        return [str(item) for item in value]
    if isinstance(value, Kind | State | Code):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _reading(reading: TimeReading) -> dict[str, Any]:
    data = {
        "text": reading.text,
        "span": list(reading.span),
        "role": reading.role,
        "from": format_instant(reading.start),
        "until": format_instant(reading.until),
    }
    return data | ({"unread": reading.unread} if reading.unread else {})


def _confidence(confidence: Confidence, *, explain: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "tier": str(confidence.tier),
        "value": confidence.value,
        "margin": confidence.margin,
        "conflict": confidence.conflict,
    }
    return data | ({"explanation": confidence.explanation.to_json()} if explain else {})
