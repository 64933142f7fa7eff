"""Own `COVERAGE.md`: which known case is tested by which test, and what the others still need.

A test takes a case on by naming it: in its name (`test_b127_…`, `test_f_tr_31_…`), in its docstring, or in the id of
one of its parameters. Run it to write the page anew: python -m tests.cases.coverage
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from tests.cases.catalogue import Entry, catalogue

HERE: Final = Path(__file__).resolve().parent
TESTS: Final = HERE.parent
REPORT: Final = HERE / "COVERAGE.md"

# As an id is written: B052, F-TR-03, TRC-S1; in the name of a test: b052, f_tr_03.
_WRITTEN: Final = re.compile(r"(?<![A-Za-z0-9-])(?:B\d{3}|F-[A-Z]{2}-\d{2}|(?:TRC|CL|SC)-[A-Z]{1,2}\d+)(?![A-Za-z0-9])")
_IN_A_NAME: Final = re.compile(r"(?<=_)(?:b\d{3}|f_(?:tr|gp|cn)_\d{2})(?=_)")
# A module without any of these takes no case on, and need not be read.
_HINT: Final = re.compile(r"\bB\d{3}\b|_b\d{3}_|F-[A-Z]{2}-|f_(?:tr|gp|cn)_|TRC-|temporal_rag_compat|cases\.catalogue")

TakenOn = dict[str, list[str]]


def taken_on() -> TakenOn:
    """Return id → tests that take it on, as "cases/test_x.py::test_y", in order."""
    found: TakenOn = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        if not _HINT.search(path.read_text(encoding="utf-8")):
            continue
        place = path.relative_to(TESTS)
        module = import_module(".".join((TESTS.name, *place.with_suffix("").parts)))
        for name, function in _functions(module):
            for case_id in sorted(set(_ids(name, function))):
                found.setdefault(case_id, []).append(f"{place.as_posix()}::{name}")
    return found


def report(entries: list[Entry], tests: TakenOn) -> str:
    """Return the page."""
    counts = Counter(entry.about.split(":")[0] for entry in entries)
    done = Counter(entry.about.split(":")[0] for entry in entries if entry.id in tests)
    lines = [
        "# Which case is tested where",
        "",
        "Written by `python -m tests.cases.coverage`; a test holds it equal to the tests.",
        "",
        f"{sum(done.values())} of {len(entries)} cases are tests.",
        "",
        "| about | tests | open |",
        "| --- | --- | --- |",
        *(f"| {about} | {done[about]} | {count - done[about]} |" for about, count in counts.items()),
        "",
        "| case | about | title | tested by, and what is open |",
        "| --- | --- | --- | --- |",
        *(f"| {e.id} | {e.about} | {e.title} | {_standing(e, tests.get(e.id, []))} |" for e in entries),
    ]
    return "\n".join(lines) + "\n"


def _standing(entry: Entry, tests: list[str]) -> str:
    return "; ".join([*tests, *([f"open: needs {entry.needs}"] if entry.needs else [])])


def _functions(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    yield from ((name, value) for name, value in vars(module).items() if name.startswith("test_") and callable(value))


def _ids(name: str, function: Callable[..., Any]) -> Iterator[str]:
    """Yield the ids of the cases that a test takes on."""
    yield from (found[0].upper().replace("_", "-") for found in _IN_A_NAME.finditer(name))
    yield from _WRITTEN.findall(function.__doc__ or "")
    for mark in getattr(function, "pytestmark", ()):
        if mark.name == "parametrize":
            for text in _texts(mark.args[1], mark.kwargs.get("ids")):
                yield from _WRITTEN.findall(text)


def _texts(values: Any, ids: Any) -> Iterator[str]:
    """Yield the ids that parameters have, as far as they are given."""
    if callable(ids):
        yield from (str(ids(value)) for value in values)
    elif ids is not None:
        yield from (str(each) for each in ids)
    yield from (value.id for value in values if getattr(value, "id", None))


if __name__ == "__main__":
    REPORT.write_text(report(catalogue(), taken_on()), encoding="utf-8")
