"""Own what happens after a crash: series whose write was begun and not finished are brought to what their records say.

A write that did not reach its commit is undone (its passages are in no record), one that did is finished.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from indexer.deriving import Chunker, Derived, derive
from indexer.writing import Steps, TextEmbedder, mend, plan
from store.engine import Engine, StoredPassage, Writer

# Series looked at together: bounds what is held in memory, and keeps the number of commits small.
GROUP: Final = 256


def finish_pending(engine: Engine, writer: Writer, chunker: Chunker, embedder: TextEmbedder) -> int:
    """Finish or undo every interrupted write; return the number of series that were pending."""
    pending = engine.pending_work()
    for group in groups(pending):
        _, stored, steps = compare(engine, chunker, group)
        mend(writer, steps, group, embedder)
    return len(pending)


def compare(engine: Engine, chunker: Chunker, series: Sequence[str]) -> tuple[Derived, dict[str, StoredPassage], Steps]:
    """Return what must be true of series, what is stored of them, and the steps between the two."""
    records = engine.records(series)
    stored = engine.stored(series)
    documents = [doc_id for record in records.values() for doc_id in record.documents]
    derived = derive([records[key] for key in sorted(records)], documents, stored, chunker)
    return derived, stored, plan(derived.wanted, stored)


def groups(series: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield series in groups."""
    for start in range(0, len(series), GROUP):
        yield series[start : start + GROUP]
