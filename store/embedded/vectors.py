"""Own the vector file: one row of float32 per slot, mapped into memory, summed up to tell damage.

The file only grows: rows that a reader has mapped stay what they are, save that the row of an erased passage is
overwritten with zeros.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from store.embedded.boundary import Damage, damage_to
from store.embedded.columns import ColumnTable

Matrix = NDArray[np.float32]

# Rows that are summed at once while a file is checked: 16 MB at 512 numbers.
_BLOCK: Final = 8_192


class VectorFile:
    """The vectors of one derived folder."""

    def __init__(self, path: Path, dimension: int) -> None:
        self.path = path
        self.dimension = dimension
        self._width = dimension + dimension % 2  # whole words of 64 bits, for the sums; a question is padded alike

    def write(self, slot: int, vectors: Sequence[NDArray[np.float32]]) -> NDArray[np.uint64]:
        """Write rows from a slot on, and return their checksums."""
        rows = np.zeros((len(vectors), self._width), dtype=np.float32)
        for row, vector in zip(rows, vectors, strict=True):
            row[: self.dimension] = vector
        file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _write_all(file, rows.tobytes(), slot * self._width * rows.itemsize)
        finally:
            os.close(file)
        return _checksums(rows)

    def open(self, slots: int) -> Matrix:
        """Return the first rows as a (slots, width) matrix over the file; raises Damage where it is too short."""
        if not slots:
            return np.zeros((0, self._width), dtype=np.float32)
        with damage_to(self.path.name):
            mapped = np.memmap(self.path, dtype=np.float32, mode="r", shape=(slots, self._width))
        # A plain array over the mapping: every operation on a memmap object pays for its subclass.
        return mapped.view(np.ndarray)


def verify(rows: Matrix, table: ColumnTable, start: int) -> None:
    """Compare rows from *start* on with their checksums; raises Damage where one differs."""
    for first in range(start, len(table), _BLOCK):
        block = slice(first, min(first + _BLOCK, len(table)))
        if np.any((_checksums(rows[block]) != table.checksum[block]) & table.alive[block]):
            raise Damage("vectors: not what was written")


def _checksums(rows: Matrix) -> NDArray[np.uint64]:
    sums: NDArray[np.uint64] = np.add.reduce(rows.view(np.uint64), axis=1, dtype=np.uint64)
    return sums


def _write_all(file: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(file, view, offset)
        offset += written
        view = view[written:]
