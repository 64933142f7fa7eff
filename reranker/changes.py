"""Own what changed about a document or series between two moments: its text, its title, its dates, how it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mappings.document import State
from mappings.interval import format_instant
from reranker.diff import Change, compare
from reranker.history import HistoryEntry, history
from store.engine import Content, Engine

# What a diff compares beside the text, in the order in which it is read.
COMPARED: Final = ("title", "content_type", "release", "url", "valid_from", "valid_until", "observed_at")
_INSTANTS: Final = ("valid_from", "valid_until", "observed_at")


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A value beside the text that is another one; instants as RFC 3339 in UTC, None: there is none."""

    name: str
    before: str | None
    after: str | None

    @property
    def is_instant(self) -> bool:
        """Whether the values are moments."""
        return self.name in _INSTANTS


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """What changed about a document.

    Attributes:
        before, after: the version in force at each moment; None: none was.
        stands_before, stands_after: how the document stood, such as "in force since 2024-01-02".
        fields: title, type and dates that differ.
        sentences: what differs in the text.
    """

    before: HistoryEntry | None
    after: HistoryEntry | None
    stands_before: str
    stands_after: str
    fields: tuple[FieldChange, ...]
    sentences: tuple[Change, ...]

    @property
    def doc_id(self) -> str:
        """The document; where another took its place, the later one."""
        entry = self.after or self.before
        return entry.doc_id if entry else ""

    @property
    def title(self) -> str:
        """Its title, the later one where it changed."""
        entry = self.after or self.before
        return entry.title if entry else ""

    @property
    def same(self) -> bool:
        """Whether the same version, or an equal one, was in force at both moments."""
        return bool(self.before and self.after) and not self.fields and not self.sentences

    def to_json(self) -> list[dict[str, Any]]:
        """Return the change as plain data, one item for each thing that changed."""
        states = {"field": "state", "before": self.stands_before, "after": self.stands_after}
        items: list[dict[str, Any]] = [states] if self.stands_before != self.stands_after else []
        items += [{"field": each.name, "before": each.before, "after": each.after} for each in self.fields]
        items += [{"field": "text", **each.to_json()} for each in self.sentences]
        return [{"doc_id": self.doc_id, **item} for item in items]


@dataclass(frozen=True, slots=True)
class Side:
    """A moment of a comparison: the answer must hold at `as_of`, as far as known at `known_at`; µs since 1970."""

    as_of: int
    known_at: int


def changes(
    engine: Engine, key: str, before: Side, after: Side, *, principals: Sequence[str] = ()
) -> tuple[DocumentChange, ...] | None:
    """Return what changed between two moments, one item a document that was in force at either.

    A document that another one replaced meanwhile is compared with that one.

    Args:
        engine: index to read.
        key: a doc_id, else the key of a series.
        before: the earlier moment.
        after: the later one.
        principals: of the reader.

    Returns:
        Changes by document; None where this reader may know of nothing of that name at either moment.
    """

    def read(name: str, side: Side) -> tuple[HistoryEntry, ...]:
        return history(engine, name, as_of=side.as_of, known_at=side.known_at, principals=principals)

    old, new = read(key, before), read(key, after)
    if not old and not new:
        return None
    new += tuple(row for name in _successors(old, new) for row in read(name, after))
    pairs = list(_pairs([row for row in old if row.state.is_live], [row for row in new if row.state.is_live]))
    contents = engine.contents({row.content_hash for pair in pairs for row in pair if row is not None})
    return tuple(_change(one, other, _Known(old, new, contents)) for one, other in pairs)


@dataclass(frozen=True, slots=True)
class _Known:
    old: tuple[HistoryEntry, ...]
    new: tuple[HistoryEntry, ...]
    contents: Mapping[str, Content]


def _pairs(
    old: Sequence[HistoryEntry], new: Sequence[HistoryEntry]
) -> Iterator[tuple[HistoryEntry | None, HistoryEntry | None]]:
    """Yield who is compared with whom: a document with itself, what is gone with what came in its place."""
    ours, theirs = {row.doc_id: row for row in old}, {row.doc_id: row for row in new}
    gone = [row for name, row in ours.items() if name not in theirs]
    came = [row for name, row in theirs.items() if name not in ours]
    yield from ((ours[name], theirs[name]) for name in ours if name in theirs)
    yield from zip(gone, came, strict=False)
    yield from ((row, None) for row in gone[len(came) :])
    yield from ((None, row) for row in came[len(gone) :])


def _successors(old: Sequence[HistoryEntry], new: Sequence[HistoryEntry]) -> list[str]:
    """Return the documents elsewhere that took the place of what was in force, in order."""
    gone = {row.doc_id for row in old if row.state.is_live} - {row.doc_id for row in new if row.state.is_live}
    named = [row.superseded_by[0] for row in new if row.state is State.SUPERSEDED and row.doc_id in gone]
    known = {row.doc_id for row in new}
    return [name for name in dict.fromkeys(named) if name and name not in known]


def _change(before: HistoryEntry | None, after: HistoryEntry | None, known: _Known) -> DocumentChange:
    return DocumentChange(
        before,
        after,
        before.label if before else _absent(after, known.old),
        after.label if after else _absent(before, known.new),
        tuple(_fields(before, after)) if before and after else (),
        compare(_text(before, known.contents), _text(after, known.contents)),
    )


def _absent(other: HistoryEntry | None, rows: Sequence[HistoryEntry]) -> str:
    """Say why nothing of a document is in force: how its last version stands."""
    mine = [row for row in rows if other is not None and row.doc_id == other.doc_id]
    return mine[-1].label if mine else "not known yet"


def _fields(before: HistoryEntry, after: HistoryEntry) -> Iterator[FieldChange]:
    for name in COMPARED:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield FieldChange(name, _plain(name, old), _plain(name, new))


def _plain(name: str, value: Any) -> str | None:
    if name in _INSTANTS:
        return format_instant(value)
    return None if value is None else str(value)


def _text(entry: HistoryEntry | None, contents: Mapping[str, Content]) -> str:
    content = contents.get(entry.content_hash) if entry else None
    return content.text if content else ""
