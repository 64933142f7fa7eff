"""What an engine counts of its records, and the passages that none of them names."""

from dataclasses import replace

from mappings.document import Observation
from mappings.interval import Span
from mappings.series import DocumentRecord
from tests.store.worlds import put, record, row


def test_versions_are_those_of_the_records(engine):
    """Each commit counts the versions of its records anew; a draft and a repeat make none."""
    readings = [
        Observation("0" * 32, Span.instant(5)),
        Observation("0" * 32, Span.instant(6)),
        Observation("1" * 32, Span.instant(7)),
        Observation("2" * 32, Span.instant(8), draft=True),
    ]
    with engine.writer() as writer:
        writer.commit([record("s", "a", "b"), record("t", "c")])
        assert engine.info().versions == 3
        more = record("t", "c", revision=1).with_document(DocumentRecord("c").merge(readings))
        writer.commit([more])
        assert engine.info().versions == 4
        writer.commit([replace(record("s", revision=1), documents={})])
    assert engine.info().versions == 2


def test_strays_are_passages_without_a_record(engine):
    """A passage is a stray until its series has a record, and again when the record has gone."""
    put(engine, row("b#1"), row("a#2"), row("a#1"))
    assert engine.strays() == ("a#1", "a#2", "b#1")
    with engine.writer() as writer:
        writer.commit([record("a", "a")])
        assert engine.strays() == ("b#1",)
        writer.commit([replace(record("a", revision=1), documents={})])
    assert engine.strays() == ("a#1", "a#2", "b#1")
