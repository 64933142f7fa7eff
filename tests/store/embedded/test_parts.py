"""The parts of the embedded engine by themselves: columns, vectors, time lines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.interval import BEGIN, OPEN
from mappings.series import SeriesRecord
from mappings.stamps import Stamps
from store.embedded.boundary import Damage
from store.embedded.columns import DEAD, ColumnTable, Entry, entry, read_columns, write_columns
from store.embedded.truth import Truth
from store.embedded.vectors import VectorFile, verify
from store.timelines import TimelineCache
from tests.store.worlds import record

INT64 = st.integers(BEGIN, OPEN)
ENTRIES = st.builds(
    Entry,
    row=INT64,
    key=st.integers(0, 2**64 - 1),
    checksum=st.integers(0, 2**64 - 1),
    observed=INT64,
    valid_from=INT64,
    until=INT64,
    withdrawn=INT64,
    closed=INT64,
    event_end=INT64,
    facet=st.integers(0, 2**31 - 1),
    title_len=st.integers(0, 2**31 - 1),
    body_len=st.integers(0, 2**31 - 1),
    closed_by=st.integers(0, 2),
)


def table(*rows: int) -> ColumnTable:
    return ColumnTable.of([entry(each, each, 0, Stamps(1, 1), 0, (0, 0)) for each in rows])


class TestColumns:
    """Columns in memory and on disk."""

    @given(entries=st.lists(ENTRIES, max_size=5), sequence=st.integers(0, 2**40))
    def test_come_back_from_disk(self, tmp_path_factory, entries, sequence):
        """Every number that fits comes back as it was."""
        file = tmp_path_factory.mktemp("columns") / "columns.1"
        write_columns(file, ColumnTable.of(entries), sequence)
        back = read_columns(file, sequence)
        assert [back.entry(slot) for slot in range(len(back))] == entries
        assert [path.name for path in file.parent.iterdir()] == ["columns.1"]

    def test_of_another_sequence_are_damage(self, tmp_path):
        """A file under the name of one sequence with the content of another is not believed."""
        write_columns(tmp_path / "columns.1", table(1), 1)
        with pytest.raises(Damage):
            read_columns(tmp_path / "columns.1", 2)

    def test_never_change(self):
        """Appending, changing and killing give new columns; those before stay what they are."""
        before = table(1, 2, 3)
        after = before.appended([entry(9, 9, 0, Stamps(4, 4), 1, (1, 2))]).changed(
            {0: entry(1, 1, 0, Stamps(7, 7), 2, (0, 0))}
        )
        after = after.killed(np.array([1]))
        assert (after.row.tolist(), after.observed.tolist()) == ([1, 2, 3, 9], [7, 1, 1, 4])
        assert (after.facet.tolist(), after.alive.tolist()) == ([2, DEAD, 0, 1], [True, False, True, True])
        assert (before.observed.tolist(), before.facet.tolist()) == ([1, 1, 1], [0, 0, 0])

    @pytest.mark.parametrize(
        ("rows", "slots"),
        [([], []), ([2], [0]), ([9, 2], [2, 0]), ([1, 3, 5, 8], [1]), ([10**9], [])],
        ids=["none", "first", "as asked", "absent ones", "past the end"],
    )
    def test_slots_of_rows(self, rows, slots):
        """Slots come in the order asked for; rows that are not here are left out, dead ones too."""
        columns = table(2, 5, 9)
        assert columns.slots_of(rows).tolist() == slots
        assert columns.killed(np.array([0, 1, 2])).slots_of(rows).tolist() == []

    def test_no_slots(self):
        """Columns of nothing have no slots."""
        assert ColumnTable.empty().slots_of([1, 2]).tolist() == []


class TestVectors:
    """The vector file."""

    @pytest.mark.parametrize("dimension", [1, 6, 7], ids=["one", "even", "odd"])
    def test_come_back(self, tmp_path, dimension):
        """Rows come back as they were written, in any portions; an odd dimension is padded with zeros."""
        numbers = np.arange(5 * dimension, dtype=np.float32).reshape(5, dimension) + 1
        file = VectorFile(tmp_path / "v", dimension)
        sums = [*file.write(0, list(numbers[:2])), *file.write(2, list(numbers[2:]))]
        rows = file.open(5)
        assert np.array_equal(rows[:, :dimension], numbers)
        assert not rows[:, dimension:].any()
        columns = ColumnTable.of([entry(n, n, int(each), Stamps(1, 1), 0, (0, 0)) for n, each in enumerate(sums)])
        verify(rows, columns, 0)
        file.write(3, [np.zeros(dimension, dtype=np.float32)])
        with pytest.raises(Damage, match="vectors: not what was written"):
            verify(rows, columns, 0)
        verify(rows, columns.killed(np.array([3])), 0)
        verify(rows, columns, 4)

    def test_too_short_is_damage(self, tmp_path):
        """A file with fewer rows than the columns have is damage; of nothing, nothing is asked."""
        file = VectorFile(tmp_path / "v", 4)
        assert file.open(0).shape == (0, 4)
        with pytest.raises(Damage):
            file.open(1)
        file.write(0, [np.ones(4, dtype=np.float32)])
        with pytest.raises(Damage):
            file.open(2)


def test_time_lines_leave_by_least_use(engine):
    """The cache holds what fits; the one that was not asked for longest leaves first."""
    with engine.writer() as writer:
        writer.commit([record(name, f"d{name}") for name in "abc"])
    truth = Truth(engine.path / "store.sqlite")
    sizes = [len(body) for _, _, body in truth.record_bodies("abc")]
    cache = TimelineCache(truth, kept_bytes=sizes[0] * 2)
    a, b = cache.get("a")["a"], cache.get("b")["b"]
    assert cache.get("ab") == {"a": a, "b": b}
    cache.get("a")
    cache.get("c")
    assert cache.get("a")["a"] is a
    assert cache.get("b")["b"] is not b
    truth.close()


def test_a_series_begun_anew_is_another_one(engine):
    """A series that was erased and begun anew is not taken for what a reader has kept of it."""
    with engine.writer() as writer:
        writer.commit([record("s", "old")])
    assert list(engine.timelines("s")["s"].by_document) == ["old"]
    with engine.writer() as writer:
        writer.commit([SeriesRecord("s", revision=1)])
        assert writer.commit([record("s", "new")]) == {"s": 2}
    assert list(engine.timelines("s")["s"].by_document) == ["new"]
