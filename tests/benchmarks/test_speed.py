"""The speed of the core: what is timed finds the same, what is printed, and which ratios are held."""

import json

import pytest
import speed
from made_pool import make
from speed import Row, bounds, growth

from reranker.core.additive import additive
from reranker.core.decay import age_days


def test_a_size_is_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One object a size, with five keys and no other."""
    assert speed.main(["--sizes", "20", "40", "--turns", "1", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["n"] for row in rows] == [20, 40]
    assert all(list(row) == ["n", "columns_ms", "objects_ms", "numpy_ms", "obvious_ms"] for row in rows)
    assert all(row[name] > 0 for row in rows for name in row)


def test_the_table_names_each_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json the ratios stand below the table."""
    speed.main(["--sizes", "20", "100", "--turns", "1"])
    shown = capsys.readouterr().out
    assert "candidates" in shown and "columns over numpy, 100" in shown


def test_the_plain_arithmetic_is_that_of_the_core() -> None:
    """Columns, objects and numpy order alike where no event is lifted: they do the same work."""
    made = make(300)
    page = speed.columns(made)
    scores = speed.objects(made)
    kinds = made.pool.columns.kinds
    plain = [at for at in made.arithmetic().tolist() if kinds[at] != "EVENT"]
    assert [at for at in page if at in plain] == [at for at in plain if at in page] != []
    assert len(scores) == speed.EXPLAINED and scores == sorted(scores, reverse=True)


def test_the_obvious_way_is_the_additive_formula() -> None:
    """Written per document over the pool it orders as the array form does."""
    made = make(60)
    found = made.pool.columns
    age = age_days(found.observed, made.question.when.as_of)
    inside = speed.rank_channel(made.question, made.pool, made.tuning, cut=speed.Cut(1)).timeliness.inside
    final = additive(found.cosine, age, inside).final
    best = sorted(range(60), key=lambda at: -final[at])[:10]
    assert made.obvious() == [found.doc_ids[at] for at in best]


@pytest.mark.parametrize(
    ("slow", "names"),
    [
        (Row(1_000, 1.0, 5.0, 0.1, 900.0), {"columns over numpy, 1,000"}),
        (Row(1_000, 0.4, 6.1, 0.1, 900.0), {"objects over numpy, 1,000"}),
        (Row(1_000, 0.4, 5.0, 0.1, 100.0), {"obvious over columns, 1,000"}),
        (Row(1_000, 0.4, 5.0, 0.1, 900.0), set()),
        (Row(10_000, 3.1, 9.0, 1.0, None), {"columns over numpy, 10,000"}),
    ],
    ids=["columns", "objects", "obvious", "all met", "ten thousand"],
)
def test_a_ratio_that_is_not_met_is_named(slow: Row, names: set[str]) -> None:
    """Each bound looks at its size alone."""
    assert {bound.name for bound in bounds([slow]) if not bound.met} == names


def test_growth_is_the_slope_of_the_logarithms() -> None:
    """Ten times the candidates at ten times the time is 1, at a hundred times 2; one size has no slope."""
    assert growth({1_000: 1.0, 10_000: 10.0, 100_000: 100.0}) == pytest.approx(1.0)
    assert growth({1_000: 1.0, 10_000: 100.0}) == pytest.approx(2.0)
    assert growth({1_000: 1.0}) is None
