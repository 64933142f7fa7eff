"""What changed between two texts: sentences, words, numbers and dates; nothing that only looks different."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reranker.diff import compare

SAME = [
    ("A rule holds. It is short.", "A rule\nholds. It is\nshort."),
    ("- one\n- two", "* one\n* two"),
    ("Within **30 days** of delivery.", "Within 30 days of delivery."),
    ("| a | b |\n| --- | --- |\n| 1 | 2 |", "|a|b|\n|:--|--:|\n|1|2|"),
    ("## Meals ##\n\nKeep it.", "## Meals\nKeep it."),
    ("", "\n\n"),
]


@pytest.mark.parametrize(("before", "after"), SAME, ids=["breaks", "bullets", "bold", "table", "heading", "nothing"])
def test_other_marks_and_line_breaks_are_no_change(before: str, after: str) -> None:
    """Texts that say the same in other line breaks or marks do not differ."""
    assert compare(before, after) == ()


def shown(before: str, after: str) -> list[tuple[str, str, str, str]]:
    """Return the changes as plain tuples."""
    return [(change.kind, change.section, change.before, change.after) for change in compare(before, after)]


def test_sentences_come_go_and_change_under_their_heading() -> None:
    """Each sentence is told apart, with the heading that it stands under."""
    before = "# Travel\n\nBook hotels up to 110 euro a night. Ask before you fly.\n\n## Meals\n\nKeep the receipts."
    after = "# Travel\n\nBook hotels up to 125 euro a night.\n\n## Meals\n\nKeep the receipts. Send them by Friday."
    assert shown(before, after) == [
        ("changed", "Travel", "Book hotels up to 110 euro a night.", "Book hotels up to 125 euro a night."),
        ("removed", "Travel", "Ask before you fly.", ""),
        ("added", "Meals", "", "Send them by Friday."),
    ]


VALUES = [
    ("within 30 days", "within 14 days", [("number", "30", "14")]),
    ("from 1 March 2024 on, 5% off", "from 2 March 2024 on, 5% off", [("date", "1 March 2024", "2 March 2024")]),
    ("valid to 2024-03-01", "valid to 2024-04-01", [("date", "2024-03-01", "2024-04-01")]),
    ("pay 1,200 euro by May 3, 2024", "pay 1,500 euro", [("number", "1,200", "1,500"), ("date", "May 3, 2024", None)]),
    ("needs version 2.11 or newer", "needs version 3 or newer", [("number", "2.11", "3")]),
    ("may take two days", "may take three days", []),
    ("asks 2 people in May", "asks 2 people in June", []),
]


@pytest.mark.parametrize(("before", "after", "expected"), VALUES, ids=[row[1] for row in VALUES])
def test_numbers_and_dates_that_changed_are_named(
    before: str, after: str, expected: list[tuple[str, str | None, str | None]]
) -> None:
    """Of a changed sentence each number and date that is another one is named."""
    (change,) = compare(before, after)
    assert [(value.kind, value.before, value.after) for value in change.values] == expected


def test_code_is_compared_line_by_line() -> None:
    """Inside a fence a line is one unit, marks and all, and a hash there opens no section."""
    before = "```\n# stop it\nsystemctl stop a\n```\nDone."
    after = "```\n# stop it\nsystemctl stop b\n```\nDone."
    assert shown(before, after) == [("changed", "", "systemctl stop a", "systemctl stop b")]


def test_rewritten_stretch_is_no_pair() -> None:
    """Sentences that share too little are not one sentence that changed."""
    assert [row[0] for row in shown("Send the claim within four weeks.", "It is paid out on Fridays.")] == [
        "removed",
        "added",
    ]


def test_texts_of_thousands_of_lines_are_compared_in_a_moment() -> None:
    """A long text, in good part rewritten, is compared all the same."""
    before = "\n".join(f"- item {number} costs {number} euro" for number in range(3_000))
    after = "\n".join(f"- item {number} costs {number + number % 2} euro" for number in range(3_000))
    assert len(compare(before, after)) == 1_500


texts = st.lists(st.sampled_from("ab 1.\n#-|*`>"), max_size=60).map("".join)


@given(texts)
def test_text_does_not_differ_from_itself(text: str) -> None:
    """Whatever stands in a text, it is equal to itself."""
    assert compare(text, text) == ()


@given(texts, texts)
def test_changes_weave_both_readings(before: str, after: str) -> None:
    """The pieces of a changed sentence give both of its readings, and turning the texts round turns the counts."""
    for change in compare(before, after):
        if change.kind == "changed":
            assert "".join(p.text for p in change.pieces if p.operation != "added") == change.before
            assert "".join(p.text for p in change.pieces if p.operation != "removed") == change.after
    assert bool(compare(before, after)) == bool(compare(after, before))
