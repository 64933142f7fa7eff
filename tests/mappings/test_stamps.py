"""The stamps of passages and the filter over them: scalar, array and clause form, and reason, over one table."""

from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.document import Attributes, Code, Kind, Observation
from mappings.interval import BEGIN, OPEN, Span
from mappings.series import DocumentRecord, End, PassageSpan, SeriesRecord, Withdrawal
from mappings.stamping import passage_stamps, span_stamps, version_stamps
from mappings.stamps import (
    StampColumns,
    Stamps,
    admits,
    admits_array,
    admits_clauses,
    excluded_by,
    excluded_clauses,
)
from mappings.timeline import Timeline
from tests.mappings.worlds import LIVE, moments, readers, to_records, worlds

PLAIN = Stamps(observed=10, valid_from=20)

CASES = [
    # what, stamps, as_of, known_at, code of the first stamp that excludes
    ("open", PLAIN, 20, 10, None),
    ("not yet known", PLAIN, 30, 9, Code.FUTURE_OBSERVED),
    ("not yet begun", PLAIN, 19, 30, Code.NOT_YET_VALID),
    ("the last instant of its window", replace(PLAIN, until=30), 29, 40, None),
    ("the end is outside", replace(PLAIN, until=30), 30, 40, Code.EXPIRED_VERSIONED_DOC),
    ("before the withdrawal is known", replace(PLAIN, withdrawn=30), 40, 29, None),
    ("withdrawn for every moment", replace(PLAIN, withdrawn=30), 20, 30, Code.RETRACTED),
    ("replaced", replace(PLAIN, closed=30, closed_by="replaced"), 30, 30, Code.SUPERSEDED),
    ("replaced: asked about before", replace(PLAIN, closed=30, closed_by="replaced"), 29, 40, None),
    ("replaced: known before", replace(PLAIN, closed=30, closed_by="replaced"), 40, 29, None),
    ("ended", replace(PLAIN, closed=30, closed_by="end"), 30, 30, Code.RETRACTED),
    ("ended: asked about before", replace(PLAIN, closed=30, closed_by="end"), 29, 40, None),
    ("ended before it began", replace(PLAIN, closed=15, closed_by="end"), 16, 16, Code.RETRACTED),
    ("replaced before it began", replace(PLAIN, closed=15, closed_by="replaced"), 16, 16, Code.NOT_YET_VALID),
    ("out of its window and replaced", replace(PLAIN, until=25, closed=25), 30, 30, Code.EXPIRED_VERSIONED_DOC),
    ("undated", Stamps(BEGIN, BEGIN), -5, -5, None),
    ("undated beside a dated one", Stamps(BEGIN, BEGIN, closed=BEGIN, closed_by="replaced"), 5, 5, Code.SUPERSEDED),
    ("the end of time", PLAIN, OPEN - 1, OPEN - 1, None),
]


def columns(rows):
    """Return stamps as columns."""
    names = ("observed", "valid_from", "until", "withdrawn", "closed")
    return StampColumns(*(np.array([getattr(row, name) for row in rows], dtype=np.int64) for name in names))


def matches(clause, values):
    """Tell whether a clause matches a passage, as a search engine would."""
    ((name, body),) = clause.items()
    if name == "bool":
        every = all(matches(part, values) for part in body.get("filter", ()))
        return every and not any(matches(part, values) for part in body.get("must_not", ()))
    ((field, asked),) = body.items()
    if name == "term":
        return values[field] == asked
    tests = {"lte": values[field].__le__, "gt": values[field].__gt__}
    return name == "range" and all(tests[limit](number) for limit, number in asked.items())


def reasons(stamps, kind, t, k):
    """Return the codes whose clauses match a passage."""
    values = {**asdict(stamps), "kind": kind.value}
    return [code for code, clause in excluded_clauses(t, k) if matches(clause, values)]


def kept_by_clauses(stamps, t, k):
    """Tell whether all clauses of the filter match a passage."""
    return all(matches(clause, asdict(stamps)) for clause in admits_clauses(t, k))


@pytest.mark.parametrize(("stamps", "t", "k", "code"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_filter_and_reason(stamps, t, k, code):
    """The scalar form, the array form, the clauses and the reason agree with the row."""
    assert admits(stamps, t, k) is (code is None)
    assert admits_array(columns([stamps]), t, k).tolist() == [code is None]
    assert excluded_by(stamps, Kind.VERSIONED, t, k) is code
    assert kept_by_clauses(stamps, t, k) is (code is None)
    assert reasons(stamps, Kind.VERSIONED, t, k) == ([] if code is None else [code])


instants = st.sampled_from([BEGIN, *range(5), OPEN])
closers = st.sampled_from(["", "end", "replaced"])
any_stamps = st.builds(Stamps, instants, instants, instants, instants, instants, closers)


@given(st.lists(any_stamps, max_size=8), st.integers(-1, 5), st.integers(-1, 5), st.sampled_from(list(Kind)))
def test_forms_of_the_filter_agree(rows, t, k, kind):
    """Scalar, array, clauses and reason say the same of any stamps at any moment."""
    kept = [admits(row, t, k) for row in rows]
    assert admits_array(columns(rows), t, k).tolist() == kept
    assert [excluded_by(row, kind, t, k) is None for row in rows] == kept
    assert [kept_by_clauses(row, t, k) for row in rows] == kept
    assert [reasons(row, kind, t, k) for row in rows] == [
        [code] if (code := excluded_by(row, kind, t, k)) else [] for row in rows
    ]


@given(st.lists(any_stamps, min_size=1, max_size=5), st.integers(-1, 5), st.integers(-1, 5))
def test_a_passage_is_kept_where_one_of_its_versions_is(rows, t, k):
    """Stamps over several versions exclude nothing that one of them would keep."""
    assert admits(Stamps.over(rows), t, k) or not any(admits(row, t, k) for row in rows)


def test_stamps_over_versions_take_the_widest():
    """Smallest beginnings, largest ends; what closed it is what closed it last."""
    first = Stamps(1, 3, until=9, withdrawn=5, closed=4, closed_by="replaced", event_end=9)
    second = Stamps(2, 2, until=7, withdrawn=6, closed=8, closed_by="end", event_end=OPEN)
    assert Stamps.over([first, second]) == Stamps(1, 2, 9, 6, 8, "end", OPEN)
    assert Stamps.over(iter([first])) == first


def test_an_undated_passage_is_told_by_its_stamps():
    """Nothing dated was observed at the beginning of time."""
    assert Stamps(BEGIN, BEGIN).undated and not PLAIN.undated


def seen(text, at, **more):
    """Return an observation of a text at an instant."""
    return Observation(text, Span.instant(at), **more)


def stamps_of(*documents):
    """Return the stamps of all versions of a series, in the order of the timeline."""
    record = SeriesRecord("s")
    for document in documents:
        record = record.with_document(document)
    story = Timeline(record)
    stamps = version_stamps(story)
    return [stamps[version.version_id] for version in story.versions]


def document(doc_id, *observations, principals=(), **more):
    """Return the record of a document."""
    return DocumentRecord(doc_id, principals=principals).merge(observations, **more)


EVENT = Attributes(kind=Kind.EVENT, chronicle=True)
NOTICE = Attributes(kind=Kind.EVENT)

STAMPED = [
    ("alone", [document("a", seen("A", 5))], Stamps(5, 5)),
    ("scheduled", [document("a", seen("A", 5, valid_from=9))], Stamps(5, 9)),
    (
        "a notice ends",
        [document("a", seen("A", 5, valid_until=9, attributes=NOTICE))],
        Stamps(5, 5, until=9, event_end=9),
    ),
    ("a chronicle does not", [document("a", seen("A", 5, valid_until=9, attributes=EVENT))], Stamps(5, 5, event_end=9)),
    ("replaced", [document("a", seen("A", 5), seen("B", 9))], Stamps(5, 5, closed=9, closed_by="replaced")),
    (
        "replaced from when the other is in force",
        [document("a", seen("A", 5), seen("B", 9, valid_from=20))],
        Stamps(5, 5, closed=20, closed_by="replaced"),
    ),
    (
        "replaced from when the other is known",
        [document("a", seen("A", 5), seen("B", 9, valid_from=1))],
        Stamps(5, 5, closed=9, closed_by="replaced"),
    ),
    (
        "ended",
        [document("a", seen("A", 5), ends=[End(Span.instant(7)), End(Span.instant(8))])],
        Stamps(5, 5, closed=7, closed_by="end"),
    ),
    (
        "a replacement that was withdrawn for a while stamps nothing",
        [document("a", seen("A", 5), seen("B", 9), withdrawals=[Withdrawal("B", 10), Withdrawal("B", 11, undo=True)])],
        Stamps(5, 5),
    ),
    (
        "withdrawn, taken back, withdrawn",
        [document("a", seen("A", 5), withdrawals=[Withdrawal("A", 6), Withdrawal("A", 7, True), Withdrawal("A", 8)])],
        Stamps(5, 5, withdrawn=8),
    ),
    (
        "overtaken, then withdrawn as well",
        [document("a", seen("A", 5, valid_from=20), seen("B", 7), withdrawals=[Withdrawal("A", 9)])],
        Stamps(5, 20, withdrawn=7, closed=7, closed_by="replaced"),
    ),
    (
        "by place",
        [document("a", seen("A", 5)), document("b", seen("B", 9))],
        Stamps(5, 5, closed=9, closed_by="replaced"),
    ),
    (
        "by one that not all may read",
        [document("a", seen("A", 5)), document("b", seen("B", 9), principals=("ann",))],
        Stamps(5, 5),
    ),
    (
        "by one that all its readers may read",
        [document("a", seen("A", 5), principals=("ann",)), document("b", seen("B", 9), principals=("ann", "bob"))],
        Stamps(5, 5, closed=9, closed_by="replaced"),
    ),
    ("equal text in another document", [document("a", seen("A", 5)), document("b", seen("A", 9))], Stamps(5, 5)),
    (
        "a declared end",
        [document("a", seen("A", 5, valid_until=90)), document("b", seen("B", 9))],
        Stamps(5, 5, until=90, event_end=90),
    ),
    (
        "by link",
        [document("a", seen("A", 5, valid_until=90)), document("b", seen("B", 9, supersedes=("a",)))],
        Stamps(5, 5, until=90, closed=9, closed_by="replaced", event_end=90),
    ),
    (
        "by a link against the dates",
        [document("a", seen("A", 5)), document("b", seen("B", 3, supersedes=("a",)))],
        Stamps(5, 5),
    ),
    (
        "by a link in a circle",
        [document("a", seen("A", 5, supersedes=("b",))), document("b", seen("B", 5, supersedes=("a",)))],
        Stamps(5, 5),
    ),
    (
        "by the place of a document that a link replaces",
        [
            document("a", seen("A", 5)),
            document("b", seen("B", 9)),
            document("c", seen("A", 4), seen("A", 20, supersedes=("b",))),
        ],
        Stamps(5, 5),
    ),
]


@pytest.mark.parametrize(("documents", "stamps"), [row[1:] for row in STAMPED], ids=[row[0] for row in STAMPED])
def test_stamps_of_the_first_version(documents, stamps):
    """What closes for everybody and for good is stamped; the rest is left to the record."""
    assert stamps_of(*documents)[0] == stamps


@given(worlds(), st.randoms(use_true_random=False), moments, moments, readers)
def test_a_passage_is_never_kept_out_while_a_version_with_it_is_live(world, pick, t, k, reader):
    """Passages over runs of versions: the filter keeps every one of which a version is live for anybody."""
    for record in to_records(world).values():
        story = Timeline(record)
        spans = {}
        for doc_id, versions in story.by_document.items():
            dated = [version for version in versions if not version.undated]
            spans |= {f"{doc_id} undated": PassageSpan(doc_id, -1, -1)} if len(dated) < len(versions) else {}
            if dated:
                first = pick.randint(0, len(dated) - 1)
                spans[f"{doc_id} dated"] = PassageSpan(doc_id, first, pick.randint(first, len(dated) - 1))
        story = Timeline(replace(record, passages=spans))
        stamps = passage_stamps(story)
        assert stamps == span_stamps(story, spans)
        live = {s.version.version_id for s in story.standings(t, k, reader) if s.state in LIVE}
        for passage_id, row in stamps.items():
            there = any(version.version_id in live for version in story.passage_versions(passage_id))
            assert admits(row, t, k) or not there
