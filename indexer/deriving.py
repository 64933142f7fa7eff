"""Own what an index must hold for a series: record and texts → passages with stamps, and what differs from the stored.

Everything here follows from the records and texts alone, so it serves writing, recovery and repair alike.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from indexer.chunking import Chunk, chunk
from indexer.placing import Content, Placed, place
from mappings.document import digest
from mappings.series import PassageSpan, SeriesRecord
from mappings.stamping import version_stamps
from mappings.stamps import CLOSED_BY_REPLACEMENT, Stamps
from mappings.timeline import Timeline
from store import engine as stored_words
from store.engine import StoredPassage

SECTION_SIGN: Final = " › "
# Contents whose chunks are kept while documents with long histories come in batch after batch.
_CACHED_CONTENTS: Final = 4_096

ReadContents = Callable[[Sequence[str]], Mapping[str, stored_words.Content]]


class Chunker:
    """Chunk contents by hash, and keep the last few thousand."""

    def __init__(self, read: ReadContents, *, chunk_tokens: int) -> None:
        self._read = read
        self._limit = chunk_tokens
        self._kept: OrderedDict[str, Content] = OrderedDict()

    def add(self, contents: Mapping[str, stored_words.Content]) -> None:
        """Chunk contents that are at hand."""
        for key, content in contents.items():
            if key not in self._kept:
                self._kept[key] = Content(content.title, chunk(content.sections, limit=self._limit))

    def get(self, hashes: Iterable[str]) -> Mapping[str, Content]:
        """Return chunked contents; those that the index lost are absent."""
        wanted = list(dict.fromkeys(hashes))
        missing = [key for key in wanted if key not in self._kept]
        if missing:
            self.add(self._read(missing))
        found = {key: self._kept[key] for key in wanted if key in self._kept}
        for key in found:
            self._kept.move_to_end(key)
        while len(self._kept) > max(_CACHED_CONTENTS, len(wanted)):
            self._kept.popitem(last=False)
        return found


@dataclass(frozen=True, slots=True)
class Wanted:
    """A passage that the index must hold, and, where its document was placed anew, what it says."""

    passage: StoredPassage
    placed: Placed | None


@dataclass(slots=True)
class Derived:
    """What must be true of some series.

    Attributes:
        records: with their passages.
        wanted: passages by id.
        closed: versions that are replaced for good.
        lost: content hashes that records name and the index lacks.
    """

    records: list[SeriesRecord] = field(default_factory=list)
    wanted: dict[str, Wanted] = field(default_factory=dict)
    closed: int = 0
    lost: list[str] = field(default_factory=list)


def derive(
    records: Iterable[SeriesRecord],
    changed: Iterable[str],
    stored: Mapping[str, StoredPassage],
    chunker: Chunker,
) -> Derived:
    """Return what the index must hold for records.

    Args:
        records: as they are now, with the passages of before.
        changed: documents to place anew; all others keep their passages, unless one of them is not stored.
        stored: what the index holds for these series, by passage_id.
        chunker: gives the texts. A document with a text that the index lost keeps the passages that are stored.
    """
    out = Derived()
    again = set(changed)
    for record in records:
        timeline = Timeline(record)
        stale = _stale(record, again, stored)
        contents, lost = _contents(timeline, stale, chunker)
        out.lost += lost
        stale = {doc_id for doc_id in stale if all(v.content_hash in contents for v in timeline.by_document[doc_id])}
        placed = [each for doc_id in sorted(stale) for each in place(timeline.by_document[doc_id], contents)]
        kept = {key: span for key, span in record.passages.items() if span.doc_id not in stale and key in stored}
        spans = {**kept, **{each.passage_id: each.span for each in placed}}
        now = replace(record, passages={key: spans[key] for key in sorted(spans)})
        by_version = version_stamps(timeline)
        out.closed += _closed(by_version)
        out.records.append(now)
        for key, span in kept.items():
            stamps = _stamps(timeline, span, by_version)
            out.wanted[key] = Wanted(replace(stored[key], stamps=stamps, series=record.series), None)
        for each in placed:
            stamps = _stamps(timeline, each.span, by_version)
            out.wanted[each.passage_id] = Wanted(_passage(each, record, stamps), each)
    return out


def _stamps(timeline: Timeline, span: PassageSpan, by_version: Mapping[str, Stamps]) -> Stamps:
    versions = timeline.by_document[span.doc_id]
    standing = versions[-1:] if span.first < 0 else versions[span.first : span.last + 1]
    return Stamps.over(by_version[version.version_id] for version in standing)


def closed_versions(record: SeriesRecord) -> int:
    """Return how many versions of a series are replaced for good."""
    return _closed(version_stamps(Timeline(record)))


def _closed(by_version: Mapping[str, Stamps]) -> int:
    return sum(stamps.closed_by == CLOSED_BY_REPLACEMENT for stamps in by_version.values())


def _stale(record: SeriesRecord, changed: set[str], stored: Mapping[str, StoredPassage]) -> set[str]:
    broken = {span.doc_id for key, span in record.passages.items() if key not in stored}
    return (changed & record.documents.keys()) | (broken & record.documents.keys())


def _contents(timeline: Timeline, doc_ids: set[str], chunker: Chunker) -> tuple[Mapping[str, Content], list[str]]:
    """Return the chunked texts of documents, and the hashes whose text the index lost."""
    versions = (version for doc_id in sorted(doc_ids) for version in timeline.by_document[doc_id])
    hashes = dict.fromkeys(version.content_hash for version in versions)
    contents = chunker.get(hashes)
    return contents, [key for key in hashes if key not in contents]


def _passage(placed: Placed, record: SeriesRecord, stamps: Stamps) -> StoredPassage:
    attributes = placed.last.observations[-1].attributes
    return StoredPassage(
        passage_id=placed.passage_id,
        doc_id=placed.span.doc_id,
        series=record.series,
        source=attributes.source,
        content_type=attributes.content_type,
        kind=attributes.kind,
        text_key=text_key(placed.title, placed.chunk),
        readers=record.documents[placed.span.doc_id].principals,
        stamps=stamps,
    )


def section_name(piece: Chunk) -> str:
    """Return the heading path of a passage as it is shown."""
    return SECTION_SIGN.join(piece.path)


def text_key(title: str, piece: Chunk) -> str:
    """Return the identity of what is embedded for a passage."""
    return digest(title, section_name(piece), piece.text)[:32]
