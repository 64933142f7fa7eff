"""Declared replacements, within a series and across: to nothing, in a circle, against the dates, and when they work."""

import pytest

from indexer.findings import link_findings, waiting_links
from indexer.settings import IngestSettings
from indexer.verify import verify
from tests.indexer.arrivals import open_index
from tests.indexer.library import fill, in_force, line_of, page


@pytest.fixture
def engine(quick_path):
    engine = open_index(quick_path / "index")
    yield engine
    assert verify(engine, IngestSettings()).differences == ()
    engine.close()


def faults(findings):
    return [(finding.doc_id, finding.target, str(finding.fault)) for finding in findings]


NEW = page("new", "2024-03-01", supersedes="old")
OLD = page("old", "2024-01-01")


@pytest.mark.parametrize("series", [None, "shared"], ids=["across records", "in one series"])
@pytest.mark.parametrize("order", [(OLD, NEW), (NEW, OLD)], ids=["old first", "new first"])
def test_link_replaces_whatever_arrives_first(engine, order, series):
    """The replaced document goes when the link is in force, in either order of arrival."""
    for line in order:
        fill(engine, {**line, "series": series})
    assert in_force(engine, "old", "2024-02-01") == ["2024-01-01"]
    assert in_force(engine, "old", "2024-04-01") == []
    assert link_findings(engine) == ()


def test_link_to_nothing_waits_is_listed_and_works_when_it_arrives(engine):
    """It is kept, told by the report, listed, and gone from the list when its document comes."""
    report = fill(engine, NEW)
    assert faults(report.links) == faults(waiting_links(engine)) == [("new", "old", "waiting")]
    assert str(report.links[0]) == "'new' supersedes 'old', which is not here; the link works when it arrives"
    assert fill(engine, OLD).links == []
    assert waiting_links(engine) == ()
    assert in_force(engine, "old", "2024-04-01") == []


def test_waiting_link_holds_for_a_document_in_any_series(engine):
    """Also when its document comes within a series of others."""
    fill(engine, NEW)
    fill(engine, {**OLD, "series": "s"}, page("other", "2023-01-01", series="s"))
    assert in_force(engine, "old", "2024-04-01") == []


@pytest.mark.parametrize("series", [None, "s"], ids=["across records", "in one series"])
def test_link_against_the_dates_is_disabled_and_listed(engine, series):
    """What begins later can not have been replaced; an earlier version that arrives late enables the link."""
    late = page("old", "2024-05-01", series=series)
    report = fill(engine, {**NEW, "series": series and "t"}, late)
    assert faults(report.links) == faults(link_findings(engine)) == [("new", "old", "against_dates")]
    assert in_force(engine, "old", "2024-06-01") == ["2024-05-01"]
    fill(engine, page("old", "2024-01-01", series=series))
    assert link_findings(engine) == ()
    assert in_force(engine, "old", "2024-06-01") == []


@pytest.mark.parametrize("length", [1, 2, 3, 5])
@pytest.mark.parametrize("series", [None, "s"], ids=["across records", "in one series"])
def test_links_in_a_circle_are_disabled_and_listed(engine, length, series):
    """Kept, flagged and without effect, however many records they lead through and whenever they come."""
    lines = [
        page(f"d{i}", "2024-01-01", series=series, valid_until="2025-01-01", supersedes=f"d{(i + 1) % length}")
        for i in range(length)
    ]
    for line in lines[:-1]:
        fill(engine, line)
    report = fill(engine, lines[-1])
    expected = [(f"d{i}", f"d{(i + 1) % length}", "circle") for i in range(length)]
    assert faults(link_findings(engine)) == expected
    assert faults(report.links) == expected[-1:]
    for i in range(length):
        assert in_force(engine, f"d{i}", "2024-06-01") == ["2024-01-01"]


def test_link_against_the_dates_closes_no_circle(engine):
    """Of two documents that name each other, the later one replaces the earlier."""
    fill(engine, page("old", "2024-01-01", supersedes="new"), NEW)
    assert faults(link_findings(engine)) == [("old", "new", "against_dates")]
    assert (in_force(engine, "old", "2024-06-01"), in_force(engine, "new", "2024-06-01")) == ([], ["2024-03-01"])


def test_link_of_a_reader_who_may_not_see_it_does_not_exist(engine):
    """Narrowing and widening the readers of the new document reaches the record of the old one."""
    fill(engine, OLD, {**NEW, "principals": ["hr"]})
    assert in_force(engine, "old", "2024-06-01") == ["2024-01-01"]
    assert in_force(engine, "old", "2024-06-01", reader=("hr",)) == []
    fill(engine, page("new", "2024-04-01", supersedes="old"))
    assert in_force(engine, "old", "2024-06-01") == []
    fill(engine, page("new", "2024-05-01", supersedes="old", principals=["hr"]))
    assert in_force(engine, "old", "2024-06-01") == ["2024-01-01"]


def test_withdrawn_link_lets_the_old_document_stand(engine):
    """The withdrawal of the new document reaches the record of the old one."""
    fill(engine, OLD, NEW)
    fill(engine, {**NEW, "withdrawn": "2024-05-01"})
    assert in_force(engine, "old", "2024-04-01") == []
    assert in_force(engine, "old", "2024-06-01") == ["2024-01-01"]


def test_copies_follow_a_document_that_moves(engine):
    """The old document takes the copies along into its new series, and leaves none behind."""
    fill(engine, {**OLD, "series": "s"}, page("stays", "2023-01-01", series="s"), NEW)
    fill(engine, page("old", "2024-02-01", series="t"))
    assert in_force(engine, "old", "2024-06-01") == []
    assert [copy.target for copy in line_of(engine, "old").record.links] == ["old"]
    assert line_of(engine, "stays").record.links == ()


def test_draft_links_nothing(engine):
    """A draft is in no order, and so are its links."""
    fill(engine, OLD, {**NEW, "draft": True})
    assert in_force(engine, "old", "2024-06-01") == ["2024-01-01"]
    assert line_of(engine, "old").record.links == ()
