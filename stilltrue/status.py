"""Own the report on an index: what lies there, and how much of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from mappings.version import versions_of
from store.engine import Engine, EngineInfo

# Records read at once: enough to spare round trips, few enough to stay small in memory.
BATCH = 500


@dataclass(frozen=True, slots=True)
class Status:
    """What lies in an index.

    Attributes:
        info: what the engine says of itself.
        versions: of all documents, counted from the records.
    """

    info: EngineInfo
    versions: int

    def to_json(self) -> dict[str, Any]:
        """Return the status as plain data."""
        info = self.info
        return {
            "engine": info.engine,
            "index": info.index,
            "generation": info.generation,
            "sequence": info.sequence,
            "embedder": info.embedder.name if info.embedder else None,
            "embedder_version": info.embedder.version if info.embedder else None,
            "dimension": info.embedder.dimension if info.embedder else None,
            "documents": info.documents,
            "series": info.series,
            "versions": self.versions,
            "passages": info.passages,
            "undated": info.undated,
            "pending": info.pending,
        }


def read_status(engine: Engine) -> Status:
    """Read what lies in an index; counting versions reads every record."""
    versions = 0
    for keys in _batches(engine.series_keys()):
        records = engine.records(keys).values()
        versions += sum(len(versions_of(document)) for record in records for document in record.documents.values())
    return Status(engine.info(), versions)


def _batches(keys: Iterable[str]) -> Iterator[list[str]]:
    remaining = iter(keys)
    while batch := list(islice(remaining, BATCH)):
        yield batch
