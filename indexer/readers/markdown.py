"""Own what a Markdown page says: front matter, title, text, labelled dates."""

from __future__ import annotations

from indexer.readers.frontmatter import split_front_matter
from indexer.readers.labels import labelled_dates
from indexer.readers.outline import outline, strip_comments, take_title
from indexer.readers.page import Page, ReaderOptions


def read_markdown(text: str, options: ReaderOptions) -> Page:
    """Return a Markdown page: front matter as metadata, the title out of the text, comments out of sight."""
    front, body = split_front_matter(text)
    body = strip_comments(body)
    declared = front.values.get("title")
    title, rest = take_title(body, declared.strip() if isinstance(declared, str) else "")
    above = front.height + body.count("\n") - rest.count("\n") + len(rest) - len(rest.lstrip("\n"))
    seen = ((line.number + front.height + 1, line.text) for line in outline(body) if not line.code and not line.level)
    return Page(
        title=title,
        text=rest.strip("\n"),
        metadata={key: value for key, value in front.values.items() if key != "title"},
        lines=front.lines,
        dates=labelled_dates(seen, options.date_order),
        text_line=above + 1,
    )
