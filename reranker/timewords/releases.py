"""Own the releases that an index knows by name: from the day of one to the day of the next.

A release lasts from the smallest `observed_at` of what carries its name to that of the next release with a greater
major.minor; patches and back-ports do not end it. Which product is meant must be sure: it is named in the question, or
only one has a release of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from reranker.timewords.languages import Language
from reranker.timewords.lexer import Token

_NUMBERS: Final = re.compile(r"\d{1,9}")
_WORD: Final = re.compile(r"[^\W_]+")
# A product named further away than this is not the one meant.
_SENTENCE_WORDS: Final = 40
_SENTENCE_ENDS: Final = frozenset(".!?;:")
# Longer names of products than this are sentences.
_NAME_WORDS: Final = 4
# An index is asked again and again, and may know thousands of releases.
_KEPT: Final = 65_536
# "as of version 3.12, ..." still stands at the beginning of a question.
_LEADING_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class ReleaseSpan:
    """The time in which a release was the newest of its kind.

    Attributes:
        start: day of the release, µs.
        end: day of the next, µs; None while there is none.
        refusal: why it is not known which is meant.
    """

    start: int | None
    end: int | None
    refusal: str = ""


@dataclass(frozen=True)
class Releases:
    """What an index knows: product to release to its first day.

    Attributes:
        days: product, as one folded string, to numbers of the release to µs. The product "" stands for an index
            that does not say what its releases are of.
    """

    days: Mapping[str, Mapping[tuple[int, ...], int]]

    @staticmethod
    def of(entries: Iterable[tuple[str, str, int]]) -> Releases:
        """Collect (product, release, observed_at in µs); the smallest observed_at of a release counts.

        A release without digits in front ("Dingo") or with anything behind its numbers ("2.0rc1") is no name that a
        question is likely to mean by its numbers, and is left out.
        """
        days: dict[str, dict[tuple[int, ...], int]] = {}
        for product, release, observed in entries:
            numbers = release_numbers(release)
            if numbers:
                known = days.setdefault(_folded(product), {})
                known[numbers] = min(observed, known.get(numbers, observed))
        return Releases(days)

    def find(self, product: str, release: str) -> ReleaseSpan:
        """Return the span of a release of a product; an empty product means the only one that has it.

        Args:
            product: as it stands in the question.
            release: "2.11", "v4" or "3.0.1".
        """
        numbers = release_numbers(release) or ()
        name = _folded(product)
        having = [key for key in sorted(self.days) if _first_day(self.days[key], numbers) is not None]
        named = [key for key in having if name and _is_called(key, name)]
        if name and not named:
            if any(_is_called(key, name) for key in self.days):
                return ReleaseSpan(None, None, f"no release {release} of {product} is known")
            # an index that does not say what its releases are of can only mean the product it is about
            named = [key for key in having if key == ""]
        elif not name:
            named = having
        if not named:
            return ReleaseSpan(None, None, f"no release {product + ' ' if product else ''}{release} is known")
        spans = {_span(self.days[key], numbers) for key in named}
        if len(spans) > 1:
            return ReleaseSpan(None, None, f"release {release} is ambiguous: {', '.join(named)}")
        return spans.pop()


@lru_cache(maxsize=_KEPT)
def release_numbers(release: str) -> tuple[int, ...] | None:
    """Return the numbers of a release, (2, 11) for "v2.11"; None if it has other parts too."""
    text = release.strip().lower().removeprefix("v")
    parts = text.split(".")
    if not all(_NUMBERS.fullmatch(part) for part in parts):
        return None
    return tuple(int(part) for part in parts)


@lru_cache(maxsize=_KEPT)
def _folded(product: str) -> str:
    return " ".join(_WORD.findall(product.lower()))


def _is_called(key: str, name: str) -> bool:
    """Tell whether a product goes by a name: all words of the name are words of the product."""
    return set(name.split()) <= set(key.split())


def _first_day(days: Mapping[tuple[int, ...], int], numbers: tuple[int, ...]) -> int | None:
    """Return the day of a release; "2.11" is also what carries "2.11.0" where nothing is called just so."""
    if not numbers:
        return None
    if numbers in days:
        return days[numbers]
    return min((day for known, day in days.items() if known[: len(numbers)] == numbers), default=None)


def _span(days: Mapping[tuple[int, ...], int], numbers: tuple[int, ...]) -> ReleaseSpan:
    start = _first_day(days, numbers)
    assert start is not None  # noqa: S101 - only products that have it get here
    line = (*numbers, 0)[:2] if len(numbers) > 1 else numbers
    later = [day for known, day in days.items() if (*known, 0)[: len(line)] > line and day > start]
    return ReleaseSpan(start, min(later, default=None))


def releases_at(
    tokens: Sequence[Token], at: int, releases: Releases, language: Language
) -> list[tuple[int, ReleaseSpan]]:
    """Return where a release named from a token on ends, and its span; at most one."""
    name: list[str] = []
    for place in range(at, min(at + _NAME_WORDS + 2, len(tokens))):
        token = tokens[place]
        if "VERSION" in token.classes or ("NUMBER" in token.classes and name):
            return _named(tokens, place, name, releases, language)
        if token.text in language.release_words:
            continue
        if token.text in language.joints or not any(map(str.isalnum, token.text)):
            return []
        name.append(token.text)
    return []


def _named(
    tokens: Sequence[Token], place: int, name: list[str], releases: Releases, language: Language
) -> list[tuple[int, ReleaseSpan]]:
    token = tokens[place]
    if _counts(tokens, place, language):
        return []
    span = releases.find(" ".join(name), token.text)
    # a plain number is a release only where the index knows it as one: "in Windows 10" is not even unread
    if "VERSION" not in token.classes and span.refusal:
        return []
    if not name:
        span = _unnamed(tokens, place, releases, span)
    return [(place + 1, span)]


def _counts(tokens: Sequence[Token], place: int, language: Language) -> bool:
    """Tell whether a number counts what stands behind it: "in 3.5 seconds"."""
    following = tokens[place + 1].text if place + 1 < len(tokens) else ""
    return following in language.guards.units or following in ("%", "percent")


def _unnamed(tokens: Sequence[Token], place: int, releases: Releases, span: ReleaseSpan) -> ReleaseSpan:
    """Settle a release without its product beside it: one that the rest of the question names, else the only one.

    In the middle of a text without any product it may be a number of anything, and is left alone.
    """
    words = {token.text for token in _sentence(tokens, place)}
    named = [key for key in sorted(releases.days) if key and set(key.split()) <= words]
    found = [one for one in (releases.find(key, tokens[place].text) for key in named) if not one.refusal]
    if len(found) == 1:
        return found[0]
    inside = any(any(map(str.isalnum, token.text)) for token in tokens[place + 1 : place + 1 + _SENTENCE_WORDS])
    if inside and place > 1 + _LEADING_WORDS and not span.refusal:
        return ReleaseSpan(None, None, "a release without its product, in the middle of the text")
    return span


def _sentence(tokens: Sequence[Token], place: int) -> Sequence[Token]:
    """Return the tokens around a place, up to the signs that end its sentence."""
    first, last = place, place
    while first > max(0, place - _SENTENCE_WORDS) and tokens[first - 1].text not in _SENTENCE_ENDS:
        first -= 1
    while last < min(len(tokens), place + _SENTENCE_WORDS) and tokens[last].text not in _SENTENCE_ENDS:
        last += 1
    return tokens[first:last]
