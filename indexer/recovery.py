"""Own what happens after a crash: series whose write was begun and not finished are brought to what their records say.

A write that did not reach its commit is undone (its passages are in no record), one that did is finished.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from indexer.deriving import Chunker, Derived, derive
from indexer.writing import Steps, TextEmbedder, mend, plan, write
from mappings.series import SeriesRecord
from store.engine import Engine, StoredPassage, Writer

# Series looked at together: bounds what is held in memory, and keeps the number of commits small.
GROUP: Final = 256


def finish_pending(engine: Engine, writer: Writer, chunker: Chunker, embedder: TextEmbedder) -> int:
    """Finish or undo every interrupted write; return the number of series that were pending."""
    pending = engine.pending_work()
    for group in groups(pending):
        records = engine.records(group)
        derived, steps = compare(records.values(), engine.stored(group), chunker)
        bring_about(writer, records, derived, steps, embedder)
        writer.finish_work(group)  # also of series that have no record
    return len(pending)


def bring_about(
    writer: Writer, before: Mapping[str, SeriesRecord], derived: Derived, steps: Steps, embedder: TextEmbedder
) -> None:
    """Do what is missing, and commit records that are not what they must be (the size of passages was changed)."""
    series = [record.series for record in derived.records]
    changed = [record for record in derived.records if record != before[record.series]]
    if changed:
        write(writer, replace(derived, records=changed), steps, {}, embedder)
    elif not steps.empty:
        mend(writer, steps, series, embedder)


def compare(
    records: Iterable[SeriesRecord], stored: Mapping[str, StoredPassage], chunker: Chunker
) -> tuple[Derived, Steps]:
    """Return what must be true of records, every document placed anew, and the steps there from what is stored."""
    ordered = sorted(records, key=lambda record: record.series)
    documents = [doc_id for record in ordered for doc_id in record.documents]
    derived = derive(ordered, documents, stored, chunker)
    return derived, plan(derived.wanted, stored)


def groups(series: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield series in groups."""
    for start in range(0, len(series), GROUP):
        yield series[start : start + GROUP]
