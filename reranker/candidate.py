"""Own candidates that come from anywhere: what they say of themselves, read once.

A bad value never fails the question: a date that does not parse makes a candidate undated, a score that is no number
of its scale makes it invalid, each with its code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mappings.document import Kind
from mappings.errors import MomentError
from mappings.interval import Span, parse_moment
from mappings.profile import DEFAULT_TYPE
from reranker.errors import RequestError
from reranker.scales import Scale, bounded


@dataclass(frozen=True, slots=True)
class Candidate:
    """One passage that somebody else found.

    Attributes:
        doc_id, series: its own passage_id by default.
        observed: when it could first be known; None: no usable date.
        valid_from, valid_until, superseded_at: µs since 1970; None where it does not say.
        supersedes: documents that its document takes the place of.
        share: s / U in [0, 1], cosine in [-1, 1], relevance in [0, 1]: as given; None: not given, NaN: no such number.
        bm25, bm25_max: what the share was made of, for show.
    """

    passage_id: str
    doc_id: str
    series: str
    title: str = ""
    section: str = ""
    text: str = ""
    url: str | None = None
    source: str = ""
    content_type: str = DEFAULT_TYPE
    kind: Kind = Kind.STATIC
    observed: Span | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    superseded_at: int | None = None
    supersedes: tuple[str, ...] = ()
    sequence: int | None = None
    topic: str | None = None
    value: str | None = None
    principals: tuple[str, ...] = ()
    share: float | None = None
    cosine: float | None = None
    relevance: float | None = None
    bm25: float | None = None
    bm25_max: float | None = None


def read_candidate(data: Mapping[str, Any], place: int, *, scale: Scale | None = None, zone: str = "UTC") -> Candidate:
    """Read one candidate from plain data.

    Args:
        data: keys of a hit (`passage_id` or `id`, `doc_id`, `series` or `lineage`, `title`, `text`, `kind`,
            `content_type`, `observed_at`, `valid_from`, `valid_until`, `superseded_at`, `supersedes`, `sequence`,
            `topic`, `value`, `principals`) and its scores: `relevance`, or `bm25` with `bm25_max` and `cosine`, or
            `score` in the declared scale. Other keys are left alone.
        place: its position, which names it where it has no id.
        scale: of `score`.
        zone: of dates without an offset.

    Raises:
        RequestError: a `score` without a declared scale, or a `bm25` without its maximum: neither is ever guessed.
    """
    if not isinstance(data, Mapping):
        raise RequestError("candidates", f"candidates must be tables of keys, got {data!r} at {place}")
    passage_id = str(data.get("passage_id") or data.get("id") or place)
    doc_id = str(data.get("doc_id") or passage_id)
    share, cosine, relevance = _scores(data, scale, place)
    return Candidate(
        passage_id=passage_id,
        doc_id=doc_id,
        series=str(data.get("series") or data.get("lineage") or doc_id),
        title=_text(data.get("title")) or "",
        section=_text(data.get("section")) or "",
        text=_text(data.get("text")) or "",
        url=_text(data.get("url")),
        source=_text(data.get("source")) or "",
        content_type=_text(data.get("content_type")) or DEFAULT_TYPE,
        kind=_kind(data.get("kind")),
        observed=_span(data.get("observed_at"), zone),
        valid_from=_start(data.get("valid_from"), zone),
        valid_until=_start(data.get("valid_until"), zone),
        superseded_at=_start(data.get("superseded_at"), zone),
        supersedes=_list(data.get("supersedes")),
        sequence=_whole(data.get("sequence")),
        topic=_text(data.get("topic")),
        value=_text(data.get("value")),
        principals=_list(data.get("principals")),
        share=share,
        cosine=cosine,
        relevance=relevance,
        bm25=_number(data.get("bm25")),
        bm25_max=_number(data.get("bm25_max")),
    )


def _scores(
    data: Mapping[str, Any], scale: Scale | None, place: int
) -> tuple[float | None, float | None, float | None]:
    """Return share, cosine and relevance as given."""
    share = cosine = relevance = None
    if data.get("bm25") is not None:
        most = _number(data.get("bm25_max"))
        if most is None:
            remedy = "give bm25_max, the most that the question could reach"
            raise RequestError("bm25", f"bm25 needs its maximum, got {data['bm25']!r} at {place}", remedy=remedy)
        share = bounded(_as_number(data["bm25"]) / most, 0.0, 1.0) if most > 0.0 else math.nan
    if data.get("cosine") is not None:
        cosine = bounded(_as_number(data["cosine"]), -1.0, 1.0)
    if data.get("relevance") is not None:
        relevance = bounded(_as_number(data["relevance"]), 0.0, 1.0)
    if data.get("score") is not None and (share, cosine, relevance) == (None, None, None):
        if scale is None:
            remedy = "declare the scale of score, for example cosine or range:0:10"
            raise RequestError("score", f"score needs its scale, got {data['score']!r} at {place}", remedy=remedy)
        raw = scale.convert(_as_number(data["score"]))
        return (
            raw if scale.leg == "words" else None,
            raw if scale.leg == "cosine" else None,
            raw if scale.leg == "relevance" else None,
        )
    return share, cosine, relevance


def _as_number(value: object) -> float:
    """Return a number, NaN for what is none: infinity and texts are no scores."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond all floats
        return math.nan
    return number if math.isfinite(number) else math.nan


def _number(value: object) -> float | None:
    return None if value is None else _as_number(value)


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _list(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        return (str(value),)
    return tuple(sorted(str(item) for item in value))


def _kind(value: object) -> Kind:
    """Return a kind; an unclassified one counts as STATIC."""
    return Kind(value) if isinstance(value, str) and value in Kind.__members__ else Kind.STATIC


def _span(value: object, zone: str) -> Span | None:
    try:
        return parse_moment(str(value), zone=zone) if value else None
    except MomentError:
        return None


def _start(value: object, zone: str) -> int | None:
    """Return the first instant of a date: from then on the other state holds."""
    span = _span(value, zone)
    return None if span is None else span.start
