"""The measures: tables of small rankings, and agreement with the scorer that comes with the benchmark folders."""

import importlib.util
import math
import random
from pathlib import Path

import pytest
from measures import Query, is_after, mean, means, measure, ndcg


def ask(
    *, gold: str = "", wrong: str = "", as_of: str | None = None, resolved: tuple[str, str] | None = None
) -> Query:
    """Return a query whose documents are single letters."""
    return Query("q", "?", as_of, "2024-05-01", "parameter", "kind", frozenset(gold), frozenset(wrong), resolved)


@pytest.mark.parametrize(
    ("ranked", "hit", "wrong"),
    [("gw", 1.0, 0.0), ("wg", 0.0, 1.0), ("xg", 0.0, 0.0), ("", 0.0, 0.0)],
    ids=["gold first", "another state first", "something else first", "nothing found"],
)
def test_the_first_document_decides(ranked: str, hit: float, wrong: float) -> None:
    """Hit@1 and WrongVersion@1 look at the first document alone."""
    values = measure(ask(gold="g", wrong="w"), list(ranked), {})
    assert (values["hit_1"], values["wrong_version_1"]) == (hit, wrong)


@pytest.mark.parametrize(
    ("query", "absent"),
    [(ask(wrong="w"), {"hit_1", "ndcg_10"}), (ask(gold="g"), {"wrong_version_1"})],
    ids=["without gold", "without other states"],
)
def test_a_measure_that_does_not_apply_is_left_out(query: Query, absent: set[str]) -> None:
    """A query counts only for the measures that its lists allow."""
    assert not absent & measure(query, ["x"], {}).keys()


@pytest.mark.parametrize(
    ("ranked", "gold", "expected"),
    [
        ("a", "a", 1.0),
        ("xa", "a", 1 / math.log2(3)),
        ("xxxxxxxxxa", "a", 1 / math.log2(11)),
        ("xxxxxxxxxxa", "a", 0.0),
        ("axb", "ab", (1 + 0.5) / (1 + 1 / math.log2(3))),
        ("abcdefghij", "abcdefghijkl", 1.0),
    ],
    ids=["first", "second", "tenth", "eleventh", "first and third of two", "ten of twelve"],
)
def test_ndcg_discounts_by_rank(ranked: str, gold: str, expected: float) -> None:
    """A gold document at rank r gains 1 / log2(r + 1), over what the best order would gain in ten places."""
    letters = [f"{at}x" if letter == "x" else letter for at, letter in enumerate(ranked)]
    assert ndcg(letters, frozenset(gold)) == pytest.approx(expected)


def test_a_repeated_document_counts_once() -> None:
    """A ranking that names a document twice is read without the repeat."""
    assert measure(ask(gold="g"), ["x", "x", "g"], {})["ndcg_10"] == pytest.approx(1 / math.log2(3))


@pytest.mark.parametrize(
    ("observed", "query", "expected"),
    [
        ("2024-04-30", ask(as_of="2024-04-30"), False),
        ("2024-05-01", ask(as_of="2024-04-30"), True),
        ("2024-04-30T23:00:00Z", ask(as_of="2024-04-30"), False),
        ("2024-04-30T10:00:01Z", ask(as_of="2024-04-30T10:00:00Z"), True),
        ("2024-04-30T10:00:00.9+00:00", ask(as_of="2024-04-30T10:00:00Z"), False),
        ("2024-05-02", ask(), True),
        ("2024-05-01", ask(), False),
        ("2023-03-31", ask(resolved=("2023-03-01", "2023-04-01")), False),
        ("2023-04-01", ask(resolved=("2023-03-01", "2023-04-01")), True),
        ("2023-04-01", ask(as_of="2024-01-01", resolved=("2023-03-01", "2023-04-01")), False),
    ],
    ids=[
        "the day itself",
        "the day after",
        "late on the day",
        "a second after an instant",
        "within the second",
        "after now",
        "now",
        "last day of a period",
        "first day after a period",
        "as_of before what words mean",
    ],
)
def test_what_counts_as_the_future(observed: str, query: Query, expected: bool) -> None:
    """A day contains its instants, a period ends before its end, and as_of comes before the words."""
    assert is_after(observed, query) is expected


def test_a_leak_is_told_among_the_first_ten() -> None:
    """A document from after the query's time counts at rank ten, not at eleven."""
    observed = {"late": "2025-01-01"}
    ranked = [str(number) for number in range(9)]
    query = ask(gold="g")
    assert measure(query, [*ranked, "late"], observed)["future_leak_10"] == 1.0
    assert measure(query, [*ranked, "9", "late"], observed)["future_leak_10"] == 0.0


def test_means_are_over_the_queries_that_a_measure_applies_to() -> None:
    """A measure that no query has is None, not 0."""
    found = means([{"hit_1": 1.0, "future_leak_10": 0.0}, {"future_leak_10": 1.0}])
    assert found == {"hit_1": 1.0, "wrong_version_1": None, "future_leak_10": 0.5, "ndcg_10": None}
    assert mean([]) is None


@pytest.mark.bench
def test_measures_agree_with_the_scorer_of_the_sets(bench_root: Path) -> None:
    """On random rankings of random queries the figures are those of the scorer beside the sets."""
    spec = importlib.util.spec_from_file_location("scorer", bench_root / "scorer.py")
    assert spec is not None and spec.loader is not None
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    names = {"hit_1": "Hit@1", "ndcg_10": "nDCG@10", "wrong_version_1": "WrongVersion@1"}
    names["future_leak_10"] = "FutureLeak@10"
    source = random.Random(3)
    days = [f"202{year}-0{month}-15" for year in range(3) for month in range(1, 10)]
    observed = dict(zip("abcdefghijklmnopqrstuvwxyz", days, strict=False))
    for _ in range(500):
        gold, wrong = source.sample(sorted(observed), source.randrange(4)), source.sample(sorted(observed), 2)
        as_of, resolved = source.choice([None, "2021-05-15"]), source.choice([None, ("2020-01-01", "2021-03-15")])
        query = Query("q", "?", as_of, "2022-03-15", "s", "k", frozenset(gold), frozenset(wrong), resolved)
        row = {"as_of": as_of, "now": query.now, "resolved": resolved, "gold": gold, "wrong_version": wrong}
        ranked = source.choices(sorted(observed), k=source.randrange(20))
        theirs = scorer.measure(row, ranked, observed)
        ours = measure(query, ranked, observed)
        assert ours == pytest.approx({name: theirs[names[name]] for name in ours})
