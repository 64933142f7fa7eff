"""Own versions: how the observations of one document become runs, and how two versions are ordered.

A version is a maximal run of observations with equal text and equal declared dates; an end, or an observation of
something else that lies between or can not be ordered against it, parts runs. Replacement between versions and
documents is `mappings.timeline`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from mappings.document import Attributes, Kind, Observation, digest
from mappings.interval import BEGIN, OPEN, Span
from mappings.series import DocumentRecord, End, Withdrawal

Interval = tuple[int, int]


@dataclass(frozen=True)
class Version:
    """One state of a document over the time in which it read so.

    Attributes:
        position: place in the document's order; -1 for an undated one.
        observations: of the run, in order.
        ended_at: the first end of the document after this version, µs; OPEN without one.
        void: intervals of known_at, [from, until), in which it counts as withdrawn; sorted.
    """

    doc_id: str
    version_id: str
    position: int
    observations: tuple[Observation, ...]
    ended_at: int
    void: tuple[Interval, ...]

    @property
    def first(self) -> Observation:
        """The observation that began the run."""
        return self.observations[0]

    @property
    def content_hash(self) -> str:
        """Identity of its title and text."""
        return self.first.content_hash

    @property
    def undated(self) -> bool:
        """Whether no usable date was declared."""
        return self.first.observed is None

    @cached_property
    def observed(self) -> int:
        """When it could first be known, µs; BEGIN for an undated one."""
        return BEGIN if self.first.observed is None else self.first.observed.start

    @cached_property
    def valid_from(self) -> int:
        """Start of its window, µs: as declared, else min(observed, valid_until)."""
        if self.first.valid_from is not None:
            return self.first.valid_from
        return min(self.observed, self.valid_until)

    @cached_property
    def valid_until(self) -> int:
        """End of its window, µs, excluded; OPEN where none is declared and no time to live applies."""
        return OPEN if self.first.valid_until is None else self.first.valid_until

    @property
    def declares_until(self) -> bool:
        """Whether the document itself says until when it holds (a time to live does not)."""
        return self.first.declared_until is not None

    def attributes_at(self, known_at: int) -> Attributes:
        """Return what its last observation by `known_at` says besides the text (the first one's, if none)."""
        return self.last_by(known_at).attributes

    def last_by(self, known_at: int) -> Observation:
        """Return its last observation at or before `known_at`, else its first."""
        if len(self.observations) == 1:
            return self.first
        known = [o for o in self.observations if o.observed is not None and o.observed.start <= known_at]
        return known[-1] if known else self.first

    def is_void(self, known_at: int) -> bool:
        """Tell whether it counts as withdrawn by what is known at `known_at`."""
        return any(start <= known_at < end for start, end in self.void)

    def never_expires(self, known_at: int) -> bool:
        """Tell whether it is an event that is a record rather than a notice."""
        attributes = self.attributes_at(known_at)
        return attributes.kind is Kind.EVENT and attributes.chronicle

    def is_later_than(self, other: Version) -> bool:
        """Tell whether it follows another version of the same document."""
        return precedes(other.first, self.first)


def precedes(one: Observation, other: Observation) -> bool:
    """Tell whether one dated observation is ordered before another.

    Their spans decide where they do not overlap, else a declared sequence; otherwise neither precedes the other.
    """
    a, b = one.observed, other.observed
    if a is None or b is None:
        return False
    if not a.overlaps(b):
        return a.before(b)
    return one.sequence is not None and other.sequence is not None and one.sequence < other.sequence


def versions_of(document: DocumentRecord) -> tuple[Version, ...]:
    """Return the versions of a document: dated ones in linear order, then the undated one if there is one.

    Drafts are in no version.
    """
    standing = [o for o in document.observations if not o.draft]
    dated = [o for o in standing if o.observed is not None]
    order = _Order(dated)
    runs = _runs(order, document.ends)
    versions = [_version(document, order, run, position) for position, run in enumerate(runs)]
    versions += [_undated_version(document, o) for o in standing if o.observed is None]
    return tuple(versions)


def _runs(order: _Order, ends: Sequence[End]) -> list[list[int]]:
    runs: list[list[int]] = []
    latest: dict[object, list[int]] = {}
    for here, observation in enumerate(order.dated):
        run = latest.get(observation.declared)
        if run is None or order.is_parted(run, here) or _ends_between(ends, order.dated[run[0]], observation):
            run = []
            runs.append(run)
            latest[observation.declared] = run
        run.append(here)
    return runs


class Spans:
    """Find among n observations in linear order those whose spans overlap one, without looking at all."""

    def __init__(self, observations: Sequence[Observation]) -> None:
        spans = [o.observed for o in observations if o.observed is not None]
        self.starts = [span.start for span in spans]
        self.ends = [span.end for span in spans]
        self._reach = list(accumulate(self.ends, max))  # how far back an overlap can lie

    def overlapping(self, span: Span) -> list[int]:
        """Positions of the observations that share an instant with a span."""
        stop = bisect_left(self.starts, span.end)
        found = []
        for here in range(stop - 1, -1, -1):
            if self._reach[here] <= span.start:
                break
            if self.ends[here] > span.start:
                found.append(here)
        return found


class _Order:
    """Answer what lies between or can not be ordered, for the dated observations of one document."""

    def __init__(self, dated: Sequence[Observation]) -> None:
        self.dated = dated
        self._spans = Spans(dated)

    def _overlapping(self, here: int) -> list[int]:
        span = self.dated[here].observed
        assert span is not None
        return [i for i in self._spans.overlapping(span) if i != here]

    def cancelled_at(self, here: int, valid_from: int) -> int:
        """When the document was first seen to say something else before `valid_from`; OPEN where it was not."""
        first = self.dated[here]
        suspects = (*range(here + 1, bisect_left(self._spans.starts, valid_from)), *self._overlapping(here))
        moments = (
            self._spans.starts[i]
            for i in suspects
            if self._spans.starts[i] < valid_from
            and self.dated[i].declared != first.declared
            and precedes(first, self.dated[i])
        )
        return min(moments, default=OPEN)

    def is_parted(self, run: Sequence[int], here: int) -> bool:
        """Tell whether an observation of something else keeps `here` out of the run."""
        first, last = run[0], run[-1]
        # What a sequence put behind the last one lies before `here` now.
        close = (*self._overlapping(first), *self._overlapping(last), *self._overlapping(here))
        suspects = (*range(here - 1, last, -1), *close)
        return any(self._parts(first, suspect, here) for suspect in suspects)

    def _parts(self, first: int, suspect: int, here: int) -> bool:
        other, one, two = self.dated[suspect], self.dated[first], self.dated[here]
        if other.declared == one.declared:
            return False
        unordered = any(not precedes(other, each) and not precedes(each, other) for each in (one, two))
        return unordered or precedes(other, one) != precedes(other, two)


def _ends_between(ends: Sequence[End], first: Observation, observation: Observation) -> bool:
    return any(end.comes_before(first) != end.comes_before(observation) for end in ends)


def _version(document: DocumentRecord, order: _Order, run: Sequence[int], position: int) -> Version:
    first = order.dated[run[0]]
    assert first.observed is not None
    ended_at = min((e.at.start for e in document.ends if not e.comes_before(first)), default=OPEN)
    void = _void_intervals(document.withdrawals, first.content_hash, first.observed.start)
    if first.valid_from is not None:
        # Found to say something else, or to have ended, before it came into force: it never did.
        cancelled = min(ended_at, order.cancelled_at(run[0], first.valid_from))
        void += [(cancelled, OPEN)] if cancelled < first.valid_from else []
    return Version(
        doc_id=document.doc_id,
        version_id=_version_id(document.doc_id, first),
        position=position,
        observations=tuple(order.dated[i] for i in run),
        ended_at=ended_at,
        void=tuple(sorted(void)),
    )


def _undated_version(document: DocumentRecord, observation: Observation) -> Version:
    """An undated reading is closed by an end that was found after it was read."""
    return Version(
        doc_id=document.doc_id,
        version_id=_version_id(document.doc_id, observation),
        position=-1,
        observations=(observation,),
        ended_at=min((e.at.start for e in document.ends if e.at.start > observation.read_at), default=OPEN),
        void=tuple(_void_intervals(document.withdrawals, observation.content_hash, BEGIN)),
    )


def _version_id(doc_id: str, first: Observation) -> str:
    observed = None if first.observed is None else (first.observed.start, first.observed.end)
    return digest(doc_id, *first.declared, observed, first.sequence)[:16]


def _void_intervals(withdrawals: Sequence[Withdrawal], content: str, observed: int) -> list[Interval]:
    """Intervals of known_at in which withdrawals hold for a run first observed at `observed`."""
    intervals: list[Interval] = []
    since: int | None = None
    for event in withdrawals:  # sorted by known_at, a withdrawal before its undoing
        if event.content_hash != content or event.known_at < observed:
            continue
        if event.undo and since is not None:
            intervals.append((since, event.known_at))
            since = None
        elif not event.undo and since is None:
            since = event.known_at
    if since is not None:
        intervals.append((since, OPEN))
    return [interval for interval in intervals if interval[0] < interval[1]]
