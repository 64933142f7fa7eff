"""The page that says which case is tested where is true."""

import ast
import re

import pytest

from tests.cases.catalogue import catalogue
from tests.cases.coverage import REPORT, TESTS, TakenOn, report, taken_on


@pytest.fixture(scope="module")
def tests() -> TakenOn:
    """Read once which test takes which case on."""
    return taken_on()


def test_the_page_is_what_the_tests_say(tests: TakenOn) -> None:
    """COVERAGE.md is what `python -m tests.cases.coverage` writes."""
    assert REPORT.read_text(encoding="utf-8") == report(catalogue(), tests), "run python -m tests.cases.coverage"


def test_every_case_has_one_row() -> None:
    """No case is in no row, and none in two."""
    rows = re.findall(r"^\| ([A-Z]+-?[A-Z0-9-]*\d) \|", REPORT.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [entry.id for entry in catalogue()]
    assert len(set(rows)) == len(rows)


def test_a_case_without_a_test_says_what_it_needs(tests: TakenOn) -> None:
    """Each case is a test, or open for a reason that is written down."""
    assert [entry.id for entry in catalogue() if entry.id not in tests and not entry.needs] == []


def test_tests_name_only_cases_that_exist(tests: TakenOn) -> None:
    """A test that names a case names one of the list."""
    assert set(tests) <= {entry.id for entry in catalogue()}


def test_rows_name_only_tests_that_exist() -> None:
    """Each file and each function that the page names is there."""
    named = set(re.findall(r"([\w/]+\.py)::(test_\w+)", REPORT.read_text(encoding="utf-8")))
    trees = {path: ast.parse((TESTS / path).read_text(encoding="utf-8")) for path, _ in named}
    functions = [(path, node) for path, tree in trees.items() for node in ast.walk(tree)]
    there = {(path, node.name) for path, node in functions if isinstance(node, ast.FunctionDef)}
    assert named and named <= there
