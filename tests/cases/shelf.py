"""Own a small index for one case: files or JSON lines in, what is stored and found out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from indexer.ingest import ingest
from indexer.report import IngestReport
from indexer.settings import IngestSettings
from indexer.sources.base import RawItem
from indexer.sources.dateorder import settle_dates
from indexer.sources.folder import Folder
from indexer.sources.jsonl import JsonLines
from mappings.document import Observation
from mappings.interval import format_instant, parse_moment
from reranker.request import request_from
from reranker.response import SearchResponse
from reranker.search import search
from store.embed import get_embedder, identity
from store.opening import open_engine

# The clock of the cases: a Wednesday.
NOW = parse_moment("2025-06-18T10:00:00Z").start
EMBEDDER = get_embedder("hashing")


class Shelf:
    """An index of its own, and what was ingested last."""

    def __init__(self, folder: Path, *, mode: str = "strict", zone: str = "UTC", order: str | None = None) -> None:
        self.folder = folder
        self.settings = IngestSettings.model_validate({"mode": mode, "zone": zone})
        self.order = order
        self.engine = open_engine(str(folder / "store"), embedder=identity(EMBEDDER), create=True)
        self.report = IngestReport()

    def files(self, files: Mapping[str, str | bytes], *, dates: str | None = None) -> Shelf:
        """Write files into the folder `docs` and ingest it."""
        root = self.folder / "docs"
        for path, content in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content.encode() if isinstance(content, str) else content)
        return self.take(Folder(root, dates=dates))

    def lines(self, *documents: Mapping[str, object]) -> Shelf:
        """Ingest documents as JSON lines; a text is made where there is none."""
        path = self.folder / "docs.jsonl"
        rows = ({"text": f"Words of {row.get('id')}.", **row} for row in documents)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return self.take(JsonLines(path))

    def take(self, items: Iterable[RawItem], *, now: int = NOW) -> Shelf:
        """Ingest any items."""
        self.report = ingest(
            self.engine,
            settle_dates(items, order=self.order),  # type: ignore[arg-type]
            self.settings,
            embedder=EMBEDDER,
            now=now,
        )
        return self

    def observations(self, doc_id: str) -> tuple[Observation, ...]:
        """Return what is stored of a document."""
        series = self.engine.series_of([doc_id])[doc_id]
        return self.engine.records([series])[series].documents[doc_id].observations

    def observation(self, doc_id: str) -> Observation:
        """Return the one observation of a document."""
        (only,) = self.observations(doc_id)
        return only

    def date(self, doc_id: str) -> str | None:
        """Return when a document's one state could be known."""
        observed = self.observation(doc_id).observed
        return None if observed is None else format_instant(observed.start)

    def refused(self) -> dict[str, str]:
        """Return id → code and detail of what was refused."""
        return {each.doc_id: f"{each.code}: {each.detail}" for each in self.report.refused}

    def ask(self, query: str, *, as_of: str = "2025-06-18T10:00:00Z", known_at: str | None = None) -> SearchResponse:
        """Ask a question as of a moment."""
        moment = parse_moment(as_of).last
        return search(
            self.engine,
            EMBEDDER,
            request_from({"query": query, "top_k": 20}),
            as_of=moment,
            known_at=min(NOW, parse_moment(known_at).last if known_at else moment),
            now=NOW,
        )
