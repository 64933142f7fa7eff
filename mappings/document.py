"""Own the nouns: what a document is read as, what a passage is, and the names of states and codes.

Everything here is a frozen value. What a file or a request says is checked at the door (`indexer.declared`);
past it these values are trusted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mappings.interval import Span


class Kind(StrEnum):
    """How a document stands in time; an unclassified one counts as STATIC."""

    STATIC = "STATIC"  # does not change with time
    VERSIONED = "VERSIONED"  # is replaced
    EVENT = "EVENT"  # is true in a window


class State(StrEnum):
    """What a version is at (as_of, known_at) for a reader: the first row of the table in docs/states.md that fits."""

    FUTURE = "FUTURE"
    RETRACTED = "RETRACTED"
    NOT_YET_VALID = "NOT_YET_VALID"
    EXPIRED = "EXPIRED"
    SUPERSEDED = "SUPERSEDED"
    UNDATED = "UNDATED"
    TEMPORAL = "TEMPORAL"
    VALID = "VALID"

    @property
    def is_live(self) -> bool:
        """Whether a version in this state may be among the hits."""
        return self in _LIVE


_LIVE = (State.UNDATED, State.TEMPORAL, State.VALID)


class Code(StrEnum):
    """Why a candidate is not there, or what to know about one that is."""

    FUTURE_OBSERVED = "FUTURE_OBSERVED"
    NOT_YET_VALID = "NOT_YET_VALID"
    EXPIRED_STATIC_DOC = "EXPIRED_STATIC_DOC"
    EXPIRED_VERSIONED_DOC = "EXPIRED_VERSIONED_DOC"
    EXPIRED_EVENT = "EXPIRED_EVENT"
    SUPERSEDED = "SUPERSEDED"
    RETRACTED = "RETRACTED"
    OUT_OF_TIME_RANGE = "OUT_OF_TIME_RANGE"
    OVER_MAX_AGE = "OVER_MAX_AGE"
    UNDATED = "UNDATED"
    WEAK = "WEAK"
    BELOW_RELEVANCE_GATE = "BELOW_RELEVANCE_GATE"
    EVENT_BELOW_FLOOR = "EVENT_BELOW_FLOOR"
    PAIR_PARTNER_NOT_FOUND = "PAIR_PARTNER_NOT_FOUND"
    DUPLICATE_VERSION = "DUPLICATE_VERSION"
    INVALID_SCORE = "INVALID_SCORE"
    CONFLICT = "CONFLICT"
    LOW_CONFIDENCE = "LOW_CONFIDENCE"


EXPIRED_CODES: Mapping[Kind, Code] = {
    Kind.STATIC: Code.EXPIRED_STATIC_DOC,
    Kind.VERSIONED: Code.EXPIRED_VERSIONED_DOC,
    Kind.EVENT: Code.EXPIRED_EVENT,
}


STATE_CODES: Mapping[State, Code] = {
    State.FUTURE: Code.FUTURE_OBSERVED,
    State.RETRACTED: Code.RETRACTED,
    State.NOT_YET_VALID: Code.NOT_YET_VALID,
    State.SUPERSEDED: Code.SUPERSEDED,
    State.UNDATED: Code.UNDATED,
}


def code_of(state: State, kind: Kind) -> Code | None:
    """Return the code of a state that keeps a version out of the hits, UNDATED for a flagged one, else None."""
    return EXPIRED_CODES[kind] if state is State.EXPIRED else STATE_CODES.get(state)


@dataclass(frozen=True, slots=True)
class Attributes:
    """What a reading says besides its text and the dates that make a version; a change of it makes no version.

    Attributes:
        chronicle: whether an EVENT is a record that never expires (else a notice).
        date_source: the key, label or commit that `observed` was read from.
        date_confidence: "high", or "low" where the date is a guess that somebody asked for.
        verified_at, review_by: µs since 1970.
        own_date: the date that the source itself declares, where `observed` is the moment of a sync; µs.
        reasons: why the content type, kind and series are what they are.
        metadata: declared keys that stilltrue does not know, see `mappings.metadata`.
    """

    content_type: str = "reference"
    kind: Kind = Kind.STATIC
    chronicle: bool = False
    title: str = ""
    source: str = ""
    url: str | None = None
    release: str | None = None
    topic: str | None = None
    value: str | None = None
    tags: tuple[str, ...] = ()
    date_source: str = ""
    date_confidence: str = "high"
    verified_at: int | None = None
    review_by: int | None = None
    own_date: int | None = None
    reasons: tuple[str, ...] = ()
    metadata: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """At `observed` the document read like this: the whole of what it says.

    Attributes:
        content_hash: of title and text, see `content_hash`.
        observed: when a reader could first have known this; None where no usable date was declared.
        valid_from, valid_until: the declared window in µs; None where undeclared.
        until_source: "declared" or, where the time to live of a content type set the end, "ttl"; None without one.
        supersedes: document ids that this version takes the place of, sorted.
        sequence: a declared position that orders observations whose spans overlap.
        draft: kept, but in no version and no order.
        read_at: when it was read, µs; decides only between undated observations.
    """

    content_hash: str
    observed: Span | None
    valid_from: int | None = None
    valid_until: int | None = None
    until_source: str | None = None
    supersedes: tuple[str, ...] = ()
    sequence: int | None = None
    draft: bool = False
    read_at: int = 0
    attributes: Attributes = field(default_factory=Attributes)

    @property
    def declared_until(self) -> int | None:
        """The end that the document itself declares, µs; a time to live is none."""
        return None if self.until_source == "ttl" else self.valid_until

    @property
    def declared(self) -> tuple[str, int | None, int | None, tuple[str, ...]]:
        """What must be equal for two observations to belong to one version."""
        return self.content_hash, self.valid_from, self.declared_until, self.supersedes


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of a document under one heading: the path of headings (without the document's title) and its text."""

    path: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One document as a source gave it, past the door.

    Attributes:
        series: key of the series that the document belongs to; the document's own id by default.
        principals: who may read it; empty: everybody.
    """

    doc_id: str
    series: str
    observation: Observation
    principals: tuple[str, ...]
    title: str
    text: str
    sections: tuple[Section, ...]


def content_hash(title: str, text: str) -> str:
    """Return the identity of what a document says: 32 hexadecimal digits over title and text."""
    return digest(title, text)[:32]


def digest(*parts: object) -> str:
    """Return the SHA-256 of parts in hexadecimal, each part's end unmistakable."""
    hasher = hashlib.sha256()
    for part in parts:
        data = str(part).encode("utf-8", "surrogatepass")
        hasher.update(b"%d:" % len(data))
        hasher.update(data)
    return hasher.hexdigest()
