"""Own what a passage must be to be stored, and how its terms are kept and counted: alike on all engines."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np

from mappings.interval import BEGIN, OPEN
from mappings.stamps import Stamps
from store.errors import RowError
from store.values import Counts, PassageRow, Vector

# How far the length of a vector may be from 1: float32 sums of a thousand squares stay well within.
_UNIT_TOLERANCE: Final = 1e-3

_TEXTS: Final = ("passage_id", "doc_id", "series", "source", "content_type", "title", "section", "text", "text_key")


def term_bytes(terms: Sequence[str]) -> bytes:
    """Return terms as they are stored: each between two spaces, so that one can be counted by its bytes alone."""
    return f" {'  '.join(terms)} ".encode() if terms else b""


def counted(fields: Sequence[bytes], terms: Sequence[str]) -> Counts:
    """Return (n, q) how often each term stands in each field, as `term_bytes` wrote it."""
    needles = [f" {term} ".encode() for term in terms]
    counts = [[field.count(needle) for needle in needles] for field in fields]
    return np.array(counts, dtype=np.int32).reshape(len(fields), len(terms))


def tie_key(passage_id: str) -> int:
    """Return the hash of a passage id that breaks ties whatever was put when, below 2**64."""
    return int.from_bytes(hashlib.blake2b(passage_id.encode("utf-8"), digest_size=8).digest(), "little")


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
