"""Own the small worlds that the store's tests are played in: rows, vectors, and the obvious answer to a question."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np

from mappings.document import Code, Kind, Observation
from mappings.interval import BEGIN, OPEN, Span
from mappings.series import DocumentRecord, PassageSpan, SeriesRecord, can_read
from mappings.stamps import Stamps, admits, excluded_by
from store import EmbedderId, Engine, PassageRow, Where, open_engine

EMBEDDER = EmbedderId("toy", "1", 6)
WORDS = "red green blue old new big small door roof wall".split()
AT = Where(100, 100)


@dataclass
class Place:
    """Where an index lies; an engine of each kind can be opened on it any number of times."""

    url: str
    path: Path

    def make(self) -> Engine:
        return open_engine(self.url, embedder=EMBEDDER, create=True)

    def open(self) -> Engine:
        return open_engine(self.url, embedder=EMBEDDER)


def vector(text: str) -> np.ndarray:
    """Return a vector of length 1 that only the text decides; all zeros for an empty one."""
    if not text:
        return np.zeros(EMBEDDER.dimension, dtype=np.float32)
    numbers = np.frombuffer(hashlib.sha256(text.encode()).digest()[: EMBEDDER.dimension], dtype=np.uint8) - 127.5
    return (numbers / np.linalg.norm(numbers)).astype(np.float32)


def row(passage_id: str, text: str = "red door", **changes: object) -> PassageRow:
    """Return a passage of a document, and a series, of the same name up to its first hash sign."""
    doc_id = passage_id.split("#")[0]
    plain = PassageRow(
        passage_id=passage_id,
        doc_id=doc_id,
        series=doc_id,
        source="here",
        content_type="policy",
        kind=Kind.VERSIONED,
        title="",
        section="",
        text=text,
        title_terms=(),
        body_terms=tuple(text.split()),
        text_key=text,
        readers=(),
        stamps=Stamps(1, 1),
    )
    return replace(plain, **changes)


def vectors(*rows: PassageRow) -> dict[str, np.ndarray]:
    """Return the vectors of rows by text key."""
    return {each.text_key: vector(each.text) for each in rows}


def put(engine: Engine, *rows: PassageRow) -> None:
    """Put rows in one go."""
    with engine.writer() as writer:
        writer.put(rows, vectors(*rows))


def found(engine: Engine, question: str = "red", where: Where = AT, depth: int = 100) -> list[str]:
    """Return what both legs find."""
    return engine.search(question.split(), vector(question), where, depth=depth).passage_ids


def found_by_words(engine: Engine, question: str = "red", where: Where = AT, depth: int = 100) -> list[str]:
    """Return what the leg of words finds."""
    return engine.search(question.split(), None, where, depth=depth).passage_ids


def found_by_vector(engine: Engine, question: str = "red", where: Where = AT, depth: int = 100) -> list[str]:
    """Return what the leg of vectors finds."""
    return engine.search([], vector(question), where, depth=depth).passage_ids


def record(series: str, *doc_ids: str, supersedes: tuple[str, ...] = (), revision: int = 0) -> SeriesRecord:
    """Return a record in which each document was observed once."""
    observation = Observation("0" * 32, Span.instant(5), supersedes=supersedes)
    documents = {doc_id: DocumentRecord(doc_id, (observation,)) for doc_id in sorted(doc_ids)}
    passages = {f"{doc_id}#1": PassageSpan(doc_id, 0, 0) for doc_id in sorted(doc_ids)}
    return SeriesRecord(series, documents, passages=passages, revision=revision)


def random_rows(seed: int, count: int) -> list[PassageRow]:
    """Return passages whose moments lie within ten microseconds, so that every boundary is met."""
    rng = Random(seed)
    return [_random_row(rng, number) for number in range(count)]


def _random_row(rng: Random, number: int) -> PassageRow:
    words = tuple(rng.choices(WORDS, k=rng.randrange(6)))
    doc_id = f"doc{number % 40}"
    return row(
        f"{doc_id}#{number}",
        " ".join(words),
        series=f"series{number % 20}",
        source=rng.choice(["here", "there"]),
        content_type=rng.choice(["policy", "incident", "reference"]),
        kind=rng.choice(list(Kind)),
        title_terms=tuple(rng.choices(WORDS, k=rng.randrange(3))),
        readers=tuple(sorted(rng.sample(["ann", "bob", "public"], k=rng.choice([0, 0, 1, 2])))),
        stamps=_random_stamps(rng),
    )


def _random_stamps(rng: Random) -> Stamps:
    def or_open(share: float) -> int:
        return rng.randrange(12) if rng.random() < share else OPEN

    if rng.random() < 0.1:
        return Stamps(BEGIN, BEGIN)
    closed = or_open(0.3)
    return Stamps(
        observed=rng.randrange(10),
        valid_from=rng.randrange(10),
        until=or_open(0.3),
        withdrawn=or_open(0.1),
        closed=closed,
        closed_by="" if closed == OPEN else rng.choice(["end", "replaced"]),
        event_end=or_open(0.2),
    )


def visible(each: PassageRow, where: Where) -> bool:
    """Tell whether a reader may see a passage that was asked for."""
    asked = (
        (where.content_types, each.content_type),
        (where.kinds, each.kind),
        (where.sources, each.source),
        (where.series, each.series),
        (where.doc_ids, each.doc_id),
    )
    return can_read(each.readers, where.principals) and all(not some or one in some for some, one in asked)


def admitted(each: PassageRow, where: Where) -> bool:
    """Tell whether a passage may be a candidate."""
    if not visible(each, where) or (not where.undated and each.stamps.observed == BEGIN):
        return False
    if where.period is not None and not overlaps(each, *where.period):
        return False
    if where.states:
        return admits(each.stamps, where.as_of, where.known_at)
    return each.stamps.observed <= where.known_at


def overlaps(each: PassageRow, start: int, until: int) -> bool:
    """Tell whether a passage overlaps a period."""
    stamps = each.stamps
    if stamps.observed == BEGIN:
        return True
    if each.kind is Kind.EVENT and stamps.event_end == OPEN:
        return start <= stamps.observed < until
    return stamps.valid_from < until and min(stamps.event_end, stamps.closed) > start


def excluded(rows: list[PassageRow], terms: list[str], where: Where) -> dict[Code, int]:
    """Count by the obvious way what the stamps keep out."""
    codes = (
        excluded_by(each.stamps, each.kind, where.as_of, where.known_at)
        for each in rows
        if visible(each, where) and {*each.title_terms, *each.body_terms} & set(terms)
    )
    return dict(Counter(code for code in codes if code is not None))
