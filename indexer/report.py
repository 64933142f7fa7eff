"""Own what an ingest tells when it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from indexer.findings import LinkFinding
from indexer.sources.base import Refusal
from indexer.sources.files import Skip


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was changed or is worth a look; the document went in."""

    location: str
    doc_id: str
    text: str


@dataclass(slots=True)
class IngestReport:
    """What became of the documents of a source.

    Attributes:
        read: documents, ends and refusals that the source gave.
        added: readings that the index did not hold.
        updated: readings that it held with other attributes (a corrected type, a new address).
        unchanged: readings that it held.
        closed: versions that other versions now replace for good, beyond those replaced before.
        ended: ends that were not known.
        withdrawn: withdrawals, and undone ones, that were not known.
        undated: readings without a usable date among the added ones (lenient mode).
        passages: passages written.
        mended: series whose interrupted write was finished first.
        refused: what did not go in, and why.
        notes: what went in changed.
        skipped: files of the source that were passed over, and what it says about itself.
        links: declared replacements, of documents that were read, that do not work (yet).
    """

    read: int = 0
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    closed: int = 0
    ended: int = 0
    withdrawn: int = 0
    undated: int = 0
    passages: int = 0
    mended: int = 0
    refused: list[Refusal] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    skipped: list[Skip] = field(default_factory=list)
    links: list[LinkFinding] = field(default_factory=list)


# Called after each batch with the report so far.
Progress = Callable[[IngestReport], None]
