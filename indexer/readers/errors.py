"""Own what a reader refuses a file, or a date in it, for.

StilltrueError
    └── BadValueError
        ├── DateError             a text that is no date, or half of one
        │   └── AmbiguousDateError    day and month can be read either way
        └── ReadError             a file that can not be read; attribute line where it is known
            ├── BinaryFileError       not text at all
            ├── EncodingError         text in another encoding than the ones read
            ├── FrontMatterError      front matter that breaks its rules
            ├── TooLargeError         more bytes or levels than a page has
            └── PointerError          a stand-in for the real content (Git LFS)
"""

from __future__ import annotations

from mappings.errors import BadValueError


class DateError(BadValueError):
    """Refuse a text that is no date, or that is one only in part."""

    code = "bad_date"


class AmbiguousDateError(DateError):
    """Refuse a date whose day and month can be read either way."""

    code = "ambiguous_date"


class ReadError(BadValueError):
    """Refuse a file; `line` counts from 1 and is 0 where the whole file is meant."""

    code = "unreadable"

    def __init__(self, detail: str, *, remedy: str = "", line: int = 0) -> None:
        super().__init__(detail, remedy=remedy)
        self.line = line


class BinaryFileError(ReadError):
    """Refuse a file that is not text."""

    code = "binary"


class EncodingError(ReadError):
    """Refuse text in an encoding that is not read."""

    code = "encoding"


class FrontMatterError(ReadError):
    """Refuse front matter that breaks its rules."""

    code = "front_matter"


class TooLargeError(ReadError):
    """Refuse a file of more bytes or levels than a page has."""

    code = "too_large"


class PointerError(ReadError):
    """Refuse a stand-in for content that lies elsewhere."""

    code = "lfs_pointer"
