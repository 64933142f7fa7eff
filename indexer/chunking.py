"""Own how a section becomes passages: paragraphs packed to a bound, long ones split at sentences, then words. Pure.

A token is a run of at most 16 word characters, one character of a script written without spaces, or a run of at most
16 other visible characters. The default bound of 200 gives, where a section is longer than one passage, 110 to 120
words of prose a passage, and 80 to 90 of pages full of code and tables.

No text is lost: the passages of a section, joined, are the section up to white space. Packing goes from the front, so
an edit changes no passage before it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mappings.document import Section, digest

# A last piece of less than a fifth of the bound says too little alone; it joins the one before, which may then be
# a fifth too long.
_REMNANT: Final = 5
# Ids travel in URLs and stand in every list; longer ones are hashed.
_LONGEST_ID_BYTES: Final = 400
_VERSION_DIGITS: Final = 12
# A token of prose with its space; where a text has no more of them than that, it probably fits and is only counted.
_CHARACTERS: Final = 6
# A path of headings is for people; the number after it makes it unique.
_LONGEST_SLUG: Final = 120

# Scripts whose words are not parted by spaces: kana, Han, Hangul (syllables count alone there too), Thai to Khmer.
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]{{1,16}}|[^\w\s]{{1,16}}")
_ASCII_TOKEN = re.compile(r"\w{1,16}|[^\w\s]{1,16}", re.ASCII)  # the same for ASCII text, in two thirds of the time
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_BLANK = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
# A sentence ends before a space and the beginning of the next one, or where a list item or table row begins.
_SENTENCE = re.compile(
    r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[^\Wa-z_])|(?<=[。！？])(?=[\w\s])"
    r"|\n(?=[ \t]*(?:[-*+>|]|\d+[.)])\s|[ \t]*\||[ ]{4}|\t)"
)
_LINE = re.compile(r"\n")
_NOT_SLUG = re.compile(r"[^\w.]+")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One passage of one reading.

    Attributes:
        path: headings above it, without the document's title.
        slug: of the path; number: place from 0 among the chunks of the document with this slug.
    """

    path: tuple[str, ...]
    slug: str
    number: int
    text: str


def count_tokens(text: str) -> int:
    """Return the number of tokens of a text."""
    return len(_token_of(text).findall(text))


def _token_of(text: str) -> re.Pattern[str]:
    return _ASCII_TOKEN if text.isascii() else _TOKEN


def chunk(sections: Iterable[Section], *, limit: int) -> tuple[Chunk, ...]:
    """Return the passages of a document in reading order, each of at most 1.2 times `limit` tokens."""
    chunks: list[Chunk] = []
    numbers: dict[str, int] = {}
    for section in sections:
        slug = slugify(section.path)
        for text in split_text(section.text, limit=limit):
            number = numbers.get(slug, 0)
            numbers[slug] = number + 1
            chunks.append(Chunk(section.path, slug, number, text))
    return tuple(chunks)


def slugify(path: Sequence[str]) -> str:
    """Return a path of headings as a short name; "top" above the first heading."""
    parts = (_NOT_SLUG.sub("-", heading.lower()).strip("-.") for heading in path)
    slug = "/".join(part for part in parts if part)
    return slug[:_LONGEST_SLUG].rstrip("-./") or "top"


def passage_id(doc_id: str, chunk: Chunk, version_id: str) -> str:
    """Return the id of a passage that first stands in a version: `doc#slug.n@version`, hashed when it is long."""
    name = f"{doc_id}#{chunk.slug}.{chunk.number}@{version_id[:_VERSION_DIGITS]}"
    return name if len(name.encode()) <= _LONGEST_ID_BYTES else f"sha256:{digest(name)}"


def split_text(text: str, *, limit: int) -> list[str]:
    """Return a text as pieces of at most 1.2 times `limit` tokens: paragraphs packed, long ones split."""
    if len(text) <= limit * _CHARACTERS and count_tokens(text) <= limit + limit // _REMNANT:
        return [text] if text.strip() else []
    return _Splitter(text, limit).pieces()


class _Splitter:
    """Split one text; its tokens are found once, and any span is counted by looking up where it begins and ends."""

    def __init__(self, text: str, limit: int) -> None:
        self._text, self._limit = text, limit
        self._most = limit + limit // _REMNANT
        self._starts = [match.start() for match in _token_of(text).finditer(text)]

    def pieces(self) -> list[str]:
        """Return the pieces in order, without blank lines around them."""
        if not self._starts:
            return []
        if len(self._starts) <= self._most:
            return [self._text]
        spans = list(self._packed())
        if len(spans) > 1:
            (start, middle), (_, stop) = spans[-2:]
            if self._count(middle, stop) < self._limit // _REMNANT and self._count(start, stop) <= self._most:
                spans[-2:] = [(start, stop)]
        pieces = (self._text[start:stop] for start, stop in spans)
        return [piece.strip("\n").rstrip() for piece in pieces if piece.strip()]

    def _count(self, start: int, stop: int) -> int:
        return bisect_left(self._starts, stop) - bisect_left(self._starts, start)

    def _packed(self) -> Iterator[Span]:
        """Join neighbouring units as long as they fit."""
        start, stop, size = 0, 0, 0
        for unit_start, unit_stop in self._units():
            tokens = self._count(unit_start, unit_stop)
            if size and size + tokens > self._limit:
                yield start, stop
                start, size = unit_start, 0
            stop = unit_stop
            size += tokens
        yield start, stop

    def _units(self) -> Iterator[Span]:
        """Yield neighbouring spans of at most `limit` tokens: paragraphs, else sentences or lines, else words."""
        for start, stop, is_code in _paragraphs(self._text):
            if self._count(start, stop) <= self._limit:
                yield start, stop
                continue
            for part in _cut(self._text, (start, stop), _LINE if is_code else _SENTENCE):
                if self._count(*part) <= self._limit:
                    yield part
                else:
                    yield from self._words(*part)

    def _words(self, start: int, stop: int) -> Iterator[Span]:
        """Cut a span every `limit` tokens, before a word if one begins in the last quarter, else inside it."""
        first, end = bisect_left(self._starts, start), bisect_left(self._starts, stop)
        while end - first > self._limit:
            latest = first + self._limit
            tokens = range(latest, latest - self._limit // 4, -1)
            spaced = (at for at in tokens if self._text[self._starts[at] - 1].isspace())
            first = next(spaced, latest)
            yield start, self._starts[first]
            start = self._starts[first]
        yield start, stop


def _paragraphs(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, stop, is code) of paragraphs; fenced code is one, blank lines and all."""
    start, here, fence = 0, 0, ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark and not fence:
            yield from ((a, b, False) for a, b in _cut(text, (start, here), _BLANK))
            start, fence = here, mark[1]
        elif mark and mark[1].startswith(fence):
            yield start, here + len(line), True
            start, fence = here + len(line), ""
        here += len(line)
    yield from ((a, b, bool(fence)) for a, b in _cut(text, (start, here), _LINE if fence else _BLANK))


def _cut(text: str, span: Span, border: re.Pattern[str]) -> Iterator[Span]:
    """Cut a span after each border; the spans are neighbours and cover it."""
    start, stop = span
    for match in border.finditer(text, start, stop):
        if start < match.end() < stop:
            yield start, match.end()
            start = match.end()
    if start < stop:
        yield start, stop
