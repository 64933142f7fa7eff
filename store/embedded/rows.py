"""Own the values that a passage is stored as, and how they are read back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mappings.stamps import Stamps
from store.embedded.columns import Entry, entry
from store.embedded.terms import TermRow
from store.embedded.truth import Facet, select_in
from store.engine import PassageRow
from store.passages import term_bytes, tie_key

# Passages that are read and applied at once.
BATCH: Final = 4_000

_ROWS: Final = (
    "SELECT p.row, p.passage_id, o.series, o.doc_id, p.facet, p.title_len, p.body_len, p.title_terms, p.body_terms,"
    " v.vector, p.observed, p.valid_from, p.until, p.withdrawn, p.closed, p.closed_by, p.event_end"
    " FROM passages p JOIN owners o USING (owner) JOIN vectors v USING (text_key)"
)


def stamp_values(stamps: Stamps) -> tuple[int, int, int, int, int, str, int]:
    """Return stamps in the order of their columns."""
    return (
        stamps.observed,
        stamps.valid_from,
        stamps.until,
        stamps.withdrawn,
        stamps.closed,
        stamps.closed_by,
        stamps.event_end,
    )


def passage_values(number: int, row: PassageRow, owner: int, facet: int) -> tuple[object, ...]:
    """Return a passage in the order of the columns of its table."""
    return (
        number,
        row.passage_id,
        owner,
        facet,
        *stamp_values(row.stamps),
        len(row.title_terms),
        len(row.body_terms),
        term_bytes(row.title_terms),
        term_bytes(row.body_terms),
        row.text_key,
        row.title,
        row.section,
        row.text,
    )


@dataclass(slots=True)
class Row:
    """One stored passage, in the order of the statement above."""

    row: int
    passage_id: str
    series: str
    doc_id: str
    facet: int
    title_len: int
    body_len: int
    title_terms: bytes
    body_terms: bytes
    vector: bytes
    observed: int
    valid_from: int
    until: int
    withdrawn: int
    closed: int
    closed_by: str
    event_end: int

    @property
    def stamps(self) -> Stamps:
        """Its stamps."""
        return Stamps(
            self.observed,
            self.valid_from,
            self.until,
            self.withdrawn,
            self.closed,
            self.closed_by,
            self.event_end,
        )

    def entry(self, checksum: int) -> Entry:
        """Return its slot in the columns."""
        lengths = (self.title_len, self.body_len)
        return entry(self.row, tie_key(self.passage_id), checksum, self.stamps, self.facet, lengths)

    def terms(self, facets: Mapping[int, Facet]) -> TermRow:
        """Return what is put into the folder of terms."""
        facet = facets[self.facet]
        return TermRow(
            self.row, self.title_terms, self.body_terms, facet, self.series, self.doc_id, self.stamps
        )


def passages_in_order(connection: sqlite3.Connection) -> Iterator[Row]:
    """Yield every stored passage, by row."""
    cursor = connection.execute(f"{_ROWS} ORDER BY p.row")
    while found := cursor.fetchmany(BATCH):
        yield from (Row(*row) for row in found)


def passages_in(connection: sqlite3.Connection, rows: Sequence[int]) -> Iterator[list[Row]]:
    """Yield stored passages of these rows in batches, by row; rows that are gone are absent."""
    for start in range(0, len(rows), BATCH):
        found = select_in(connection, f"{_ROWS} WHERE p.row IN", rows[start : start + BATCH])
        yield sorted((Row(*row) for row in found), key=lambda row: row.row)
