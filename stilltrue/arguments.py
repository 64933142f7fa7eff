"""Own what the calls of `Index` may be told: moments as people give them, and options by name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, TypeAlias, TypedDict

# A moment as people give it: text such as "2024-03" or "-30d", a date, or a datetime.
Moment: TypeAlias = str | date
Period: TypeAlias = tuple[Moment | None, Moment | None]


class SearchOptions(TypedDict, total=False):
    """What a search may be told besides the question and its moments; see `reranker.request.SearchRequest`."""

    filters: Mapping[str, Any]
    top_k: int
    per_document: int
    offset: int
    history: bool
    upcoming: bool
    explain: bool
    scoring: str


class IngestOptions(TypedDict, total=False):
    """How a source is meant and taken in.

    Attributes:
        format: `folder`, `git` or `jsonl`; else what the source looks like.
        date_from: date of a folder's files that declare none: `git`, `mtime` or a moment.
        content_type: of documents of which nothing else says what they are.
        keep_missing: leave documents alone that are gone from a folder.
        force: end even more than half of a folder's documents; read a history from its beginning again.
    """

    format: str | None
    date_from: str | None
    content_type: str | None
    keep_missing: bool
    force: bool


def moment_text(moment: Moment | None) -> str | None:
    """Write a moment in the grammar that requests are read in."""
    if isinstance(moment, datetime):
        return moment.isoformat(sep="T")
    return moment.isoformat() if isinstance(moment, date) else moment
