"""Own what a file says: bytes and a name → pages with title, text in Markdown conventions, and declared dates.

`read_file` is the way in; which names are documents, `is_document` says. Where files come from, and what a date or
a key means, is not known here (`indexer.sources`, `indexer.declared`). Parsers are loaded with the first file that
needs them.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final, Literal

from indexer.readers.errors import ReadError
from indexer.readers.page import Page, PageDate, ReaderOptions

__all__ = ["Page", "PageDate", "ReadError", "ReaderOptions", "is_document", "read_file"]

_Format = Literal["markdown", "rst", "html", "text"]

_FORMATS: Final[dict[str, _Format]] = {
    ".md": "markdown", ".markdown": "markdown", ".mdown": "markdown", ".mkd": "markdown", ".mdx": "markdown",
    ".rst": "rst", ".rest": "rst", ".html": "html", ".htm": "html", ".xhtml": "html", ".txt": "text", ".text": "text",
}  # fmt: skip
# Files without an extension that are pages by their names.
_BARE_NAMES: Final = frozenset("readme changelog changes history news install contributing faq".split())


def is_document(path: str) -> bool:
    """Tell whether a file's name is that of a document."""
    return _format_of(path) is not None


def _format_of(path: str) -> _Format | None:
    name = PurePosixPath(path)
    if not name.suffix:
        return "text" if name.name.lower() in _BARE_NAMES else None
    return _FORMATS.get(name.suffix.lower())


def read_file(data: bytes, path: str, options: ReaderOptions) -> tuple[Page, ...]:
    """Return the pages of a file: one, or one for each release of a changelog and one for the rest.

    Raises:
        ReadError: the file can not be read; with what, where and the remedy.
    """
    from indexer.readers.changelog import is_changelog, split_changelog
    from indexer.readers.encoding import decode

    form = _format_of(path)
    if form is None:
        raise ReadError(f"file must be Markdown, reST, HTML or text, got {path!r}", remedy="give it such an extension")
    page = _read(form, decode(data, options), options)
    if is_changelog(path) and form != "html":
        return split_changelog(page, options)
    return (page,)


def _read(form: _Format, text: str, options: ReaderOptions) -> Page:
    if form == "html":
        from indexer.readers.html import read_html

        return read_html(text, options)
    if form == "rst":
        from indexer.readers.rst import read_rst

        return read_rst(text, options)
    if form == "text":
        from indexer.readers.plaintext import read_text

        return read_text(text, options)
    from indexer.readers.markdown import read_markdown

    return read_markdown(text, options)
