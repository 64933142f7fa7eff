"""What English says of time, row by row: asked on Wednesday 18 June 2025, 10:00 UTC, unless said."""

import pytest

from tests.reranker.timewords.reading import ask, one, reasons, said

STATED = [
    ("in March 2022", "2022-03-01", "2022-04-01"),
    ("back in June 2019", "2019-06-01", "2019-07-01"),
    ("in Jun, 1923", "1923-06-01", "1923-07-01"),
    ("August 2023", "2023-08-01", "2023-09-01"),
    ("2017 april", "2017-04-01", "2017-05-01"),
    ("November , 2016", "2016-11-01", "2016-12-01"),
    ("in May of last year", "2024-05-01", "2024-06-01"),
    ("3/2015", "2015-03-01", "2015-04-01"),
    ("on 14 February 2023", "2023-02-14", "2023-02-15"),
    ("on October 7, 2022", "2022-10-07", "2022-10-08"),
    ("on Dec. 31, 1994", "1994-12-31", "1995-01-01"),
    ("Twenty-fourth of May", "2025-05-24", "2025-05-25"),
    ("fourth of july of 1995", "1995-07-04", "1995-07-05"),
    ("2019-aug-1", "2019-08-01", "2019-08-02"),
    ("22/Jan/2019", "2019-01-22", "2019-01-23"),
    ("03 Aug 96", "1996-08-03", "1996-08-04"),
    ("02/22/2016", "2016-02-22", "2016-02-23"),
    ("20161016", "2016-10-16", "2016-10-17"),
    ("2015.5.13", "2015-05-13", "2015-05-14"),
    ("Sat 3 Feb 2024", "2024-02-03", "2024-02-04"),
    ("Feb 29", "2024-02-29", "2024-03-01"),
    ("christmas 2019", "2019-12-25", "2019-12-26"),
    ("in Q3 2022", "2022-07-01", "2022-10-01"),
    ("2017-q1", "2017-01-01", "2017-04-01"),
    ("in the third quarter of 2022", "2022-07-01", "2022-10-01"),
    ("H1 2025", "2025-01-01", "2025-07-01"),
    ("second half of 2023", "2023-07-01", "2024-01-01"),
    ("week 32 of 2024", "2024-08-05", "2024-08-12"),
    ("2024-W32", "2024-08-05", "2024-08-12"),
    ("1st week of April 2025", "2025-04-01", "2025-04-08"),
    ("the week of 2024-03-06", "2024-03-04", "2024-03-11"),
    ("last Monday of May 2024", "2024-05-27", "2024-05-28"),
    ("the last week of March 2023", "2023-03-25", "2023-04-01"),
    ("in 2019", "2019-01-01", "2020-01-01"),
    ("in the year 2019", "2019-01-01", "2020-01-01"),
    ("in 2019-2021", "2019-01-01", "2022-01-01"),
    ("in the 1990s", "1990-01-01", "2000-01-01"),
    ("in 70's", "1970-01-01", "1980-01-01"),
    ("the first half of the 1990s", "1990-01-01", "1995-01-01"),
    ("in the 19th century", "1800-01-01", "1900-01-01"),
    ("summer 2024", "2024-06-01", "2024-09-01"),
    ("winter 2023", "2023-12-01", "2024-03-01"),
    ("in early 2022", "2022-01-01", "2022-04-01"),
    ("mid-2022", "2022-05-01", "2022-09-01"),
    ("in the middle of 2019", "2019-05-01", "2019-09-01"),
    ("in late 2011", "2011-10-01", "2012-01-01"),
    ("late March", "2025-03-21", "2025-04-01"),
    ("mid-1990s", "1994-01-01", "1997-01-01"),
    ("the end of 15 November 2019", "2019-11-15", "2019-11-16"),
    ("the first half of March 2024", "2024-03-01", "2024-03-16"),
    ("the third month of 2024", "2024-03-01", "2024-04-01"),
    ("early Q3 2024", "2024-07-01", "2024-08-01"),
    ("the start of the week of 2024-03-06", "2024-03-04", "2024-03-06"),
    ("fall of last year", "2024-09-01", "2024-12-01"),
    ("in calendar week 32", "2024-08-05", "2024-08-12"),
    ("Q3 '22", "2022-07-01", "2022-10-01"),
    ("end of last year", "2024-10-01", "2025-01-01"),
]
COUNTED = [
    ("yesterday", "2025-06-17", "2025-06-18"),
    ("the day before yesterday", "2025-06-16", "2025-06-17"),
    ("this week", "2025-06-16", "2025-06-23"),
    ("last week", "2025-06-09", "2025-06-16"),
    ("the week before last", "2025-06-02", "2025-06-09"),
    ("last month", "2025-05-01", "2025-06-01"),
    ("last quarter", "2025-01-01", "2025-04-01"),
    ("last year", "2024-01-01", "2025-01-01"),
    ("next month", "2025-07-01", "2025-08-01"),
    ("last spring", "2025-03-01", "2025-06-01"),
    ("last summer", "2024-06-01", "2024-09-01"),
    ("last March", "2025-03-01", "2025-04-01"),
    ("last Friday", "2025-06-13", "2025-06-14"),
    ("last Wednesday", "2025-06-11", "2025-06-12"),
    ("on Monday", "2025-06-16", "2025-06-17"),
    ("20th of the previous month", "2025-05-20", "2025-05-21"),
    ("tuesday of last week", "2025-06-10", "2025-06-11"),
    ("the first Monday of this month", "2025-06-02", "2025-06-03"),
    ("two weeks ago", "2025-06-04", "2025-06-05"),
    ("a year ago", "2024-06-18", "2024-06-19"),
    ("18 months ago", "2023-12-18", "2023-12-19"),
    ("half a year ago", "2024-12-18", "2024-12-19"),
    ("a year and a half ago", "2023-12-18", "2023-12-19"),
    ("a couple of weeks ago", "2025-06-04", "2025-06-05"),
    ("this time last year", "2024-06-18", "2024-06-19"),
    ("3 months before March 2024", "2023-12-01", "2023-12-02"),
    ("an hour ago", "2025-06-18T09:00:00Z", "2025-06-18T10:00:00Z"),
    ("past 30 days", "2025-05-19", "2025-06-18T10:00:00Z"),
    ("over the past two weeks", "2025-06-04", "2025-06-18T10:00:00Z"),
    ("in the last 3 months", "2025-03-18", "2025-06-18T10:00:00Z"),
    ("10 previous weeks", "2025-04-09", "2025-06-18T10:00:00Z"),
    ("last 24h", "2025-06-17T10:00:00Z", "2025-06-18T10:00:00Z"),
    ("this Friday", "2025-06-20", "2025-06-21"),
    ("next Friday", "2025-06-27", "2025-06-28"),
    ("this summer", "2025-06-01", "2025-09-01"),
    ("this September", "2025-09-01", "2025-10-01"),
    ("next May", "2026-05-01", "2026-06-01"),
    ("in the next 3 months", "2025-06-18", "2025-09-19"),
    ("over the last couple of weeks", "2025-06-04", "2025-06-18T10:00:00Z"),
    ("in the last 2 quarters", "2024-10-01", "2025-04-01"),
    ("last week Sunday", "2025-06-15", "2025-06-16"),
    ("ytd", "2025-01-01", "2025-06-18T10:00:00Z"),
    ("year to date", "2025-01-01", "2025-06-18T10:00:00Z"),
]
OPERATED = [
    ("since March", "2025-03-01", "-"),
    ("since 2020", "2020-01-01", "-"),
    ("since the beginning of the year", "2025-01-01", "-"),
    ("starting January 7th", "2025-01-07", "-"),
    ("from 2019 onwards", "2019-01-01", "-"),
    ("year 2012 or later", "2012-01-01", "-"),
    ("on or after 2024-01-01", "2024-01-01", "-"),
    ("after 15 Jan 2024", "2024-01-16", "-"),
    ("before June 2023", "-", "2023-06-01"),
    ("prior to 2017", "-", "2017-01-01"),
    ("before the end of last year", "-", "2025-01-01"),
    ("until 2018", "-", "2019-01-01"),
    ("by the end of 2023", "-", "2024-01-01"),
    ("until next friday", "-", "2025-06-28"),
    ("no later than 2023-05-01", "-", "2023-05-02"),
    ("between Jan and Mar 2025", "2025-01-01", "2025-04-01"),
    ("Between January 1, 1992, and August 31, 1994", "1992-01-01", "1994-09-01"),
    ("between 2024-05-01T10:00Z and 2024-05-02T10:00Z", "2024-05-01T10:00:00Z", "2024-05-02T10:00:00.000001Z"),
    ("from 2019 to present", "2019-01-01", "2025-06-18T10:00:00Z"),
    ("between 2019 and 2021", "2019-01-01", "2022-01-01"),
    ("between January 1st 2015 and Feb 5th 2018", "2015-01-01", "2018-02-06"),
    ("from 4 to 22 January, 1995", "1995-01-04", "1995-01-23"),
    ("from april in 2016 to June in 2017", "2016-04-01", "2017-07-01"),
    ("from May to September", "2025-05-01", "2025-10-01"),
    ("Nov-Feb 2017", "2016-11-01", "2017-03-01"),
    ("August 10 to 22, 2012", "2012-08-10", "2012-08-23"),
    ("January 12, 2016 - 01/22/2016", "2016-01-12", "2016-01-23"),
    ("in 2014 through May 2018", "2014-01-01", "2018-06-01"),
    ("between Jan 2019 and now", "2019-01-01", "2025-06-18T10:00:00Z"),
    ("in March and April 2023", "2023-03-01", "2023-05-01"),
    ("from last week to yesterday", "2025-06-09", "2025-06-18"),
]


@pytest.mark.parametrize(("phrase", "start", "end"), STATED + COUNTED + OPERATED, ids=lambda value: str(value))
def test_a_phrase_means_its_range(phrase, start, end):
    """Behind a question, in front of it, and alone, a phrase means one range, and the rest stays as it was."""
    assert one(f"who approved refunds {phrase}") == ("range", start, end)
    assert ask(f"who approved refunds {phrase}?").rest == "who approved refunds?"
    assert one(f"{phrase[0].upper()}{phrase[1:]}: refund rules") == ("range", start, end)
    assert one(phrase) == ("range", start, end)


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("as of 2023-05-01", "2023-05-01", "2023-05-02"),
        ("as of May 1, 2023", "2023-05-01", "2023-05-02"),
        ("as of December 2021", "2021-12-01", "2022-01-01"),
        ("as of last month", "2025-05-01", "2025-06-01"),
        ("as of 2024-05-01T10:00:00+02:00", "2024-05-01T08:00:00Z", "2024-05-01T08:00:00.000001Z"),
    ],
)
def test_as_of_asks_for_a_moment(phrase, start, end):
    """As of a day, month or instant is a moment: the last instant of the span."""
    reading = ask(f"{phrase}, what is the fee")
    assert (one(f"{phrase}, what is the fee"), reading.rest) == (("as_of", start, end), "what is the fee")
    assert reading.as_of is not None
    assert reading.range is None


@pytest.mark.parametrize("phrase", ["today", "this day"])
def test_the_present_day_is_a_cue(phrase):
    """Today is shown with its bounds, limits nothing, and stays in the question for who reads cues."""
    reading = ask(f"is the API up {phrase}?")
    assert said(f"is the API up {phrase}?") == [("cue", "2025-06-18", "2025-06-19")]
    assert (reading.range, reading.as_of, reading.rest) == (None, None, f"is the API up {phrase}?")


@pytest.mark.parametrize("phrase", ["2023", "May", "February", "Mon", "Q3", "W32"])
def test_a_name_that_is_unsure_in_a_sentence_is_read_alone(phrase):
    """What is nothing else in the question is a time; beside other words it needs a word of time."""
    assert len(said(phrase)) == 1
    assert said(f"{phrase} backup report") == []


@pytest.mark.parametrize(
    "text",
    [
        "last release", "latest changes", "last name field", "last 10 commits", "last day to enrol", "previous page",
        "current user", "is it down right now", "what changed recently", "next token", "newest version", "until now",
    ],
)  # fmt: skip
def test_cues_are_left_to_who_owns_them(text):
    """Superlatives and words of the present that name no stretch of time are not claimed."""
    assert ask(text).spans == ()


def test_spans_are_cut_out_and_the_rest_stays():
    """Two spans are read, each with its characters; signs that then join nothing go with them."""
    text = "Incidents in March 2022 (as of May 2023), by team?"
    reading = ask(text)
    assert [text[span.start : span.end] for span in reading.spans] == ["in March 2022", "as of May 2023"]
    assert [span.text for span in reading.spans] == ["in March 2022", "as of May 2023"]
    assert reading.rest == "Incidents, by team?"


def test_ranges_meet():
    """Two ranges are what they have in common."""
    reading = ask("incidents since 2020 before 2022")
    low, high = reading.range or (None, None)
    assert low is not None
    assert high is not None
    assert low < high
    assert len(reading.spans) == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("incidents in 2019 and not in 2021", "periods that exclude each other"),
        ("as of 2019 and as of 2021", "more than one moment"),
        ("in 2019 and 2021", "several periods that do not touch"),
        ("sales in 2019 vs 2020", "several periods"),
        ("from 2000 to 4000 requests", "only one end of a range is a date"),
        ("open from Monday to Friday", "days of a schedule"),
        ("contract ends 02/07/18", "day and month may be either way round; set date_order"),
        ("revenue in Q1 FY25", "no start of the fiscal year is set; set fiscal_start_month"),
        ('the phrase "in March 2022"', "quoted"),
        ("what does `since 2020` do", "quoted"),
        ("S3 2006-03-01 API", "the date names an edition"),
        ("migrate Exchange from 2013 to 2016", "the numbers may name releases or amounts"),
    ],
)
def test_what_was_left_alone_says_why(text, reason):
    """What has the shape of a time and is unsure is left in the question, with the reason."""
    reading = ask(text)
    assert reason in reasons(text)
    assert said(text) == []
    assert reading.rest == text
    assert all(span.from_us is None and span.until_us is None for span in reading.spans)


def test_a_quote_around_the_whole_question_quotes_nothing():
    """People paste questions with quotes around them."""
    assert one('"what changed in March 2022"') == ("range", "2022-03-01", "2022-04-01")
