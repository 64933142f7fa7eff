"""Own the reading of cues: how a question stands to time, apart from any period that it names.

A *superlative* ("the latest …") asks for the newest, a word of the *present* ("currently …") for what is so now, the
more strongly the better the word fits. A cue changes weights; it filters nothing. What was read is taken out of the
text that is searched, and reported with its characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from reranker.core.cue_table import LAST, NOUNS, PHRASE_ENDS, PHRASE_LENGTH, PRESENT, QUESTION, SUPERLATIVE, Row

Span = tuple[int, int]

SUPERLATIVE_CUE: Final = "superlative"
PRESENT_CUE: Final = "present"


@dataclass(frozen=True, slots=True)
class Cue:
    """What a question's words say of time without naming a period.

    Attributes:
        name: "superlative" or "present".
        strength: c in (0, 0.70], reported as `cue_weight`.
        spans: [start, stop) of the characters that were read, in order.
        content_types: that the noun of a superlative names; a leg with the newest of them joins.
    """

    name: str
    strength: float
    spans: tuple[Span, ...]
    content_types: tuple[str, ...] = ()

    @property
    def is_superlative(self) -> bool:
        """Whether the newest is asked for."""
        return self.name == SUPERLATIVE_CUE


def read_cue(text: str, *, taken: Iterable[Span] = (), past: bool = False) -> Cue | None:
    """Read the cue of a question; a superlative before words of the present.

    Args:
        text: the question as it was asked.
        taken: [start, stop) of characters that were read otherwise, such as a period; nothing is read there.
        past: whether a past period was read: it silences words of the present, not superlatives.
    """
    masked = _mask(text, taken)
    superlatives = [*_matches(SUPERLATIVE, masked), *_last(masked)]
    if superlatives:
        spans = tuple(sorted(superlatives))
        types = dict.fromkeys(name for _, stop in spans for name in _types(_phrase(masked, stop)))
        return Cue(SUPERLATIVE_CUE, SUPERLATIVE.strength, spans, tuple(types))
    if past:
        return None
    found = [(span, row.strength) for row in PRESENT for span in _matches(row, masked)]
    if not found:
        return None
    return Cue(PRESENT_CUE, max(c for _, c in found), tuple(sorted({span for span, _ in found})))


def without(text: str, spans: Sequence[Span]) -> str:
    """Return a text without the characters that were read; the whole text where nothing else is left."""
    rest = " ".join(_mask(text, spans).split())
    return rest if re.search(r"\w", rest) else text


def _mask(text: str, spans: Iterable[Span]) -> str:
    """Return a text of the same length, with characters blanked out."""
    for start, stop in spans:
        text = text[:start] + " " * (stop - start) + text[stop:]
    return text


def _matches(row: Row, text: str) -> Iterator[Span]:
    if row.question and not QUESTION.search(text):
        return
    for match in _pattern(rf"\b(?:{row.words})\b").finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        if _is_name(match[0], before, after) or not _fits(row, before, after):
            continue
        yield match.span()


def _fits(row: Row, before: str, after: str) -> bool:
    """Tell whether the guards of a row let its words stand for time here."""
    return (
        (not row.before or _pattern(row.before).search(before) is not None)
        and (not row.not_before or _pattern(row.not_before).search(before) is None)
        and (not row.after or _pattern(row.after).match(after) is not None)
        and (not row.not_after or _pattern(row.not_after).match(after) is None)
    )


def _is_name(word: str, before: str, after: str) -> bool:
    """Tell whether a capital inside a text and beside another one makes the word part of a name."""
    if not word[:1].isupper() or not before.strip():
        return False
    return re.search(r"\b[A-Z]\w*\s+\Z", before) is not None or re.match(r"\s+[A-Z]", after) is not None


def _last(text: str) -> Iterator[Span]:
    """Yield "last" where a noun of what is published follows in its phrase: "last … incident", not "last run"."""
    for start, stop in _matches(LAST, text):
        if _types(_phrase(text, stop)):
            yield start, stop


def _phrase(text: str, start: int) -> list[str]:
    """Return the words from a place to the end of the phrase, lower case."""
    words: list[str] = []
    clause = re.split(r"[?!.,;:()]\s|[?!;]", text[start:] + " ", maxsplit=1)[0]
    for word in re.findall(r"[\w'-]+", clause.lower()):
        if word in PHRASE_ENDS or len(words) == PHRASE_LENGTH:
            break
        words.append(word)
    return words


def _types(words: Sequence[str]) -> tuple[str, ...]:
    """Return the content types that the last noun of a phrase names."""
    return next((NOUNS[word] for word in reversed(words) if word in NOUNS), ())


@lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
