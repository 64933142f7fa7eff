"""Own how a question becomes tokens: words by the table of a language, numbers by their shape, the rest opaque.

A chunk between spaces is taken apart only where every part is a number or a word of time ("mid-2022", "Nov-Feb"); any
other mixture ("x-ms-version", "api-version=2021-04-01", "CVE-2021-44228") is one token that means nothing here, and so
is protected from being read by halves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from reranker.timewords.languages import Language
from reranker.timewords.shapes import Shapes

# Characters that people and their keyboards use for the same thing, one for one, so that positions stay.
_SAME: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u223c\uff5e\u301c", "~"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u180e", " "),
        "\u2044": "/",
    }
)
_CHUNK: Final = re.compile(r"\S+")
_PART: Final = re.compile(r"[^\W\d_]+|\d+[^\W\d_]*|.", re.DOTALL)
_OPENING: Final = "([{<\"'`*_~"
_CLOSING: Final = ")]}>\"'`*_~.,;:!?\u2026/-"
# Parts of a chunk that join words of time; any other sign makes the chunk opaque.
_JOINTS: Final = frozenset("-/~,.'")

Classes = Mapping[str, object]
_NOTHING: Final[Classes] = {}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number, a sign or an opaque chunk.

    Attributes:
        text: folded for comparison.
        start, end: where it stands in the question.
        classes: what it may be, and its value as that.
        glued: whether no space stands before it.
    """

    text: str
    start: int
    end: int
    classes: Classes
    glued: bool


def same(text: str) -> str:
    """Return a text of the same length in which quotes, dashes and invisible spaces have one form each."""
    return text.translate(_SAME)


@cache
def lexicon(language: Language) -> dict[str, dict[str, object]]:
    """Return the words of a language with all their classes."""
    table: dict[str, dict[str, object]] = {}
    for name, words in language.words.items():
        for word, value in words.items():
            table.setdefault(word, {})[name] = value
            if name == "NTH" and isinstance(value, int) and value <= 31:
                table[word]["DAY"] = value
    for _, pattern in (*language.dates, *language.spans):
        for element in pattern.split():
            for word in element.rstrip("?").split("|"):
                if word[:1].isalpha() and not word.isupper():
                    table.setdefault(word, {})
    return table


def tokenize(text: str, language: Language) -> list[Token]:
    """Return the tokens of a text that `same` has been over, in order."""
    words, shapes = lexicon(language), Shapes.of(language)
    tokens: list[Token] = []
    for chunk in _CHUNK.finditer(text):
        tokens += _tokens(chunk.group(), chunk.start(), words, shapes)
    return tokens


def _tokens(chunk: str, offset: int, words: Mapping[str, Classes], shapes: Shapes) -> Iterator[Token]:
    folded = chunk.lower()
    if folded in words and len(folded) == len(chunk):
        yield Token(folded, offset, offset + len(chunk), words[folded], False)
        return
    first, last = 0, len(chunk)
    while first < last and chunk[first] in _OPENING:
        yield Token(chunk[first], offset + first, offset + first + 1, _NOTHING, first > 0)
        first += 1
    while last > first and chunk[last - 1] in _CLOSING:
        last -= 1
    if first < last:
        ordinal = shapes.dotted_ordinal(chunk[first : last + 1])
        if ordinal:
            yield Token(chunk[first : last + 1], offset + first, offset + last + 1, ordinal, first > 0)
        else:
            yield from _core(chunk[first:last], offset + first, first > 0, words, shapes)
        short = chunk[last : last + 1] == "." and "SHORT" in words.get(chunk[first:last].lower(), _NOTHING)
        last += bool(ordinal) or short
    for at in range(last, len(chunk)):
        yield Token(chunk[at], offset + at, offset + at + 1, _NOTHING, at > 0)


def _core(core: str, at: int, glued: bool, words: Mapping[str, Classes], shapes: Shapes) -> Iterator[Token]:
    folded = core.lower()
    end = at + len(core)
    if len(folded) != len(core):  # a letter whose small form is longer: no word of time
        yield Token(folded, at, end, _NOTHING, glued)
    elif folded in words:
        yield Token(folded, at, end, words[folded], glued)
    elif folded[-1].isalpha() and shapes.possessive and folded.endswith(shapes.possessive) and not folded[0].isdigit():
        cut = len(core) - len(shapes.possessive)
        yield from _core(core[:cut], at, glued, words, shapes) if cut else ()
        yield Token(folded[cut:], at + cut, end, _NOTHING, True)
    elif shape := shapes.classes(folded):
        yield Token(folded, at, end, shape, glued)
    else:
        parts = list(_PART.finditer(folded)) if any(map(str.isdigit, folded)) or _JOINTS & set(folded) else []
        known = [_classes(part.group(), words, shapes) for part in parts]
        if parts and all(classes is not None for classes in known):
            for part, classes in zip(parts, known, strict=True):
                first = at + part.start()
                yield Token(part.group(), first, at + part.end(), classes or _NOTHING, glued or part.start() > 0)
        else:
            yield Token(folded, at, end, _NOTHING, glued)


def _classes(part: str, words: Mapping[str, Classes], shapes: Shapes) -> Classes | None:
    if part in _JOINTS:
        return _NOTHING
    return words.get(part) if part in words else shapes.classes(part) or None
