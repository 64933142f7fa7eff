"""Own the sentences that say how a version stands: known at the moment asked for, by this reader."""

from __future__ import annotations

from mappings.document import State
from mappings.interval import OPEN, format_day
from mappings.timeline import Standing


def label(standing: Standing, *, as_of: int, known_at: int) -> str:
    """Say how a version stands, in a few words such as "in force since 2024-01-02" or "until 2024-06-01"."""
    version = standing.version
    if standing.state is State.FUTURE:
        return f"known from {format_day(version.observed)}"
    if standing.state is State.NOT_YET_VALID:
        return f"from {format_day(version.valid_from)}"
    if not standing.state.is_live:
        return _past(standing, as_of=as_of, known_at=known_at)
    if version.undated:
        return "undated"
    return _present(standing, as_of=as_of, known_at=known_at)


def _present(standing: Standing, *, as_of: int, known_at: int) -> str:
    version = standing.version
    if version.never_expires(known_at) and version.valid_until <= as_of:
        return f"ended {format_day(version.valid_until)}"
    until = min(version.valid_until, OPEN if standing.superseded_at is None else standing.superseded_at)
    if until < OPEN:
        return f"until {format_day(until)}"
    since = "since" if standing.state is State.TEMPORAL else "in force since"
    return f"{since} {format_day(version.valid_from)}"


def _past(standing: Standing, *, as_of: int, known_at: int) -> str:
    """Say when a version stopped to hold and why: the first of what closed it, a replacement before an end."""
    version = standing.version
    void_since = next((start for start, end in version.void if start <= known_at < end), None)
    if void_since is not None:
        return f"withdrawn {format_day(void_since)}"
    replaced = OPEN if standing.superseded_at is None else standing.superseded_at
    expired = OPEN if version.never_expires(known_at) else version.valid_until
    until = min(replaced, expired, version.ended_at)
    if until == OPEN:
        return "undated, replaced by a dated version"
    if until != replaced:
        return f"until {format_day(until)}" + (", then its document ended" if until == version.ended_at else "")
    who = standing.superseded_by[0].doc_id
    successor = "a later version" if who == version.doc_id else who or "another document"
    if until <= version.valid_from:
        return f"replaced from its start by {successor}"
    return f"until {format_day(until)}, replaced by {successor}"
