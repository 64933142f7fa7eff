"""Own the order in which a change reaches an index, so that a crash at any point leaves nothing half in force.

    begin_work → texts, passages, stamps that open → visible → records (the commit) → stamps that close → visible →
    finish_work

Before the commit a new passage is in no record, so it is in no answer; after it, a stamp that still says too much
is corrected by the record. Many series go through together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from indexer.deriving import Derived, Wanted, section_name
from indexer.placing import Placed
from mappings.stamps import Stamps
from store.analysis import analyze_passage
from store.engine import Content, PassageRow, StoredPassage, Writer

Vectors = dict[str, NDArray[np.float32]]


class TextEmbedder(Protocol):
    """What the indexer needs of an embedder."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return (n, dimension) float32 rows of length 1."""
        ...


@dataclass(slots=True)
class Steps:
    """What must be done, by step.

    Attributes:
        put: rows that are new or say something else now.
        open_stamps, open_readers: so wide that neither the old nor the new record loses a passage.
        close_stamps, close_readers: as the new record says.
        remove: passages that no record names.
    """

    put: list[tuple[StoredPassage, Placed]] = field(default_factory=list)
    open_stamps: dict[str, Stamps] = field(default_factory=dict)
    open_readers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    close_stamps: dict[str, Stamps] = field(default_factory=dict)
    close_readers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    remove: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether the index holds everything as it must be."""
        return not (self.put or self.open_stamps or self.open_readers or self.close_stamps or self.remove)


def plan(wanted: Mapping[str, Wanted], stored: Mapping[str, StoredPassage]) -> Steps:
    """Return what turns the stored passages of some series into the wanted ones."""
    steps = Steps()
    for key in sorted(wanted):
        want, placed, have = wanted[key].passage, wanted[key].placed, stored.get(key)
        if have is None:
            assert placed is not None  # a document with a passage that is not stored is placed anew
            steps.put.append((want, placed))
            continue
        wide = Stamps.over((have.stamps, want.stamps))
        if placed is not None and _words(have) != _words(want):
            steps.put.append((replace(want, stamps=wide), placed))
        elif wide != have.stamps:
            steps.open_stamps[key] = wide
        if wide != want.stamps:
            steps.close_stamps[key] = want.stamps
        if have.readers != want.readers:
            steps.open_readers[want.doc_id] = _both(have.readers, want.readers)
            steps.close_readers[want.doc_id] = want.readers
    steps.remove = sorted(set(stored) - set(wanted))
    return steps


def write(
    writer: Writer, derived: Derived, steps: Steps, contents: Mapping[str, Content], embedder: TextEmbedder
) -> None:
    """Bring records and passages into the index in the safe order, all series of a batch together.

    Raises:
        StaleRecordError: somebody else changed a record meanwhile; nothing of it is in force, the work is pending.
    """
    series = [record.series for record in derived.records]
    writer.begin_work(series)
    writer.keep_contents(contents)
    put_rows(writer, steps.put, embedder)
    writer.stamp(steps.open_stamps)
    writer.set_readers(steps.open_readers)
    writer.refresh()
    writer.commit(derived.records)
    finish(writer, steps, series)


def mend(writer: Writer, steps: Steps, series: Sequence[str], embedder: TextEmbedder) -> None:
    """Bring passages to what the records already say."""
    put_rows(writer, steps.put, embedder)
    writer.stamp(steps.open_stamps)
    finish(writer, steps, series)


def finish(writer: Writer, steps: Steps, series: Sequence[str]) -> None:
    """Do what comes after the commit."""
    writer.stamp(steps.close_stamps)
    writer.set_readers(steps.close_readers)
    writer.remove(steps.remove)
    writer.refresh()
    writer.finish_work(series)


def put_rows(writer: Writer, rows: Sequence[tuple[StoredPassage, Placed]], embedder: TextEmbedder) -> None:
    """Store passages, embedding only texts whose vectors are not there."""
    if not rows:
        return
    texts = {passage.text_key: _embedded_text(placed) for passage, placed in rows}
    missing = sorted(texts.keys() - writer.known_vectors(texts))
    vectors: Vectors = {}
    if missing:
        matrix = embedder.embed([texts[key] for key in missing])
        vectors = {key: matrix[row] for row, key in enumerate(missing)}
    writer.put([_row(passage, placed) for passage, placed in rows], vectors)


def _embedded_text(placed: Placed) -> str:
    parts = (placed.title, section_name(placed.chunk), placed.chunk.text)
    return "\n".join(part for part in parts if part)


def _row(passage: StoredPassage, placed: Placed) -> PassageRow:
    section = section_name(placed.chunk)
    title_terms, body_terms = analyze_passage(placed.title, section, placed.chunk.text)
    return PassageRow(
        passage_id=passage.passage_id,
        doc_id=passage.doc_id,
        series=passage.series,
        source=passage.source,
        content_type=passage.content_type,
        kind=passage.kind,
        title=placed.title,
        section=section,
        text=placed.chunk.text,
        title_terms=tuple(title_terms),
        body_terms=tuple(body_terms),
        text_key=passage.text_key,
        readers=passage.readers,
        stamps=passage.stamps,
    )


def _words(passage: StoredPassage) -> tuple[object, ...]:
    """Return what only putting a passage again can change."""
    return passage.doc_id, passage.series, passage.source, passage.content_type, passage.kind, passage.text_key


def _both(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Return readers that include both; without names everybody is one."""
    return tuple(sorted({*one, *other})) if one and other else ()
