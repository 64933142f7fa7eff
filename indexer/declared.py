"""Own what a document declares about itself: metadata → dates with precision and source, links, order, rights.

Which keys there are is `keys`' table, how a value is read `values`'. Here stands what holds where several keys speak:

    field        several keys                        a day, month or year means
    observed     the latest holds, and is recorded   itself (a span; counts from its start)
    valid_from   must agree                          its start
    valid_until  must agree                          its start; its end for `expires` and the like
    verified_at  the latest holds                    its start
    review_by    must agree                          its end
    the others   must agree

A date that the source found beside the metadata (a labelled line, a commit) counts where the metadata leaves the
field open; in a history it comes first, and the document's own date is kept beside it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeVar

from indexer import keys, values
from indexer.errors import Refused
from indexer.sources.base import FoundDate, RawDocument, RawEnd, RefusalCode
from mappings.document import Kind
from mappings.interval import OPEN, Span, format_instant
from mappings.profile import DEFAULT_PROFILES

Mode = Literal["strict", "lenient"]
T = TypeVar("T")

DECLARED: Final = "declared"
_UNDATED_REMEDY: Final = "add observed_at (when this could first be read), or ingest with --lenient"
_UNDATED_FILE_REMEDY: Final = (
    "give it a date in its front matter, say --date-from git, mtime or a date, or ingest with --lenient"
)
_LONGEST_TYPE: Final = 64  # a content type is a name, not a sentence


# Likeness from which a word is a slip of the pen: "EVNT" and "VERSIONNED" lie above, "ARTICLE" (0.62) below.
_SLIP: Final = 0.75


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a field: the key as written, where it came from and how sure it is."""

    key: str
    value: object
    origin: str = DECLARED
    confidence: str = "high"


@dataclass(frozen=True, slots=True)
class Declared:
    """What a document says about itself, read and checked; None or empty where it says nothing.

    Attributes:
        observed: when this state could first be known; None: no usable date.
        date_source: the key, or what found the date.
        own_date: the date that the document itself declares, where a history rules; µs.
        valid_from, valid_until, verified_at, review_by, withdrawn: µs.
        extra: keys that stilltrue does not know.
    """

    observed: Span | None = None
    date_source: str = ""
    date_confidence: str = "high"
    own_date: int | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    verified_at: int | None = None
    review_by: int | None = None
    supersedes: tuple[str, ...] = ()
    series: str | None = None
    release: str | None = None
    sequence: int | None = None
    withdrawn: int | None = None
    withdrawn_reason: str = ""
    draft: bool = False
    content_type: str | None = None
    kind: Kind | None = None
    topic: str | None = None
    value: str | None = None
    tags: tuple[str, ...] = ()
    url: str | None = None
    source: str | None = None
    principals: tuple[str, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


class Fields:
    """The entries of a document by field: metadata first, then what the source found; absent values left out."""

    def __init__(self, metadata: Mapping[str, object], found: Sequence[FoundDate] = (), *, zone: str) -> None:
        self.extra: dict[str, object] = {}
        self._zone = zone
        self._entries: dict[str, list[Entry]] = {}
        for key, value in metadata.items():
            self._add(key, value)
        self._found: dict[str, list[Entry]] = {}
        for date in found:
            if name := keys.field_of(date.key):
                self._found.setdefault(name, []).append(Entry(date.key, date.value, date.source, date.confidence))

    def _add(self, key: str, value: object) -> None:
        name = keys.field_of(key)
        if name is None:
            self.extra[key] = value
        elif name == keys.PRINCIPALS and value is not None or not values.is_absent(value):
            self._entries.setdefault(name, []).append(Entry(key, value))

    def of(self, name: str) -> list[Entry]:
        """Return the entries of a field: those of the metadata, else what was found."""
        return self._entries.get(name) or self._found.get(name, [])

    def found(self, name: str) -> list[Entry]:
        """Return what the source found for a field."""
        return self._found.get(name, [])

    def declared(self, name: str) -> list[Entry]:
        """Return what the metadata says for a field."""
        return self._entries.get(name, [])

    def one(self, name: str, read: Callable[[str, object], T]) -> T | None:
        """Read a field whose keys must agree.

        Raises:
            Refused: two keys that say different things, or a value that does not parse.
        """
        entries = self.of(name)
        if not entries:
            return None
        results = [read(entry.key, entry.value) for entry in entries]
        for entry, result in zip(entries, results, strict=True):
            if result != results[0]:
                raise Refused(
                    RefusalCode.DUPLICATE_KEY,
                    f"{entries[0].key} and {entry.key} are one field but differ, "
                    f"got {values.quoted(entries[0].value)} and {values.quoted(entry.value)}",
                    "keep one of the two",
                    key=entry.key,
                )
        return results[0]

    def moment(self, entry: Entry) -> Span:
        """Read an entry as a moment."""
        return values.read_moment(entry.key, entry.value, zone=self._zone)

    def latest(self, entries: Sequence[Entry]) -> tuple[Span, Entry] | None:
        """Return the latest of several moments and its entry; of equal ones the first."""
        read = [(self.moment(entry), entry) for entry in entries]
        return max(read, key=lambda pair: (pair[0].start, -pair[0].end), default=None)


def read_declared(raw: RawDocument, *, zone: str, mode: Mode) -> Declared:
    """Read everything that a document declares.

    Raises:
        Refused: a value that does not parse, an inverted window, keys that contradict each other; in strict mode
            also a document without a usable date.
    """
    fields = Fields(raw.metadata, raw.found, zone=zone)
    observed, source, confidence, own = _observed(fields, found_rules=raw.found_rules)
    if observed is None and mode == "strict":
        raise _undated(fields, of_folder=raw.sync)
    valid_from, valid_until = _window(fields, zone)
    verified = fields.latest(fields.of(keys.VERIFIED))
    return Declared(
        observed=observed,
        date_source=source,
        date_confidence=confidence,
        own_date=own,
        valid_from=valid_from,
        valid_until=valid_until,
        verified_at=verified[0].start if verified else None,
        review_by=fields.one(keys.REVIEW_BY, lambda key, value: _until(key, value, zone, inclusive=True)),
        supersedes=tuple(sorted(set(fields.one(keys.SUPERSEDES, values.read_names) or ()))),
        series=fields.one(keys.SERIES, values.read_name),
        release=fields.one(keys.RELEASE, values.read_name),
        sequence=raw.sequence if raw.sequence is not None else fields.one(keys.SEQUENCE, values.read_integer),
        withdrawn=fields.one(keys.WITHDRAWN, lambda key, value: values.read_moment(key, value, zone=zone).start),
        withdrawn_reason=fields.one(keys.WITHDRAWN_REASON, values.read_name) or "",
        draft=fields.one(keys.DRAFT, values.read_flag) or False,
        content_type=_content_type(fields),
        kind=_kind(fields, of_page=bool(raw.path)),
        topic=fields.one(keys.TOPIC, values.read_name),
        value=fields.one(keys.VALUE, values.read_name),
        tags=fields.one(keys.TAGS, _read_tags) or (),
        url=fields.one(keys.URL, values.read_name),
        source=fields.one(keys.SOURCE, values.read_name),
        principals=fields.one(keys.PRINCIPALS, values.read_principals) or (),
        extra=fields.extra,
    )


def read_end(raw: RawEnd, *, zone: str, mode: Mode, now: int) -> tuple[Span, int | None]:
    """Return when a document ended, and its place in a declared order.

    Raises:
        Refused: the date does not parse; in strict mode also when there is none (lenient mode takes `now`).
    """
    fields = Fields(raw.metadata, raw.found, zone=zone)
    observed, *_ = _observed(fields, found_rules=False)
    sequence = raw.sequence if raw.sequence is not None else fields.one(keys.SEQUENCE, values.read_integer)
    if observed is None and mode == "strict":
        raise Refused(
            RefusalCode.UNDATED,
            f"end of document {values.quoted(raw.doc_id)} has no date",
            "add observed_at (when it was deleted), or ingest with --lenient to end it now",
        )
    return observed or Span.instant(now), sequence


def _observed(fields: Fields, *, found_rules: bool) -> tuple[Span | None, str, str, int | None]:
    """Return the moment, its source, how sure it is, and the document's own date where another one rules."""
    own = fields.latest(fields.declared(keys.OBSERVED))
    found = fields.latest(fields.found(keys.OBSERVED))
    ruling = found if found and (found_rules or not own) else own
    if ruling is None:
        return None, "", "high", None
    span, entry = ruling
    beside = own[0].start if own and ruling is not own else None
    return span, entry.key if entry.origin == DECLARED else entry.origin, entry.confidence, beside


def _undated(fields: Fields, *, of_folder: bool) -> Refused:
    """Say that there is no date, and which unknown key looks like a slip of the pen."""
    detail = "observed_at is missing"
    if near := keys.likely_date_key(fields.extra):
        detail += f", and key {values.quoted(near[0])} is not known (did you mean {near[1]!r}?)"
    remedy = _UNDATED_FILE_REMEDY if of_folder else _UNDATED_REMEDY
    return Refused(RefusalCode.UNDATED, detail, remedy, key=keys.OBSERVED)


def _window(fields: Fields, zone: str) -> tuple[int | None, int | None]:
    start = fields.one(keys.VALID_FROM, lambda key, value: values.read_moment(key, value, zone=zone).start)
    ends = {
        keys.UNTIL_EXCLUSIVE: fields.one(keys.UNTIL_EXCLUSIVE, lambda key, value: _until(key, value, zone)),
        keys.UNTIL_INCLUSIVE: fields.one(
            keys.UNTIL_INCLUSIVE, lambda key, value: _until(key, value, zone, inclusive=True)
        ),
    }
    given = {name: end for name, end in ends.items() if end is not None}
    if len(set(given.values())) > 1:
        first, second = (fields.of(name)[0] for name in given)
        raise Refused(
            RefusalCode.DUPLICATE_KEY,
            f"{first.key} (excluded) and {second.key} (included) give two ends, "
            f"got {values.quoted(first.value)} and {values.quoted(second.value)}",
            "keep one of the two",
            key=second.key,
        )
    end = next(iter(given.values()), None)
    if start is not None and end is not None and start > end:
        key = next(iter(fields.of(name)[0].key for name in given))
        raise Refused(
            RefusalCode.INVERTED_WINDOW,
            f"valid_from must not lie after {key}, got {format_instant(start)} > {format_instant(end)}",
            "exchange or correct the two dates",
            key=key,
        )
    return start, None if end == OPEN else end


def _until(key: str, value: object, zone: str, *, inclusive: bool = False) -> int:
    return values.read_until(key, value, zone=zone, inclusive=inclusive)


def _kind(fields: Fields, *, of_page: bool) -> Kind | None:
    """Return the declared kind; a page's `kind` that looks like none of ours belongs to another tool and is kept."""
    if of_page:
        for entry in fields.of(keys.KIND):
            name = entry.value.upper() if isinstance(entry.value, str) else ""
            if name and not difflib.get_close_matches(name, Kind.__members__, cutoff=_SLIP):
                fields.extra[entry.key] = entry.value
                return None
    return fields.one(keys.KIND, _read_kind)


def _read_kind(key: str, value: object) -> Kind:
    name = values.read_name(key, value).upper()
    if name not in Kind.__members__:
        raise values.bad_value(key, value, f"must be one of {', '.join(Kind)}", "write one of these")
    return Kind[name]


def _content_type(fields: Fields) -> str | None:
    """Return the declared type; a category is one only if it names a type that has numbers of its own."""
    declared = fields.one(keys.CONTENT_TYPE, _read_type)
    if declared is not None:
        return declared
    for entry in fields.of(keys.CATEGORY):
        name = _type_name(entry.value) if isinstance(entry.value, str) else ""
        if name in DEFAULT_PROFILES:
            return name
        fields.extra[entry.key] = entry.value
    return None


def _type_name(text: str) -> str:
    return "_".join(text.lower().replace("-", " ").replace("_", " ").split())


def _read_type(key: str, value: object) -> str:
    name = _type_name(values.read_name(key, value))
    if not name or len(name) > _LONGEST_TYPE:
        raise values.bad_value(key, value, f"must be a name of 1 to {_LONGEST_TYPE} characters", "write a short name")
    return name


def _read_tags(key: str, value: object) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) else value
    return tuple(dict.fromkeys(values.read_names(key, names)))
