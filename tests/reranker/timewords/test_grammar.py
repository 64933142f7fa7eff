"""How rows are written and found."""

from dataclasses import dataclass, field
from typing import Any

from reranker.timewords.grammar import compile_rows, matches


@dataclass(frozen=True)
class Word:
    text: str
    classes: dict[str, Any] = field(default_factory=dict)


MAY, TEN, OF = Word("may", {"MONTH": 5}), Word("10", {"DAY": 10, "NUMBER": 10}), Word("of")


def test_the_longest_row_comes_first_then_the_order_of_the_table():
    """A reader tries what explains most words first."""
    tree = compile_rows([("month", "MONTH"), ("day", "MONTH DAY"), ("count", "MONTH NUMBER")])
    found = matches(tree, [MAY, TEN], 0, {})
    assert [(match.row, match.end) for match in found] == [(1, 2), (2, 2), (0, 1)]
    assert found[0].values == {"MONTH": 5, "DAY": 10}


def test_an_element_may_be_missing_or_one_of_several():
    """A question mark makes an element optional, a bar gives a choice, a second of a class gets a number."""
    tree = compile_rows([("days", "DAY of|in? DAY?")])
    ends = [match.end for match in matches(tree, [TEN, OF, TEN], 0, {})]
    assert ends == [3, 2, 1]
    assert matches(tree, [TEN, OF, TEN], 0, {})[0].values == {"DAY": 10, "DAY2": 10}


def test_a_part_is_read_by_other_rows():
    """Every end that a part may have is tried, and its value handed on."""
    tree = compile_rows([("in", "in DATE")])
    found = matches(tree, [Word("in"), MAY, TEN], 0, {"DATE": lambda at: [(at + 1, "may"), (at + 2, "may 10")]})
    assert [(match.end, match.values["DATE"]) for match in found] == [(3, "may 10"), (2, "may")]
