"""Own what a plain text file says. It has no markup, so nothing is taken for some but underlined headings."""

from __future__ import annotations

import re
from typing import Final

from indexer.readers.frontmatter import split_front_matter
from indexer.readers.labels import labelled_dates
from indexer.readers.outline import take_title
from indexer.readers.page import Page, ReaderOptions

# What Markdown would take for a heading, a fence or an underline at the start of a line.
_MARKUP = re.compile(r"^( {0,3})(?=#{1,6}(?:\s|$)|```|~~~|(?:=+|-+)[ \t]*$)", re.MULTILINE)
_SIGNS: Final = "#`~=-"
_UNDERLINE = re.compile(r"(=+|-+)[ \t]*\Z")
# A first line longer than this is the first sentence.
_TITLE: Final = 100
# How much longer or shorter than its heading an underline may be; a rule or a table's line differs by more.
_SLACK: Final = 2


def read_text(text: str, options: ReaderOptions) -> Page:
    """Return a plain text; its first line is the title where a blank line sets it apart and it ends no sentence."""
    front, body = split_front_matter(text)
    lines = body.split("\n")
    declared = front.values.get("title")
    title, rest = take_title(_escaped(lines), declared.strip() if isinstance(declared, str) else "")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if not title and _sets_a_title(lines, first):
        title, rest = lines[first].strip(), _escaped(lines[first + 1 :])
    seen = ((number + front.height + 1, line) for number, line in enumerate(lines))
    return Page(
        title=title,
        text=rest.strip("\n"),
        metadata={key: value for key, value in front.values.items() if key != "title"},
        lines=front.lines,
        dates=labelled_dates(seen, options.date_order),
    )


def escape(text: str) -> str:
    r"""Return a text in which no line is taken for a heading, a fence or an underline: ``\`` stands before it."""
    if "\n" not in text and text.lstrip(" ")[:1] not in _SIGNS:
        return text
    return _MARKUP.sub(r"\1\\", text)


def _escaped(lines: list[str]) -> str:
    """Escape all lines but the headings that are underlined as people do: apart, and about as long as the line."""
    return "\n".join(line if _underlines(lines, number) else escape(line) for number, line in enumerate(lines))


def _underlines(lines: list[str], number: int) -> bool:
    if number == 0 or not _UNDERLINE.match(lines[number]):
        return False
    heading = lines[number - 1].rstrip()
    apart = number == 1 or not lines[number - 2].strip()
    return bool(heading) and apart and abs(len(heading) - len(lines[number].rstrip())) <= _SLACK


def _sets_a_title(lines: list[str], first: int) -> bool:
    line = lines[first].strip()
    apart = first + 1 < len(lines) and not lines[first + 1].strip()
    return apart and 0 < len(line) <= _TITLE and line[-1] not in ".:,;" and line[0] not in "#`~=-"
