"""Own the stamps of a passage and the filter over them: scalar, array and clause form side by side.

A stamp is an int64 in µs since 1970. The filter never excludes a passage that is live; what it lets through by
mistake the series records decide. A clause is a query of OpenSearch over fields of the same names.

    rule        in every form                    keeps a passage when
    observed    observed <= known_at             it could be known
    begins      valid_from <= as_of              its window has begun
    ends        as_of < until                    its window has not ended (open for a chronicle)
    withdrawn   withdrawn > known_at             nobody has said that it never held
    closed      closed > min(as_of, known_at)    neither ended nor replaced
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mappings.document import EXPIRED_CODES, Code, Kind
from mappings.interval import BEGIN, OPEN

Int64s: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Clause: TypeAlias = dict[str, Any]

CLOSED_BY_END: Final = "end"
CLOSED_BY_REPLACEMENT: Final = "replaced"


@dataclass(frozen=True, slots=True)
class Stamps:
    """The moments of a passage, over all versions in which it stands, in µs.

    Attributes:
        observed: smallest; the passage's age counts from it. BEGIN where undated.
        valid_from: smallest.
        until: largest end of validity; OPEN where one has none, and for a chronicle.
        withdrawn: from when on it is known, for good, that none of it ever held; OPEN where it is not.
        closed: largest of its versions' smallest end or replacement; OPEN where one has none.
        closed_by: "end", "replaced", or "" where closed is OPEN.
        event_end: largest recorded end, also of a chronicle; OPEN where none is recorded.
    """

    observed: int
    valid_from: int
    until: int = OPEN
    withdrawn: int = OPEN
    closed: int = OPEN
    closed_by: str = ""
    event_end: int = OPEN

    @classmethod
    def over(cls, stamps: Iterable[Stamps]) -> Stamps:
        """Return the stamps of a passage from those of its versions (at least one)."""
        rows = tuple(stamps)
        last = max(rows, key=lambda row: (row.closed, row.closed_by))
        return cls(
            observed=min(row.observed for row in rows),
            valid_from=min(row.valid_from for row in rows),
            until=max(row.until for row in rows),
            withdrawn=max(row.withdrawn for row in rows),
            closed=last.closed,
            closed_by=last.closed_by,
            event_end=max(row.event_end for row in rows),
        )

    @property
    def undated(self) -> bool:
        """Whether no usable date was declared."""
        return self.observed == BEGIN


@dataclass(frozen=True, slots=True)
class StampColumns:
    """The stamps of n passages as (n,) int64 columns of equal length."""

    observed: Int64s
    valid_from: Int64s
    until: Int64s
    withdrawn: Int64s
    closed: Int64s


def admits(stamps: Stamps, as_of: int, known_at: int) -> bool:
    """Tell whether the filter keeps a passage: the scalar form of the rules above."""
    return (
        stamps.observed <= known_at
        and stamps.valid_from <= as_of
        and as_of < stamps.until
        and stamps.withdrawn > known_at
        and stamps.closed > min(as_of, known_at)
    )


def admits_array(columns: StampColumns, as_of: int, known_at: int) -> Bools:
    """Tell for n passages whether the filter keeps them: (n,) bool, the array form of the rules above."""
    return (
        (columns.observed <= known_at)
        & (columns.valid_from <= as_of)
        & (as_of < columns.until)
        & (columns.withdrawn > known_at)
        & (columns.closed > min(as_of, known_at))
    )


def admits_clauses(as_of: int, known_at: int) -> list[Clause]:
    """Return what all must match for the filter to keep a passage: the clause form of the rules above."""
    return [
        bound("observed", lte=known_at),
        bound("valid_from", lte=as_of),
        bound("until", gt=as_of),
        bound("withdrawn", gt=known_at),
        bound("closed", gt=min(as_of, known_at)),
    ]


def excluded_by(stamps: Stamps, kind: Kind, as_of: int, known_at: int) -> Code | None:
    """Return the code of the first stamp that excludes a passage, in the order of the table of states, else None."""
    if stamps.observed > known_at:
        return Code.FUTURE_OBSERVED
    if stamps.withdrawn <= known_at:
        return Code.RETRACTED
    gone = stamps.closed <= min(as_of, known_at)
    if gone and stamps.closed_by == CLOSED_BY_END:
        return Code.RETRACTED
    if stamps.valid_from > as_of:
        return Code.NOT_YET_VALID
    if stamps.until <= as_of:
        return EXPIRED_CODES[kind]
    return Code.SUPERSEDED if gone else None


def excluded_clauses(as_of: int, known_at: int) -> list[tuple[Code, Clause]]:
    """Return the clause form of `excluded_by`: at most one matches a passage, none where the filter keeps it."""
    gone = bound("closed", lte=min(as_of, known_at))
    rows = [
        (Code.FUTURE_OBSERVED, [bound("observed", gt=known_at)]),
        (Code.RETRACTED, [bound("withdrawn", lte=known_at)]),
        (Code.RETRACTED, [gone, _is("closed_by", CLOSED_BY_END)]),
        (Code.NOT_YET_VALID, [bound("valid_from", gt=as_of)]),
        *((code, [bound("until", lte=as_of), _is("kind", kind.value)]) for kind, code in EXPIRED_CODES.items()),
        (Code.SUPERSEDED, [gone]),
    ]
    matching = [{"bool": {"filter": parts}} for _, parts in rows]
    return [
        (code, {"bool": {"filter": parts, "must_not": matching[:at]}}) for at, (code, parts) in enumerate(rows)
    ]


def bound(field: str, **limits: int) -> Clause:
    """Return the clause that a number lies within limits, named as the range query names them."""
    return {"range": {field: limits}}


def _is(field: str, value: str) -> Clause:
    return {"term": {field: value}}
