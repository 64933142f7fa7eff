"""The house rules that no tool checks: sizes, docstrings of tests, what the pure packages import."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("mappings", "store", "indexer", "reranker", "stilltrue")
LONGEST_FILE = 400
LONGEST_FUNCTION = 60


def sources(*folders: str) -> list[Path]:
    """List the Python files below folders of the project, in order."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def name(path: Path) -> str:
    """Name a file as the reader of a failure wants it."""
    return str(path.relative_to(ROOT))


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def length(function: ast.FunctionDef) -> int:
    """Count the lines of a function without its docstring."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    is_docstring = ast.get_docstring(function) is not None
    return lines - ((first.end_lineno or 0) - first.lineno + 1 if is_docstring else 0)


def imported(path: Path) -> set[str]:
    """Return the top-level names of what a file imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    plain = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    origin = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {module.split(".")[0] for module in plain | origin}


@pytest.mark.parametrize("path", sources(*PACKAGES, "tests", "benchmarks"), ids=name)
def test_file_is_short_enough_to_read(path: Path) -> None:
    """No file is longer than 400 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", sources(*PACKAGES), ids=name)
def test_module_says_what_it_owns(path: Path) -> None:
    """Every module begins with a docstring."""
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", sources(*PACKAGES), ids=name)
def test_function_is_short_enough_to_hold_in_mind(path: Path) -> None:
    """No function is longer than 60 lines, its docstring not counted."""
    assert not [f.name for f in functions(path) if length(f) > LONGEST_FUNCTION]


@pytest.mark.parametrize("path", sources("tests"), ids=name)
def test_every_test_says_what_behaviour_it_holds(path: Path) -> None:
    """Every test has a docstring that begins with a sentence on one line."""
    silent = [f.name for f in functions(path) if f.name.startswith("test_") and not ast.get_docstring(f)]
    assert not silent


@pytest.mark.parametrize(
    ("folder", "allowed"),
    [("reranker/core", {"numpy", "mappings", "reranker"}), ("mappings", {"numpy", "mappings", "orjson", "pydantic"})],
    ids=["the core", "the words"],
)
def test_pure_package_imports_only_what_it_may(folder: str, allowed: set[str]) -> None:
    """The core imports numpy, the words and the standard library; the words add only the door and its bytes."""
    used = set().union(*(imported(path) for path in sources(folder)))
    assert not used - allowed - set(sys.stdlib_module_names)


def test_every_import_is_declared() -> None:
    """What the packages import from elsewhere is a dependency in pyproject.toml, always or by an extra for users."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for name, lines in project["optional-dependencies"].items() if name != "dev" for line in lines]
    wanted = {re.split(r"[<>=;\[ ]", line)[0].lower() for line in [*project["dependencies"], *extras]}
    distributions = packages_distributions()
    imports = set().union(*(imported(path) for path in sources(*PACKAGES)))
    foreign = imports - set(PACKAGES) - set(sys.stdlib_module_names)
    declared = {name for name in foreign if wanted & {d.lower() for d in distributions.get(name, ())}}
    assert declared == foreign


def test_pages_that_the_code_names_exist() -> None:
    """Where a docstring or a page refers to a page of docs/, it is there."""
    pages = [*sources(*PACKAGES), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]
    named = {page for path in pages for page in re.findall(r"docs/[\w/-]+\.md", path.read_text(encoding="utf-8"))}
    assert [page for page in sorted(named) if not (ROOT / page).is_file()] == []
