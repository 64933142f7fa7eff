"""What holds for every question: bounds, invariance, shift, and that nothing can break the reader."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mappings.interval import DAY, parse_moment
from reranker.timewords import Reading, Role, TimeSettings, language_codes, read
from reranker.timewords.languages import get_language
from reranker.timewords.lexer import lexicon
from tests.reranker.timewords.test_english import COUNTED, OPERATED, STATED

FIRST, LAST = parse_moment("0001-01-01").start, parse_moment("9998-12-31").end + 365 * DAY - 1
# 28 years hold seven leap days wherever no century year without one is crossed.
SHIFT = (28 * 365 + 7) * DAY
NOW = parse_moment("2025-06-18T10:00:00Z").start

moments = st.integers(FIRST, LAST)
modern = st.integers(parse_moment("1935-01-01").start, parse_moment("2060-01-01").start)
zones = st.sampled_from(["UTC", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu"])
languages = st.sampled_from(language_codes())
all_settings = st.builds(
    TimeSettings,
    week_start=st.integers(0, 6),
    fiscal_start_month=st.none() | st.integers(1, 12),
    date_order=st.sampled_from([None, "DMY", "MDY"]),
    hemisphere=st.sampled_from(["north", "south"]),
)
phrases = st.sampled_from([row[0] for row in STATED + COUNTED + OPERATED])
# Those that count from now in units that 28 years are whole numbers of.
relative = st.sampled_from(
    [row[0] for row in COUNTED if "2024" not in row[0]] + ["since March", "in Q3", "by the end of next month"]
)
# Words that neither say nor guard a time, nor join two of them.
PLAIN = "who approved refunds under new rules bank Zürich café naïve gateway".split()
plain = st.lists(st.sampled_from(PLAIN), max_size=4)
WORDS = sorted({word for code in language_codes() for word in lexicon(get_language(code))})
salad = st.lists(
    st.sampled_from(
        [*WORDS, *"1 12 31 99 2019 2024 3000 20240229 2024-05-01 01/02/2016 3.12 v2 Q3 1990s 4th 3. 24h FY25".split()]
        + [*"-,/()\"`.?'", "999999999", "99999999999"]
    ),
    max_size=16,
).map(" ".join)


def spans_of(reading: Reading) -> list[tuple[str, int | None, int | None]]:
    return [(str(span.role), span.from_us, span.until_us) for span in reading.spans if not span.unread]


@given(salad | st.text(max_size=80), moments, zones, languages, all_settings)
@example("in the last 99999999 days", NOW, "UTC", "en", TimeSettings())
@example("12 centuries ago since 99 decades ago", FIRST, "Pacific/Apia", "en", TimeSettings())
@example("next century", LAST, "Asia/Kathmandu", "en", TimeSettings())
def test_any_text_gives_spans_in_order_with_honest_bounds(text, now, zone, language, settings):
    """No exception; spans lie in the text, apart, in order; from < until, in years 1 to 9999; unread ones have none."""
    reading = read(text, now=now, zone=zone, settings=settings, language=language)
    at = 0
    for span in reading.spans:
        assert at <= span.start < span.end
        assert text[span.start : span.end] == span.text
        at = span.end
        if span.unread:
            assert span.from_us is span.until_us is None
        else:
            assert (span.from_us, span.until_us) != (None, None)
            low = FIRST if span.from_us is None else span.from_us
            high = LAST if span.until_us is None else span.until_us
            assert FIRST <= low < high <= LAST
    if not any(span.role is not Role.CUE and not span.unread for span in reading.spans):
        assert reading.rest == text


@given(phrases, plain, plain, modern, zones)
def test_words_without_time_change_nothing(phrase, before, after, now, zone):
    """A phrase means the same behind words that say nothing of time, and in front of them."""
    alone = spans_of(read(f"fees {phrase}", now=now, zone=zone))
    assert spans_of(read(" ".join([*before, phrase]), now=now, zone=zone)) == alone
    assert spans_of(read(f"{phrase}, {' '.join(after)}", now=now, zone=zone)) == alone
    assert spans_of(read(f"{' '.join(before)} ({phrase}) {' '.join(after)}", now=now, zone=zone)) == alone


@given(phrases, st.sampled_from(["\u00a0", "\u2009", "\u202f", "\u3000", "\t", "\n", "  ", "\u200b "]))
def test_kinds_of_space_and_quote_change_nothing(phrase, space):
    """Whatever space a keyboard makes, and whatever apostrophe or dash."""
    text = f"refund rules {phrase}"
    odd = text.replace(" ", space).replace("'", "\u2019").replace("-", "\u2013")
    assert spans_of(read(odd, now=NOW)) == spans_of(read(text, now=NOW))
    for opening, closing in ('""', "\u201c\u201d", "\u00ab\u00bb", "\u201e\u201c"):
        assert spans_of(read(f"say {opening}{text}{closing} there", now=NOW)) == []
        assert spans_of(read(f"{opening}{text}{closing}", now=NOW)) == spans_of(read(text, now=NOW))


@given(phrases)
def test_case_changes_nothing(phrase):
    """Capitals are read like small letters; "may", which is guarded by its case, is not among the phrases in front."""
    plain_case = spans_of(read(f"refund rules {phrase}", now=NOW))
    for changed in (phrase.upper(), phrase.lower(), phrase.title()):
        assert spans_of(read(f"refund rules {changed}", now=NOW)) == plain_case


@given(relative, modern)
def test_relative_readings_move_with_now(phrase, now):
    """The calendar repeats after 28 years, and so does what is counted from now."""
    moved = spans_of(read(f"fees {phrase}", now=now + SHIFT))
    assert moved == [
        (role, low if low is None else low + SHIFT, high if high is None else high + SHIFT)
        for role, low, high in spans_of(read(f"fees {phrase}", now=now))
    ]


@pytest.mark.parametrize("code", language_codes())
def test_every_row_has_a_meaning(code):
    """A table names no meaning, operator or class that does not exist."""
    from reranker.timewords.meanings import MEANINGS
    from reranker.timewords.operators import OPERATORS

    language = get_language(code)
    shapes = "DAY YEAR YY TWODIGITS NUMBERUNIT ISODAY INSTANT ISOMONTH MONTHNUMBER ODDDAY ISOWEEK WEEKNAME QUARTER"
    known = {*language.words, *shapes.split(), *"YEARQUARTER FISCAL YEARS DECADE SHORTDECADE DATE RELEASE".split()}
    named = {word for _, pattern in (*language.dates, *language.spans) for word in pattern.replace("|", " ").split()}
    assert {name.rstrip("?") for name in named if name.rstrip("?").isupper()} <= known
    assert {name for name, _ in language.dates} <= set(MEANINGS)
    assert {name for name, _ in language.spans} <= set(OPERATORS)
