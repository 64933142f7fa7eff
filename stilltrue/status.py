"""Own the report on an index: what lies there, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from store.engine import EngineInfo


@dataclass(frozen=True, slots=True)
class Status:
    """What lies in an index: what its engine says of it."""

    info: EngineInfo

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
            "versions": info.versions,
            "passages": info.passages,
            "undated": info.undated,
            "pending": info.pending,
        }
