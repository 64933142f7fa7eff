"""Documents of one series that declare the same place and the same sequence: nothing orders them, and they say so."""

import pytest

from mappings.document import Code
from mappings.series import DocumentRecord, SeriesRecord
from mappings.timeline import Timeline
from tests.mappings.test_series import seen

FIRST = seen("A", 1, sequence=2)

CLASHES = [
    ("one sequence, two texts", FIRST, seen("B", 1, sequence=2), (), [Code.DUPLICATE_VERSION] * 2),
    ("one sequence, one text", FIRST, seen("A", 1, sequence=2), (), [None] * 2),
    ("two sequences", FIRST, seen("B", 1, sequence=3), (), [None] * 2),
    ("no sequence", seen("A", 1), seen("B", 1), (), [None] * 2),
    ("two places", FIRST, seen("B", 5, sequence=2), (), [None] * 2),
    ("one links to the other", FIRST, seen("B", 1, sequence=2, supersedes=("a",)), (), [None] * 2),
    ("no right to the other", FIRST, seen("B", 1, sequence=2), ("ann",), [None]),
]


@pytest.mark.parametrize(
    ("one", "other", "readers", "codes"), [row[1:] for row in CLASHES], ids=[row[0] for row in CLASHES]
)
def test_documents_of_one_place_clash(one, other, readers, codes):
    """Both are live and flagged, where both are seen, say different things, and no link decides."""
    record = SeriesRecord("s").with_document(DocumentRecord("a").merge([one]))
    story = Timeline(record.with_document(DocumentRecord("b", principals=readers).merge([other])))
    assert [standing.clash for standing in story.standings(9, 9)] == codes


def test_a_later_version_of_one_clashes_like_its_first():
    """A document keeps the place of its first version: editing it settles nothing."""
    record = SeriesRecord("s").with_document(DocumentRecord("a").merge([FIRST, seen("C", 5, sequence=3)]))
    story = Timeline(record.with_document(DocumentRecord("b").merge([seen("B", 1, sequence=2)])))
    assert [standing.clash for standing in story.standings(9, 9)] == [None, *[Code.DUPLICATE_VERSION] * 2]
