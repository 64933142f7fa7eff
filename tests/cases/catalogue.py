"""Own the cases as data: every known one with its id, what it is about, and what it still needs; faults by variant."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

DATA: Final = Path(__file__).resolve().parent / "data"

# What the areas of known faults need that is not there yet; an area that is not here needs nothing.
NEEDS_OF_AREAS: Final = {
    "facts": "the ledger of facts",
    "gate": "the premise gate",
    "prune": "pruned answers",
    "route": "the route of an answer",
    "eval": "evaluation",
}
# The same for single cases, also for the part of a case that is not a test yet.
NEEDS_OF_CASES: Final = {
    "F-CN-09": "the ledger of facts",
    "F-GP-11": "grading of evidence (one_of_three); whole words are a test",
    "TRC-S2": "a weight of time for research without a cue; both papers are shown with their dates",
}


@dataclass(frozen=True)
class Entry:
    """One known case; `needs` is empty where all that it needs is there."""

    id: str
    about: str
    title: str
    needs: str = ""


@dataclass(frozen=True)
class Fault:
    """One known fault, in one variant: what is given, and what must come out."""

    name: str
    given: Mapping[str, Any]
    must: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The id of the case, without the variant."""
        return self.name.split(" ")[0]

    @property
    def as_of(self) -> str:
        """The moment of the question, as text."""
        return self.given.get("as_of") or self.given["now"]


@cache
def load(name: str) -> dict[str, Any]:
    """Return one file of cases."""
    data: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return data


def catalogue() -> list[Entry]:
    """Return every known case in the order of the files."""
    rows = load("field_trouble")["rows"]
    field = [Entry(row["id"], row["about"], row["title"], row.get("needs", "")) for row in rows]
    faults = [
        Entry(
            case["id"],
            f"fault: {case['area']}",
            case["title"],
            NEEDS_OF_CASES.get(case["id"]) or NEEDS_OF_AREAS.get(case["area"], ""),
        )
        for case in load("faults")["cases"]
    ]
    compared = [
        Entry(case["id"], f"compatibility: {case['pattern']}", case["title"], NEEDS_OF_CASES.get(case["id"], ""))
        for case in load("temporal_rag_compat")["cases"]
    ]
    later = [Entry(**row) for row in load("later")["rows"]]
    return [*field, *faults, *compared, *later]


def faults(areas: Iterable[str], *, without: Iterable[str] = ()) -> list[Fault]:
    """Return the faults of some areas, one for each variant."""
    wanted, left_out = set(areas), set(without)
    return [
        fault
        for case in load("faults")["cases"]
        if case["area"] in wanted and case["id"] not in left_out
        for fault in variants(case)
    ]


def fault(case_id: str) -> list[Fault]:
    """Return the variants of one fault."""
    return [each for case in load("faults")["cases"] if case["id"] == case_id for each in variants(case)]


def variants(case: Mapping[str, Any]) -> list[Fault]:
    """Return a case in each of its variants; what is required outside of them holds for every one."""
    given = {"now": case["now"]} | {key: value for key, value in case["input"].items() if key != "variants"}
    must = {key: value for key, value in case["must"].items() if key != "variants"}
    if "variants" not in case["input"]:
        return [Fault(case["id"], given, must)]
    required = case["must"].get("variants", {})
    return [
        Fault(f"{case['id']} {each['name']}", given | each, must | required.get(each["name"], {}))
        for each in case["input"]["variants"]
    ]
