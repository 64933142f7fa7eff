"""Own the step from a page that a reader made to the raw document of a source: ids, titles, places, found dates."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from indexer import keys
from indexer.readers import Page
from indexer.readers.errors import (
    BinaryFileError,
    EncodingError,
    FrontMatterError,
    PointerError,
    ReadError,
    TooLargeError,
)
from indexer.sources.base import FoundDate, Refusal, RefusalCode

_CODES: Final[tuple[tuple[type[ReadError], RefusalCode], ...]] = (
    (BinaryFileError, RefusalCode.BINARY),
    (EncodingError, RefusalCode.NOT_UTF8),
    (FrontMatterError, RefusalCode.FRONT_MATTER),
    (TooLargeError, RefusalCode.TOO_LARGE),
    (PointerError, RefusalCode.LFS_POINTER),
)
_FOLDER_PAGES: Final = frozenset(["index", "_index", "readme"])


def document_id(source: str, path: str, part: str) -> str:
    """Return the id of a page: source, path, and the entry of the file where it is one."""
    return "/".join(piece for piece in (source, path, part) if piece)


def title_of(path: str, source: str) -> str:
    """Return a title made of a file's name, for a page that has none; an index page takes its folder's."""
    name = PurePosixPath(path)
    stem = name.stem
    if stem.lower() in _FOLDER_PAGES:
        stem = name.parent.name or source
    words = " ".join(stem.replace("-", " ").replace("_", " ").split())
    return words[:1].upper() + words[1:]


def is_empty(page: Page) -> bool:
    """Tell whether a page says nothing at all."""
    return not page.text.strip() and not page.title


def places(page: Page, path: str) -> dict[str, str]:
    """Return where each declared key stands."""
    return {key: f"{path}:{line}" for key, line in page.lines.items()}


def place(page: Page, path: str) -> str:
    """Return where a page begins."""
    return f"{path}:{page.line}" if page.part else path


def found_dates(page: Page, path: str) -> tuple[FoundDate, ...]:
    """Return the dates that a page declares beside its metadata."""
    return tuple(
        FoundDate(date.key, date.value, date.source, location=f"{path}:{date.line}" if date.line else "")
        for date in page.dates
    )


def has_observed(dates: Iterable[FoundDate]) -> bool:
    """Tell whether one of the dates says when the page was written."""
    return any(keys.field_of(date.key) == keys.OBSERVED for date in dates)


def refusal(error: ReadError, path: str, doc_id: str) -> Refusal:
    """Return the refusal of a file that could not be read."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), RefusalCode.UNREADABLE)
    return Refusal(f"{path}:{error.line}" if error.line else path, doc_id, code, error.detail, error.remedy)
