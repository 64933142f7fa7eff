"""Own the documents of the compatibility cases as the product takes them: ages before the moment as dates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mappings.interval import DAY, format_instant, parse_moment
from tests.cases.catalogue import load

COMPAT: Final = load("temporal_rag_compat")
CONSTANTS: Final = COMPAT["constants"]
NOW: Final = parse_moment(COMPAT["now"]).start
_UNITS: Final = {"days": DAY, "hours": DAY // 24, "seconds": DAY // 86_400}


def compared(*patterns: str) -> list[dict[str, Any]]:
    """Return the cases of some patterns."""
    return [case for case in COMPAT["cases"] if case["pattern"] in patterns]


def ids(cases: list[dict[str, Any]]) -> list[str]:
    """Return the ids of cases, each with its title."""
    return [f"{case['id']} {case['title']}" for case in cases]


def documents(case: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the documents of a case, dated."""
    given = case["input"]
    rows = [given["document"]] if "document" in given else given["documents"]
    return [dated(document) for document in (COMPAT["corpus"] if rows == "corpus" else rows)]


def dated(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with its age and window as instants; what says nothing has no text."""
    window = document["window"] or {"from": None, "until": None}
    found = {
        "id": document["id"],
        "kind": document["kind"],
        "content_type": document["content_type"],
        "observed_at": format_instant(NOW - _offset(document["age"])),
        "valid_from": window["from"] and format_instant(NOW + _offset(window["from"])),
        "valid_until": window["until"] and format_instant(NOW + _offset(window["until"])),
        "supersedes": document["supersedes"],
        "text": document["text"],
    }
    return {key: value for key, value in found.items() if value is not None}


def _offset(offset: Mapping[str, Any]) -> int:
    return round(offset["value"] * _UNITS[offset["unit"]])
