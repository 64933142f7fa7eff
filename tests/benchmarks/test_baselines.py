"""The rules that stilltrue is compared with: what each keeps and how it weighs."""

import baselines
import pytest

DOCUMENTS = baselines.read(
    [
        {"id": "old", "series": "s", "observed_at": "2020-01-01", "valid_until": "2021-01-01", "kind": "VERSIONED"},
        {"id": "new", "series": "s", "observed_at": "2021-01-01", "supersedes": ["old"]},
        {"id": "scheduled", "series": None, "observed_at": "2020-01-01", "valid_from": "2022-01-01"},
        {"id": "linked", "series": None, "observed_at": "2019-01-01"},
        {"id": "linker", "series": None, "observed_at": "2020-06-01T12:00:00Z", "supersedes": ["linked", "nothing"]},
        {"id": "event", "series": None, "observed_at": "2019-01-01", "valid_until": "2019-02-01", "kind": "EVENT"},
    ]
)
EQUAL = dict.fromkeys(DOCUMENTS, 1.0)


@pytest.mark.parametrize(
    ("rule", "moment", "kept"),
    [
        ("words", "2019-01-01", {"old", "new", "scheduled", "linked", "linker", "event"}),
        ("observed", "2020-06-01", {"old", "scheduled", "linked", "linker", "event"}),
        ("observed", "2020-06-01T11:00:00Z", {"old", "scheduled", "linked", "event"}),
        ("newest", "2020-12-31", {"old", "scheduled", "linked", "linker", "event"}),
        ("newest", "2021-01-01", {"new", "scheduled", "linked", "linker", "event"}),
        ("windows", "2020-12-31", {"old", "linker", "event"}),
        ("windows", "2021-01-01", {"new", "linker", "event"}),
        ("windows", "2022-01-01", {"new", "scheduled", "linker", "event"}),
    ],
)
def test_what_a_rule_keeps(rule: str, moment: str, kept: set[str]) -> None:
    """A day is its end; a document that nothing names in a series stands alone; events are held to observed_at."""
    assert set(baselines.rank(rule, EQUAL, DOCUMENTS, moment)) == kept


def test_equal_scores_stand_by_id() -> None:
    """The order does not depend on that of the documents."""
    assert baselines.rank("words", EQUAL, DOCUMENTS, "2024-01-01") == sorted(DOCUMENTS)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("decay", 0.5), ("blend", 0.85), ("words", 1.0), ("windows", 1.0)],
)
def test_a_year_of_age_halves(rule: str, expected: float) -> None:
    """After one year a score is halved by the decay, and loses half of three tenths by the blend."""
    row = baselines.Dated("a", 0.0, None, None, None, is_event=False)
    assert baselines._weight(rule, row, 365 * 86_400.0) == pytest.approx(expected)
    assert baselines._weight(rule, row, -1.0) == 1.0
