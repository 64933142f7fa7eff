"""Own the columns of an index: stamps, facets and lengths of every passage, as arrays in one small file.

A passage has a slot: its place in every column and in the vector file. Slots are given in the order of rows and stay;
one whose passage is gone is dead. Columns are never changed: a change gives new ones, so readers keep what they hold.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mappings.stamps import CLOSED_BY_END, CLOSED_BY_REPLACEMENT, StampColumns, Stamps
from store.embedded.boundary import Damage, damage_to

_MAGIC: Final = b"STLTCOL1"
_HEADER: Final = struct.Struct("<8sqqI")  # magic, sequence, slots, checksum of what follows

# The facet of a slot whose passage is gone.
DEAD: Final = -1
CLOSED_BY: Final = ("", CLOSED_BY_END, CLOSED_BY_REPLACEMENT)

_INT64: Final = np.dtype(np.int64)
_DTYPES: Final[dict[str, np.dtype[Any]]] = {
    "row": _INT64,
    "key": np.dtype(np.uint64),
    "checksum": np.dtype(np.uint64),
    "observed": _INT64,
    "valid_from": _INT64,
    "until": _INT64,
    "withdrawn": _INT64,
    "closed": _INT64,
    "event_end": _INT64,
    "facet": np.dtype(np.int32),
    "title_len": np.dtype(np.int32),
    "body_len": np.dtype(np.int32),
    "closed_by": np.dtype(np.int8),
}


class Entry(NamedTuple):
    """One slot, in the order of the columns."""

    row: int
    key: int
    checksum: int
    observed: int
    valid_from: int
    until: int
    withdrawn: int
    closed: int
    event_end: int
    facet: int
    title_len: int
    body_len: int
    closed_by: int


@dataclass(frozen=True, slots=True)
class ColumnTable:
    """The columns of n slots, each (n,).

    Attributes:
        row: number of the passage in the truth, ascending.
        key: hash of the passage id; breaks ties independently of arrival.
        checksum: of the vector; 0 where the vector is all zeros.
        facet: number of what the filters ask for; DEAD where the passage is gone.
        closed_by: place in CLOSED_BY.
    """

    row: NDArray[np.int64]
    key: NDArray[np.uint64]
    checksum: NDArray[np.uint64]
    observed: NDArray[np.int64]
    valid_from: NDArray[np.int64]
    until: NDArray[np.int64]
    withdrawn: NDArray[np.int64]
    closed: NDArray[np.int64]
    event_end: NDArray[np.int64]
    facet: NDArray[np.int32]
    title_len: NDArray[np.int32]
    body_len: NDArray[np.int32]
    closed_by: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.row)

    @classmethod
    def empty(cls) -> ColumnTable:
        """Return columns of no slots."""
        return cls.of([])

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> ColumnTable:
        """Return the columns of entries."""
        columns = zip(*entries, strict=True) if entries else ((),) * len(_DTYPES)
        return cls(*(np.array(c, dtype=d) for c, d in zip(columns, _DTYPES.values(), strict=True)))

    @property
    def stamps(self) -> StampColumns:
        """The columns that the filter reads."""
        return StampColumns(self.observed, self.valid_from, self.until, self.withdrawn, self.closed)

    @property
    def alive(self) -> NDArray[np.bool_]:
        """(n,) which slots hold a passage."""
        alive: NDArray[np.bool_] = self.facet != DEAD
        return alive

    def slots_of(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the slots of rows that are here and alive; others are left out."""
        wanted = np.asarray(rows, dtype=np.int64)
        if not len(self) or not len(wanted):
            return np.empty(0, dtype=np.int64)
        slots = np.minimum(np.searchsorted(self.row, wanted), len(self) - 1)
        found: NDArray[np.int64] = slots[(self.row[slots] == wanted) & self.alive[slots]]
        return found

    def entry(self, slot: int) -> Entry:
        """Return one slot."""
        return Entry(*(int(getattr(self, name)[slot]) for name in _DTYPES))

    def appended(self, entries: Sequence[Entry]) -> ColumnTable:
        """Return these columns with more slots."""
        if not entries:
            return self
        more = ColumnTable.of(entries)
        return ColumnTable(*(np.concatenate([getattr(self, n), getattr(more, n)]) for n in _DTYPES))

    def changed(self, entries: Mapping[int, Entry]) -> ColumnTable:
        """Return these columns with some slots replaced."""
        if not entries:
            return self
        slots = np.array(list(entries), dtype=np.int64)
        more = ColumnTable.of(list(entries.values()))
        columns = {name: getattr(self, name).copy() for name in _DTYPES}
        for name, column in columns.items():
            column[slots] = getattr(more, name)
        return ColumnTable(**columns)

    def killed(self, slots: NDArray[np.int64]) -> ColumnTable:
        """Return these columns with some slots dead."""
        if not len(slots):
            return self
        facet = self.facet.copy()
        facet[slots] = DEAD
        return ColumnTable(**{**{f.name: getattr(self, f.name) for f in fields(self)}, "facet": facet})


def entry(row: int, key: int, checksum: int, stamps: Stamps, facet: int, lengths: tuple[int, int]) -> Entry:
    """Return the slot of a passage."""
    return Entry(
        row,
        key,
        checksum,
        stamps.observed,
        stamps.valid_from,
        stamps.until,
        stamps.withdrawn,
        stamps.closed,
        stamps.event_end,
        facet,
        *lengths,
        CLOSED_BY.index(stamps.closed_by),
    )


def write_columns(path: Path, table: ColumnTable, sequence: int) -> None:
    """Write columns; the file appears whole or not at all."""
    columns = [np.ascontiguousarray(getattr(table, name)).data.cast("B") for name in _DTYPES if len(table)]
    checksum = 0
    for column in columns:
        checksum = zlib.crc32(column, checksum)
    fresh = path.with_suffix(".new")
    with fresh.open("wb") as file:
        file.write(_HEADER.pack(_MAGIC, sequence, len(table), checksum))
        file.writelines(columns)
    os.replace(fresh, path)


def read_columns(path: Path, sequence: int) -> ColumnTable:
    """Read columns; raises Damage where the file is not what was written for this sequence."""
    with damage_to(path.name):
        data = path.read_bytes()
        magic, found, slots, checksum = _HEADER.unpack_from(data)
        body = memoryview(data)[_HEADER.size :]
        if magic != _MAGIC or found != sequence or zlib.crc32(body) != checksum:
            raise Damage(f"{path.name}: not what was written")
        columns: dict[str, Any] = {}
        start = 0
        for name, dtype in _DTYPES.items():
            columns[name] = np.frombuffer(body, dtype, slots, start)
            start += slots * dtype.itemsize
        return ColumnTable(**columns)
