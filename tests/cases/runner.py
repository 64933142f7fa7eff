"""Own the way from a case to an answer of the product: its documents as candidates, or in an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mappings.interval import parse_moment
from mappings.profile import DEFAULT_PROFILES, Profile
from reranker.asking import Given, TimeWords, resolve_question
from reranker.request import request_from
from reranker.rerank import RerankOptions, rerank
from reranker.response import SearchResponse
from reranker.search import search
from reranker.timewords import TimeSettings
from tests.cases.catalogue import Fault
from tests.cases.shelf import EMBEDDER, NOW, Shelf

# A word that every document of a case gets in an index, where the relevance of the case is a number.
WORD = "quay"


def number(value: object) -> object:
    """Return a number that JSON has no sign for."""
    return float(value) if value in ("NaN", "Infinity", "-Infinity") else value  # type: ignore[arg-type]


def candidate(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document of a case as a candidate."""
    data = dict(document) | {"cosine": number(document.get("cosine"))}
    if isinstance(data.get("version"), int):
        data["sequence"] = data.pop("version")
    return data


def row(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document of a case as a line to ingest; its raw relevance is left to the index."""
    data = {key: value for key, value in document.items() if key not in ("cosine", "version")}
    version = document.get("version")
    if version is not None:
        data["sequence" if isinstance(version, int) else "release"] = version
    text = document.get("text") or f"Words of {document['id']}."
    return data | {"text": f"{text} On the {WORD}."}


def reranked(fault: Fault, *, options: RerankOptions | None = None, **changes: Any) -> SearchResponse:
    """Answer a case with the reranker over its documents, by their raw relevance."""
    given = {**fault.given, **changes}
    return rerank(
        [candidate(document) for document in given["docs"]],
        given.get("query") or given.get("question") or "",
        as_of=parse_moment(given.get("as_of") or given["now"]).last,
        options=options or RerankOptions(top_k=given.get("top_k")),
        profiles=given.get("profiles", DEFAULT_PROFILES),
    )


def indexed(fault: Fault, shelf: Shelf, **changes: Any) -> SearchResponse:
    """Answer a case with a search over its documents in an index; each holds the word that is asked for."""
    given = {**fault.given, **changes}
    shelf.lines(*(row(document) for document in given["docs"]))
    return asked(shelf, given.get("query") or WORD, as_of=given.get("as_of") or given["now"], top_k=given.get("top_k"))


def asked(
    shelf: Shelf, query: str, *, as_of: str = "2025-06-18T10:00:00Z", top_k: int | None = None, **options: Any
) -> SearchResponse:
    """Ask an index, with history and all that is dropped."""
    moment = parse_moment(as_of).last
    return search(
        shelf.engine,
        EMBEDDER,
        request_from({"query": query, "top_k": top_k or 20, "history": True, "explain": True, **options}),
        as_of=moment,
        known_at=min(moment, max(NOW, moment)),
        now=max(NOW, moment),
    )


def questioned(
    shelf: Shelf, query: str, *, now: str, as_of: str | None = None, zone: str = "UTC", **options: Any
) -> SearchResponse:
    """Ask an index a question whose words may say when, as an edge does."""
    moment = parse_moment(now).start
    words = TimeWords(TimeSettings())
    asked_for = resolve_question(query, Given(as_of=as_of), now=moment, zone=zone, words=words)
    return search(
        shelf.engine,
        EMBEDDER,
        request_from({"query": query, "top_k": 20, "explain": True, **options}),
        as_of=asked_for.moments.as_of,
        known_at=asked_for.moments.known_at,
        now=moment,
        period=asked_for.moments.period,
        readings=asked_for.readings,
    )


def with_profile(content_types: Sequence[str], **numbers: Any) -> dict[str, Profile]:
    """Return the default profiles with some numbers of some content types changed."""
    return {**DEFAULT_PROFILES, **{name: replace(DEFAULT_PROFILES[name], **numbers) for name in content_types}}
