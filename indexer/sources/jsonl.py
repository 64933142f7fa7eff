"""Own JSON lines as a source: `.jsonl`, plain or gzipped, read as a stream, one document a line.

A line that can not be read is reported with its number and the rest goes in; what a broken archive gave before its
fault goes in too. The fields are `id`, `title`, `text`; all other keys are metadata (`indexer.keys`).
"""

from __future__ import annotations

import gzip
import json
import math
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, NoReturn, cast

from indexer import keys, values
from indexer.errors import Refused, SourceError
from indexer.sources.base import RawDocument, RawEnd, RawItem, Refusal, RefusalCode

# A document of 16 MiB is some 2.5 million words; a longer line is a file without line ends rather than a document.
MAX_LINE_BYTES: Final = 16 * 2**20
# Ids are shown, sorted and stored with every passage.
MAX_ID_BYTES: Final = 1024

_GZIP: Final = b"\x1f\x8b"
_BOM: Final = b"\xef\xbb\xbf"
_INT64_DIGITS: Final = 18  # every number of so many digits fits 64 bits
_BAD_IN_ID = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ID_KEYS: Final = ("id", "doc_id")


class JsonLines:
    """Documents of one file of JSON lines, in its order."""

    def __init__(self, path: str | Path, *, source: str = "") -> None:
        """Name the file; `source` names where the documents come from when they do not say it themselves."""
        self._path = Path(path)
        self._source = source
        if not self._path.is_file():
            raise SourceError(
                f"source must be a file of JSON lines, got {str(path)!r} which is no file", remedy="correct the path"
            )

    def __iter__(self) -> Iterator[RawItem]:
        """Yield documents, ends and refusals, reading the file once."""
        number = 0
        try:
            with self._open() as stream:
                for number, line in _lines(stream):
                    location = f"{self._path.name}:{number}"
                    if line is None:
                        yield _too_long(location)
                    elif line.strip():
                        yield read_line(line, location, source=self._source)
        except (EOFError, OSError, zlib.error) as error:
            yield Refusal(
                f"{self._path.name}:{number + 1}",
                "",
                RefusalCode.UNREADABLE,
                f"the rest of the file can not be read ({error})",
                "get the file again; what stands before this line went in",
            )

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        with self._path.open("rb") as plain:
            magic = plain.read(2)
            plain.seek(0)
            if magic == _GZIP or (magic and self._path.suffix == ".gz"):
                with gzip.GzipFile(fileobj=plain, mode="rb") as unpacked:
                    yield cast(BinaryIO, unpacked)
            else:
                yield plain


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Yield (number from 1, line), None for a line over the bound, of which no more than the bound is held."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(_BOM)
        if len(line) <= MAX_LINE_BYTES:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES)
        yield number, None


def _too_long(location: str) -> Refusal:
    return Refusal(
        location,
        "",
        RefusalCode.LINE_TOO_LONG,
        f"line must hold at most {MAX_LINE_BYTES:,} bytes, got more",
        "split the document, or put one document on each line",
    )


def read_line(line: bytes, location: str, *, source: str = "") -> RawItem:
    """Return what one line holds: a document, an end, or the refusal of it."""
    doc_id = ""
    try:
        fields = _parse(line)
        doc_id = _read_id(fields)
        return _document(doc_id, fields, location, source)
    except Refused as refused:
        return refused.at(location, doc_id)


def _parse(line: bytes) -> dict[str, object]:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(
            RefusalCode.NOT_UTF8,
            f"line must be UTF-8, got byte 0x{line[error.start]:02x} at byte {error.start + 1}",
            "convert the file to UTF-8",
        ) from error
    try:
        value = _decoder.decode(text.strip())
    except json.JSONDecodeError as error:
        if error.msg.startswith("Invalid control character"):
            raise Refused(
                RefusalCode.CONTROL_CHARACTER,
                f"line holds the control character U+{ord(error.doc[error.pos]):04X} at column {error.pos + 1}",
                "remove it, or write it as an escape",
            ) from error
        raise Refused(
            RefusalCode.NOT_JSON, f"line is no JSON ({error.msg} at column {error.pos + 1})", "write one JSON object"
        ) from error
    except RecursionError as error:
        raise Refused(RefusalCode.NOT_JSON, "line is nested too deeply", "write a flat JSON object") from error
    if not isinstance(value, dict):
        raise Refused(RefusalCode.NOT_AN_OBJECT, f"line must be a JSON object, got {values.quoted(value)}", "write {…}")
    if b"\\ud" in line.lower():
        _refuse_lone_surrogates(value)
    return value


def _refuse_lone_surrogates(value: object) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refused(
            RefusalCode.NOT_UTF8,
            f"line holds half of a surrogate pair, got {error.object[error.start]!r}",
            "write the whole character",
        ) from error


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Refused(RefusalCode.DUPLICATE_KEY, f"key {values.quoted(twice)} stands twice", "keep one of the two")
    return fields


def _out_of_range(text: str) -> NoReturn:
    raise Refused(
        RefusalCode.NUMBER_OUT_OF_RANGE,
        f"numbers must be finite and fit 64 bits, got {text[:40]}",
        "write a finite number, or a text",
    )


def _integer(text: str) -> int:
    if len(text) > _INT64_DIGITS and (len(text) > 20 or not -(2**63) <= int(text) < 2**63):
        _out_of_range(text)
    return int(text)


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _out_of_range(text)
    return number


_decoder = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_integer, parse_float=_float, parse_constant=_out_of_range
)


def _read_id(fields: dict[str, object]) -> str:
    key = next((key for key in _ID_KEYS if fields.get(key) is not None), None)
    if key is None:
        raise Refused(RefusalCode.MISSING_FIELD, "id is missing", "add id, the lasting name of the document")
    value = fields[key]
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        raise values.bad_value(key, value, "must be a text that is not empty", "name the document")
    return checked_id(key, value)


def checked_id(key: str, value: str) -> str:
    """Return a document id, or raise Refused for one that can not be shown on one line or is too long."""
    if bad := _BAD_IN_ID.search(value):
        raise Refused(
            RefusalCode.CONTROL_CHARACTER,
            f"{key} must hold no control character, got U+{ord(bad[0]):04X} in {values.quoted(value)}",
            "remove it",
            key=key,
        )
    if value != value.strip():
        raise values.bad_value(key, value, "must not begin or end with white space", "trim it")
    if len(value.encode()) > MAX_ID_BYTES:
        raise values.bad_value(key, value, f"must hold at most {MAX_ID_BYTES} bytes", "shorten it")
    return value


def _document(doc_id: str, fields: dict[str, object], location: str, source: str) -> RawDocument | RawEnd:
    metadata = {key: value for key, value in fields.items() if key not in (*_ID_KEYS, "title", "text")}
    if _is_deleted(metadata):
        return RawEnd(doc_id, metadata, location, reason="deleted")
    notes: list[str] = []
    title = _text(fields, "title", notes)
    if fields.get("text") is None:
        raise Refused(RefusalCode.MISSING_FIELD, "text is missing", "add text, or deleted: true if it has ended")
    return RawDocument(
        doc_id, title, _text(fields, "text", notes), metadata, location, source=source, notes=tuple(notes)
    )


def _is_deleted(metadata: dict[str, object]) -> bool:
    return any(
        values.read_flag(key, value)
        for key, value in metadata.items()
        if keys.field_of(key) == keys.DELETED and not values.is_absent(value)
    )


def _text(fields: dict[str, object], key: str, notes: list[str]) -> str:
    """Return a text field; stray control characters become spaces, with a note, but NUL refuses the document."""
    value = fields.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise values.bad_value(key, value, "must be a text", "write a JSON string")
    if "\x00" in value:
        raise Refused(
            RefusalCode.CONTROL_CHARACTER, f"{key} must not hold NUL (U+0000)", "remove it; is this text?", key=key
        )
    if strays := values.CONTROL.findall(value):
        notes.append(f"{key}: {len(strays)} control characters became spaces, the first is U+{ord(strays[0]):04X}")
        value = values.CONTROL.sub(" ", value)
    return value
