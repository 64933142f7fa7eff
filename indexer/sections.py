"""Own how a Markdown text falls into sections: ATX and setext headings, fenced code respected. Pure.

Two rules differ from CommonMark, because plain prose, tables and reStructuredText come along too: a setext heading is
one line with three or more `=` or `-` under it (a line of the same sign above it belongs to it), and an unclosed
fence ends where the text ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from mappings.document import Section

# A longer line with a hash in front is a paragraph; as a heading it would stand in front of every passage.
_LONGEST_HEADING: Final = 300

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(={3,}|-{3,})[ \t]*\Z")
# Lists, tables, quotes and indented code are no headings, whatever stands under them.
_NO_TITLE = re.compile(r"\s*(?:[-*+>|]|\d+[.)])(?:\s|\Z)|\s*\||[ ]{4}|\t")
_ANCHOR = re.compile(r"\s*\{[:#][^{}]*\}\s*\Z")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")


def split_sections(title: str, text: str) -> tuple[Section, ...]:
    """Return the sections of a document in reading order, each with its heading path; none has an empty text.

    A heading that repeats the document's title is left out of the paths. A heading with nothing under it keeps
    itself as its text, and so does a title without a text, so that everything can be found.
    """
    if not text.strip():
        return (Section((), title.strip()),) if title.strip() else ()
    blocks = _blocks(text)
    sections = []
    for here, block in enumerate(blocks):
        path = _without_title(block.path, title)
        body = _trimmed(block.lines)
        if body:
            sections.append(Section(path, body))
        elif block.path and not _has_children(blocks, here):
            sections.append(Section(path, block.path[-1]))
    return tuple(sections)


@dataclass
class _Block:
    path: tuple[str, ...]
    lines: list[str] = field(default_factory=list)


def _blocks(text: str) -> list[_Block]:
    """Cut the text at its headings."""
    blocks = [_Block(())]
    stack: list[tuple[int, str]] = []
    for level, line in _marked_lines(text.split("\n")):
        if level:
            while stack and stack[-1][0] >= level:
                stack.pop()
            stack.append((level, line))
            blocks.append(_Block(tuple(heading for _, heading in stack)))
        else:
            blocks[-1].lines.append(line)
    return blocks


def _marked_lines(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield (level, heading) for headings and (0, line) for all others; underlines and overlines are consumed."""
    fence, here, fresh = "", 0, True  # fresh: no paragraph is under way, so a line may be a title
    while here < len(lines):
        line = lines[here]
        fence_before, fence = fence, _fence_after(fence, line)
        taken = None if fence or fence_before else _heading(lines, here, fresh=fresh)
        level, text, count = taken or (0, line, 1)
        yield level, text
        fresh = level > 0 or not line.strip()
        here += count


def _heading(lines: list[str], here: int, *, fresh: bool) -> tuple[int, str, int] | None:
    """Return (level, heading, lines taken) where a heading begins."""
    if atx := _atx(lines[here]):
        return *atx, 1
    return _setext(lines, here) if fresh else None


def _fence_after(fence: str, line: str) -> str:
    """Return the fence that is open after a line, empty for none."""
    match = _FENCE.match(line)
    if not match:
        return fence
    mark = match[1]
    if not fence:
        closes_itself = mark[0] == "`" and "`" in line[match.end() :]
        return "" if closes_itself else mark
    closes = mark[0] == fence[0] and len(mark) >= len(fence) and not line[match.end() :].strip()
    return "" if closes else fence


def _atx(line: str) -> tuple[int, str] | None:
    match = _ATX.match(line) if len(line) <= _LONGEST_HEADING else None
    if not match or not match[2]:
        return None
    return len(match[1]), _cleaned(match[2])


def _setext(lines: list[str], here: int) -> tuple[int, str, int] | None:
    """Return (level, heading, lines taken) where a title with its underline, and maybe an overline, begins."""
    over = _UNDERLINE.match(lines[here])
    at = here + 1 if over else here
    if at + 1 >= len(lines):
        return None
    title, under = lines[at], _UNDERLINE.match(lines[at + 1])
    if not under or not title.strip() or len(title) > _LONGEST_HEADING or _NO_TITLE.match(title):
        return None
    if _UNDERLINE.match(title) or (over and over[1][0] != under[1][0]):
        return None
    return (1 if under[1][0] == "=" else 2), _cleaned(title), at + 2 - here


def _cleaned(heading: str) -> str:
    """Return a heading as a reader sees it: without anchor, link targets and code marks."""
    bare = _LINK.sub(r"\1", _ANCHOR.sub("", heading)).replace("`", "")
    return " ".join(bare.split()) or heading.strip()


def _without_title(path: tuple[str, ...], title: str) -> tuple[str, ...]:
    return path[1:] if path and path[0].casefold() == " ".join(title.split()).casefold() else path


def _has_children(blocks: list[_Block], here: int) -> bool:
    path = blocks[here].path
    return here + 1 < len(blocks) and blocks[here + 1].path[: len(path)] == path and blocks[here + 1].path != path


def _trimmed(lines: list[str]) -> str:
    """Return lines as a text without blank lines at either end; indentation of the first line stays."""
    return "\n".join(line.rstrip() for line in without_blank_rim(lines))


def without_blank_rim(lines: list[str]) -> list[str]:
    """Return lines without the blank ones at either end."""
    start, stop = 0, len(lines)
    while start < stop and not lines[start].strip():
        start += 1
    while stop > start and not lines[stop - 1].strip():
        stop -= 1
    return lines[start:stop]
