"""What every source hands to the indexer: raw documents, ends and refusals, each with its location.

Owns the words between a source and `ingest`. What a date or a key *means* is `declared.py`'s, what a document *is*
is `classify.py`'s: a source reports what it read and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class RefusalCode(StrEnum):
    """Why a document, or a piece of a source, did not go in."""

    UNREADABLE = "UNREADABLE"  # the file, or the rest of it, can not be read
    NOT_UTF8 = "NOT_UTF8"
    BINARY = "BINARY"
    TOO_LARGE = "TOO_LARGE"
    FRONT_MATTER = "FRONT_MATTER"
    LFS_POINTER = "LFS_POINTER"
    BAD_NAME = "BAD_NAME"  # a file whose name can not be part of an id
    CHANGED = "CHANGED"  # a file that changed while it was read
    TOO_MANY_ENDS = "TOO_MANY_ENDS"  # a sync that would end more than half of its source
    NOT_JSON = "NOT_JSON"
    NOT_AN_OBJECT = "NOT_AN_OBJECT"
    LINE_TOO_LONG = "LINE_TOO_LONG"
    CONTROL_CHARACTER = "CONTROL_CHARACTER"
    NUMBER_OUT_OF_RANGE = "NUMBER_OUT_OF_RANGE"
    DUPLICATE_KEY = "DUPLICATE_KEY"
    MISSING_FIELD = "MISSING_FIELD"
    EMPTY = "EMPTY"  # neither a title nor a text
    BAD_VALUE = "BAD_VALUE"  # a known key with a value that does not parse
    INVERTED_WINDOW = "INVERTED_WINDOW"
    UNDATED = "UNDATED"
    UNORDERED = "UNORDERED"  # the same document with other content or dates at the same moment


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date that a source found beside the metadata: a labelled line, markup, a commit, a file's time.

    Attributes:
        key: The declared key it stands for, as in the key table (`last_updated`, `effective`, `observed_at` …).
        value: The date as written, ISO for anything that was not text (`2024-05-01`, `2024-05-01T10:00:00Z`).
        source: Where it was found, shown as `date_source` (`git`, `mtime`, `label`, `markup` …).
        confidence: `high`, `medium` or `low`.
        location: `file:line` where it stands, when that is not the document's own location.
    """

    key: str
    value: str
    source: str
    confidence: str = "high"
    location: str = ""


@dataclass(frozen=True, slots=True)
class RawDocument:
    """One document as a source read it, with nothing interpreted.

    Attributes:
        doc_id: The lasting identity: `<source>/<posix path>` for files, the export's own id for others.
        title: The title, empty when there is none. Not repeated as a heading in `text`.
        text: The text in the one form that everything behind a source reads: Markdown conventions (ATX or setext
            headings, fenced code). A reader of another format writes this form.
        metadata: Keys as written → values as parsed (front matter, JSON fields, markup): str, int, float, bool, None,
            date, datetime, or lists and mappings of them.
        location: `file:line` of the document, or `file`.
        path: Posix path inside the source, for rules and series patterns; empty when there is none.
        source: Name of the source (a `source` key in the metadata wins).
        lines: Keys as written → `file:line`, for messages about a value; may be empty.
        found: Dates found beside the metadata; they count only for fields that the metadata leaves open, unless
            `found_rules` says that they come first (a git history: its commits are the observations, and a date in
            the front matter is kept beside as the document's own).
        found_rules: See `found`.
        sequence: Place in a declared order (git: position on the first-parent line).
        sync: True when the source was read as it stands now (a folder), false for histories and dated exports.
        notes: What the source changed or left out to read it, one line each; shown in the report.
    """

    doc_id: str
    title: str
    text: str
    metadata: Mapping[str, object]
    location: str
    path: str = ""
    source: str = ""
    lines: Mapping[str, str] = field(default_factory=dict)
    found: tuple[FoundDate, ...] = ()
    found_rules: bool = False
    sequence: int | None = None
    sync: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RawEnd:
    """A document that its source says has ended (deleted, archived, gone from a folder).

    Attributes:
        doc_id: Which document.
        metadata: Keys as written → values; the moment is read from the keys of `observed_at`.
        location: `file:line`, or what names the place.
        found: The moment when the metadata holds none (git: the deleting commit; a sync: when it was found).
        sequence: Place in a declared order.
        reason: Why, in a few words.
        source: How it was learnt: `declared`, `git`, `sync`.
    """

    doc_id: str
    metadata: Mapping[str, object]
    location: str
    found: tuple[FoundDate, ...] = ()
    sequence: int | None = None
    reason: str = ""
    source: str = "declared"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A document or a piece of a source that does not go in, and what to do about it.

    Attributes:
        location: `file:line` where it stands.
        doc_id: The document, empty when it is not known.
        code: The kind of fault.
        detail: What is wrong, with field and value.
        remedy: What puts it right.
    """

    location: str
    doc_id: str
    code: RefusalCode
    detail: str
    remedy: str

    def __str__(self) -> str:
        """Render as one line: location, detail, remedy."""
        return f"{self.location}: {self.detail}; {self.remedy}"


RawItem = RawDocument | RawEnd | Refusal


class Source(Protocol):
    """A source: iterating it reads it once, lazily, and yields what it found in reading order."""

    def __iter__(self) -> Iterator[RawItem]:
        """Yield documents, ends and refusals."""
        ...
