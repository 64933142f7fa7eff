"""Own what a file says: bytes and a name → pages with title, text in Markdown conventions, and declared dates.

`read_file` is the way in; which names are documents, `is_document` says. Where files come from, and what a date or
a key means, is not known here (`indexer.sources`, `indexer.declared`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final

from indexer.readers.changelog import is_changelog, split_changelog
from indexer.readers.encoding import decode
from indexer.readers.errors import ReadError
from indexer.readers.html import read_html
from indexer.readers.markdown import read_markdown
from indexer.readers.page import Page, PageDate, ReaderOptions
from indexer.readers.plaintext import read_text
from indexer.readers.rst import read_rst

__all__ = ["Page", "PageDate", "ReadError", "ReaderOptions", "is_document", "read_file"]

_READERS: Final[dict[str, Callable[[str, ReaderOptions], Page]]] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mdx"), read_markdown),
    **dict.fromkeys((".rst", ".rest"), read_rst),
    **dict.fromkeys((".html", ".htm", ".xhtml"), read_html),
    **dict.fromkeys((".txt", ".text"), read_text),
}
# Files without an extension that are pages by their names.
_BARE_NAMES: Final = frozenset("readme changelog changes history news install contributing faq".split())


def is_document(path: str) -> bool:
    """Tell whether a file's name is that of a document."""
    return _reader_of(path) is not None


def _reader_of(path: str) -> Callable[[str, ReaderOptions], Page] | None:
    name = PurePosixPath(path)
    if not name.suffix:
        return read_text if name.name.lower() in _BARE_NAMES else None
    return _READERS.get(name.suffix.lower())


def read_file(data: bytes, path: str, options: ReaderOptions) -> tuple[Page, ...]:
    """Return the pages of a file: one, or one for each release of a changelog and one for the rest.

    Raises:
        ReadError: the file can not be read; with what, where and the remedy.
    """
    reader = _reader_of(path)
    if reader is None:
        raise ReadError(f"file must be Markdown, reST, HTML or text, got {path!r}", remedy="give it such an extension")
    page = reader(decode(data, options), options)
    if is_changelog(path) and reader is not read_html:
        return split_changelog(page, options)
    return (page,)
