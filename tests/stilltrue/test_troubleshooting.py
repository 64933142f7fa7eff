"""The page on failures names every code that there is, with its exit code, and no other."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.sources.base import RefusalCode
from indexer.sources.files import SkipReason
from mappings.document import Code
from mappings.errors import StilltrueError
from stilltrue.cli.run import exit_code

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
PACKAGES = ("mappings", "store", "indexer", "reranker", "stilltrue")


def modules(package: str) -> Iterator[str]:
    """Yield the modules of a package that hold its errors."""
    home = importlib.import_module(package)
    for found in pkgutil.walk_packages(home.__path__, f"{package}."):
        if found.name.endswith(".errors"):
            yield found.name


def errors(base: type[StilltrueError] = StilltrueError) -> Iterator[type[StilltrueError]]:
    """Yield every error of the project below a base, in order."""
    for kind in sorted(base.__subclasses__(), key=lambda each: each.__name__):
        if kind.__module__.split(".")[0] in PACKAGES:
            yield kind
            yield from errors(kind)


def rows(heading: str) -> dict[str, list[str]]:
    """Return the rows of the table below a heading, by the code in their first cell."""
    section = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    text = next(part for part in section if part.startswith(heading))
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert len({row[0] for row in cells}) == len(cells)
    return {row[0].strip("`"): row[1:] for row in cells}


def test_every_error_has_an_entry_with_its_exit_code() -> None:
    """Each error that can reach a person stands on the page, with what the shell is told."""
    for package in PACKAGES:
        for name in modules(package):
            importlib.import_module(name)
    wanted = {kind.code: str(exit_code(kind.__new__(kind))) for kind in errors()}
    wanted |= {StilltrueError.code: "2", "wrong_use": "2", "unexpected": "3", "output_failed": "3"}
    assert {code: cells[0] for code, cells in rows("Errors").items()} == wanted


@pytest.mark.parametrize(
    ("heading", "codes"),
    [("Refused", RefusalCode), ("Passed over", SkipReason), ("Left out or flagged", Code)],
    ids=["refusals", "skips", "codes of an answer"],
)
def test_every_code_has_an_entry(heading: str, codes: type) -> None:
    """Each reason that a report or an answer can name stands on the page, and no other."""
    assert list(rows(heading)) == [str(code) for code in codes]


def test_every_entry_says_something() -> None:
    """No cell is empty."""
    tables = [rows(heading) for heading in ("Errors", "Refused", "Passed over", "Left out or flagged")]
    assert [code for table in tables for code, cells in table.items() if not all(cells)] == []
