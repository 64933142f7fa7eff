"""Own `read`: the way from a question to its reading.

Tokens, then at each of them the longest row that fits and that no guard objects to, from left to right; then ranges
that exclude each other are left alone together. The grammar is in the tables of `languages`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from reranker.timewords.grammar import Node, Part, compile_rows, matches
from reranker.timewords.granules import Granule
from reranker.timewords.guards import drop_homonyms, objection, quoted
from reranker.timewords.languages import Language, get_language
from reranker.timewords.lexer import Token, same, tokenize
from reranker.timewords.meanings import read_date
from reranker.timewords.model import Reading, Role, TimeSettings, TimeSpan, common
from reranker.timewords.moment import Moment, moment_at
from reranker.timewords.operators import Draft, read_span
from reranker.timewords.releases import Releases, ReleaseSpan, releases_at

# Dates inside dates: "end of the first quarter of 2023" needs two levels; one more for what nobody has said yet.
_DEPTH: Final = 3
_SPACES: Final = re.compile(r"\s+")
_EMPTY: Final = re.compile(r"\(\s*\)|\[\s*\]")
_LOOSE: Final = re.compile(r"\s+(?=[?!.,;:)\]]|[\"\u201d\u00bb]\Z)|(?<=[(\[])\s+")
_EDGES: Final = " \t\n,;:-\u2013\u2014"

DEFAULT_SETTINGS: Final = TimeSettings()


def read(
    text: str,
    *,
    now: int,
    zone: str = "UTC",
    settings: TimeSettings = DEFAULT_SETTINGS,
    language: str = "en",
    releases: Releases | None = None,
) -> Reading:
    """Read the time in a question; what is unsure is left alone.

    Args:
        text: the question.
        now: when it is asked, µs since 1970 UTC.
        zone: IANA name; days, weeks and months are local to it.
        settings: what the words can not say.
        language: code of a table, "en" or "de".
        releases: the releases that the index knows; without them no release is read.

    Raises:
        LanguageError: a language without a table.
        MomentError: an unknown zone, or a `now` outside the years 1 to 9999.
    """
    table = get_language(language)
    cleaned = same(text)
    tokens = tokenize(cleaned, table)
    if not any(token.classes for token in tokens):
        return Reading((), _tidy(text, ()))
    drop_homonyms(tokens, text, table)
    scan = _Scan(tokens, moment_at(now, zone, settings, table), releases)
    spans = _settled(_unquoted(scan.spans(text), quoted(cleaned)))
    taken = [(span.start, span.end) for span in spans if not span.unread and span.role is not Role.CUE]
    return Reading(tuple(spans), _tidy(text, taken, table.possessive))


@cache
def _trees(language: Language) -> tuple[Node, Node]:
    return compile_rows(language.dates), compile_rows(language.spans)


@dataclass
class _Scan:
    """One walk over the tokens of a question; dates are read once for each place and depth."""

    tokens: Sequence[Token]
    moment: Moment
    releases: Releases | None
    read_dates: dict[tuple[int, int], list[tuple[int, Granule]]] = field(default_factory=dict)

    def spans(self, text: str) -> list[TimeSpan]:
        found: list[TimeSpan] = []
        at = 0
        while at < len(self.tokens):
            end, span = self._span(at, text)
            if span is not None:
                found.append(span)
            at = max(end, at + 1)
        return found

    def _span(self, at: int, text: str) -> tuple[int, TimeSpan | None]:
        language = self.moment.language
        parts: dict[str, Part] = {"DATE": lambda place: self._dates(place, _DEPTH), "RELEASE": self._releases}
        for match in matches(_trees(language)[1], self.tokens, at, parts):
            name = language.spans[match.row][0]
            draft = read_span(name, self.moment, match.values, whole=self._is_whole(at, match.end))
            if draft is None:
                continue
            reason = objection(self.tokens, at, match.end, draft, language)
            if reason == "":
                return match.end, None
            return match.end, self._time_span(text, at, match.end, name, draft, reason or "")
        return at + 1, None

    def _time_span(self, text: str, at: int, end: int, name: str, draft: Draft, reason: str) -> TimeSpan:
        start, stop = self.tokens[at].start, self.tokens[end - 1].end
        rule = f"{name}: {', '.join(granule.rule for granule in draft.dates) or 'release'}"
        low, high = (None, None) if reason else (draft.low, draft.high)
        counted = name == "to now" or any(granule.grain == "rolling" for granule in draft.dates)
        to_now = counted and high == self.moment.now
        return TimeSpan(text[start:stop], start, stop, draft.role, low, high, rule, reason, to_now)

    def _is_whole(self, at: int, end: int) -> bool:
        outside = (*self.tokens[:at], *self.tokens[end:]) if len(self.tokens) - (end - at) <= 8 else None
        return outside is not None and not any(token.text[0].isalnum() for token in outside)

    def _dates(self, at: int, depth: int) -> list[tuple[int, Granule]]:
        key = (at, depth)
        if key not in self.read_dates:
            found: dict[int, Granule] = {}
            if depth and at < len(self.tokens):
                language = self.moment.language
                parts: dict[str, Part] = {
                    "DATE": lambda place: self._dates(place, depth - 1),
                    "RELEASE": _no_release,
                }
                for match in matches(_trees(language)[0], self.tokens, at, parts):
                    granule = read_date(language.dates[match.row][0], self.moment, match.values)
                    if granule is not None:
                        found.setdefault(match.end, granule)
            self.read_dates[key] = list(found.items())
        return self.read_dates[key]

    def _releases(self, at: int) -> list[tuple[int, ReleaseSpan]]:
        if self.releases is None:
            return []
        return releases_at(self.tokens, at, self.releases, self.moment.language)


def _no_release(_: int) -> list[tuple[int, object]]:
    return []


def _unquoted(spans: list[TimeSpan], quotes: list[tuple[int, int]]) -> list[TimeSpan]:
    """Leave alone what stands in quotes or code: the words themselves are meant."""
    ends = [end for _, end in quotes]
    kept = []
    for span in spans:
        nearest = bisect_right(ends, span.start)
        inside = nearest < len(quotes) and quotes[nearest][0] < span.end
        kept.append(_left_alone(span, "quoted") if inside else span)
    return kept


def _settled(spans: list[TimeSpan]) -> list[TimeSpan]:
    """Leave ranges alone that exclude each other, and moments of which there are two."""
    ranges = [span for span in spans if span.role is Role.RANGE and not span.unread]
    moments = [span for span in spans if span.role is Role.AS_OF and not span.unread]
    if len(ranges) > 1 and common(ranges) is None:
        spans = [
            _left_alone(span, "periods that exclude each other") if span.role is Role.RANGE else span for span in spans
        ]
    if len(moments) > 1:
        spans = [_left_alone(span, "more than one moment") if span.role is Role.AS_OF else span for span in spans]
    return spans


def _left_alone(span: TimeSpan, reason: str) -> TimeSpan:
    return replace(span, from_us=None, until_us=None, unread=span.unread or reason)


def _tidy(text: str, taken: Sequence[tuple[int, int]], possessive: str = "") -> str:
    """Return a text without some of its characters, and without the signs that then join nothing."""
    kept, at = [], 0
    for start, end in taken:
        kept.append(text[at:start])
        at = end + len(possessive) if possessive and text[end : end + len(possessive)] == possessive else end
    kept.append(text[at:])
    if not taken:
        return text
    joined = _LOOSE.sub("", _SPACES.sub(" ", _EMPTY.sub(" ", " ".join(kept))))
    return joined.strip(_EDGES) if any(map(str.isalnum, joined)) else ""
