"""Own how an answer is held against what a case requires: one check for each key of `must`.

A key without a check fails the test: nothing that a case requires is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import pytest

from mappings.document import Code, State
from mappings.interval import format_day, format_instant, parse_moment
from reranker.response import Dropped, Hit, SearchResponse

# Codes that the cases call by another name.
CODES: Final = {
    "HARD_EXPIRED_EVENT": Code.EXPIRED_EVENT,
    "STALE_STATIC_DOC": Code.EXPIRED_STATIC_DOC,
    "LOW_CONFIDENCE_FALLBACK": Code.LOW_CONFIDENCE,
}
# A state of the cases that is none of ours: live, and flagged.
CONFLICTED: Final = "CONFLICTED"
CLASHES: Final = {Code.CONFLICT, Code.DUPLICATE_VERSION}
LIVE: Final = [str(state) for state in State if state.is_live]


class Seen:
    """What an answer says of documents."""

    def __init__(self, answer: SearchResponse) -> None:
        self.answer = answer
        self.hits = [hit.doc_id for hit in answer.hits]
        channels = (answer.hits, answer.history, answer.upcoming, answer.undated)
        self.shown: dict[str, Hit] = {hit.doc_id: hit for channel in reversed(channels) for hit in channel}
        self.dropped: dict[str, Dropped] = {drop.doc_id: drop for drop in answer.dropped or ()}

    def hit(self, doc_id: str) -> Hit:
        """Return a current result."""
        return next(hit for hit in self.answer.hits if hit.doc_id == doc_id)

    def state(self, doc_id: str) -> str:
        """Return how a document stands, in the words of the cases."""
        if doc_id in self.shown:
            clashes = CLASHES & set(self.shown[doc_id].codes) and self.shown[doc_id].state.is_live
            return CONFLICTED if clashes else str(self.shown[doc_id].state)
        return str(self.dropped[doc_id].state)

    def codes(self, doc_id: str) -> set[Code]:
        """Return every code that a document carries, wherever it is shown."""
        dropped = {self.dropped[doc_id].code} if doc_id in self.dropped else set()
        return dropped | (set(self.shown[doc_id].codes) if doc_id in self.shown else set())

    def said(self, doc_id: str) -> str:
        """Return the words that are said of a document."""
        labels = [self.shown[doc_id].label] if doc_id in self.shown else []
        return " ".join([*labels, *([self.dropped[doc_id].sentence] if doc_id in self.dropped else [])])


Check = Callable[[Seen, Any], None]


def check(answer: SearchResponse, must: Mapping[str, Any], *, only: Sequence[str] | None = None) -> None:
    """Hold an answer against all that a case requires, or against some keys of it."""
    seen = Seen(answer)
    for key, wanted in must.items():
        if key == "rule" or (only is not None and key not in only):
            continue
        CHECKS[key](seen, wanted)


def in_order(ids: Sequence[str], named: Sequence[str]) -> list[str]:
    """Return those of a list that are named."""
    return [doc_id for doc_id in ids if doc_id in named]


def _hits(seen: Seen, wanted: list[str]) -> None:
    assert seen.hits == wanted


def _present(seen: Seen, wanted: list[str]) -> None:
    assert set(wanted) <= set(seen.hits)


def _absent(seen: Seen, wanted: list[str]) -> None:
    assert not set(wanted) & set(seen.hits)


def _first(seen: Seen, wanted: str) -> None:
    assert seen.hits[0] == wanted


def _not_first(seen: Seen, wanted: list[str]) -> None:
    assert seen.hits[0] not in wanted


def _order(seen: Seen, wanted: list[str]) -> None:
    """In this order; one that must not be there at all comes after every other."""
    assert in_order(seen.hits, wanted) == [doc_id for doc_id in wanted if seen.state(doc_id) in [*LIVE, CONFLICTED]]


def _absent_from_top(seen: Seen, wanted: Mapping[str, Any]) -> None:
    assert not set(seen.hits[: wanted["k"]]) & set(wanted["ids"])


def _history(seen: Seen, wanted: list[Mapping[str, str]]) -> None:
    """Each of these with its end and the first that took its place; none at all where none is required."""
    rows = {hit.doc_id: hit for hit in seen.answer.history}
    if not wanted:
        assert not rows
    for row in wanted:
        until, successor = parse_moment(row["until"]).start, row["successor"]
        assert (rows[row["id"]].superseded_at, rows[row["id"]].superseded_by[0]) == (until, successor)


def _states(seen: Seen, wanted: Mapping[str, str]) -> None:
    assert {doc_id: seen.state(doc_id) for doc_id in wanted} == wanted


def _codes(seen: Seen, wanted: Mapping[str, str | list[str]]) -> None:
    for doc_id, codes in wanted.items():
        any_of = {CODES.get(code, code) for code in ([codes] if isinstance(codes, str) else codes)}
        assert any_of & seen.codes(doc_id), (doc_id, seen.codes(doc_id))


def _labels(seen: Seen, wanted: Mapping[str, str]) -> None:
    """The latest version: it holds, nothing took its place, and what it replaced says so."""
    for doc_id, label in wanted.items():
        assert label == "latest_version"
        hit = seen.hit(doc_id)
        assert (hit.superseded_at, hit.label.startswith("in force since")) == (None, True)
        replaced = [said for other in seen.shown if other != doc_id and "replaced" in (said := seen.said(other))]
        assert all(said.endswith(f"replaced by {doc_id}") for said in replaced)


def _label_excludes(seen: Seen, wanted: list[str]) -> None:
    said = " ".join(seen.said(doc_id) for doc_id in {**seen.shown, **seen.dropped}).lower()
    assert said and not [text for text in wanted if text in said]


def _verdict(seen: Seen, wanted: str) -> None:
    assert seen.answer.verdict == wanted


def _verdict_not(seen: Seen, wanted: str) -> None:
    assert seen.answer.verdict != wanted


def _partner(seen: Seen, wanted: Mapping[str, str | None]) -> None:
    assert {doc_id: seen.hit(doc_id).partner for doc_id in wanted} == wanted


def _age_days(seen: Seen, wanted: Mapping[str, float]) -> None:
    assert {doc_id: seen.hit(doc_id).age_days for doc_id in wanted} == pytest.approx(wanted)


def _score_ratio_min(seen: Seen, wanted: Mapping[str, Any]) -> None:
    one, other = (seen.hit(doc_id).score for doc_id in wanted["ids"])
    assert one / other >= wanted["value"]


def _relevance_gap_max(seen: Seen, wanted: Mapping[str, Any]) -> None:
    one, other = (seen.hit(doc_id).relevance for doc_id in wanted["ids"])
    assert one - other <= wanted["value"]


def _hits_count(seen: Seen, wanted: int) -> None:
    assert len(seen.hits) == wanted


def _returned(seen: Seen, wanted: list[str]) -> None:
    assert set(wanted) <= set(seen.hits) | {hit.doc_id for hit in seen.answer.history}


def _conflict(seen: Seen, wanted: bool) -> None:
    assert bool(seen.answer.conflicts) is wanted


def _support(seen: Seen, wanted: Mapping[str, int]) -> None:
    """Each source that says it is there to be counted."""
    assert len({hit.source for hit in seen.answer.hits}) == wanted["distinct_sources"]


def _as_of(seen: Seen, wanted: str) -> None:
    assert format_instant(seen.answer.as_of) == wanted


def _as_of_day(seen: Seen, wanted: str) -> None:
    assert format_day(seen.answer.as_of) == wanted


def _cue_weight(seen: Seen, wanted: float | None) -> None:
    assert seen.answer.cue_weight == wanted


def _time_range(seen: Seen, wanted: Mapping[str, str | None] | None) -> None:
    """Half-open bounds as the answer shows them; days where only days are required."""
    shown = [reading for reading in seen.answer.to_json()["time_read"] if reading["role"] == "range"]
    if wanted is None:
        assert shown == []
        return
    (reading,) = shown
    for key, bound in wanted.items():
        value = reading[key.removesuffix("_day")]
        assert (value[:10] if key.endswith("_day") else value) == bound


def _query_fails(seen: Seen, wanted: bool) -> None:
    """An answer came."""
    assert wanted is False


CHECKS: Final[Mapping[str, Check]] = {
    "hits": _hits,
    "present": _present,
    "absent": _absent,
    "first": _first,
    "not_first": _not_first,
    "order": _order,
    "absent_from_top": _absent_from_top,
    "history": _history,
    "states": _states,
    "codes": _codes,
    "labels": _labels,
    "label_excludes": _label_excludes,
    "verdict": _verdict,
    "verdict_not": _verdict_not,
    "partner": _partner,
    "age_days": _age_days,
    "score_ratio_min": _score_ratio_min,
    "relevance_gap_max": _relevance_gap_max,
    "hits_count": _hits_count,
    "returned": _returned,
    "conflict": _conflict,
    "support": _support,
    "as_of": _as_of,
    "as_of_day": _as_of_day,
    "cue_weight": _cue_weight,
    "time_range": _time_range,
    "query_fails": _query_fails,
}
