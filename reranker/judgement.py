"""Own what is said about an answer as a whole: conflicts, weak hits, confidence, verdict.

Nothing here moves a score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mappings.document import Code, State
from mappings.profile import profile_for
from reranker.core.confidence import Confidence, Tier, Verdict, confidence, verdict
from reranker.core.conflict import Claim, Conflict, conflicts
from reranker.ranking import Ranked

# Under a word of the present, less than half left of its freshness makes a hit weak.
WEAK_BELOW: Final = 0.50
# A partner must be fresher by this much, or it helps nobody.
PARTNER_GAIN: Final = 0.10

# Most candidates declare nothing.
_SILENT: Final = Claim(None, None, "")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What to know about an answer.

    Attributes:
        conflicts: among live candidates; positions are those of the channel's candidates.
        partners: per weak position that is to be paired, the position of the fresher source.
        flags: what to know of positions besides their state, in the order in which it is told.
    """

    verdict: Verdict
    confidence: Confidence
    conflicts: Sequence[Conflict]
    partners: Mapping[int, int]
    flags: Sequence[tuple[Code, frozenset[int]]]

    def codes(self, at: int) -> tuple[Code, ...]:
        """Return what to know of a position besides its state."""
        return tuple(code for code, positions in self.flags if at in positions)


def judge(ranked: Ranked) -> Judgement:
    """Judge the hits of a question; what is on the page decides nothing.

    Args:
        ranked: the channel of hits.
    """
    found = conflicts(_claims(ranked))
    clashing = {at for conflict in found for at in conflict.positions}
    weak, partners = _weak(ranked)
    scores, threshold = ranked.scores, ranked.tuning.answer_threshold
    best = float(scores.relevance[ranked.order].max(initial=0.0))
    top = ranked.order[0] if ranked.order else None
    in_conflict = top is not None and (top in clashing or ranked.pool.standings[top].clash is not None)
    sure = confidence(*_lead(ranked), answer_threshold=threshold, severity=_severity(found, top, in_conflict))
    undated = top is not None and ranked.pool.standings[top].state is State.UNDATED
    said = verdict(
        best_relevance=best,
        answer_threshold=threshold,
        in_conflict=in_conflict,
        caveat=top in weak or undated or sure.tier is Tier.LOW,
    )
    flags = (
        (Code.CONFLICT, frozenset(clashing)),
        (Code.WEAK, weak),
        (Code.PAIR_PARTNER_NOT_FOUND, frozenset(at for at, partner in partners.items() if partner is None)),
        (Code.EVENT_BELOW_FLOOR, frozenset(np.flatnonzero(scores.below_floor).tolist())),
        (Code.LOW_CONFIDENCE, frozenset(ranked.order if said is Verdict.NONE else ())),
    )
    paired = {at: partner for at, partner in partners.items() if partner is not None}
    return Judgement(said, sure, found, paired, flags)


def _claims(ranked: Ranked) -> list[Claim]:
    """Return what each candidate that passed its gates declares."""
    known_at, pool = ranked.question.when.known_at, ranked.pool
    claims = []
    for standing, series, failed in zip(pool.standings, pool.columns.series, ranked.failed, strict=True):
        declared = standing.version.attributes_at(known_at)
        silent = failed or declared.topic is None
        claims.append(_SILENT if silent else Claim(declared.topic, declared.value, series))
    return claims


def _lead(ranked: Ranked) -> tuple[float, float | None]:
    """Return the score of the first hit and the best of another document."""
    if not ranked.order:
        return 0.0, None
    doc_ids, scores = ranked.pool.columns.doc_ids, ranked.scores.score
    top = ranked.order[0]
    others = (float(scores[at]) for at in ranked.order if doc_ids[at] != doc_ids[top])
    return float(scores[top]), next(others, None)


def _severity(found: Sequence[Conflict], top: int | None, in_conflict: bool) -> float:
    """Return the severity of what the first hit is in; versions that nothing orders contradict each other in full."""
    if not in_conflict:
        return 0.0
    return max((conflict.severity for conflict in found if top in conflict.positions), default=1.0)


def _weak(ranked: Ranked) -> tuple[frozenset[int], dict[int, int | None]]:
    """Return the weak positions, and for those to be paired the fresher source, None where there is none."""
    cue = ranked.question.cue
    if cue is None or cue.is_superlative:
        return frozenset(), {}
    weak = [at for at in ranked.order if ranked.scores.temporal[at] < WEAK_BELOW]
    types, profiles = ranked.pool.columns.content_types, ranked.tuning.profiles
    paired = [at for at in weak if profile_for(types[at], profiles).weak == "pair"]
    return frozenset(weak), {at: _partner(ranked, at) for at in paired}


def _partner(ranked: Ranked, at: int) -> int | None:
    """Return the freshest position of the same series or topic that is fresher by enough."""
    temporal, pool, known_at = ranked.scores.temporal, ranked.pool, ranked.question.when.known_at
    topics = [row.version.attributes_at(known_at).topic for row in pool.standings]
    fitting = [
        other
        for other in ranked.order
        if other != at
        and (pool.columns.series[other] == pool.columns.series[at] or (topics[at] and topics[other] == topics[at]))
        and temporal[other] - temporal[at] >= PARTNER_GAIN
    ]
    return max(fitting, key=lambda other: (temporal[other], -ranked.order.index(other)), default=None)
