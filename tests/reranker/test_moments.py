"""The moments of a question follow from what is given beside it, and from nothing else."""

import pytest

from mappings.interval import OPEN, format_instant, parse_moment
from reranker.errors import RequestError
from reranker.moments import resolve_moments

NOW = parse_moment("2024-06-01T12:00Z").start
DAY_END = "2024-05-01T23:59:59.999999Z"


@pytest.mark.parametrize(
    ("asked", "as_of", "known_at"),
    [
        pytest.param({}, NOW, NOW, id="nothing"),
        pytest.param({"as_of": "2024-05-01"}, DAY_END, DAY_END, id="day-means-its-end"),
        pytest.param({"as_of": "2025"}, "2025-12-31T23:59:59.999999Z", NOW, id="next-year-is-not-known"),
        pytest.param({"as_of": "today"}, "2024-06-01T23:59:59.999999Z", NOW, id="today"),
        pytest.param({"known_at": "2024-05-01"}, NOW, DAY_END, id="known-then-about-now"),
        pytest.param({"as_of": "2025", "known_at": "2024-05-01"}, "2025-12-31T23:59:59.999999Z", DAY_END, id="both"),
        pytest.param({"period": ("2024-04", "2024-05-01")}, DAY_END, DAY_END, id="past-period"),
        pytest.param({"period": (None, "2024-05-01")}, DAY_END, DAY_END, id="until"),
        pytest.param({"period": ("2024-05", "2024-07")}, NOW, NOW, id="period-around-now"),
        pytest.param({"period": ("2025", "2025")}, "2025-12-31T23:59:59.999999Z", NOW, id="period-ahead"),
        pytest.param({"period": ("2024-05", None)}, NOW, NOW, id="since"),
        pytest.param({"period": ("2023", "2023"), "as_of": "2024-05-01"}, DAY_END, DAY_END, id="as-of-rules"),
    ],
)
def test_moments(asked, as_of, known_at):
    """as_of rules; a past period sets both; nothing later than now is known unless somebody says so."""
    moments = resolve_moments(now=NOW, **asked)
    wanted = [m if isinstance(m, str) else format_instant(m) for m in (as_of, known_at)]
    assert [format_instant(moments.as_of), format_instant(moments.known_at)] == wanted


def test_bounds_of_a_period_are_meant_inclusively():
    """From the start of the first day to the end of the last."""
    period = resolve_moments(now=NOW, period=("2024-03-01", "2024-03-31")).period
    assert (format_instant(period.start), format_instant(period.until)) == (
        "2024-03-01T00:00:00Z",
        "2024-04-01T00:00:00Z",
    )
    assert resolve_moments(now=NOW, period=("2024-03-01", None)).period.until == OPEN


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"as_of": "soon"}, "as_of"),
        ({"known_at": "2024-02-30"}, "known_at"),
        ({"period": ("never", None)}, "range.from"),
        ({"period": (None, "2024-13")}, "range.until"),
        ({"period": ("2024-05", "2024-04")}, "range"),
    ],
)
def test_unreadable_moments_name_their_field(asked, field):
    """A text that is no moment is refused with the key that it came under."""
    with pytest.raises(RequestError) as refusal:
        resolve_moments(now=NOW, **asked)
    assert refusal.value.field == field
