"""Own the log of what questions left out: bounded, by query_id, readable by who asked.

It is kept beside the truth and no part of it: losing it loses no answer. It holds no text of a document or question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mappings.document import Code


@dataclass(frozen=True, slots=True)
class Rejection:
    """One candidate that was not among the hits."""

    code: Code
    content_type: str
    doc_id: str
    passage_id: str


@dataclass(frozen=True, slots=True)
class Rejections:
    """What one question left out.

    Attributes:
        asked_at, as_of, known_at: µs since 1970.
        principals: of who asked; nobody else is shown the entry.
        counts: of passages that hold a word of the question, by what keeps them out.
        rejected: the candidates among them that were looked at one by one, the best first.
    """

    query_id: str
    asked_at: int
    as_of: int
    known_at: int
    principals: tuple[str, ...] = ()
    counts: tuple[tuple[Code, int], ...] = ()
    rejected: tuple[Rejection, ...] = ()

    def by_type(self) -> dict[tuple[Code, str], int]:
        """Count the candidates that were looked at by code and content type, in the order of both."""
        pairs = sorted((each.code, each.content_type) for each in self.rejected)
        return {pair: pairs.count(pair) for pair in dict.fromkeys(pairs)}


def rejections_to(entry: Rejections) -> dict[str, Any]:
    """Return an entry as plain values, without its id."""
    return {
        "moments": [entry.asked_at, entry.as_of, entry.known_at],
        "principals": list(entry.principals),
        "counts": [[code.value, count] for code, count in entry.counts],
        "rejected": [[each.code.value, each.content_type, each.doc_id, each.passage_id] for each in entry.rejected],
    }


def rejections_from(query_id: str, values: Mapping[str, Any]) -> Rejections:
    """Read an entry back from plain values."""
    asked_at, as_of, known_at = values["moments"]
    return Rejections(
        query_id=query_id,
        asked_at=asked_at,
        as_of=as_of,
        known_at=known_at,
        principals=tuple(values["principals"]),
        counts=tuple((Code(code), count) for code, count in values["counts"]),
        rejected=tuple(Rejection(Code(code), *rest) for code, *rest in values["rejected"]),
    )
