"""Own what is derived from the truth, and that it is never behind or beside it unnoticed.

Terms, columns and vectors lie in one folder, which a pointer names. A sequence is applied in this order: vectors,
columns under the name of the sequence, then the commit of terms with its marker; that commit makes it visible. Each
sequence has a token, a hash over everything that it and those before it changed. A folder whose marker the truth does
not know, that is damaged, or that is older than the change log, is built again beside the old one.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import tantivy
from numpy.typing import NDArray

from store.embedded.boundary import Damage, damage_to
from store.embedded.columns import ColumnTable, Entry, read_columns, write_columns
from store.embedded.rows import BATCH, Row, passages_in, passages_in_order
from store.embedded.terms import Marker, TermFolder
from store.embedded.truth import Facet, Truth
from store.embedded.vectors import Matrix, VectorFile, verify

_POINTER: Final = "current"
# A choice of facets takes a byte a facet; one is kept for each filter and reader that ask again and again.
_MOST_CHOICES: Final = 64
# A folder in which more slots are dead than this, and more than alive, is built again.
_MANY_DEAD: Final = 10_000



@dataclass(slots=True)
class View:
    """What a search sees: all derived parts at one sequence, unchanged as long as it is held.

    Attributes:
        facets: by number.
        frequencies: document frequency by term, filled as terms are asked for.
        extremes: smallest and largest value by column, filled as filters ask for them.
        choices: which facets a rule keeps, by the name of the rule, filled by `chosen`.
    """

    marker: Marker
    schema: tantivy.Schema
    searcher: tantivy.Searcher
    columns: ColumnTable
    vectors: Matrix
    facets: dict[int, Facet]
    frequencies: dict[str, int] = field(default_factory=dict)
    extremes: dict[str, tuple[int, int]] = field(default_factory=dict)
    choices: dict[Hashable, NDArray[np.bool_]] = field(default_factory=dict)

    def chosen(self, rule: Hashable, keeps: Callable[[Facet], bool]) -> NDArray[np.bool_]:
        """Return which facets a rule keeps, each at its number + 1; place 0 stands for the facet of the dead, -1.

        Where every document has a source of its own there are as many facets as documents, so a rule is asked once.

        Args:
            rule: names what `keeps` does; equal names mean equal choices.
            keeps: whether a facet is kept.
        """
        found = self.choices.get(rule)
        if found is None:
            found = np.zeros(max(self.facets, default=0) + 2, dtype=np.bool_)
            found[[number + 1 for number, facet in self.facets.items() if keeps(facet)]] = True
            if len(self.choices) >= _MOST_CHOICES:
                self.choices.clear()
            self.choices[rule] = found
        return found

    def keeps_all(self, rule: Hashable, keeps: Callable[[Facet], bool]) -> bool:
        """Return whether a rule keeps every facet; see `chosen`."""
        return int(np.count_nonzero(self.chosen(rule, keeps))) == len(self.facets)


@dataclass(slots=True)
class Checked:
    """What of a derived folder was found whole in this process, so that it is not read again for every writer."""

    folder: str = ""
    slots: int = 0

    def start_in(self, folder: str, slots: int) -> int:
        """Return the slot from which vectors are still to be checked."""
        return self.slots if self.folder == folder and self.slots <= slots else 0


class Derived:
    """The derived folders of one store."""

    def __init__(self, path: Path, truth: Truth, dimension: int, checked: Checked | None = None) -> None:
        self._path = path
        self._truth = truth
        self._dimension = dimension
        self._parts: _Parts | None = None
        self.checked = checked or Checked()

    def view(self) -> View:
        """Return a view of what is there, however far it has come; raises Damage where it is not usable."""
        parts = self._open()
        searcher, marker = parts.terms.searcher()
        columns = parts.columns(marker)
        if searcher.num_docs != int(np.count_nonzero(columns.alive)) + 1:
            raise Damage("terms: passages are missing")
        vectors = parts.vectors.open(len(columns))
        verify(vectors, columns, self.checked.start_in(parts.path.name, len(columns)))
        self.checked.folder, self.checked.slots = parts.path.name, len(columns)
        if not self._is_known(marker):
            raise Damage("derived from something that the truth does not know")
        return View(marker, parts.terms.schema, searcher, columns, vectors, self._truth.facets())

    def mend(self) -> None:
        """Make what is derived whole and equal to the truth; only the holder of the lock may call this."""
        self.let_go()
        try:
            self.view()
        except Damage:
            self.distrust()
            self.rebuild()
        else:
            self.catch_up()
        self.settle()

    def catch_up(self) -> None:
        """Apply what the truth has and the folder has not; only the holder of the writer's lock may call this."""
        try:
            parts = self._open()
            marker = parts.marker()
            if not self._is_known(marker):
                raise Damage("older than the change log, or from another truth")
            columns = parts.columns(marker)
            dead = int(np.count_nonzero(~columns.alive))
            if dead > max(_MANY_DEAD, len(columns) // 2):
                raise Damage("mostly dead")
            newest = self._newest()
            if newest != marker:
                rows = self._changed_rows(marker.sequence)
                parts.apply(columns, self._truth.connection, rows, self._truth.facets(), newest)
        except Damage:
            self.rebuild()

    def rebuild(self) -> None:
        """Build everything again beside what is there, and switch; only the holder of the lock may call this."""
        self.let_go()
        name = f"g{1 + max(self._numbers(), default=0)}"
        newest = self._newest()
        try:
            parts = _Parts.create(self._path / name, self._dimension)
            parts.fill(self._truth.connection, self._truth.facets(), newest)
        except Damage:
            shutil.rmtree(self._path / name, ignore_errors=True)
            raise
        fresh = self._path / f"{_POINTER}.new"
        fresh.write_text(name, "ascii")
        fresh.replace(self._path / _POINTER)
        for number in self._numbers():
            if f"g{number}" != name:
                shutil.rmtree(self._path / f"g{number}", ignore_errors=True)
        self._parts = parts

    def settle(self) -> None:
        """Finish what runs in the background and let go of tantivy's writer."""
        if self._parts is not None:
            # What could not be finished is found and mended when the folder is opened again.
            with contextlib.suppress(Damage):
                self._parts.terms.settle()

    def let_go(self) -> None:
        """Forget open files; they are opened again when needed."""
        self._parts = None

    def distrust(self) -> None:
        """Forget open files and that they were found whole."""
        self.let_go()
        self.checked.folder = ""

    def _open(self) -> _Parts:
        with damage_to("derived"):
            name = (self._path / _POINTER).read_text("ascii").strip()
            if self._parts is None or self._parts.path.name != name:
                whole = self.checked.folder == name
                self._parts = _Parts.open(self._path / name, self._dimension, whole=whole)
        return self._parts

    def _numbers(self) -> list[int]:
        names = (path.name for path in self._path.glob("g*")) if self._path.is_dir() else ()
        return [int(name[1:]) for name in names if name[1:].isdigit()]

    def _newest(self) -> Marker:
        query = "SELECT sequence, token FROM commits ORDER BY sequence DESC LIMIT 1"
        return Marker(*self._truth.connection.execute(query).fetchone())

    def _is_known(self, marker: Marker) -> bool:
        query = "SELECT token FROM commits WHERE sequence = ?"
        return bool(self._truth.connection.execute(query, (marker.sequence,)).fetchone() == (marker.token,))

    def _changed_rows(self, sequence: int) -> list[int]:
        query = "SELECT DISTINCT row FROM changes WHERE sequence > ? ORDER BY row"
        return [row for (row,) in self._truth.connection.execute(query, (sequence,))]


class _Parts:
    """One derived folder: terms, columns, vectors."""

    def __init__(self, path: Path, terms: TermFolder, dimension: int) -> None:
        self.path = path
        self.terms = terms
        self.vectors = VectorFile(path / "vectors.f32", dimension)
        self._columns: tuple[int, ColumnTable] | None = None
        self._written: Marker | None = None

    @classmethod
    def create(cls, path: Path, dimension: int) -> _Parts:
        with damage_to("derived"):
            path.mkdir(parents=True)
            return cls(path, TermFolder.create(path / "terms"), dimension)

    @classmethod
    def open(cls, path: Path, dimension: int, *, whole: bool) -> _Parts:
        return cls(path, TermFolder.open(path / "terms", whole=whole), dimension)

    def marker(self) -> Marker:
        """Return how far the folder has come; only its one writer may ask here, which knows what it wrote."""
        if self._written is None:
            self._written = self.terms.searcher()[1]
        return self._written

    def columns(self, marker: Marker) -> ColumnTable:
        if self._columns is None or self._columns[0] != marker.sequence:
            self._columns = (marker.sequence, read_columns(self._columns_file(marker.sequence), marker.sequence))
        return self._columns[1]

    def fill(self, connection: sqlite3.Connection, facets: dict[int, Facet], marker: Marker) -> None:
        """Take in every passage of the truth."""
        table = ColumnTable.empty()
        everything = passages_in_order(connection)
        while batch := list(islice(everything, BATCH)):
            table = table.appended(self._append(len(table), batch))
            self.terms.add([row.terms(facets) for row in batch])
        self._publish(table, marker)

    def apply(
        self,
        table: ColumnTable,
        connection: sqlite3.Connection,
        rows: Sequence[int],
        facets: dict[int, Facet],
        marker: Marker,
    ) -> None:
        """Take in what changed: rows that are new, changed, or gone."""
        present: set[int] = set()
        changed: dict[int, Entry] = {}
        last = int(table.row[-1]) if len(table) else 0
        self.terms.remove(row for row in rows if row <= last)
        for batch in passages_in(connection, rows):
            present.update(row.row for row in batch)
            slots = {int(table.row[slot]): int(slot) for slot in table.slots_of([row.row for row in batch])}
            known = [row for row in batch if row.row in slots]
            changed.update({slots[row.row]: row.entry(int(table.checksum[slots[row.row]])) for row in known})
            table = table.appended(self._append(len(table), [row for row in batch if row.row not in slots]))
            self.terms.add([row.terms(facets) for row in batch])
        gone = table.slots_of([row for row in rows if row not in present])
        self._erase(gone)
        self._publish(table.changed(changed).killed(gone), marker)

    def _append(self, slot: int, rows: Sequence[Row]) -> list[Entry]:
        with damage_to("vectors"):
            checksums = self.vectors.write(slot, [np.frombuffer(row.vector, np.float32) for row in rows])
        return [row.entry(int(checksum)) for row, checksum in zip(rows, checksums, strict=True)]

    def _erase(self, slots: Sequence[int] | np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        with damage_to("vectors"):
            for slot in slots:
                self.vectors.write(int(slot), [np.zeros(self.vectors.dimension, dtype=np.float32)])

    def _publish(self, table: ColumnTable, marker: Marker) -> None:
        with damage_to("columns"):
            write_columns(self._columns_file(marker.sequence), table, marker.sequence)
        self.terms.commit(marker)
        self._written = marker
        previous = self._columns[0] if self._columns else marker.sequence
        self._columns = (marker.sequence, table)
        for file in self.path.glob("columns.*"):
            # The previous one stays for a reader that has seen the marker before, and opens the columns now.
            if file.suffix[1:].isdigit() and int(file.suffix[1:]) not in (previous, marker.sequence):
                file.unlink(missing_ok=True)

    def _columns_file(self, sequence: int) -> Path:
        return self.path / f"columns.{sequence}"
