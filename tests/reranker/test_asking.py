"""Which moments rule a question: what was given, what its words say, or now."""

import pytest

from mappings.interval import BEGIN, OPEN, parse_moment
from reranker.asking import Asked, Given, TimeWords, resolve_question
from reranker.errors import RequestError
from reranker.period import Period
from reranker.timewords import TimeSettings
from store.engine import ReleaseDay

NOW = parse_moment("2025-06-18T10:00:00Z").start
WORDS = TimeWords(TimeSettings())
RELEASES = (
    ReleaseDay("docs/notes.md", "2.11", parse_moment("2023-10-16").start),
    ReleaseDay("docs/notes.md", "2.12", parse_moment("2024-02-20").start),
    ReleaseDay("docs/notes.md", "9.0", parse_moment("2026-01-01").start),
)


def start(text: str) -> int:
    return parse_moment(text).start


def last(text: str) -> int:
    return parse_moment(text).last


def ask(query: str, given: Given | None = None, words: TimeWords | None = WORDS) -> Asked:
    return resolve_question(query, given or Given(), now=NOW, words=words, releases=lambda: RELEASES)


BEFORE_2_12 = start("2024-02-20") - 1
RULES = [
    # query, given, as_of, known_at, period
    ("refund window", Given(), NOW, NOW, None),
    ("refund window in 2022", Given(), last("2022"), last("2022"), ("2022-01-01", "2023-01-01")),
    ("refund window as of 2022", Given(), last("2022"), last("2022"), None),
    ("changes since March 2025", Given(), NOW, NOW, ("2025-03-01", None)),
    ("changes this year", Given(), NOW, NOW, ("2025-01-01", "2026-01-01")),
    ("plans in 2026", Given(), last("2026"), NOW, ("2026-01-01", "2027-01-01")),
    ("refund window in 2022", Given(as_of="2024"), last("2024"), last("2024"), ("2022-01-01", "2023-01-01")),
    ("refund window as of 2022", Given(as_of="2024"), last("2024"), last("2024"), None),
    ("refund window in 2022", Given(known_at="2024"), last("2022"), last("2024"), ("2022-01-01", "2023-01-01")),
    ("refunds in 2022", Given(period=("2023", "2023")), last("2023"), last("2023"), ("2023-01-01", "2024-01-01")),
    ("the limit in OpenSearch 2.11", Given(), BEFORE_2_12, BEFORE_2_12, ("2023-10-16", "2024-02-20")),
]


@pytest.mark.parametrize(("query", "given", "as_of", "known_at", "period"), RULES)
def test_rules(query: str, given: Given, as_of: int, known_at: int, period: tuple[str, str | None] | None) -> None:
    """What is given beside a question wins over its words, and those over now."""
    moments = ask(query, given).moments
    wanted = period and Period(start(period[0]), start(period[1]) if period[1] else OPEN)
    assert (moments.as_of, moments.known_at, moments.period) == (as_of, known_at, wanted)


def test_open_lower_end() -> None:
    """A period without a beginning reaches back as far as anything does."""
    assert ask("incidents before 2022").moments.period == Period(BEGIN, start("2022"))


def test_unknown_release_is_left_alone() -> None:
    """A release that the index does not know rules nothing and is shown with the reason."""
    asked = ask("the limit in OpenSearch 7.1")
    assert asked.moments.as_of == NOW
    assert [bool(reading.unread) for reading in asked.readings] == [True]


def test_release_of_the_future_is_unknown() -> None:
    """A release that is not out yet names no time."""
    assert ask("the limit in OpenSearch 9.0").moments.as_of == NOW


def test_releases_are_asked_only_where_named() -> None:
    """A question without numbers costs no look at the releases of the index."""
    asked: list[int] = []
    resolve_question("how do refunds work", Given(), now=NOW, words=WORDS, releases=lambda: asked.append(1) or ())
    assert asked == []


def test_words_can_be_left_alone() -> None:
    """Without time words only what was given rules, and nothing is read."""
    assert ask("refund window in 2022", words=None) == Asked(ask("refund window").moments)


def test_reading_is_shown() -> None:
    """What was read is reported with its characters and bounds."""
    (reading,) = ask("refund window in 2022").readings
    assert (reading.text, reading.span, reading.role) == ("in 2022", (14, 21), "range")
    assert (reading.start, reading.until) == (start("2022"), start("2023"))


def test_bad_moment_is_refused() -> None:
    """A given text that is no moment is refused whatever the words say."""
    with pytest.raises(RequestError, match="as_of"):
        ask("refund window in 2022", Given(as_of="soon"))
