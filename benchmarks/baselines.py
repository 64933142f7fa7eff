"""Own the rules that stilltrue is compared with: words alone, and the simple ways to bring time in.

All take the scores of the same words (BM25F of the same analyzer and fields, best passage of a document) and differ in
what they keep and how they weigh:

    words      nothing is kept out
    observed   documents observed after the query's time are out
    newest     of each series only what was observed last by that time is left
    windows    also out: not yet or no longer in force, or superseded by a document observed by then; events are held to
               `observed` only. It needs declared windows and links, so it has no figure on the track without them
    decay      score * 0.5 ** (age / 1 year)            age: from observed_at to the query's time, not below 0
    blend      score * (0.7 + 0.3 * 0.5 ** (age / 1 year))

None of them reads a time out of the words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

RULES: Final = ("words", "observed", "newest", "windows", "decay", "blend")
# Rules that read declared windows and links.
GIVEN_ONLY: Final = ("windows",)

# One number for all kinds of text: that is what such rules do.
HALF_LIFE_DAYS: Final = 365.0
# A common recency blend: seven parts relevance, three parts freshness.
BLEND: Final = 0.3
_DAY_S: Final = 86_400.0

Scored = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Dated:
    """What the rules read of a document; seconds since 1970, None: not declared."""

    doc_id: str
    observed: float
    series: str | None
    start: float | None
    end: float | None
    is_event: bool
    replaced_by: list[str] = field(default_factory=list)


def read(documents: Sequence[Mapping[str, Any]]) -> dict[str, Dated]:
    """Return what the rules know, by document id."""
    rows = {document["id"]: _dated(document) for document in documents}
    for document in documents:
        for target in document.get("supersedes") or ():
            if target in rows:
                rows[target].replaced_by.append(document["id"])
    return rows


def rank(rule: str, scores: Scored, documents: Mapping[str, Dated], moment: str) -> list[str]:
    """Return document ids, best first, equal scores by id.

    Args:
        rule: one of `RULES`.
        scores: of each document that the words find.
        documents: from `read`, all of the set.
        moment: of the query, a day (its end) or an instant.
    """
    at = last_second(moment)
    kept = _KEEP[rule](scores, documents, at)
    weighed = {doc: scores[doc] * _weight(rule, documents[doc], at) for doc in kept}
    return sorted(weighed, key=lambda doc: (-weighed[doc], doc))


def last_second(moment: str) -> float:
    """Return the end of a day, or an instant itself, in seconds since 1970."""
    return _seconds(moment) + (_DAY_S - 1e-6 if len(moment) == len("2024-05-01") else 0.0)


def _dated(document: Mapping[str, Any]) -> Dated:
    return Dated(
        doc_id=document["id"],
        observed=_seconds(document["observed_at"]),
        series=document.get("series"),
        start=_maybe(document.get("valid_from")),
        end=_maybe(document.get("valid_until")),
        is_event=document.get("kind") == "EVENT",
    )


def _maybe(text: str | None) -> float | None:
    return None if text is None else _seconds(text)


def _seconds(text: str) -> float:
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _all(scores: Scored, documents: Mapping[str, Dated], at: float) -> list[str]:
    return list(scores)


def _observed(scores: Scored, documents: Mapping[str, Dated], at: float) -> list[str]:
    return [doc for doc in scores if documents[doc].observed <= at]


def _newest(scores: Scored, documents: Mapping[str, Dated], at: float) -> list[str]:
    latest: dict[str, float] = {}
    for row in documents.values():
        if row.series is not None and row.observed <= at:
            latest[row.series] = max(latest.get(row.series, row.observed), row.observed)
    known = (documents[doc] for doc in _observed(scores, documents, at))
    return [row.doc_id for row in known if row.series is None or row.observed == latest[row.series]]


def _windows(scores: Scored, documents: Mapping[str, Dated], at: float) -> list[str]:
    known = (documents[doc] for doc in _observed(scores, documents, at))
    return [row.doc_id for row in known if row.is_event or _in_force(row, documents, at)]


def _in_force(row: Dated, documents: Mapping[str, Dated], at: float) -> bool:
    inside = (row.start is None or row.start <= at) and (row.end is None or at < row.end)
    return inside and not any(documents[other].observed <= at for other in row.replaced_by)


def _weight(rule: str, row: Dated, at: float) -> float:
    if rule not in ("decay", "blend"):
        return 1.0
    fresh: float = 0.5 ** (max(0.0, at - row.observed) / _DAY_S / HALF_LIFE_DAYS)
    return fresh if rule == "decay" else 1.0 - BLEND + BLEND * fresh


_KEEP: Final[Mapping[str, Callable[[Scored, Mapping[str, Dated], float], list[str]]]] = {
    "words": _all,
    "observed": _observed,
    "newest": _newest,
    "windows": _windows,
    "decay": _all,
    "blend": _all,
}
