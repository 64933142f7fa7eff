"""Own what a reStructuredText page says: the part of the language that pages are written in, as Markdown.

Headings by their adornments, fields at the head as metadata, literal blocks and code directives as fenced code,
admonitions as text, roles and targets without their markup. What only steers a build (toctree, index, image) is left
out. Directives of extensions keep their argument and their text. Nothing is executed or included.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from indexer.readers.labels import labelled_dates
from indexer.readers.outline import take_title
from indexer.readers.page import Page, ReaderOptions
from indexer.readers.plaintext import escape

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*\Z")
_FIELD = re.compile(r":([A-Za-z][^:]{0,60}):(?:[ \t]+(.*))?\Z")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?([A-Za-z][\w:+.-]*?)::(?:[ \t]+(.*))?[ \t]*\Z")
_FOOTNOTE = re.compile(r"\.\.[ \t]+(\[[^\]]{1,40}\])[ \t]+(.*)\Z")
_EXPLICIT = re.compile(r"\.\.(?:[ \t]|\Z)")
_ANONYMOUS = re.compile(r"__[ \t]+\S+\Z")

_CODE: Final = frozenset(
    "code code-block sourcecode parsed-literal literalinclude prompt console doctest testcode math graphviz".split()
)
_UNSEEN: Final = frozenset(
    "toctree contents index image raw highlight currentmodule module py:module default-domain include sectnum role "
    "default-role tabularcolumns sectionauthor codeauthor testsetup testcleanup automodule unicode replace date "
    "container rst-class target-notes header footer".split()
)
_NOTES: Final = {
    "versionadded": "New in version {}:",
    "versionchanged": "Changed in version {}:",
    "deprecated": "Deprecated since version {}:",
    "versionremoved": "Removed in version {}:",
}
_ADMONITIONS: Final = frozenset("note warning tip important caution danger attention hint error seealso".split())

_INLINE: Final = (
    (re.compile(r"``([^`]+)``"), r"`\1`"),
    (re.compile(r":[A-Za-z][\w:+.-]*:`[~!]?([^`<]+?)\s*<[^`>]*>`"), r"\1"),
    (re.compile(r":[A-Za-z][\w:+.-]*:`[~!]?([^`]+)`"), r"`\1`"),
    (re.compile(r"(?<![`\w])`([^`<]+?)\s*<([^`>]+)>`__?"), r"[\1](\2)"),
    (re.compile(r"(?<![`\w])`([^`]+)`__?(?!\w)"), r"\1"),
    (re.compile(r"(\[[\w#*.-]+\])_(?!\w)"), r"\1"),
    (re.compile(r"(?<![\w`])(\w[\w.-]*\w)_(?=[\s.,;:!?)]|\Z)"), r"\1"),
)
# A rule between paragraphs has at least four signs.
_RULE: Final = 4
# The versions of a page share most of their lines, and come one after the other.
_REMEMBERED: Final = 20_000
# Blocks inside blocks deeper than people indent are kept as they stand.
_DEEPEST: Final = 12


@dataclass(slots=True)
class _Page:
    out: list[str] = field(default_factory=list)
    styles: list[tuple[str, bool]] = field(default_factory=list)
    metadata: dict[str, object] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


def read_rst(text: str, options: ReaderOptions) -> Page:
    """Return a reStructuredText page."""
    lines = text.expandtabs(8).split("\n")
    page = _Page()
    _fields(page, lines)
    _blocks(page, lines, 0, 0)
    title, rest = take_title("\n".join(page.out), str(page.metadata.pop("title", "") or ""))
    seen = [(number, line) for number, line in enumerate(lines, start=1) if not line.startswith((".. ", "   "))]
    return Page(
        title=title,
        text=_squeezed(rest),
        metadata=page.metadata,
        lines=page.lines,
        dates=labelled_dates(seen, options.date_order),
    )


def _squeezed(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n")


def _fields(page: _Page, lines: list[str]) -> None:
    """Take the fields before the first paragraph, which may follow targets and the title, out of the lines."""
    after = _skip_blank(lines, 0)
    while after < len(lines) and _EXPLICIT.match(lines[after]) and not _DIRECTIVE.match(lines[after]):
        after = _skip_blank(lines, _block_end(lines, after + 1))
    if heading := _heading_at(lines, after):
        after = _skip_blank(lines, after + heading[1])
    number = after
    while number < len(lines) and (match := _FIELD.match(lines[number])):
        end = _block_end(lines, number + 1)
        value = " ".join([match[2] or "", *(line.strip() for line in lines[number + 1 : end])]).strip()
        page.metadata[match[1]] = value or True
        page.lines[match[1]] = number + 1
        number = end
    lines[after:number] = [""] * (number - after)


def _skip_blank(lines: list[str], number: int) -> int:
    while number < len(lines) and not lines[number].strip():
        number += 1
    return number


def _block_end(lines: list[str], number: int) -> int:
    """Return the line after an indented block that begins at `number`; blank lines inside belong to it."""
    end = number
    while number < len(lines) and (not lines[number].strip() or lines[number][0] == " "):
        number += 1
        if lines[number - 1].strip():
            end = number
    return end


def _heading_at(lines: list[str], number: int) -> tuple[str, int, tuple[str, bool]] | None:
    """Return (text, lines taken, style) of the heading that begins here, None where none does."""
    if number + 1 >= len(lines) or not lines[number].strip():
        return None
    over = _ADORNMENT.match(lines[number])
    if over:
        below = lines[number + 2].rstrip() if number + 2 < len(lines) else ""
        closed = bool(lines[number + 1].strip()) and below == lines[number].rstrip()
        return (lines[number + 1].strip(), 3, (over[1], True)) if closed else None
    under = _ADORNMENT.match(lines[number + 1])
    text = lines[number].rstrip()
    # A shorter underline is what people leave behind when they lengthen a title; far shorter is something else.
    length = len(lines[number + 1].rstrip())
    if under and text[0] != " " and (length * 2 >= len(text) if length > 1 else len(text) == 1):
        return text, 2, (under[1], False)
    return None


def _blocks(page: _Page, lines: list[str], number: int, depth: int) -> None:
    while number < len(lines):
        line = lines[number]
        begins = _after_blank(lines, number)
        if heading := _heading_at(lines, number) if depth == 0 and begins else None:
            text, width, style = heading
            if style not in page.styles:
                page.styles.append(style)
            level = min(page.styles.index(style) + 1, 6)
            page.out += ["", "#" * level + " " + _inline(text), ""]
            number += width
        elif line[:1].isalnum() or line[:1] in ("", " "):
            number = _text(page, lines, number)
        elif _EXPLICIT.match(line) or _ANONYMOUS.match(line):
            end = _block_end(lines, number + 1)
            _explicit(page, line, lines[number + 1 : end], depth)
            number = end
        elif len(line.strip()) >= _RULE and _ADORNMENT.match(line) and begins:
            page.out.append("")
            number += 1
        else:
            number = _text(page, lines, number)


def _after_blank(lines: list[str], number: int) -> bool:
    before = lines[number - 1].strip() if number else ""
    return not before or (not before[0].isalnum() and bool(_ADORNMENT.match(before)))


def _text(page: _Page, lines: list[str], number: int) -> int:
    """Write one line of a paragraph; where it announces a literal block, write that too. Return the next line."""
    line = lines[number].rstrip()
    if not line.endswith("::"):
        page.out.append(_said(line) if line else "")
        return number + 1
    lead = line[:-2].rstrip() + (":" if line[:-2].strip() and not line[:-2].endswith(" ") else "")
    if lead.strip():
        page.out.append(_said(lead))
    indent = len(line) - len(line.lstrip())
    start = _skip_blank(lines, number + 1)
    end = start
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    if end > start:
        _code(page, lines[start:end])
    return max(end, number + 1)


def _code(page: _Page, block: list[str]) -> None:
    body = _dedented(block)
    if body:
        page.out += ["", "```", *(line.replace("```", "` ` `") for line in body), "```", ""]


def _dedented(block: list[str]) -> list[str]:
    margin = min((len(line) - len(line.lstrip()) for line in block if line.strip()), default=0)
    body = [line[margin:] for line in block]
    while body and not body[-1].strip():
        body.pop()
    while body and not body[0].strip():
        body.pop(0)
    return body


def _explicit(page: _Page, line: str, block: list[str], depth: int) -> None:
    """Write a directive or a footnote; comments, targets and what only steers a build are left out."""
    if note := _FOOTNOTE.match(line):
        page.out += [f"{note[1]} {_inline(note[2])}", *(_inline(rest.strip()) for rest in block)]
        return
    match = _DIRECTIVE.match(line)
    if match is None:
        return
    name, argument = match[1].lower(), (match[2] or "").strip()
    options, body = _options(block)
    if name == "meta":
        page.metadata.update(options)
    elif name in _CODE:
        _code(page, body)
    elif name not in _UNSEEN:
        page.out += ["", escape(_lead(name, argument)), ""]
        if depth < _DEEPEST:
            _blocks(page, body, 0, depth + 1)
        else:
            page.out += [escape(rest) for rest in body]
        page.out.append("")


def _options(block: list[str]) -> tuple[dict[str, object], list[str]]:
    """Split the block of a directive into its options, which stand directly under it, and its content."""
    body = _dedented(block) if block and block[0].strip() else []
    options: dict[str, object] = {}
    number = 0
    while number < len(body) and (match := _FIELD.match(body[number])):
        options[match[1]] = match[2] or True
        number += 1
    return options, body[number:] if body else _dedented(block)


def _lead(name: str, argument: str) -> str:
    if name in _NOTES:
        release, _, rest = argument.partition(" ")
        return f"{_NOTES[name].format(release)} {_inline(rest)}".strip()
    if name in _ADMONITIONS:
        return f"{name.capitalize()}: {_inline(argument)}".strip()
    return _inline(argument)


@lru_cache(maxsize=_REMEMBERED)
def _said(line: str) -> str:
    """Return a line of a paragraph in Markdown."""
    return escape(_inline(line))


def _inline(text: str) -> str:
    if "`" not in text and "_" not in text:
        return text.replace("\\ ", "")
    for pattern, plain in _INLINE:
        text = pattern.sub(plain, text)
    return text.replace("\\ ", "")
