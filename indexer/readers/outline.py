"""Own the lines of a Markdown text: which are headings, which are code, and which heading is the title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)\Z")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
# Lines that can not be the text of an underlined heading: lists, quotes, tables, rules, indented code.
_NO_HEADING = re.compile(r"\s{4}|\s*(?:[-*+>|]|\d+[.)]\s|#{1,6}\s)|\s*\Z")
_MARKUP = re.compile(r"[*_`]+")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_ANCHOR = re.compile(r"\s*\{[:#][^}]*\}\s*\Z")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)

# First signs of what the patterns above look for: most lines begin with none of them. Never empty lines.
_FENCES: Final = ("`", "~")
_RULES: Final = ("=", "-")
# A line that can be a heading of the first level, or the underline of one, unless it stands in code.
_MAY_BE_TOP = re.compile(r"^ {0,3}(?:#(?:[ \t]|$)|=+[ \t]*$)", re.MULTILINE)
_TOP: Final = 1


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number from 0, its text, whether it is code, and its heading level (0: none).

    For a heading, `text` is the heading's own text; `width` is how many lines it takes (2 when underlined).
    """

    number: int
    text: str
    code: bool = False
    level: int = 0
    width: int = 1


def outline(text: str) -> Iterator[Line]:
    """Yield the lines of a text in order; the underline of a heading is part of the heading's line."""
    lines = text.split("\n")
    fence = ""
    number = 0
    while number < len(lines):
        line = lines[number]
        opened = _FENCE.match(line) if line.lstrip(" ")[:1] in _FENCES else None
        if fence:
            if opened and opened[1][0] == fence[0] and len(opened[1]) >= len(fence) and not opened[2].strip():
                fence = ""
            yield Line(number, line, code=True)
        elif opened and not (opened[1][0] == "`" and "`" in opened[2]):
            fence = opened[1]
            yield Line(number, line, code=True)
        else:
            heading = _heading(lines, number)
            yield heading
            number += heading.width - 1
        number += 1


def _heading(lines: list[str], number: int) -> Line:
    line = lines[number]
    if line.lstrip(" ")[:1] == "#" and (match := _ATX.match(line)):
        return Line(number, bare(match[2] or ""), level=len(match[1]))
    below = lines[number + 1] if number + 1 < len(lines) else ""
    under = _SETEXT.match(below) if below.lstrip(" ")[:1] in _RULES else None
    if under and not _NO_HEADING.match(line):
        # The last line of a paragraph above a rule of dashes is a heading too in CommonMark; only a line of its own is
        # taken for one here, as people write them.
        if number == 0 or not lines[number - 1].strip():
            return Line(number, bare(line), level=1 if under[1][0] == "=" else 2, width=2)
    return Line(number, line)


def bare(text: str) -> str:
    """Return the words of a heading or a table cell, without markup, link targets and anchors."""
    return _MARKUP.sub("", _LINK.sub(r"\1", _ANCHOR.sub("", text))).strip()


def take_title(text: str, declared: str) -> tuple[str, str]:
    """Return the title and the text without it: the declared one, else the first heading of the first level.

    A first-level heading counts as the title only where nothing but blank lines, or nothing at all, stands above it,
    and where it is the only one of its level: a page of several such headings has sections, not a title.
    """
    lines = text.split("\n")
    number = next((number for number, line in enumerate(lines) if line.strip()), 0)
    first = _heading(lines, number)
    if first.level != _TOP or (declared and declared.casefold() != first.text.casefold()):
        return declared, text
    rest = "\n".join(lines[number + first.width :])
    if not declared and _MAY_BE_TOP.search(rest) and any(line.level == _TOP for line in outline(rest)):
        return declared, text
    return declared or first.text, rest


def strip_comments(text: str) -> str:
    """Blank out HTML comments, which no reader sees, and keep every line where it was."""
    if "<!--" not in text:
        return text
    return _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
