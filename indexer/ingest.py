"""Own the way in: from what a source gives to an index that holds it. The only writer of an index.

A batch of items is read past the door, merged into the records of its series, placed, and written in the safe order.
What an interrupted run left is finished first. Reading the same source again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from indexer.deriving import Chunker, closed_versions, derive
from indexer.desk import Desk
from indexer.door import DocumentRead, Door, EndRead
from indexer.findings import findings_of
from indexer.links import LinkKeeper
from indexer.merging import Change, doc_id_of, merge_batch
from indexer.recovery import finish_pending
from indexer.report import IngestReport, Progress
from indexer.settings import IngestSettings
from indexer.sources.base import RawDocument, RawItem, Refusal
from indexer.writing import TextEmbedder, plan, write
from mappings.profile import DEFAULT_PROFILES, Profile
from store.engine import Content, Engine, Writer

# A write costs some 30 ms however small it is (a commit of the index of words), so documents go through by hundreds;
# the bytes bound what is held at once.
BATCH_DOCUMENTS: Final = 512
BATCH_BYTES: Final = 4 * 2**20


def ingest(
    engine: Engine,
    items: Iterable[RawItem],
    settings: IngestSettings,
    *,
    embedder: TextEmbedder,
    now: int,
    profiles: Mapping[str, Profile] = DEFAULT_PROFILES,
    progress: Progress | None = None,
) -> IngestReport:
    """Take everything that a source gives into an index.

    Args:
        engine: opened for this embedder.
        items: documents, ends and refusals, in reading order; read lazily.
        settings: mode, zone, size of passages, rules.
        embedder: the one that made the index.
        now: moment of the run, µs; kept as the moment of reading.
        profiles: numbers of time by content type, for times to live.
        progress: called after each batch.

    Returns:
        Counts, and what was refused with place and reason.

    Raises:
        StoreLockedError: another process is writing.
        StoreError: the index can not be written; what is half done is finished by the next run.
    """
    door = Door(settings, now, profiles)
    report = IngestReport()
    with engine.writer() as writer:
        intake = Intake(engine, writer, settings, embedder)
        report.mended = finish_pending(engine, writer, intake.chunker, embedder)
        linking: set[str] = set()
        for batch in _batches(items):
            changes = list(_read(batch, door, report))
            intake.take(changes, report)
            linking |= {doc_id_of(change) for change in changes if _links(change)}
            if progress:
                progress(report)
        report.links += findings_of(engine, linking)
    return report


class Intake:
    """Merge batches of changes into the records of one index and write what follows."""

    def __init__(self, engine: Engine, writer: Writer, settings: IngestSettings, embedder: TextEmbedder) -> None:
        self._engine, self._writer = engine, writer
        self._settings, self._embedder = settings, embedder
        self.chunker = Chunker(engine.contents, chunk_tokens=settings.chunk_tokens)

    def take(self, changes: Sequence[Change], report: IngestReport) -> None:
        """Bring one batch into the index."""
        desk = Desk(self._engine)
        merge_batch(changes, desk, self._settings, report)
        LinkKeeper(desk, self._engine).settle(desk.changed_documents)
        contents = _contents(changes, desk)
        changed = list(desk.changed())
        if not changed:
            self._keep_lost(contents)
            return
        self.chunker.add(contents)
        befores = [before for before, _ in changed if before.revision]
        stored = self._engine.stored(before.series for before in befores) if befores else {}
        derived = derive([now for _, now in changed], desk.changed_documents, stored, self.chunker)
        steps = plan(derived.wanted, stored)
        write(self._writer, derived, steps, contents, self._embedder)
        report.passages += len(steps.put)
        report.closed += max(0, derived.closed - sum(closed_versions(before) for before in befores))

    def _keep_lost(self, contents: Mapping[str, Content]) -> None:
        """Keep texts that records name and the index lost; a source that is read again brings them back."""
        known = self._writer.known_contents(contents)
        lost = {key: content for key, content in contents.items() if key not in known}
        if lost:
            self._writer.keep_contents(lost)
            self._writer.refresh()


def _contents(changes: Iterable[Change], desk: Desk) -> dict[str, Content]:
    """Return the texts of a batch that its records name (drafts too), by content hash."""
    readings = {c.reading.observation.content_hash: c.reading for c in changes if isinstance(c, DocumentRead)}
    documents = (desk.document(doc_id) for doc_id in sorted({doc_id_of(change) for change in changes}))
    held = {o.content_hash for document in documents if document for o in document.observations}
    return {key: Content(r.title, r.text, r.sections) for key, r in sorted(readings.items()) if key in held}


def _links(change: Change) -> bool:
    return isinstance(change, DocumentRead) and bool(change.reading.observation.supersedes)


def _read(batch: Iterable[RawItem], door: Door, report: IngestReport) -> Iterator[DocumentRead | EndRead]:
    for item in batch:
        report.read += 1
        read = item if isinstance(item, Refusal) else door.read(item)
        if isinstance(read, Refusal):
            report.refused.append(read)
        else:
            yield read


def _batches(items: Iterable[RawItem]) -> Iterator[list[RawItem]]:
    batch: list[RawItem] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.text) if isinstance(item, RawDocument) else 0
        if len(batch) >= BATCH_DOCUMENTS or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
