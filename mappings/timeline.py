"""Own what follows from a series record: order, replacement, and the state of each version.

Every question is asked at (as_of, known_at) for a reader; a document that the reader may not read does not exist for
it. The stamps that an index keeps of the same rules are `mappings.stamping`; both are held against a second
implementation in the tests.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from mappings.document import Code, Kind, State
from mappings.interval import BEGIN
from mappings.series import LinkCopy, SeriesRecord, can_read
from mappings.version import Spans, Version, precedes, versions_of

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Successor:
    """What takes the place of a version: the version, its document, and from when on it is in force, µs."""

    valid_from: int
    doc_id: str
    version_id: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What a version is at (as_of, known_at) for a reader.

    Attributes:
        superseded_by: what is known to replace it, now or later; one a document, earliest in force first.
        clash: CONFLICT or DUPLICATE_VERSION where another live version can not be ordered against it.
    """

    version: Version
    state: State
    superseded_by: tuple[Successor, ...] = ()
    clash: Code | None = None

    @property
    def superseded_at(self) -> int | None:
        """When the first of its successors comes into force, µs; None where none is known."""
        return self.superseded_by[0].valid_from if self.superseded_by else None


@dataclass(frozen=True, slots=True)
class Link:
    """One document taking the place of another, by what a version of it declares.

    Attributes:
        against_dates: the document to be replaced starts later, so the link is disabled.
    """

    doc_id: str
    target: str
    version_id: str
    observed: int
    valid_from: int
    void: tuple[tuple[int, int], ...]
    principals: tuple[str, ...]
    against_dates: bool

    def exists(self, known_at: int) -> bool:
        """Tell whether the link is known and its version is not withdrawn."""
        known = self.observed <= known_at
        return known and not any(start <= known_at < end for start, end in self.void)


class Timeline:
    """Derive versions, links and states of one series; build it once a revision and ask it often."""

    def __init__(self, record: SeriesRecord) -> None:
        self.record = record
        self.by_document: Mapping[str, tuple[Version, ...]] = {
            doc_id: versions_of(document) for doc_id, document in record.documents.items()
        }
        self._spans_by_document: dict[str, Spans] = {}

    @cached_property
    def versions(self) -> tuple[Version, ...]:
        """All versions: documents by id, each in its own order."""
        return tuple(version for versions in self.by_document.values() for version in versions)

    @cached_property
    def by_id(self) -> Mapping[str, Version]:
        """Versions by version_id."""
        return {version.version_id: version for version in self.versions}

    @cached_property
    def places(self) -> Mapping[str, tuple[Place, int | None]]:
        """Per dated document its place in the series, (valid_from, observed) of its first version, and sequence."""
        firsts = {doc_id: versions[0] for doc_id, versions in self.by_document.items() if versions}
        return {
            doc_id: ((first.valid_from, first.observed), first.first.sequence)
            for doc_id, first in firsts.items()
            if not first.undated
        }

    @cached_property
    def by_place(self) -> tuple[str, ...]:
        """Dated documents from the first place in the series to the last."""
        return tuple(sorted(self.places, key=self.place_key))

    def place_key(self, doc_id: str) -> tuple[Place, int, str]:
        """Return what sorts dated documents by place and sequence, then id."""
        place, sequence = self.places[doc_id]
        return place, BEGIN if sequence is None else sequence, doc_id

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """All links that this record knows: those of its own documents and the copies."""
        begins = {copy.target: copy.target_from for copy in self.record.links}
        copies = [copy for copy in self.record.links if copy.doc_id not in self.record.documents]
        own = [
            LinkCopy(
                v.doc_id, target, v.version_id, v.observed, v.valid_from, v.void,
                self._principals(v.doc_id), begins.get(target),
            )
            for v in self.versions
            if not v.undated
            for target in v.first.supersedes
        ]  # fmt: skip
        return tuple(self._link(copy) for copy in (*own, *copies))

    def passage_versions(self, passage_id: str) -> tuple[Version, ...]:
        """Return the versions in which a passage stands, in order; empty for a passage that the record lacks."""
        span = self.record.passages.get(passage_id)
        if span is None:
            return ()
        versions = self.by_document[span.doc_id]
        if span.first < 0:
            return tuple(version for version in versions if version.undated)
        return versions[span.first : span.last + 1]

    def at(self, as_of: int, known_at: int, principals: Iterable[str] = ()) -> View:
        """Return the series as it is at a moment for a reader."""
        return View(self, as_of, known_at, tuple(principals))

    def standings(self, as_of: int, known_at: int, principals: Iterable[str] = ()) -> tuple[Standing, ...]:
        """Return the standing of every version that the reader may read, documents by id."""
        view = self.at(as_of, known_at, principals)
        return tuple(view.standing(v) for v in self.versions if view.can_read(v.doc_id))

    def clashes(self, version: Version) -> Iterator[tuple[Version, Code]]:
        """Yield the versions that nothing orders against a version: of its document, or of others at its very place."""
        if version.first.observed is None:
            return
        for doc_id in self._sharing_place.get(version.doc_id, ()):
            others = () if doc_id == version.doc_id else self.by_document[doc_id]
            yield from ((o, Code.DUPLICATE_VERSION) for o in others if o.content_hash != version.content_hash)
        versions = self.by_document[version.doc_id]
        for here in sorted(self._spans(version.doc_id).overlapping(version.first.observed)):
            other = versions[here]
            if _unordered(version, other):
                same_place = version.first.sequence is not None and version.first.sequence == other.first.sequence
                yield other, Code.DUPLICATE_VERSION if same_place else Code.CONFLICT

    @cached_property
    def _sharing_place(self) -> Mapping[str, Sequence[str]]:
        """Per document all that declare its very place and sequence, itself among them."""
        found: dict[tuple[Place, int | None], list[str]] = {}
        for doc_id in self.by_place:
            found.setdefault(self.places[doc_id], []).append(doc_id)
        return {doc_id: ids for (_, sequence), ids in found.items() if sequence is not None for doc_id in ids}

    def _spans(self, doc_id: str) -> Spans:
        if doc_id not in self._spans_by_document:
            self._spans_by_document[doc_id] = Spans([version.first for version in self.by_document[doc_id]])
        return self._spans_by_document[doc_id]

    def follows(self, doc_id: str, other: str) -> bool:
        """Tell whether a document comes after another by its place in the series; equal places order nothing."""
        if doc_id not in self.places or other not in self.places:
            return False
        (place, sequence), (other_place, other_sequence) = self.places[doc_id], self.places[other]
        if place != other_place:
            return place > other_place
        return sequence is not None and other_sequence is not None and sequence > other_sequence

    @cached_property
    def may_circle(self) -> bool:
        """Whether any links at all lie on a circle; where not, no choice of them does."""
        return bool(circular_links(self.links))

    def _principals(self, doc_id: str) -> tuple[str, ...]:
        return self.record.documents[doc_id].principals

    def _link(self, copy: LinkCopy) -> Link:
        begins = self.places[copy.target][0][0] if copy.target in self.places else copy.target_from
        return Link(
            doc_id=copy.doc_id,
            target=copy.target,
            version_id=copy.version_id,
            observed=copy.observed,
            valid_from=copy.valid_from,
            void=copy.void,
            principals=copy.principals,
            against_dates=begins is not None and begins > copy.valid_from,
        )


class View:
    """Answer questions about one series at one (as_of, known_at) for one reader."""

    def __init__(self, timeline: Timeline, as_of: int, known_at: int, principals: tuple[str, ...]) -> None:
        self._timeline = timeline
        self.as_of, self.known_at, self._principals = as_of, known_at, principals
        self._followers_by_document: dict[str, _Followers] = {}
        self._counting_by_document: dict[str, tuple[Version, ...]] = {}
        self._by_moment_by_document: dict[str, Sequence[Version]] = {}

    def can_read(self, doc_id: str) -> bool:
        """Tell whether the reader may read a document of this series."""
        return can_read(self._timeline.record.documents[doc_id].principals, self._principals)

    def standing(self, version: Version) -> Standing:
        """Return the state of a version, and what is known to replace it."""
        successors = self._successors(version)
        state = self._state(version, successors)
        return Standing(version, state, successors, self._clash(version) if state.is_live else None)

    def _clash(self, version: Version) -> Code | None:
        """Return how a live version clashes with another live one: what is unknown, void or gone clashes no more."""
        clashes = ((other, code) for other, code in self._timeline.clashes(version) if self.can_read(other.doc_id))
        return next((code for other, code in clashes if self._state(other, self._successors(other)).is_live), None)

    def in_force(self) -> tuple[Standing, ...]:
        """Return the standings of the live versions that the reader may read."""
        rows = (self.standing(v) for v in self._timeline.versions if self.can_read(v.doc_id))
        return tuple(row for row in rows if row.state.is_live)

    def _state(self, version: Version, successors: tuple[Successor, ...]) -> State:
        """Read the table of states from the top; the first row that fits holds."""
        kind = version.attributes_at(self.known_at).kind
        expires = not version.never_expires(self.known_at)
        replaced = bool(successors) and successors[0].valid_from <= self.as_of
        history = version.undated and len(self._timeline.by_document[version.doc_id]) > 1
        table = (
            (State.FUTURE, version.observed > self.known_at),
            (State.RETRACTED, version.is_void(self.known_at)),
            (State.RETRACTED, version.ended_at <= min(self.as_of, self.known_at)),
            (State.NOT_YET_VALID, version.valid_from > self.as_of),
            (State.EXPIRED, expires and version.valid_until <= self.as_of),
            (State.SUPERSEDED, replaced or history),
            (State.UNDATED, version.undated),
            (State.TEMPORAL, kind is Kind.EVENT and self.as_of < version.valid_until),
            (State.VALID, True),
        )
        return next(state for state, fits in table if fits)

    def _successors(self, version: Version) -> tuple[Successor, ...]:
        best: dict[str, Successor] = {}
        for successor in (*self._later(version), *self._linked(version), *self._placed(version)):
            best[successor.doc_id] = min(best.get(successor.doc_id, successor), successor, key=_earliest)
        return tuple(sorted(best.values(), key=_earliest))

    def _counts(self, version: Version) -> bool:
        """Whether a version is known and not withdrawn, so that it replaces from its valid_from on."""
        return not version.undated and version.observed <= self.known_at and not version.is_void(self.known_at)

    def _counting(self, doc_id: str) -> tuple[Version, ...]:
        """Versions of a document that count; none where the reader may not read it."""
        if doc_id not in self._counting_by_document:
            versions = self._timeline.by_document[doc_id] if self.can_read(doc_id) else ()
            self._counting_by_document[doc_id] = tuple(version for version in versions if self._counts(version))
        return self._counting_by_document[doc_id]

    def _later(self, version: Version) -> Iterator[Successor]:
        """Later versions of the same document: always replace."""
        if version.first.observed is not None:
            yield from self._followers(version.doc_id).earliest_after(version)

    def _followers(self, doc_id: str) -> _Followers:
        if doc_id not in self._followers_by_document:
            self._followers_by_document[doc_id] = _Followers(self._counting(doc_id))
        return self._followers_by_document[doc_id]

    def _linked(self, version: Version) -> Iterator[Successor]:
        for link in self._enabled_links:
            if link.target == version.doc_id:
                yield Successor(link.valid_from, link.doc_id, link.version_id)

    def _placed(self, version: Version) -> Iterator[Successor]:
        """Documents that come later in the series: replace a version that does not say until when it holds."""
        if version.undated or version.declares_until:
            return
        for doc_id in reversed(self._timeline.by_place):
            if not self._timeline.follows(doc_id, version.doc_id):
                # Behind a document that comes before this one there are only those of its own place, then earlier.
                if self._timeline.follows(version.doc_id, doc_id):
                    return
                continue
            if not self._reversed(version.doc_id, doc_id):
                yield from self._earliest_of(doc_id, version.content_hash)

    def _earliest_of(self, doc_id: str, content_hash: str) -> Iterator[Successor]:
        """Yield what replaces by place: the earliest version with another text, unless a link replaces the document."""
        for other in self._by_moment(doc_id):
            moment = max(self.as_of, other.valid_from)
            if other.content_hash != content_hash and not self._link_replaced(doc_id, moment):
                yield _successor(other)
                return

    def _by_moment(self, doc_id: str) -> Sequence[Version]:
        if doc_id not in self._by_moment_by_document:
            self._by_moment_by_document[doc_id] = sorted(self._counting(doc_id), key=_in_force)
        return self._by_moment_by_document[doc_id]

    def _reversed(self, doc_id: str, target: str) -> bool:
        return any(link.doc_id == doc_id and link.target == target for link in self._enabled_links)

    def _link_replaced(self, doc_id: str, moment: int) -> bool:
        return any(link.target == doc_id and link.valid_from <= moment for link in self._enabled_links)

    @cached_property
    def _enabled_links(self) -> tuple[Link, ...]:
        """Links known by now, of versions that count and this reader may read, with the dates and in no circle."""
        links = [
            link
            for link in self._timeline.links
            if link.exists(self.known_at) and not link.against_dates and can_read(link.principals, self._principals)
        ]
        circular = circular_links(links) if self._timeline.may_circle else frozenset()
        return tuple(link for link in links if (link.doc_id, link.target) not in circular)


class _Followers:
    """Find the earliest in force of the versions after one, among versions of one document in linear order."""

    def __init__(self, versions: Sequence[Version]) -> None:
        self._versions = versions
        self._spans = Spans([version.first for version in versions])
        successors = [_successor(version) for version in versions]
        # From each position on, the earliest in force of all that follow.
        self._best = list(accumulate(reversed(successors), _earlier))[::-1]

    def earliest_after(self, version: Version) -> Iterator[Successor]:
        """Yield the earliest of the wholly later ones, and those that overlap and a sequence puts behind."""
        span = version.first.observed
        assert span is not None
        beyond = bisect_left(self._spans.starts, span.end)
        if beyond < len(self._best):
            yield self._best[beyond]
        for here in self._spans.overlapping(span):
            if self._versions[here].is_later_than(version):
                yield _successor(self._versions[here])


def circular_links(links: Iterable[Link]) -> frozenset[tuple[str, str]]:
    """Return the pairs (document, target) of links that lie on a circle."""
    targets: dict[str, set[str]] = {}
    for link in links:
        targets.setdefault(link.doc_id, set()).add(link.target)
    return frozenset(
        (doc_id, target) for doc_id, ends in targets.items() for target in ends if _reaches(targets, target, doc_id)
    )


def _reaches(targets: Mapping[str, set[str]], start: str, goal: str) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if here == goal:
            return True
        fresh = targets.get(here, set()) - seen
        seen |= fresh
        waiting.extend(fresh)
    return False


def _successor(version: Version) -> Successor:
    return Successor(version.valid_from, version.doc_id, version.version_id)


def _earliest(successor: Successor) -> tuple[int, str, str]:
    return successor.valid_from, successor.doc_id, successor.version_id


def _in_force(version: Version) -> tuple[int, str]:
    return version.valid_from, version.version_id


def _earlier(one: Successor, other: Successor) -> Successor:
    return min(one, other, key=_earliest)


def _unordered(one: Version, other: Version) -> bool:
    """Whether two versions of a document overlap in when they were first observed and nothing orders them."""
    if one.undated or other.undated or one.first.declared == other.first.declared:
        return False
    return not precedes(one.first, other.first) and not precedes(other.first, one.first)
