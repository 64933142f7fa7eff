"""What holds when, one row for each sentence of the rules, asked of the second implementation and of the product."""

import pytest

from tests.mappings import oracle
from tests.mappings.worlds import LIVE, Product, document, observation

# Days of the year 2024, the instants of these examples.
JAN_1, MAR_1, MAY_3, MAY_10, MAY_20, JUN_1, JUN_15 = 1, 61, 124, 131, 141, 153, 167
JUL_1, JUL_2, JUL_5, JUL_6, AUG_1 = 183, 184, 187, 188, 214


def v(text, at, **more):
    """Return an observation of one text."""
    return observation(text, at, **more)


V1 = v("v1", JAN_1)
BACKDATED = {"a": document(V1, v("v2", MAY_10, **{"from": JAN_1}))}
ANNOUNCED = v("v2", MAY_10, **{"from": JUN_1})
SCHEDULED = {"a": document(V1, ANNOUNCED)}
REVERTED = {"a": document(V1, ANNOUNCED, v("v1", MAY_20))}
POSTPONED_TO_JULY = v("v2", MAY_20, **{"from": JUL_1})
POSTPONED = {"a": document(V1, ANNOUNCED, POSTPONED_TO_JULY)}
THREE = (V1, v("v2", MAY_10), v("v3", JUN_1))
DELETED = {"a": document(*THREE, ends=[JUL_1])}
RETURNED = {"a": document(*THREE, v("v3", JUL_5), ends=[JUL_1])}
WITHDRAWN = {"a": document(*THREE, withdrawals=[("v3", JUL_1)])}

WORKED = [
    ("backdated: not yet known", BACKDATED, MAR_1, MAR_1, "v1", ""),
    ("backdated: known later, true then", BACKDATED, MAR_1, JUN_1, "v2", ""),
    ("scheduled: announced", SCHEDULED, MAY_20, MAY_20, "v1", "v2"),
    ("scheduled: as known before", SCHEDULED, JUN_15, MAY_3, "v1", ""),
    ("scheduled: in force", SCHEDULED, JUN_15, JUN_15, "v2", ""),
    ("schedule reverted", REVERTED, JUN_15, JUN_15, "v1", ""),
    ("schedule postponed", POSTPONED, JUN_15, JUN_15, "v1", "v2"),
    ("schedule postponed: in force", POSTPONED, JUL_2, JUL_2, "v2", ""),
    ("schedule postponed: as known before", POSTPONED, JUN_15, MAY_10, "v2", ""),
    ("file deleted", DELETED, JUL_2, JUL_2, "", ""),
    ("file back", RETURNED, JUL_5, JUL_5, "v3", ""),
    ("file back: the gap stays", RETURNED, JUL_2, JUL_6, "", "v3"),
    ("text withdrawn", WITHDRAWN, JUL_2, JUL_2, "v2", ""),
    ("text withdrawn: not known before", WITHDRAWN, JUN_15, JUN_15, "v3", ""),
    ("text withdrawn: never held", WITHDRAWN, JUN_15, JUL_2, "v2", ""),
]

A1 = v("A", JAN_1)
WITHDRAWN_A = [("A", MAY_10)]

INSIDE = [
    ("A, A, late B: first A", {"a": document(A1, v("A", JUN_1), v("B", MAR_1))}, JAN_1, AUG_1, "A", "BA"),
    ("A, A, late B: then B", {"a": document(A1, v("A", JUN_1), v("B", MAR_1))}, MAY_3, AUG_1, "B", "A"),
    ("A, A, late B: then A", {"a": document(A1, v("A", JUN_1), v("B", MAR_1))}, JUN_15, AUG_1, "A", ""),
    ("two texts of one day both stand", {"a": document(v("A", (10, 20)), v("B", (10, 20)))}, 30, 30, "AB", ""),
    (
        "a sequence orders one day",
        {"a": document(v("A", (10, 20), sequence=2), v("B", (10, 20), sequence=1))},
        *(30, 30, "A", ""),
    ),
    ("equal sequences order nothing", {"a": document(v("A", 9, sequence=1), v("B", 9, sequence=1))}, 30, 30, "AB", ""),
    ("a day is known from its start", {"a": document(v("A", (10, 20)))}, 10, 10, "A", ""),
    ("a draft replaces nothing", {"a": document(A1, v("B", MAR_1, draft=True))}, JUN_1, JUN_1, "A", ""),
    ("a draft parts nothing", {"a": document(A1, v("B", 30, draft=True), v("A", MAR_1))}, JUN_1, JUN_1, "A", ""),
    ("an end comes first at its instant", {"a": document(A1, ends=[JAN_1])}, MAR_1, MAR_1, "A", ""),
    (
        "a sequence puts the end behind",
        {"a": document(v("A", 5, sequence=1), ends=[{"at": (5, 6), "sequence": 2}])},
        *(9, 9, "", ""),
    ),
    (
        "a repeat of the plan does not cancel it",
        {"a": document(V1, ANNOUNCED, dict(ANNOUNCED, observed=(MAY_20, MAY_20 + 1)))},
        *(JUN_15, JUN_15, "v2", ""),
    ),
    ("an end before its start cancels", {"a": document(V1, ANNOUNCED, ends=[MAY_20])}, JUN_15, JUN_15, "", ""),
    (
        "cancelled for good, also when the correction is withdrawn",
        {"a": document(V1, ANNOUNCED, v("v3", MAY_20), withdrawals=[("v3", JUN_1)])},
        *(JUN_15, JUN_15, "v1", ""),
    ),
    ("an empty window is never in force", {"a": document(v("A", 9, **{"from": 20, "until": 20}))}, 20, 20, "", ""),
    ("an undeclared start is no later than the end", {"a": document(v("A", 20, until=9))}, 9, 30, "", ""),
    ("a text that has run out", {"a": document(v("A", 9, until=20))}, 20, 20, "", ""),
    ("a chronicle never expires", {"a": document(v("chronicle", 9, until=20))}, 30, 30, "chronicle", ""),
    ("a mere repeat does not revive", {"a": document(A1, v("A", JUN_1), withdrawals=WITHDRAWN_A)}, 200, 200, "", ""),
    (
        "published again after another text",
        {"a": document(A1, v("B", MAY_20), v("A", JUN_1), withdrawals=WITHDRAWN_A)},
        *(200, 200, "A", ""),
    ),
    (
        "published again with other dates",
        {"a": document(A1, v("A", JUN_1, until=300), withdrawals=WITHDRAWN_A)},
        *(200, 200, "A", ""),
    ),
    (
        "between withdrawal and undoing the text is void",
        {"a": document(A1, withdrawals=[("A", MAY_10), ("A", JUN_1, "undo")])},
        *(MAR_1, MAY_20, "", ""),
    ),
    (
        "after the undoing it is not",
        {"a": document(A1, withdrawals=[("A", MAY_10), ("A", JUN_1, "undo")])},
        *(MAR_1, JUN_1, "A", ""),
    ),
    ("an undated text stands alone", {"a": document(v("A", None))}, -5, -5, "A", ""),
    (
        "of undated texts the one read last",
        {"a": document(v("A", None, read_at=2), v("B", None, read_at=1))},
        *(9, 9, "A", ""),
    ),
    ("beside a dated one it is history", {"a": document(v("A", None), v("B", 30))}, 9, 9, "", ""),
    ("an end closes what was read before", {"a": document(v("A", None, read_at=4), ends=[5])}, 9, 9, "", ""),
    ("an end leaves what was read then", {"a": document(v("A", None, read_at=5), ends=[5])}, 9, 9, "A", ""),
]

NEXT = v("B", MAR_1)
LASTING = v("A", JAN_1, until=300)


def linked(text, at, *targets, **more):
    """Return an observation that says which documents it replaces."""
    return v(text, at, supersedes=tuple(sorted(targets)), **more)


BETWEEN = [
    ("by place", {"a": document(A1), "b": document(NEXT)}, JUN_1, JUN_1, "B", ""),
    ("other series", {"a": document(A1), "b": document(NEXT, series="r")}, JUN_1, JUN_1, "AB", ""),
    ("editing the old does not revive it", {"a": document(A1, v("C", 99)), "b": document(NEXT)}, 200, 200, "B", ""),
    (
        "a corrected start does not move a document",
        {"a": document(A1, v("C", MAY_3, **{"from": MAY_3})), "b": document(NEXT)},
        *(200, 200, "B", ""),
    ),
    ("equal places order nothing", {"a": document(A1), "b": document(v("B", JAN_1))}, JUN_1, JUN_1, "AB", ""),
    (
        "a sequence breaks the tie",
        {"a": document(v("A", 1, sequence=2)), "b": document(v("B", 1, sequence=1))},
        *(JUN_1, JUN_1, "A", ""),
    ),
    ("equal text corroborates", {"a": document(A1), "b": document(v("A", MAR_1))}, JUN_1, JUN_1, "AA", ""),
    ("unless a link says so", {"a": document(A1), "b": document(linked("A", MAR_1, "a"))}, JUN_1, JUN_1, "A", ""),
    ("a declared end outlasts the order", {"a": document(LASTING), "b": document(NEXT)}, 200, 200, "AB", ""),
    ("but not a link", {"a": document(LASTING), "b": document(linked("B", MAR_1, "a"))}, 200, 200, "B", ""),
    ("a time to live is none", {"a": document(dict(LASTING, ttl=True)), "b": document(NEXT)}, 200, 200, "B", ""),
    (
        "a link holds for later versions too",
        {"a": document(A1, v("C", JUN_1), series="r"), "b": document(linked("B", MAR_1, "a"))},
        *(JUL_1, JUL_1, "B", ""),
    ),
    (
        "a link against the dates",
        {"a": document(v("A", MAY_3), series="r"), "b": document(linked("B", MAR_1, "a"))},
        *(JUL_1, JUL_1, "AB", ""),
    ),
    (
        "a circle disables its links",
        {"a": document(linked("A", MAR_1, "b"), series="r"), "b": document(linked("B", MAR_1, "a"))},
        *(JUL_1, JUL_1, "AB", ""),
    ),
    (
        "a circle of three",
        {
            "a": document(linked("A", 5, "c")),
            "b": document(linked("B", 5, "a"), series="r"),
            "c": document(linked("C", 5, "b"), series="q"),
        },
        *(JUL_1, JUL_1, "ABC", ""),
    ),
    (
        "a link against the dates closes no circle",
        {"a": document(linked("A", JAN_1, "b"), series="r"), "b": document(linked("B", MAR_1, "a"))},
        *(JUL_1, JUL_1, "B", ""),
    ),
    (
        "a circle only from when its last link is known",
        {"a": document(A1, linked("A", MAY_3, "b"), series="r"), "b": document(linked("B", MAR_1, "a"))},
        *(MAR_1, MAR_1, "B", ""),
    ),
    *(
        (
            f"a link is void while its version is: {t}",
            {
                "a": document(A1, series="r"),
                "b": document(linked("B", MAR_1, "a"), withdrawals=[("B", MAY_10), ("B", JUN_1, "undo")]),
            },
            *(t, t, hits, ""),
        )
        for t, hits in ((MAY_3, "B"), (MAY_10, "A"), (JUN_1 - 1, "A"), (JUN_1, "B"))
    ),
    ("a link to itself", {"a": document(linked("A", 5, "a"))}, JUN_1, JUN_1, "A", ""),
    ("a link to nothing", {"a": document(linked("A", 5, "absent"))}, JUN_1, JUN_1, "A", ""),
    (
        "a link reverses the order",
        {"a": document(v("A", JAN_1), linked("C", MAY_10, "b")), "b": document(NEXT)},
        *(JUN_1, JUN_1, "C", ""),
    ),
    (
        "what a link replaces, replaces nothing by place",
        {"a": document(A1), "b": document(NEXT), "c": document(linked("C", MAY_3, "b"), series="r")},
        *(JUN_1, JUN_1, "AC", ""),
    ),
    ("an end restores nothing", {"a": document(A1), "b": document(NEXT, ends=[JUN_1])}, JUN_15, JUN_15, "", ""),
    (
        "a withdrawal does",
        {"a": document(A1), "b": document(NEXT, withdrawals=[("B", JUN_1)])},
        *(JUN_15, JUN_15, "A", ""),
    ),
    (
        "what the reader may not read replaces nothing for it",
        {"a": document(A1), "b": document(NEXT, readers=["ann"])},
        *(JUN_15, JUN_15, "A", ""),
    ),
    ("an undated document has no place", {"a": document(A1), "b": document(v("B", None))}, 200, 200, "AB", ""),
]

ROWS = [*WORKED, *INSIDE, *BETWEEN]


def ask_oracle(world, t, k):
    """Ask the second implementation."""
    return oracle.ask(world, t, k, ())


def ask_product(world, t, k):
    """Ask the product."""
    return Product(world).ask(t, k, ())


@pytest.mark.parametrize("ask", [ask_oracle, ask_product], ids=["oracle", "product"])
@pytest.mark.parametrize(
    ("world", "t", "k", "hits", "upcoming"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_what_holds_at_a_moment(ask, world, t, k, hits, upcoming):
    """The texts in force, and those that are announced, are those of the row."""
    answer = ask(world, t, k)
    live = sorted(name[1] for name, row in answer.items() if row[0] in LIVE)
    assert "".join(live) == hits
    assert "".join(name[1] for name, row in answer.items() if row[0] == "NOT_YET_VALID") == upcoming


@pytest.mark.parametrize("ask", [ask_oracle, ask_product], ids=["oracle", "product"])
def test_a_reader_with_the_right_sees_the_successor(ask):
    """For a reader without the right the successor does not exist, for one with it it replaces."""
    world = {"a": document(A1), "b": document(NEXT, readers=["ann"])}
    implementation = oracle.ask if ask is ask_oracle else lambda world, *question: Product(world).ask(*question)
    assert [row[0] for row in implementation(world, JUN_1, JUN_1, ("ann",)).values()] == ["SUPERSEDED", "VALID"]


@pytest.mark.parametrize("ask", [ask_oracle, ask_product], ids=["oracle", "product"])
@pytest.mark.parametrize(
    ("t", "k", "states"),
    [
        (MAR_1, MAR_1, ["FUTURE", "VALID"]),
        (MAY_20, MAY_20, ["NOT_YET_VALID", "VALID"]),
        (JUN_1, JUN_1, ["SUPERSEDED", "VALID"]),
    ],
    ids=["before", "announced", "in force"],
)
def test_the_replaced_version_says_from_when_on(ask, t, k, states):
    """superseded_at is the start of the successor's window as soon as the successor is known, else None."""
    answer = ask(SCHEDULED, t, k)
    first, second = sorted(answer)
    assert sorted((answer[first][0], answer[second][0])) == states
    known = (JUN_1, ((JUN_1, second),)) if k >= MAY_10 else (None, ())
    assert answer[first][1:] == known
