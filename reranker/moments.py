"""Own the reading of moments that are given beside a question; an edge does it once.

A day, month or year as `as_of` or `known_at` means its last instant; as the start of a period its first, as the end
of a period its last: people mean both inclusively.
"""

from __future__ import annotations

from dataclasses import dataclass

from mappings.errors import MomentError
from mappings.interval import BEGIN, OPEN, Span, get_zone, resolve_moment
from reranker.errors import RequestError
from reranker.period import Period


@dataclass(frozen=True, slots=True)
class Moments:
    """The moments that rule a question, µs since 1970.

    Attributes:
        as_of: the answer must hold then; known_at: as far as known then.
        period: what the answer must overlap; None: anything.
    """

    as_of: int
    known_at: int
    period: Period | None = None


def resolve_moments(
    as_of: str | None = None,
    known_at: str | None = None,
    *,
    now: int,
    zone: str = "UTC",
    period: tuple[str | None, str | None] = (None, None),
) -> Moments:
    """Read the moments of a question.

    Args:
        as_of: in the grammar of `mappings.interval.resolve_moment`; None: what the period says, else now.
        known_at: alike; None: what the period says where it rules, else as_of, but never later than now.
        now: µs since 1970, what the edge read from its clock.
        zone: IANA name, for moments without an offset.
        period: start and end; None: open on that side. Beside it, `as_of` rules.

    Raises:
        RequestError: a text that is no moment or zone, or a period that ends before it starts.
    """
    _check_zone(zone)
    asked = _period(period, now=now, zone=zone)
    holds, known = asked.moments(now) if asked else (now, now)
    if as_of is not None:
        holds = _span("as_of", as_of, now=now, zone=zone).last
        known = min(holds, now)
    if known_at is not None:
        known = _span("known_at", known_at, now=now, zone=zone).last
    return Moments(holds, known, asked)


def _check_zone(zone: str) -> None:
    """Refuse a zone that there is not, also where no moment needs it."""
    try:
        get_zone(zone)
    except MomentError as error:
        raise RequestError("zone", error.detail, remedy=error.remedy) from error


def _period(period: tuple[str | None, str | None], *, now: int, zone: str) -> Period | None:
    first, last = period
    if first is None and last is None:
        return None
    start = BEGIN if first is None else _span("range.from", first, now=now, zone=zone).start
    until = OPEN if last is None else _span("range.until", last, now=now, zone=zone).end
    if start >= until:
        raise RequestError("range", f"range must start before it ends, got {first!r} until {last!r}")
    return Period(start, until)


def _span(name: str, text: str, *, now: int, zone: str) -> Span:
    try:
        return resolve_moment(text, now=now, zone=zone)
    except MomentError as error:
        relative = ", or now, today, yesterday, -30d, -6m, -1y" if error.remedy else ""
        raise RequestError(name, f"{name}: {error.detail}", remedy=error.remedy + relative) from error
