"""Own how candidates without an index get their standings: by the same records and rules as those of one.

Each candidate is a reading of its document; those of one series are put into one record, links between series are
copied, and the time line decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from mappings.document import Attributes, Kind, Observation, State, digest
from mappings.interval import DAY
from mappings.profile import Profile, profile_for
from mappings.series import DocumentRecord, LinkCopy, SeriesRecord
from mappings.timeline import Standing, Successor, Timeline
from mappings.version import Version
from reranker.candidate import Candidate

# The document that takes the place of one that says no more than when.
UNNAMED: Final = ""


def standings(
    candidates: Sequence[Candidate],
    *,
    as_of: int,
    known_at: int,
    principals: Sequence[str],
    profiles: Mapping[str, Profile],
) -> list[Standing | None]:
    """Return how each candidate stands; None where this reader may not read it.

    Args:
        candidates: passages of one document with equal dates are passages of one version.
        as_of: µs since 1970.
        known_at: µs since 1970.
        principals: of the reader.
        profiles: say which events expire, and after how long without an end.
    """
    hashes = _content_hashes(candidates)
    observations = [_observation(c, says, profiles) for c, says in zip(candidates, hashes, strict=True)]
    timelines = {record.series: Timeline(record) for record in _linked(_records(candidates, observations))}
    views = {key: timeline.at(as_of, known_at, principals) for key, timeline in timelines.items()}
    homes = _homes(timelines.values())
    found: list[Standing | None] = []
    for candidate, observation in zip(candidates, observations, strict=True):
        view = views[candidate.series]
        version = homes.get((candidate.doc_id, observation))
        readable = version is not None and view.can_read(candidate.doc_id)
        if version is None or not readable:
            found.append(None)
        else:
            found.append(_told(view.standing(version), candidate, min(as_of, known_at)))
    return found


def _content_hashes(candidates: Sequence[Candidate]) -> list[str]:
    """Return for each what its document says then: its passages where all have a text, else nothing but its dates."""
    keys = [(c.doc_id, c.observed, c.valid_from, c.valid_until, c.sequence, c.supersedes) for c in candidates]
    passages: dict[tuple[object, ...], list[Candidate]] = {}
    for key, candidate in zip(keys, candidates, strict=True):
        passages.setdefault(key, []).append(candidate)
    said = {
        key: sorted((c.title, c.section, c.text) for c in found) if all(c.text for c in found) else key
        for key, found in passages.items()
    }
    return [digest(*said[key])[:32] for key in keys]


def _observation(candidate: Candidate, content_hash: str, profiles: Mapping[str, Profile]) -> Observation:
    profile = profile_for(candidate.content_type, profiles)
    until, source = candidate.valid_until, None if candidate.valid_until is None else "declared"
    is_notice = candidate.kind is Kind.EVENT and not profile.is_chronicle
    if is_notice and until is None and profile.ttl_days is not None and candidate.observed is not None:
        begins = candidate.observed.start if candidate.valid_from is None else candidate.valid_from
        until, source = begins + round(profile.ttl_days * DAY), "ttl"
    return Observation(
        content_hash=content_hash,
        observed=candidate.observed,
        valid_from=candidate.valid_from,
        valid_until=until,
        until_source=source,
        supersedes=candidate.supersedes,
        sequence=candidate.sequence,
        attributes=Attributes(
            content_type=candidate.content_type,
            kind=candidate.kind,
            chronicle=profile.is_chronicle,
            title=candidate.title,
            source=candidate.source,
            url=candidate.url,
            topic=candidate.topic,
            value=candidate.value,
        ),
    )


def _records(candidates: Sequence[Candidate], observations: Sequence[Observation]) -> list[SeriesRecord]:
    records: dict[str, SeriesRecord] = {}
    for candidate, observation in zip(candidates, observations, strict=True):
        record = records.get(candidate.series, SeriesRecord(candidate.series))
        document = record.documents.get(candidate.doc_id, DocumentRecord(candidate.doc_id))
        document = replace(document.merge([observation]), principals=candidate.principals)
        records[candidate.series] = record.with_document(document)
    return list(records.values())


def _linked(records: Sequence[SeriesRecord]) -> list[SeriesRecord]:
    """Copy links between series to the record of the document that is replaced."""
    homes = {doc_id: record.series for record in records for doc_id in record.documents}
    copies: dict[str, list[LinkCopy]] = {}
    for record in records:
        for version in Timeline(record).versions:
            for target in () if version.undated else version.first.supersedes:
                home = homes.get(target)
                if home is not None and home != record.series:
                    copies.setdefault(home, []).append(_copy(record, version, target))
    return [replace(record, links=(*record.links, *copies.get(record.series, ()))) for record in records]


def _copy(record: SeriesRecord, version: Version, target: str) -> LinkCopy:
    readers = record.documents[version.doc_id].principals
    dates = version.observed, version.valid_from
    return LinkCopy(version.doc_id, target, version.version_id, *dates, version.void, readers)


def _homes(timelines: Iterable[Timeline]) -> dict[tuple[str, Observation], Version]:
    return {
        (version.doc_id, observation): version
        for timeline in timelines
        for version in timeline.versions
        for observation in version.observations
    }


def _told(standing: Standing, candidate: Candidate, moment: int) -> Standing:
    """Return the standing with what a bare superseded_at says: from then on somebody has taken its place."""
    since = candidate.superseded_at
    if since is None or since > moment:
        return standing
    successors = standing.superseded_by or (Successor(since, UNNAMED, UNNAMED),)
    state = State.SUPERSEDED if standing.state.is_live else standing.state
    return replace(standing, state=state, superseded_by=successors)
