"""The series record and what the random worlds do not reach of the timeline: merging, readers, clashes, passages."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.document import Attributes, Code, Kind, Observation, State
from mappings.interval import OPEN, Precision, Span
from mappings.series import (
    DocumentRecord,
    End,
    PassageSpan,
    SeriesRecord,
    Withdrawal,
    can_read,
)
from mappings.timeline import Timeline
from mappings.version import precedes, versions_of


def seen(text, at, **more):
    """Return an observation of a text at an instant, or over a (start, end) span."""
    span = Span.instant(at) if isinstance(at, int) else at and Span(*at, Precision.DAY)
    return Observation(text, span, **more)


def timeline(*observations, passages=None, **more):
    """Return the timeline of one document `a`."""
    document = DocumentRecord("a").merge(observations, **more)
    return Timeline(replace(SeriesRecord("s").with_document(document), passages=passages or {}))


def test_a_repeat_brings_newer_attributes_and_no_version():
    """Of two readings of one observation the later says what type it is; a tie does not go by arrival."""
    old, new = seen("A", 5, read_at=1), seen("A", 5, read_at=2, attributes=Attributes("policy"))
    tie = seen("A", 5, read_at=2, attributes=Attributes("faq"))
    assert DocumentRecord("a").merge([new]).merge([old]) == DocumentRecord("a").merge([old, new])
    assert DocumentRecord("a").merge([new, old]).observations == (new,)
    assert DocumentRecord("a").merge([tie, new]) == DocumentRecord("a").merge([new, tie])


def test_a_corrected_time_to_live_replaces_the_old_one():
    """The end that a content type sets is no date of the document: read again, it is as the type says now."""
    old, new = (seen("A", 5, valid_until=u, until_source="ttl", read_at=u) for u in (7, 9))
    document = DocumentRecord("a").merge([old, new])
    assert document.observations == (new,)
    assert document == DocumentRecord("a").merge([new, old])


def test_of_undated_readings_the_last_stands_and_a_draft_beside_it():
    """A draft read later replaces nothing."""
    readings = [seen("A", None, read_at=2), seen("B", None, read_at=1), seen("C", None, read_at=3, draft=True)]
    document = DocumentRecord("a").merge(readings)
    assert [o.content_hash for o in document.observations] == ["A", "C"]
    assert [v.content_hash for v in versions_of(document)] == ["A"]


def test_an_end_known_twice_is_one_end():
    """Its reason is chosen by a total order, not by arrival."""
    ends = [End(Span.instant(5), reason="gone"), End(Span.instant(5), reason="moved"), End(Span.instant(5), 1)]
    document = DocumentRecord("a").merge(ends=ends)
    assert document == DocumentRecord("a").merge(ends=ends[::-1])
    assert [(end.sequence, end.reason) for end in document.ends] == [(None, "moved"), (1, "")]


def test_readers_are_those_of_the_latest_observation():
    """A late arrival of an old observation does not bring back its readers; at one place the last reading decides."""
    early, late, undated = seen("A", 5), seen("B", 9), seen("C", None)
    document = DocumentRecord("a").with_principals(["bob", "ann", "bob"], late)
    assert document.principals == ("ann", "bob")
    assert document.with_principals([], early) is document.with_principals([], undated) is document
    assert document.with_principals([], late).principals == ()
    assert document.with_principals(["eve"], seen("B", 9, sequence=1)).principals == ("eve",)


READERS = [
    ((), (), True),
    ((), ("ann",), True),
    (("ann",), (), False),
    (("ann",), ("bob",), False),
    (("ann", "bob"), ("eve", "bob"), True),
]


@pytest.mark.parametrize(("document", "reader", "right"), READERS, ids=[f"{r[0]} {r[1]}" for r in READERS])
def test_one_shared_principal_gives_the_right(document, reader, right):
    """A document without principals is everybody's; a question without sees only those."""
    assert can_read(document, reader) is right


def test_a_document_leaves_with_its_passages():
    """What moves to another series or is erased leaves nothing behind; the others stay as they are."""
    record = SeriesRecord("s").with_document(DocumentRecord("b")).with_document(DocumentRecord("a"))
    record = replace(record, passages={"p": PassageSpan("a", 0, 0), "q": PassageSpan("b", 0, 1)})
    assert list(record.documents) == ["a", "b"]
    left = record.without_document("a")
    assert (list(left.documents), left.passages) == (["b"], {"q": PassageSpan("b", 0, 1)})


ORDER = [
    ("earlier instant", seen("A", 5), seen("B", 6), True),
    ("later instant", seen("A", 6), seen("B", 5), False),
    ("one instant", seen("A", 5), seen("B", 5), False),
    ("one instant, in sequence", seen("A", 5, sequence=1), seen("B", 5, sequence=2), True),
    ("sequences alike", seen("A", 5, sequence=1), seen("B", 5, sequence=1), False),
    ("only one has a sequence", seen("A", 5, sequence=1), seen("B", 5), False),
    ("time before sequence", seen("A", 5, sequence=2), seen("B", 6, sequence=1), True),
    ("instant in a day", seen("A", 5), seen("B", (0, 10)), False),
    ("day before the next", seen("A", (0, 10)), seen("B", 10), True),
    ("undated", seen("A", None), seen("B", 5), False),
    ("before an undated", seen("A", 5), seen("B", None), False),
]


@pytest.mark.parametrize(("one", "other", "before"), [row[1:] for row in ORDER], ids=[row[0] for row in ORDER])
def test_order_of_two_observations(one, other, before):
    """Spans that part decide, then two sequences that differ; nothing else does."""
    assert precedes(one, other) is before
    assert not (before and precedes(other, one))


RUNS = [
    ("repeats", [seen("A", 1), seen("A", 5), seen("A", 5)], (), ["A"]),
    ("late text between", [seen("A", 1), seen("A", 9), seen("B", 5)], (), ["A", "B", "A"]),
    ("end between", [seen("A", 1), seen("A", 9)], (5,), ["A", "A"]),
    ("end at the repeat", [seen("A", 1), seen("A", 9)], (9,), ["A", "A"]),
    ("end before both", [seen("A", 1), seen("A", 9)], (1,), ["A"]),
    ("draft between", [seen("A", 1), seen("A", 9), seen("B", 5, draft=True)], (), ["A"]),
    ("unordered against the first", [seen("A", (0, 10)), seen("B", 5), seen("A", 20)], (), ["A", "B", "A"]),
    ("unordered against the repeat", [seen("A", 1), seen("A", (10, 20)), seen("B", 15)], (), ["A", "A", "B"]),
    (
        "a sequence puts the other text behind both",
        [seen("A", 1, sequence=1), seen("A", 15, sequence=2), seen("B", (10, 20), sequence=3)],
        *((), ["A", "B"]),
    ),
    (
        "and a third reading comes after it",
        [seen("A", 1), seen("A", 15, sequence=1), seen("B", (10, 20), sequence=3), seen("A", 25)],
        *((), ["A", "B", "A"]),
    ),
    ("other dates", [seen("A", 1), seen("A", 5, valid_from=1)], (), ["A", "A"]),
    ("other links", [seen("A", 1), seen("A", 5, supersedes=("b",))], (), ["A", "A"]),
    ("a time to live", [seen("A", at, valid_until=at + 2, until_source="ttl") for at in (1, 2)], (), ["A"]),
]


@pytest.mark.parametrize(("observations", "ends", "runs"), [row[1:] for row in RUNS], ids=[row[0] for row in RUNS])
def test_versions_are_runs(observations, ends, runs):
    """Equal readings are one version until something else comes between, or may have."""
    document = DocumentRecord("a").merge(observations, [End(Span.instant(at)) for at in ends])
    versions = versions_of(document)
    assert [version.content_hash for version in versions] == runs
    assert [version.position for version in versions] == list(range(len(runs)))
    assert len({version.version_id for version in versions}) == len(runs)


def test_a_version_is_what_its_last_known_reading_says():
    """What is read beside the text holds from the reading that says it; before the first reading the first counts."""
    notes = [seen("A", at, attributes=Attributes(title=f"read {at}")) for at in (5, 9)]
    (version,) = timeline(*notes).versions
    titles = {k: version.attributes_at(k).title for k in (4, 5, 8, 9)}
    assert titles == {4: "read 5", 5: "read 5", 8: "read 5", 9: "read 9"}
    assert version.last_by(8).observed == Span.instant(5)


def test_an_event_that_becomes_a_chronicle_does_so_when_it_is_known():
    """Before, it had ended; after, it is a record."""
    notice, record = (Attributes(kind=Kind.EVENT, chronicle=chronicle) for chronicle in (False, True))
    story = timeline(seen("A", 1, valid_until=5, attributes=notice), seen("A", 9, valid_until=5, attributes=record))
    assert [story.standings(20, k)[0].state for k in (8, 9)] == [State.EXPIRED, State.VALID]


DAY = (0, 10)

CLASHES = [
    ("two texts of a day", [seen("A", DAY), seen("B", DAY)], {}, 30, 30, [Code.CONFLICT] * 2),
    ("one text twice", [seen("A", DAY), seen("A", 5)], {}, 30, 30, [None]),
    ("alone", [seen("A", DAY)], {}, 30, 30, [None]),
    ("in order", [seen("A", 1), seen("B", 5)], {}, 30, 30, [None] * 2),
    (
        "equal sequences",
        [seen("A", DAY, sequence=1), seen("B", DAY, sequence=1)],
        *({}, 30, 30, [Code.DUPLICATE_VERSION] * 2),
    ),
    ("one sequence", [seen("A", DAY, sequence=1), seen("B", DAY)], {}, 30, 30, [Code.CONFLICT] * 2),
    ("ordered by sequence", [seen("A", DAY, sequence=1), seen("B", DAY, sequence=2)], {}, 30, 30, [None] * 2),
    ("the other not yet known", [seen("A", DAY), seen("B", 5)], {}, 4, 4, [None] * 2),
    ("the other not yet valid", [seen("A", DAY), seen("B", 5, valid_from=20)], {}, 9, 9, [None] * 2),
    ("the other withdrawn", [seen("A", DAY), seen("B", 5)], {"withdrawals": [Withdrawal("B", 7)]}, 8, 8, [None] * 2),
    (
        "one of the others replaced",
        [seen("A", DAY), seen("B", 3), seen("C", 5)],
        *({}, 8, 8, [Code.CONFLICT, None, Code.CONFLICT]),
    ),
    ("both replaced", [seen("A", DAY), seen("B", DAY), seen("C", 12)], {}, 30, 30, [None] * 3),
    ("undated beside", [seen("A", DAY), seen("B", None)], {}, 30, 30, [None] * 2),
]


@pytest.mark.parametrize(
    ("observations", "more", "t", "k", "codes"), [row[1:] for row in CLASHES], ids=[row[0] for row in CLASHES]
)
def test_live_versions_that_nothing_orders_clash(observations, more, t, k, codes):
    """Both stay and say so, for as long as both are live by what is known."""
    assert [standing.clash for standing in timeline(*observations, **more).standings(t, k)] == codes


def test_in_force_is_what_is_live_for_the_reader():
    """What the reader may not read, and what is out, is not in force."""
    secret = DocumentRecord("b", principals=("ann",)).merge([seen("C", 1)])
    record = SeriesRecord("s").with_document(DocumentRecord("a").merge([seen("A", 1), seen("B", 5)]))
    story = Timeline(record.with_document(secret))
    texts = {reader: [s.version.content_hash for s in story.at(9, 9, reader).in_force()] for reader in ((), ("ann",))}
    assert texts == {(): ["B"], ("ann",): ["B", "C"]}


def test_passage_stands_in_a_run_of_versions():
    """By positions in the order of the document; an undated version has none; an unknown passage stands nowhere."""
    spans = {"p": PassageSpan("a", 0, 1), "q": PassageSpan("a", 2, 2), "u": PassageSpan("a", -1, -1)}
    story = timeline(seen("A", 1), seen("B", 5), seen("C", 9), seen("D", None), passages=spans)
    texts = {key: [v.content_hash for v in story.passage_versions(key)] for key in ("p", "q", "u", "gone")}
    assert texts == {"p": ["A", "B"], "q": ["C"], "u": ["D"], "gone": []}
    assert story.by_id[story.versions[1].version_id] is story.versions[1]


def test_places_come_from_first_versions():
    """By valid_from, then first observation, then sequence; an undated document has none and follows nothing."""
    record = SeriesRecord("s")
    documents = {
        "late": [seen("A", 9)],
        "early": [seen("A", 5), seen("B", 20)],
        "tie": [seen("C", 5, sequence=1)],
        "undated": [seen("D", None)],
        "empty": [],
    }
    for doc_id, observations in documents.items():
        record = record.with_document(DocumentRecord(doc_id).merge(observations))
    story = Timeline(record)
    assert story.by_place == ("early", "tie", "late")
    pairs = [("late", "early"), ("tie", "early"), ("early", "tie"), ("undated", "early"), ("late", "undated")]
    assert [story.follows(*pair) for pair in pairs] == [True, False, False, False, False]


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=6), st.integers(0, 12))
def test_void_is_what_the_last_word_says(events, k):
    """The latest withdrawal or undoing by then decides; of two at one instant the undoing."""
    withdrawals = [Withdrawal("A", at, undo) for at, undo in events]
    (version,) = timeline(seen("A", 3), withdrawals=withdrawals).versions
    heard = [(at, undo) for at, undo in events if 3 <= at <= k]
    assert version.is_void(k) is (bool(heard) and not max(heard)[1])
    assert all(start < end for start, end in version.void)
    assert all(a[1] < b[0] or a[1] == OPEN for a, b in zip(version.void, version.void[1:], strict=False))
