"""Own the series record: everything that is known about one series, as it was given.

The record holds inputs only: observations, ends, withdrawals, readers, and copies of links from other records. What
follows from them (versions, order, replacement, states, stamps) is derived by `mappings.timeline`, so neither the
order of arrival nor a repeat can change it. How a record is written to bytes is `mappings.record_format`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from mappings.document import Observation
from mappings.interval import BEGIN, OPEN, Span

_NO_SEQUENCE: Final = -(2**62)  # sorts before every declared sequence


@dataclass(frozen=True, slots=True)
class End:
    """The end of a document at the start of `at`: it closes every version before it and restores nothing.

    Attributes:
        source: "declared", "sync" (its absence was found) or "command".
    """

    at: Span
    sequence: int | None = None
    source: str = "declared"
    reason: str = ""

    def comes_before(self, observation: Observation) -> bool:
        """Tell whether the end comes before a dated observation; at one instant, without a sequence, it does."""
        assert observation.observed is not None
        if self.at.start != observation.observed.start:
            return self.at.start < observation.observed.start
        if self.sequence is None or observation.sequence is None:
            return True
        return self.sequence <= observation.sequence


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Its author says at `known_at` that a text never held; with `undo`, that it did after all.

    It applies to every run of the text that was first observed by `known_at`.
    """

    content_hash: str
    known_at: int
    undo: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LinkCopy:
    """A link between two records, copied here so that this record decides alone.

    A record carries the links into it, those out of it (of which only `target_from` counts), and those between other
    records that may close a circle with them.

    Attributes:
        doc_id: the document that replaces; target: the one that it replaces.
        version_id: of the version that carries the link.
        observed, valid_from: of that version, µs.
        void: intervals of known_at, [from, until), in which that version counts as withdrawn.
        principals: readers of the replacing document.
        target_from: valid_from of the target's first version where the target lies in another record; None where it
            has none, or where this record holds the target.
    """

    doc_id: str
    target: str
    version_id: str
    observed: int
    valid_from: int
    void: tuple[tuple[int, int], ...] = ()
    principals: tuple[str, ...] = ()
    target_from: int | None = None


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """What is known about one document of a series.

    Attributes:
        observations: dated ones in the order of `observation_key`, then at most one undated one and one undated
            draft.
        principals: who may read it now; empty: everybody.
        principals_key: place of the observation that the principals are from.
    """

    doc_id: str
    observations: tuple[Observation, ...] = ()
    ends: tuple[End, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    principals: tuple[str, ...] = ()
    principals_key: tuple[int, int] = (BEGIN, _NO_SEQUENCE)

    def merge(
        self,
        observations: Iterable[Observation] = (),
        ends: Iterable[End] = (),
        withdrawals: Iterable[Withdrawal] = (),
    ) -> DocumentRecord:
        """Return the record with more of each; what it holds already changes nothing."""
        return replace(
            self,
            observations=_merged_observations(self.observations, observations),
            ends=_merged_ends(self.ends, ends),
            withdrawals=tuple(sorted({*self.withdrawals, *withdrawals}, key=_withdrawal_key)),
        )

    def with_principals(self, principals: Iterable[str], observation: Observation) -> DocumentRecord:
        """Return the record with the readers that an observation names, unless a later observation named others.

        Of two observations at one place the one that is merged last decides: readers are those of now.
        """
        key = principals_key(observation)
        if key < self.principals_key:
            return self
        return replace(self, principals=tuple(sorted(set(principals))), principals_key=key)


@dataclass(frozen=True, slots=True)
class PassageSpan:
    """Which versions of which document a passage stands in: positions [first, last] in the document's order.

    An undated version has the position -1.
    """

    doc_id: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class SeriesRecord:
    """The truth about one series: changed by compare-and-set on `revision`, which 0 means was never stored.

    Attributes:
        documents: by doc_id, in the order of the ids.
        links: copies of links from other records, sorted.
        passages: by passage_id, in the order of the ids.
    """

    series: str
    documents: Mapping[str, DocumentRecord] = field(default_factory=dict)
    links: tuple[LinkCopy, ...] = ()
    passages: Mapping[str, PassageSpan] = field(default_factory=dict)
    revision: int = 0

    def with_document(self, document: DocumentRecord) -> SeriesRecord:
        """Return the record with one document added or changed."""
        documents = {**self.documents, document.doc_id: document}
        return replace(self, documents={key: documents[key] for key in sorted(documents)})

    def without_document(self, doc_id: str) -> SeriesRecord:
        """Return the record without one document, for one that moves to another series or is erased."""
        return replace(
            self,
            documents={key: value for key, value in self.documents.items() if key != doc_id},
            passages={key: value for key, value in self.passages.items() if value.doc_id != doc_id},
        )


def principals_key(observation: Observation) -> tuple[int, int]:
    """Return the place of an observation that decides which of two namings of readers is the later."""
    start = BEGIN if observation.observed is None else observation.observed.start
    return start, _NO_SEQUENCE if observation.sequence is None else observation.sequence


def observation_key(observation: Observation) -> tuple[object, ...]:
    """Return the linear order of dated observations: compatible with time, total, independent of arrival."""
    span = observation.observed
    assert span is not None
    sequence = _NO_SEQUENCE if observation.sequence is None else observation.sequence
    return span.start, sequence, span.end, *_dates_key(observation), observation.draft


def can_read(document_principals: tuple[str, ...], principals: Iterable[str]) -> bool:
    """Tell whether a reader with these principals may read a document."""
    return not document_principals or any(name in document_principals for name in principals)


def _dates_key(observation: Observation) -> tuple[object, ...]:
    return (
        observation.content_hash,
        BEGIN if observation.valid_from is None else observation.valid_from,
        OPEN if observation.declared_until is None else observation.declared_until,
        observation.supersedes,
    )


def _merged_observations(
    present: tuple[Observation, ...], more: Iterable[Observation]
) -> tuple[Observation, ...]:
    dated: dict[tuple[object, ...], Observation] = {}
    undated: list[Observation] = []
    for observation in (*present, *more):
        if observation.observed is None:
            undated.append(observation)
            continue
        key = observation_key(observation)
        known = dated.setdefault(key, observation)
        if known != observation:
            # A repeat may bring other attributes (a corrected type): the later reading holds, a tie by a total order.
            dated[key] = max(known, observation, key=_reading_key)
    # The one read last stands; a draft read after it replaces nothing.
    kinds = ([o for o in undated if o.draft is draft] for draft in (False, True))
    last_undated = [max(readings, key=_reading_key) for readings in kinds if readings]
    return (*(dated[key] for key in sorted(dated)), *last_undated)


def _reading_key(observation: Observation) -> tuple[object, ...]:
    return observation.read_at, *_dates_key(observation), repr(observation)


def _merged_ends(present: tuple[End, ...], more: Iterable[End]) -> tuple[End, ...]:
    by_place: dict[tuple[int, int], End] = {}
    for end in (*present, *more):
        place = (end.at.start, _NO_SEQUENCE if end.sequence is None else end.sequence)
        by_place[place] = max(by_place.get(place, end), end, key=_end_key)
    return tuple(by_place[place] for place in sorted(by_place))


def _end_key(end: End) -> tuple[int, str, str]:
    return end.at.end, end.source, end.reason


def _withdrawal_key(withdrawal: Withdrawal) -> tuple[int, bool, str, str]:
    return withdrawal.known_at, withdrawal.undo, withdrawal.content_hash, withdrawal.reason
