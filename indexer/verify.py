"""Own the check of an index against its truth: everything derived must follow from the records and texts.

Checked per series: the passages that a record names, what is stored of them (text, attributes, readers, stamps), the
copies of links; and, by the engine itself, that words, vectors and columns hold what the truth holds. Passages are
compared with what the present size of passages gives, so after a change of `chunk_tokens` a repair cuts anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from indexer.deriving import Chunker
from indexer.desk import Desk
from indexer.links import LinkKeeper
from indexer.recovery import bring_about, compare, finish_pending, groups
from indexer.settings import IngestSettings
from indexer.writing import Steps, TextEmbedder
from mappings.series import SeriesRecord
from store.engine import Difference, Engine, StoredPassage

TRUTH = "truth"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found.

    Attributes:
        differences: that remain, in order of part and key.
        mended: that were found and are gone.
    """

    differences: tuple[Difference, ...]
    mended: int = 0


def verify(engine: Engine, settings: IngestSettings) -> Verdict:
    """Compare everything derived with the truth; reads the whole index and changes nothing."""
    chunker = Chunker(engine.contents, chunk_tokens=settings.chunk_tokens)
    found = [Difference(TRUTH, key, "write was begun and not finished") for key in engine.pending_work()]
    found += [Difference(TRUTH, key, "passage belongs to no series") for key in engine.strays()]
    for group in groups(tuple(engine.series_keys())):
        found += _Group(engine, chunker, group).differences()
    found += engine.check()
    return Verdict(tuple(sorted(found, key=lambda each: (each.part, each.key, each.detail))))


def repair(engine: Engine, settings: IngestSettings, *, embedder: TextEmbedder) -> Verdict:
    """Bring everything derived to what the truth says, and return what could not be mended."""
    before = verify(engine, settings)
    if not before.differences:
        return before
    with engine.writer() as writer:
        chunker = Chunker(engine.contents, chunk_tokens=settings.chunk_tokens)
        finish_pending(engine, writer, chunker, embedder)
        for group in groups(tuple(engine.series_keys())):
            checked = _Group(engine, chunker, group)
            bring_about(writer, checked.before, checked.derived, checked.steps, embedder)
        writer.remove(engine.strays())
        writer.rebuild()
    after = verify(engine, settings)
    return Verdict(after.differences, max(0, len(before.differences) - len(after.differences)))


class _Group:
    """Some series, what must be true of them, and what is stored."""

    def __init__(self, engine: Engine, chunker: Chunker, series: Sequence[str]) -> None:
        desk = Desk(engine)
        desk.fetch_series(series)
        keeper = LinkKeeper(desk, engine)
        self.before = {key: desk.record(key) for key in series}
        # Links change stamps, so what must be stored follows from the right copies.
        linked = [replace(record, links=keeper.copies(record)) for record in self.before.values()]
        self._stored = engine.stored(series)
        self.derived, self.steps = compare(linked, self._stored, chunker)

    @property
    def records_to_commit(self) -> list[SeriesRecord]:
        """Records whose passages or links are not what follows from their documents."""
        return [record for record in self.derived.records if record != self.before[record.series]]

    def differences(self) -> Iterator[Difference]:
        """Yield what does not agree."""
        for key in self.derived.lost:
            yield Difference(TRUTH, key, "text of an observation is lost; ingest its source again")
        for record in self.records_to_commit:
            yield from _record_differences(self.before[record.series], record)
        yield from _passage_differences(self.steps, self._stored)


def _record_differences(before: SeriesRecord, record: SeriesRecord) -> Iterator[Difference]:
    if before.links != record.links:
        yield Difference(TRUTH, record.series, "copies of links are not those of the linking documents")
    for key in sorted(set(before.passages) ^ set(record.passages)):
        what = "lacks" if key in record.passages else "names"
        yield Difference(TRUTH, key, f"record {what} a passage that its texts {'have' if what == 'lacks' else 'lack'}")
    for key in sorted(set(before.passages) & set(record.passages)):
        if before.passages[key] != record.passages[key]:
            yield Difference(TRUTH, key, "record places a passage in other versions than its texts do")


def _passage_differences(steps: Steps, stored: dict[str, StoredPassage]) -> Iterator[Difference]:
    for passage, _ in steps.put:
        what = "says something else" if passage.passage_id in stored else "is missing"
        yield Difference(TRUTH, passage.passage_id, f"passage {what}")
    for key in sorted({*steps.open_stamps, *steps.close_stamps}):
        yield Difference(TRUTH, key, "stamps are not those of the record")
    for doc_id in sorted(steps.close_readers):
        yield Difference(TRUTH, doc_id, "readers of its passages are not those of the record")
    for key in steps.remove:
        yield Difference(TRUTH, key, "passage is in no record")
