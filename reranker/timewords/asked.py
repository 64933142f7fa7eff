"""Own what a reading does to the moments of a search: which moment it asks about, and what may be known there.

The filter itself, history and cues are the search's business; here is only the arithmetic of the two moments.
"""

from __future__ import annotations

from dataclasses import dataclass

from reranker.timewords.model import Reading, TimeSpan


@dataclass(frozen=True, slots=True)
class Asked:
    """The moments and the period that a question asks about, µs since 1970 UTC.

    Attributes:
        as_of: the moment for which the answer must hold.
        known_at: up to when something may have been known; never later than now.
        low, high: the period that what is found must overlap, half-open, None for open; both None without one.
        is_past: whether the period, or the moment without one, ended before now: it silences words of the present.
    """

    as_of: int
    known_at: int
    low: int | None = None
    high: int | None = None
    is_past: bool = False


def moments(reading: Reading, *, now: int) -> Asked:
    """Return what a reading asks about.

    A period that ended sets both moments to its last instant; one that contains now, is counted up to now, or has no
    end leaves them at now; one that lies ahead asks about its last instant with what is known now. A moment ("as of")
    rules a period's.
    """
    low, high = reading.range or (None, None)
    as_of = now
    to_now = any(span.to_now and span.until_us == high for span in reading.spans)
    if high is not None and not to_now and (high <= now or (low is not None and low > now)):
        as_of = high - 1
    if reading.as_of is not None and reading.as_of.until_us is not None:
        as_of = reading.as_of.until_us - 1
    return Asked(as_of, min(as_of, now), low, high, as_of < now)


def shown(span: TimeSpan, *, now: int) -> tuple[int | None, int | None]:
    """Return the bounds of a span as far as they can be answered: "this year" ends now, not in December."""
    running = span.from_us is not None and span.until_us is not None and span.from_us < now < span.until_us
    return span.from_us, now if running else span.until_us
