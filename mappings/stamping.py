"""Own the stamps that an index keeps of a series: the rules of replacement, made safe for every question at once.

A stamp may exclude a passage only where no reader at any (as_of, known_at) could see it live. So a replacement stamps
only if it was never withdrawn (not even for a while), every reader of the old may read the new, and no link speaks
against it; the rest the record decides.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping
from itertools import accumulate

from mappings.document import Kind
from mappings.interval import BEGIN, OPEN
from mappings.series import PassageSpan
from mappings.stamps import CLOSED_BY_END, CLOSED_BY_REPLACEMENT, Stamps
from mappings.timeline import Timeline, circular_links
from mappings.version import Spans, Version

_NEVER = (OPEN, "")


def version_stamps(timeline: Timeline) -> Mapping[str, Stamps]:
    """Return the stamps of each version of a series, by version_id."""
    closing = _Closing(timeline)
    return {version.version_id: _stamps(version, *closing.of(version)) for version in timeline.versions}


def passage_stamps(timeline: Timeline) -> Mapping[str, Stamps]:
    """Return the stamps of each passage that the record names, by passage_id."""
    by_version = version_stamps(timeline)
    return {
        passage_id: Stamps.over(by_version[v.version_id] for v in timeline.passage_versions(passage_id))
        for passage_id in timeline.record.passages
    }


def span_stamps(timeline: Timeline, spans: Mapping[str, PassageSpan]) -> Mapping[str, Stamps]:
    """Return the stamps of passages that are about to be named by the record, by passage_id."""
    by_version = version_stamps(timeline)
    out = {}
    for passage_id, span in spans.items():
        versions = timeline.by_document[span.doc_id]
        standing = versions[-1:] if span.first < 0 else versions[span.first : span.last + 1]
        out[passage_id] = Stamps.over(by_version[version.version_id] for version in standing)
    return out


def _stamps(version: Version, closed: int, closed_by: str) -> Stamps:
    chronicle = any(o.attributes.chronicle and o.attributes.kind is Kind.EVENT for o in version.observations)
    return Stamps(
        observed=version.observed,
        valid_from=version.valid_from,
        until=OPEN if chronicle else version.valid_until,
        withdrawn=min((start for start, end in version.void if end == OPEN), default=OPEN),
        closed=closed,
        closed_by=closed_by,
        event_end=version.valid_until,
    )


class _Closing:
    """Find when each version is closed for good: its smallest end or safe replacement, max(observed, valid_from)."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._record = timeline.record
        links = [link for link in timeline.links if not link.against_dates]
        self._circular = circular_links(links)  # withdrawn links count here
        self._links = [link for link in links if (link.doc_id, link.target) not in self._circular]
        self._targets = {link.target for link in timeline.links}
        self._later = {doc_id: _earliest_later(versions) for doc_id, versions in timeline.by_document.items()}
        self._placed = dict(self._placed_closings())

    def of(self, version: Version) -> tuple[int, str]:
        """Return when a version is closed and by what: (OPEN, "") where it is not."""
        moments = [_NEVER]
        if version.ended_at < OPEN:
            moments.append((version.ended_at, CLOSED_BY_END))
        replaced = [*self._linked(version), self._later[version.doc_id].get(version.version_id, OPEN)]
        replaced.append(self._placed.get(version.version_id, OPEN))
        if version.undated and len(self._timeline.by_document[version.doc_id]) > 1:
            replaced.append(BEGIN)  # beside a dated version an undated one is never live
        moments += [(moment, CLOSED_BY_REPLACEMENT) for moment in replaced if moment < OPEN]
        return min(moments)

    def _linked(self, version: Version) -> Iterator[int]:
        for link in self._links:
            if link.target == version.doc_id and not link.void and self._all_may_read(version.doc_id, link.principals):
                yield max(link.observed, link.valid_from)

    def _placed_closings(self) -> Iterator[tuple[str, int]]:
        """Yield (version_id, moment) for versions that a later document of the series replaces by place.

        Documents are taken from the last place to the first, so that a version sees only those behind it.
        """
        behind: list[tuple[int, str, str]] = []  # (moment, doc_id, content hash), earliest first
        waiting: list[str] = []
        for doc_id in reversed(self._timeline.by_place):
            # Documents that the place does not order against this one close nothing of it.
            for ready in [other for other in waiting if self._timeline.follows(other, doc_id)]:
                waiting.remove(ready)
                for version in self._timeline.by_document[ready]:
                    if not version.undated and not version.void:
                        insort(behind, (_moment(version), ready, version.content_hash))
            for version in self._timeline.by_document[doc_id]:
                if not version.undated and not version.declares_until:
                    yield version.version_id, self._first_behind(version, behind)
            if doc_id not in self._targets:  # what a link replaces may replace nothing by place
                waiting.append(doc_id)

    def _first_behind(self, version: Version, behind: list[tuple[int, str, str]]) -> int:
        for moment, doc_id, content in behind:
            if (
                content != version.content_hash
                and self._timeline.follows(doc_id, version.doc_id)  # at one place not all are ordered
                and self._all_may_read(version.doc_id, self._record.documents[doc_id].principals)
            ):
                return moment
        return OPEN

    def _all_may_read(self, old: str, new_principals: tuple[str, ...]) -> bool:
        """Whether every reader of the old document may read the new one."""
        old_principals = self._record.documents[old].principals
        return not new_principals or (bool(old_principals) and set(old_principals) <= set(new_principals))


def _earliest_later(versions: tuple[Version, ...]) -> Mapping[str, int]:
    """Per version the smallest moment at which a later version of the document replaces it for good."""
    dated = [version for version in versions if not version.undated]
    spans = Spans([version.first for version in dated])
    # From each position on, the smallest moment of all that follow; behind the last there is none.
    best = list(accumulate((_moment(version) for version in reversed(dated)), min, initial=OPEN))[::-1]
    out = {}
    for version in dated:
        span = version.first.observed
        assert span is not None
        overlapping = (dated[i] for i in spans.overlapping(span))
        moments = [_moment(other) for other in overlapping if other.is_later_than(version)]
        out[version.version_id] = min([best[bisect_left(spans.starts, span.end)], *moments])
    return out


def _moment(version: Version) -> int:
    """From when on a version replaces for everybody, OPEN if it was ever withdrawn."""
    return OPEN if version.void else max(version.observed, version.valid_from)
