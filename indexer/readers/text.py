"""Own what a plain text file says. It has no markup, so nothing in it may be taken for some."""

from __future__ import annotations

import re
from typing import Final

from indexer.readers.frontmatter import split_front_matter
from indexer.readers.labels import labelled_dates
from indexer.readers.page import Page, ReaderOptions

# What Markdown would take for a heading, a fence or an underline at the start of a line.
_MARKUP = re.compile(r"^( {0,3})(?=#{1,6}(?:\s|$)|```|~~~|(?:=+|-+)[ \t]*$)", re.MULTILINE)
# A first line longer than this is the first sentence.
_TITLE: Final = 100


def read_text(text: str, options: ReaderOptions) -> Page:
    """Return a plain text; its first line is the title where a blank line sets it apart and it ends no sentence."""
    front, body = split_front_matter(text)
    lines = body.split("\n")
    declared = front.values.get("title")
    title = declared.strip() if isinstance(declared, str) else ""
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    apart = first + 1 < len(lines) and not lines[first + 1].strip()
    if not title and apart and len(lines[first]) <= _TITLE and not lines[first].rstrip().endswith((".", ":", ",")):
        title, lines = lines[first].strip(), [""] * (first + 1) + lines[first + 1 :]
    seen = ((number + front.height + 1, line) for number, line in enumerate(body.split("\n")))
    return Page(
        title=title,
        text=escape("\n".join(lines)).strip("\n"),
        metadata={key: value for key, value in front.values.items() if key != "title"},
        lines=front.lines,
        dates=labelled_dates(seen, options.date_order),
    )


def escape(text: str) -> str:
    r"""Return a text in which no line is taken for a heading, a fence or an underline: ``\`` stands before it."""
    return _MARKUP.sub(r"\1\\", text)
