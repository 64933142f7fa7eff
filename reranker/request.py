"""Own what may be asked: the keys of a search and their limits.

A request is checked when it is built and trusted after that. It carries no moment: those that rule a question are
read once, at an edge (`reranker.moments`), and everything below receives them as numbers.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Final, TypeVar

from mappings.document import Kind
from reranker.core.scoring import Scoring
from reranker.errors import RequestError

Choice = TypeVar("Choice", bound=StrEnum)

# Long enough for a pasted paragraph, short enough that no question costs more than a document.
MOST_CHARACTERS: Final = 4_096
MOST_HITS: Final = 100
MOST_PER_DOCUMENT: Final = 10


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must be, besides being in force; empty: anything.

    Attributes:
        active: only events that are going on at the moment asked for.
    """

    content_type: tuple[str, ...] = ()
    kind: tuple[Kind, ...] = ()
    source: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    doc_id: tuple[str, ...] = ()
    active: bool = False

    def __post_init__(self) -> None:
        for name in ("content_type", "source", "series", "doc_id"):
            object.__setattr__(self, name, _texts(f"filters.{name}", getattr(self, name)))
        kinds = tuple(choice_of("filters.kind", name, Kind) for name in _texts("filters.kind", self.kind))
        object.__setattr__(self, "kind", kinds)
        _check_flag("filters.active", self.active)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One question, without its moments.

    Attributes:
        query: 1 to 4096 characters, not only blanks.
        principals: who asks; without any only what everybody may read is seen.
        top_k: hits on a page, 1 to 100; offset: hits before the page, at least 0.
        per_document: passages of one document, 1 to 10.
        history, upcoming: whether to answer also with what no longer holds, and with what does not hold yet.
        explain: whether to print where each number came from, and what was dropped.
        scoring: name of the formula.
    """

    query: str
    principals: tuple[str, ...] = ()
    filters: Filters = field(default_factory=Filters)
    top_k: int = 10
    per_document: int = 3
    offset: int = 0
    history: bool = False
    upcoming: bool = False
    explain: bool = False
    scoring: Scoring = Scoring.DEFAULT

    def __post_init__(self) -> None:
        _check_query(self.query)
        object.__setattr__(self, "scoring", choice_of("scoring", self.scoring, Scoring))
        object.__setattr__(self, "principals", _texts("principals", self.principals))
        if not isinstance(self.filters, Filters):
            raise RequestError("filters", f"filters must be Filters, got {self.filters!r}")
        _check_count("top_k", self.top_k, least=1, most=MOST_HITS)
        _check_count("per_document", self.per_document, least=1, most=MOST_PER_DOCUMENT)
        _check_count("offset", self.offset, least=0)
        for name in ("history", "upcoming", "explain"):
            _check_flag(name, getattr(self, name))

    def check_depth(self, depth: int) -> None:
        """Refuse a page that reaches beyond the candidates; the depth does not depend on the page."""
        if self.offset + self.top_k > depth:
            detail = f"offset + top_k must be at most depth = {depth}, got {self.offset} + {self.top_k}"
            raise RequestError("offset", detail, remedy="ask for an earlier page, or raise [search] depth")


def request_from(data: Mapping[str, Any], *, principals: Sequence[str] = ()) -> SearchRequest:
    """Build a request from plain data such as a JSON body; unknown keys are refused.

    Args:
        data: keys of `SearchRequest` except principals, which come from who asks, not from what is asked.
        principals: of the reader.
    """
    allowed = [f.name for f in fields(SearchRequest) if f.name != "principals"]
    _check_keys(data, allowed, "")
    filters = data.get("filters") or {}
    if not isinstance(filters, Mapping):
        raise RequestError("filters", f"filters must be a table of lists, got {filters!r}")
    _check_keys(filters, [f.name for f in fields(Filters)], "filters.")
    if "query" not in data:
        raise RequestError("query", "query is missing", remedy="say what to search for")
    rest = {key: value for key, value in data.items() if key != "filters"}
    return SearchRequest(principals=tuple(principals), filters=Filters(**filters), **rest)


def _check_query(query: object) -> None:
    if not isinstance(query, str):
        raise RequestError("query", f"query must be a text, got {query!r}")
    if not query.strip():
        raise RequestError("query", f"query must hold a word, got {query[:20]!r}", remedy="say what to search for")
    if len(query) > MOST_CHARACTERS:
        detail = f"query must be at most {MOST_CHARACTERS} characters, got {len(query)} that begin {query[:20]!r}"
        raise RequestError("query", detail, remedy="ask a shorter question")


def _check_count(name: str, value: object, *, least: int, most: int | None = None) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if whole and least <= value and (most is None or value <= most):  # type: ignore[operator]  # whole is a number
        return
    allowed = f"at least {least}" if most is None else f"{least} to {most}"
    raise RequestError(name, f"{name} must be a whole number, {allowed}, got {value!r}")


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise RequestError(name, f"{name} must be true or false, got {value!r}")


def _check_keys(data: Mapping[str, Any], allowed: Sequence[str], prefix: str) -> None:
    for key in data:
        if key not in allowed:
            near = difflib.get_close_matches(str(key), allowed, n=1)
            remedy = f"did you mean {prefix}{near[0]}" if near else "known keys: " + ", ".join(sorted(allowed))
            raise RequestError(f"{prefix}{key}", f"{prefix}{key} is not a key of a search", remedy=remedy)


def _texts(name: str, values: object) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, Sequence) or not all(isinstance(v, str) for v in values):
        raise RequestError(name, f"{name} must be a list of texts, got {values!r}")
    return tuple(values)


def choice_of(field: str, name: str, names: type[Choice]) -> Choice:
    """Return the member of that name; raise RequestError, with all names, where there is none."""
    try:
        return names(name)
    except ValueError as error:
        raise RequestError(field, f"{field} must be one of {', '.join(names)}, got {name!r}") from error
