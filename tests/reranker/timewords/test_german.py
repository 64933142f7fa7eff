"""German, read by the same meanings through its own table; gold rows of its own stand in german.jsonl."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from mappings.interval import format_day
from tests.reranker.timewords.reading import ask, one, reasons, said

GOLD = [json.loads(line) for line in Path(__file__).with_name("german.jsonl").read_text(encoding="utf8").splitlines()]


@pytest.mark.parametrize("row", GOLD, ids=[row["text"] for row in GOLD])
def test_gold(row):
    """A positive row is read within its slack; a negative one is not read at all."""
    spans = [span for span in ask(row["text"], f"{row['reference']}T12:00:00Z", language="de").spans if not span.unread]
    if row["negative"]:
        assert spans == []
        return
    (span,) = spans
    assert [span.start, span.end] == row["span"]
    low = span.from_us and date.fromisoformat(format_day(span.from_us))
    high = span.until_us and date.fromisoformat(format_day(span.until_us - 1)) + timedelta(days=1)
    for said_day, gold in ((low, row["start"]), (high, row["end"])):
        assert (said_day is None) == (gold is None)
        assert gold is None or abs((said_day - date.fromisoformat(gold)).days) <= row["slack_days"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Störungen vor 6 Stunden", ("range", "2025-06-18T04:00:00Z", "2025-06-18T05:00:00Z")),
        ("Gebühren vor einem halben Jahr", ("range", "2024-12-18", "2024-12-19")),
        ("Vorfälle seit Jahresbeginn", ("range", "2025-01-01", "2025-06-18T10:00:00Z")),
        ("Regeln vom 22/Jan/2019", ("range", "2019-01-22", "2019-01-23")),
        ("Regeln per 31.12.2023", ("as_of", "2023-12-31", "2024-01-01")),
        ("ist die API heute da", ("cue", "2025-06-18", "2025-06-19")),
    ],
)
def test_phrases(text, expected):
    """What the gold format can not hold: hours, moments, cues."""
    assert one(text, language="de") == expected


def test_unread_says_why():
    """Guards and their reasons are those of every language."""
    assert reasons("von Montag bis Freitag geöffnet", language="de") == ["days of a schedule"]
    assert reasons("im Geschäftsjahr 2024", language="de") == [
        "no start of the fiscal year is set; set fiscal_start_month"
    ]


def test_each_language_reads_its_own_words_only():
    """No word of one table is read by the other."""
    assert said("Urlaubsregel letzten Monat") == []
    assert said("leave policy last month", language="de") == []
