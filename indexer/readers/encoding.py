"""Own the step from a file's bytes to text: byte order marks, encodings, line ends, what is no text at all."""

from __future__ import annotations

import codecs
import re
from typing import Final

from indexer.readers.errors import BinaryFileError, EncodingError, PointerError, TooLargeError
from indexer.readers.page import ReaderOptions

# UTF-32's mark begins with UTF-16's, so it is looked for first.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LFS: Final = b"version https://git-lfs."
# git itself looks for a NUL in the first 8,000 bytes to tell text from binary.
_PROBE: Final = 8_000
# So many characters of plain text, before two NULs by chance are taken for an encoding.
_SOME: Final = 8
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Nothing that a reader sees; a byte order mark inside a text is left from gluing files together.
_UNSEEN = re.compile("[\x01-\x08\x0e-\x1f\x7f-\x9f\ufeff]")


def decode(data: bytes, options: ReaderOptions) -> str:
    r"""Return the text of a file with ``\n`` line ends and without characters that nobody sees.

    Raises:
        TooLargeError, PointerError, BinaryFileError, EncodingError: the file can not be read, with the remedy.
    """
    if len(data) > options.max_bytes:
        raise too_large(len(data), options.max_bytes)
    if data.startswith(_LFS):
        raise PointerError("file is a Git LFS pointer, not the content", remedy="run `git lfs pull` and read again")
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _clean(_decoded(data[len(mark) :], name, "its byte order mark"))
    if b"\0" in data[:_PROBE]:
        raise _binary(data[:_PROBE])
    try:
        return _clean(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        if options.encoding is None:
            raise _not_utf8(data, error) from error
    return _clean(_decoded(data, options.encoding, "the setting encoding"))


def too_large(size: int, limit: int) -> TooLargeError:
    """Return the refusal of a file for its size, both in bytes."""
    return TooLargeError(
        f"file has {size:,} bytes, at most {limit:,} are read", remedy="split it, or raise max_file_bytes"
    )


def _clean(text: str) -> str:
    if "\0" in text:
        raise BinaryFileError("file holds NUL characters", remedy="save it as text, or keep it out of the folder")
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", text))


def _decoded(data: bytes, name: str, why: str) -> str:
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"file is not {name}, which {why} says: byte {error.start} can not be read", remedy="save it as UTF-8"
        ) from error
    except LookupError as error:
        raise EncodingError(
            f"encoding must be one that Python knows, got {name!r}", remedy="for example latin-1 or cp1252"
        ) from error


def _binary(head: bytes) -> BinaryFileError | EncodingError:
    # Plain text in UTF-16 without its mark has a NUL at every second place, and hardly any at the others.
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) > max(len(head) // 4, _SOME) and min(even, odd) * 10 < max(even, odd):
        return EncodingError(
            "file looks like UTF-16 without a byte order mark", remedy="save it as UTF-8, or with its mark"
        )
    return BinaryFileError(
        f"file is binary: a NUL at byte {head.index(0)}", remedy="keep it out of the folder, or save it as text"
    )


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> EncodingError:
    line = data.count(b"\n", 0, error.start) + 1
    return EncodingError(
        f"file is not UTF-8: byte 0x{data[error.start]:02x} at byte {error.start}",
        remedy="save it as UTF-8, or say what it is with encoding, for example encoding = 'latin-1'",
        line=line,
    )
