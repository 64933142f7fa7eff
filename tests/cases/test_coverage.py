"""The page that says which case is tested where is true."""

from tests.cases.coverage import REPORT, ids_in_tests, known_ids, report


def test_the_page_is_what_the_tests_say() -> None:
    """COVERAGE.md is what `python -m tests.cases.coverage` writes."""
    assert REPORT.read_text(encoding="utf-8") == report(), "run python -m tests.cases.coverage"


def test_tests_name_only_cases_that_exist() -> None:
    """A test that names a case names one of the list."""
    assert set(ids_in_tests()) <= set(known_ids())
