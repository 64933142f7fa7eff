"""Own taking in a whole source: opened, its written dates settled, placed in time, read on from where it was left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import orjson

from indexer.door import Door
from indexer.ingest import ingest
from indexer.report import IngestReport, Progress
from indexer.settings import IngestSettings, TypeRule
from indexer.sources.base import RawItem
from indexer.sources.dateorder import settle_dates
from indexer.sources.folder import Folder
from indexer.sources.jsonl import JsonLines
from indexer.sources.opening import SourceRequest, open_source
from indexer.syncing import SyncRules, sync
from indexer.writing import TextEmbedder
from mappings.document import digest
from mappings.profile import DEFAULT_PROFILES, Profile
from store.engine import Engine

_NOTE: Final = "read "


@dataclass(frozen=True, slots=True)
class TakeRules:
    """How a source is taken in.

    Attributes:
        content_type: of documents of which nothing else says what they are.
        keep_missing: leave documents alone that are gone from a folder.
        force: end even more than half of a folder's documents; read a history from its beginning again.
    """

    content_type: str | None = None
    keep_missing: bool = False
    force: bool = False


def take_source(
    engine: Engine,
    request: SourceRequest,
    settings: IngestSettings,
    *,
    embedder: TextEmbedder,
    now: int,
    rules: TakeRules = TakeRules(),
    profiles: Mapping[str, Profile] = DEFAULT_PROFILES,
    progress: Progress | None = None,
) -> IngestReport:
    """Take a source into an index: see `indexer.ingest.ingest` for what is common to all sources.

    A folder is read as it stands now. A history is read on from the last commit seen, unless the settings have changed
    since: they rule what a commit says.

    Raises:
        SourceError: the source can not be opened or read.
        StoreError: the index can not be written; what is half done is finished by the next run.
    """
    settings = with_type(settings, rules.content_type)
    reading = digest(settings.model_dump_json())[:16]
    kept = (lambda name: None) if rules.force else (lambda name: _kept(engine, name, reading))
    source = open_source(request, options=settings.reader_options(), since=kept)
    items: Iterator[RawItem] = settle_dates(source, order=settings.date_order)
    if isinstance(source, Folder):
        door = Door(settings, now, profiles)
        items = sync(source, items, engine, door, rules=SyncRules(rules.keep_missing, rules.force))
    report = ingest(engine, items, settings, embedder=embedder, now=now, profiles=profiles, progress=progress)
    if not isinstance(source, JsonLines):
        report.skipped += source.skipped
    if not isinstance(source, JsonLines | Folder) and source.state != _kept(engine, source.source, reading):
        with engine.writer() as writer:
            writer.keep_note(_NOTE + source.source, orjson.dumps([reading, source.state]).decode())
    return report


def with_type(settings: IngestSettings, content_type: str | None) -> IngestSettings:
    """Return settings whose last rule gives everything that nothing else has a rule for a content type."""
    if content_type is None:
        return settings
    rule = TypeRule(type=content_type, path="**")
    return settings.model_copy(update={"types": (*settings.types, rule)})


def _kept(engine: Engine, source: str, reading: str) -> str | None:
    """Return how far a history was read with these settings."""
    text = engine.note(_NOTE + source)
    if text is None:
        return None
    settings, state = orjson.loads(text)
    return str(state) if settings == reading else None
