"""The pages on dates and states say what the code does."""

import re
from pathlib import Path

import pytest

from indexer.keys import SPELLINGS
from indexer.readers.humandate import read_date, read_number
from mappings.document import State
from mappings.interval import OPEN, from_datetime, parse_moment, resolve_moment, to_datetime
from reranker.moments import resolve_moments

ROOT = Path(__file__).resolve().parents[2]
DATES = (ROOT / "docs" / "dates.md").read_text(encoding="utf-8")
STATES = (ROOT / "docs" / "states.md").read_text(encoding="utf-8")
NOW = parse_moment("2024-05-15T12:00:00Z").start


def rows(page: str, head: str) -> list[list[str]]:
    """Return the rows of the table whose first line is this."""
    lines = page[page.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def codes(cell: str) -> list[str]:
    """Return what a cell shows as code."""
    return re.findall(r"`([^`]+)`", cell)


def test_table_of_keys_is_that_of_the_code() -> None:
    """Each key of the code stands in the table, in its order, and no other."""
    assert [tuple(codes(row[0])) for row in rows(DATES, "| key | says |")] == list(SPELLINGS.values())


def test_forms_of_a_moment_are_read() -> None:
    """Every form that the page shows is read."""
    shown = [form for row in rows(DATES, "| form | example |") for form in codes(row[1])]
    assert len(shown) >= 10
    assert [form for form in shown if resolve_moment(form, now=NOW).start >= OPEN] == []


def test_dates_that_people_write_are_read() -> None:
    """Every form of the second table is read, alone in its field; numbers as the seconds that they are."""
    table = rows(DATES[DATES.index("## Dates that people write") :], "| form | example |")
    for form in (form for row in table for form in codes(row[-1])):
        span = read_number(float(form)) if form.isdigit() and len(form) > 8 else read_date(form, order="day_first").span
        assert span.start < span.end


def test_a_day_means_by_field_what_the_page_says() -> None:
    """`--as-of` and `--known-at` mean the last microsecond, the ends of a period are meant inclusively."""
    day = parse_moment("2024-02")
    assert resolve_moments("2024-02", now=NOW).as_of == day.end - 1
    assert resolve_moments("2024-02", "2024-02", now=NOW).known_at == day.end - 1
    period = resolve_moments(now=NOW, period=("2024-02", "2024-02")).period
    assert period is not None
    assert (period.start, period.until) == (day.start, day.end)
    assert from_datetime(to_datetime(day.start)) == day.start


def test_table_of_states_is_that_of_the_code() -> None:
    """Each state stands in the table, in the order in which the first that fits is taken, with whether it is shown."""
    table = rows(STATES, "| state | when | among the hits |")
    assert [codes(row[0]) for row in table] == [[str(state)] for state in State]
    assert [not row[2].startswith("no") for row in table] == [state.is_live for state in State]


PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """Every link to a page or a heading of this project is right."""
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", page.read_text(encoding="utf-8")):
        other = (page.parent / target) if target else page
        assert other.exists(), target
        if anchor:
            heads = re.findall(r"^#+ (.+)$", other.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
