"""Own the reading of the log: what a question left out, for who asked it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from mappings.interval import format_instant
from mappings.series import can_read
from reranker.errors import UnknownQueryError
from store.engine import Engine
from store.rejections import Rejections


def read_log(engine: Engine, query_id: str, *, principals: Sequence[str] = ()) -> Rejections:
    """Return what a question left out.

    Readers are those of now: a document that was closed to this reader since is counted, and no longer named.

    Args:
        engine: the index that was asked.
        query_id: as the answer said it.
        principals: of the reader; the same that the question was asked with.

    Raises:
        UnknownQueryError: the log holds no such question of this reader.
    """
    entry = engine.rejections(query_id, principals)
    if entry is None:
        raise UnknownQueryError(
            f"no question {query_id!r} of this reader is in the log",
            remedy="take the query_id of the answer, ask with the same principals; the log keeps only the newest",
        )
    homes = engine.series_of(sorted({each.doc_id for each in entry.rejected}))
    timelines = engine.timelines(sorted(set(homes.values())))
    documents = (document for line in timelines.values() for document in line.record.documents.values())
    readable = {document.doc_id for document in documents if can_read(document.principals, principals)}
    return replace(entry, rejected=tuple(each for each in entry.rejected if each.doc_id in readable))


def log_to_json(entry: Rejections) -> Iterator[dict[str, Any]]:
    """Yield the log of a question as plain data: the question and its counts, then each candidate that is named."""
    yield {
        "query_id": entry.query_id,
        "asked_at": format_instant(entry.asked_at),
        "as_of": format_instant(entry.as_of),
        "known_at": format_instant(entry.known_at),
        "rejected": {str(code): number for code, number in entry.counts},
        "by_type": [
            {"code": str(code), "content_type": content_type, "candidates": number}
            for (code, content_type), number in entry.by_type().items()
        ],
    }
    for each in entry.rejected:
        yield {
            "code": str(each.code),
            "content_type": each.content_type,
            "doc_id": each.doc_id,
            "passage_id": each.passage_id,
        }
