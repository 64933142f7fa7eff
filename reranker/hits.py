"""Own how a ranked candidate becomes a hit: its version's dates, its label, its numbers, its text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from mappings.document import Attributes, Code, code_of
from mappings.interval import BEGIN, OPEN
from mappings.timeline import Standing
from mappings.version import Version
from reranker.judgement import Judgement
from reranker.labels import label
from reranker.ranking import Ranked
from reranker.response import Disagreement, Hit, Side
from store.engine import PassageText


def hits(ranked: Ranked, texts: Mapping[str, PassageText], judgement: Judgement | None = None) -> tuple[Hit, ...]:
    """Return the page of a channel as hits; a passage that was removed meanwhile is left out.

    Args:
        ranked: the channel.
        texts: by passage_id.
        judgement: of the hits of a question; None for the channels beside them.
    """
    passage_ids = ranked.pool.columns.passage_ids
    shown = [at for at in ranked.page if passage_ids[at] in texts]
    return tuple(
        _hit(ranked, at, texts[passage_ids[at]], rank=rank, judgement=judgement)
        for rank, at in enumerate(shown, start=ranked.cut.offset + 1)
    )


def _hit(ranked: Ranked, at: int, text: PassageText, *, rank: int, judgement: Judgement | None) -> Hit:
    columns, scores, when = ranked.pool.columns, ranked.scores, ranked.question.when
    standing = ranked.pool.standings[at]
    version, attributes = standing.version, standing.version.attributes_at(when.known_at)
    age = float(scores.age_days[at])
    partner = judgement.partners.get(at) if judgement else None
    return Hit(
        rank=rank,
        passage_id=columns.passage_ids[at],
        doc_id=columns.doc_ids[at],
        version_id=version.version_id,
        series=columns.series[at],
        title=text.title,
        section=text.section,
        text=text.text,
        url=attributes.url,
        source=attributes.source,
        content_type=columns.content_types[at],
        kind=columns.kinds[at],
        state=standing.state,
        label=label(standing, as_of=when.as_of, known_at=when.known_at),
        observed_at=dated(int(columns.observed[at])),
        valid_from=dated(version.valid_from),
        valid_until=dated(version.valid_until),
        superseded_at=standing.superseded_at,
        superseded_by=tuple(successor.doc_id for successor in standing.superseded_by if successor.doc_id),
        verified_at=verified_at(version, attributes, when.known_at),
        age_days=age if math.isfinite(age) else None,
        bm25=float(ranked.words.bm25[at]),
        bm25_max=float(ranked.words.bound[at]),
        cosine=float(ranked.words.cosine[at]),
        relevance=float(scores.relevance[at]),
        temporal=float(scores.temporal[at]),
        weight=float(scores.weight[at]),
        score=float(scores.score[at]),
        codes=_distinct(codes_of(standing, attributes) + (judgement.codes(at) if judgement else ())),
        partner=None if partner is None else columns.passage_ids[partner],
        explainer=partial(ranked.explain, at),
    )


def disagreements(ranked: Ranked, judgement: Judgement) -> tuple[Disagreement, ...]:
    """Return the conflicts of a question with all their sides, one a version, the newest first."""
    columns, known_at = ranked.pool.columns, ranked.question.when.known_at
    shown = []
    for conflict in judgement.conflicts:
        sides: dict[str, Side] = {}
        for at in sorted(conflict.positions, key=lambda at: (-int(columns.observed[at]), columns.passage_ids[at])):
            version = ranked.pool.standings[at].version
            value, observed = version.attributes_at(known_at).value or "", dated(int(columns.observed[at]))
            side = Side(value, columns.passage_ids[at], version.doc_id, version.version_id, observed)
            sides.setdefault(version.version_id, side)
        shown.append(Disagreement(conflict.topic, conflict.severity, tuple(sides.values())))
    return tuple(shown)


def codes_of(standing: Standing, attributes: Attributes) -> tuple[Code, ...]:
    """Return what to know about a version that is shown: why it is out or flagged, and what it clashes with."""
    codes = (code_of(standing.state, attributes.kind), standing.clash)
    return tuple(code for code in codes if code is not None)


def verified_at(version: Version, attributes: Attributes, known_at: int) -> int | None:
    """Return when a version was last confirmed unchanged by `known_at`, µs; None where only its first reading says so.

    A repeat of the reading confirms it, and so does a review that its author declares.
    """
    last = version.last_by(known_at)
    repeated = last.observed.start if last.observed is not None and last is not version.first else None
    reviewed = attributes.verified_at if (attributes.verified_at or OPEN) <= known_at else None
    return max((moment for moment in (repeated, reviewed) if moment is not None), default=None)


def dated(instant: int) -> int | None:
    """Return an instant, or None for a bound that is none."""
    return None if instant in (BEGIN, OPEN) else instant


def _distinct(codes: tuple[Code, ...]) -> tuple[Code, ...]:
    return tuple(dict.fromkeys(codes))
