"""Own which moments rule a question: what was given beside it, then what its words say, then now.

Parameters win over words: a given `as_of`, `known_at` or period replaces the one in the words, which is still taken
out of the text that is searched, and reported. An edge calls this once with what its clock said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mappings.interval import BEGIN, OPEN
from reranker.moments import Moments, resolve_moments
from reranker.period import Period
from reranker.question import TimeReading
from store.engine import ReleaseDay

if TYPE_CHECKING:
    from reranker.timewords import Reading, Releases, TimeSettings, TimeSpan

# Only a question that could name a release asks the index which there are: "2.11", "v4".
_NAMES_RELEASE: Final = re.compile(r"\bv?\d+\.\d|\bv\d|\b[A-Za-z][\w+#-]*\s+\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Given:
    """The moments that are given beside a question, in the grammar of `mappings.interval.resolve_moment`.

    Attributes:
        period: start and end; None: open on that side.
    """

    as_of: str | None = None
    known_at: str | None = None
    period: tuple[str | None, str | None] = (None, None)


@dataclass(frozen=True, slots=True)
class TimeWords:
    """How the words of a question are read: by which settings, in which language."""

    settings: TimeSettings
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Asked:
    """The moments that rule a question, and what of its words was read as time.

    Attributes:
        readings: in the order of the words; those left alone carry the reason.
    """

    moments: Moments
    readings: tuple[TimeReading, ...] = ()


def resolve_question(
    query: str,
    given: Given,
    *,
    now: int,
    zone: str = "UTC",
    releases: Callable[[], Iterable[ReleaseDay]] = tuple,
    words: TimeWords | None = None,
) -> Asked:
    """Read the time in a question and settle which moments rule it.

    Args:
        query: the question as it was asked.
        given: what was given beside it.
        now: µs since 1970, what the edge read from its clock.
        zone: IANA name, for days and moments without an offset.
        releases: asked only where the words could name a release; releases after now are not known.
        words: how the words are read; None: they are not, and only what was given rules.

    Raises:
        RequestError: a given text that is no moment, or a period that ends before it starts.
    """
    moments = resolve_moments(given.as_of, given.known_at, now=now, zone=zone, period=given.period)
    if words is None:
        return Asked(moments)
    reading = _read(query, words, now=now, zone=zone, releases=releases)
    readings = tuple(_shown(span, now=now) for span in reading.spans if span.role.value != "cue")
    return Asked(_settle(moments, given, reading, now=now), readings)


def _settle(moments: Moments, given: Given, reading: Reading, *, now: int) -> Moments:
    """Let the words rule what was not given."""
    from reranker.timewords import moments as moments_of

    words = moments_of(reading, now=now)
    if moments.period is None and (words.low, words.high) != (None, None):
        period = Period(BEGIN if words.low is None else words.low, OPEN if words.high is None else words.high)
        moments = replace(moments, period=period)
    if given.as_of is not None or given.period != (None, None):
        return moments
    known_at = moments.known_at if given.known_at is not None else words.known_at
    return replace(moments, as_of=words.as_of, known_at=known_at)


def _read(
    query: str, words: TimeWords, *, now: int, zone: str, releases: Callable[[], Iterable[ReleaseDay]]
) -> Reading:
    from reranker.timewords import read

    known = _releases(releases(), now=now) if _NAMES_RELEASE.search(query) else None
    return read(query, now=now, zone=zone, settings=words.settings, language=words.language, releases=known)


def _releases(days: Iterable[ReleaseDay], *, now: int) -> Releases | None:
    from reranker.timewords import Releases

    known = [(_product(day.source), day.release, day.observed) for day in days if day.observed <= now]
    return Releases.of(known) if known else None


@lru_cache(maxsize=1024)
def _product(source: str) -> str:
    """Return what releases are of, as far as a source says it: its name, but not a path or an address."""
    return "" if re.search(r"[/\\.:]", source) else source


def _shown(span: TimeSpan, *, now: int) -> TimeReading:
    from reranker.timewords.asked import shown

    start, until = (None, None) if span.unread else shown(span, now=now)
    return TimeReading(span.text, (span.start, span.end), span.role.value, start, until, span.unread)
