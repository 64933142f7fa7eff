"""Own what a reader makes of a file, and the few settings that readers share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from indexer.readers.humandate import DateOrder

# A page that a person wrote is well below this; a larger file is a log, a dump or a mistake.
DEFAULT_MAX_BYTES: Final = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ReaderOptions:
    """What a source's settings say about reading its files.

    Attributes:
        encoding: the encoding of files that are not UTF-8 and carry no byte order mark; None refuses them.
        date_order: how "03/04/2025" is meant; None leaves it for the file's own fields to decide.
        max_bytes: files larger than this are refused with their size.
    """

    encoding: str | None = None
    date_order: DateOrder | None = None
    max_bytes: int = DEFAULT_MAX_BYTES


@dataclass(frozen=True, slots=True)
class PageDate:
    """A date found in a page beside its metadata.

    Attributes:
        key: the declared key that it stands for (`last_updated`, `effective` …).
        value: ISO where the text could be read, as written where day and month could be either.
        source: how it was found: `label`, `markup`, `heading`.
        line: where it stands, from 1; 0 where the format has no lines.
    """

    key: str
    value: str
    source: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """What one file, or one entry of it, says.

    Attributes:
        title: empty where the file names none.
        text: Markdown conventions; without the title, without front matter.
        metadata: declared keys as written.
        lines: keys as written → line, from 1.
        dates: found beside the metadata.
        part: which entry of the file this is (a release of a changelog); empty for a whole file.
        line: where the page begins in its file.
        text_line: the line of the file that the first line of the text is; 0 where lines of the two differ.
    """

    title: str
    text: str
    metadata: Mapping[str, object] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    dates: tuple[PageDate, ...] = ()
    part: str = ""
    line: int = 1
    text_line: int = 0
