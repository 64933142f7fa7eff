"""Own what a passage must be to be stored, the values that it is stored as, and how they are read back."""

from __future__ import annotations

import hashlib
import math
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mappings.interval import BEGIN, OPEN
from mappings.stamps import Stamps
from store.embedded.columns import Entry, entry
from store.embedded.terms import TermRow
from store.embedded.truth import Facet, select_in
from store.engine import PassageRow, Vector
from store.errors import RowError

# How far the length of a vector may be from 1: float32 sums of a thousand squares stay well within.
_UNIT_TOLERANCE: Final = 1e-3

# Passages that are read and applied at once.
BATCH: Final = 4_000

_TEXTS: Final = ("passage_id", "doc_id", "series", "source", "content_type", "title", "section", "text", "text_key")

_ROWS: Final = (
    "SELECT p.row, p.passage_id, o.series, o.doc_id, p.facet, p.title_len, p.body_len, p.title_terms, p.body_terms,"
    " v.vector, p.observed, p.valid_from, p.until, p.withdrawn, p.closed, p.closed_by, p.event_end"
    " FROM passages p JOIN owners o USING (owner) JOIN vectors v USING (text_key)"
)


def term_bytes(terms: Sequence[str]) -> bytes:
    """Return terms as they are stored: each between two spaces, so that one can be counted by its bytes alone."""
    return f" {'  '.join(terms)} ".encode() if terms else b""


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


def check_rows(
    rows: Sequence[PassageRow], vectors: Mapping[str, Vector], stored: Collection[str], dimension: int
) -> None:
    """Refuse passages that can not be stored; raises RowError that names the first."""
    for key in sorted(vectors.keys() - set(stored)):
        _check_vector(key, vectors[key], dimension)
    seen: set[str] = set()
    for row in rows:
        if row.passage_id in seen:
            raise RowError(f"passage_id must stand once in a call, got {row.passage_id!r} twice")
        seen.add(row.passage_id)
        if row.text_key not in vectors and row.text_key not in stored:
            raise RowError(
                f"passage {row.passage_id!r} needs a vector for text_key {row.text_key!r}",
                remedy="give it with the call; only vectors that known_vectors names may be left out",
            )
        _check_texts(row)
        _check_terms(row)
    check_stamps({row.passage_id: row.stamps for row in rows})


def check_stamps(stamps: Mapping[str, Stamps]) -> None:
    """Refuse stamps that do not fit 64 bits; raises RowError that names the first."""
    for passage_id, stamp in stamps.items():
        for value in (stamp.observed, stamp.valid_from, stamp.until, stamp.withdrawn, stamp.closed, stamp.event_end):
            if not BEGIN <= value <= OPEN:
                raise RowError(f"stamps of {passage_id!r} must fit 64 bits, got {value!r}")


def _check_texts(row: PassageRow) -> None:
    for name in _TEXTS:
        try:
            getattr(row, name).encode("utf-8")
        except UnicodeEncodeError as error:
            raise RowError(
                f"passage {row.passage_id!r} must be valid Unicode, its {name} is not: {error.reason}",
                remedy="decode the source as what it is encoded in",
            ) from error


def _check_terms(row: PassageRow) -> None:
    for terms in (row.title_terms, row.body_terms):
        if tuple(" ".join(terms).split()) != terms:
            wrong = next(term for term in terms if term.split() != [term])
            raise RowError(
                f"terms of {row.passage_id!r} must hold no white space, got {wrong!r}",
                remedy="make terms with store.analysis",
            )


def _check_vector(key: str, vector: Vector, dimension: int) -> None:
    if vector.shape != (dimension,):
        raise RowError(f"vector of {key!r} must have shape ({dimension},), got {vector.shape}")
    length = math.sqrt(float(np.square(vector, dtype=np.float64).sum()))
    if not (abs(length - 1.0) <= _UNIT_TOLERANCE or length == 0.0):
        raise RowError(f"vector of {key!r} must have length 1 or 0, got {length!r}", remedy="divide it by its length")


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
        return entry(self.row, _tie_key(self.passage_id), checksum, self.stamps, self.facet, lengths)

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


def _tie_key(passage_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(passage_id.encode("utf-8"), digest_size=8).digest(), "little")
