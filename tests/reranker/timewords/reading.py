"""Own how the tests of this folder ask and compare: one question, one fixed moment, bounds as text."""

from typing import Any

from mappings.interval import format_instant, parse_moment
from reranker.timewords import Reading, read

# A Wednesday in the middle of a quarter, so that no unit ends by accident.
ASKED = "2025-06-18T10:00:00Z"


def ask(text: str, asked: str = ASKED, **options: Any) -> Reading:
    return read(text, now=parse_moment(asked).start, **options)


def said(text: str, asked: str = ASKED, **options: Any) -> list[tuple[str, str, str]]:
    """Return (role, from, until) of what was read; whole days are written as days, open ends as "-"."""
    spans = [span for span in ask(text, asked, **options).spans if not span.unread]
    return [(str(span.role), _bound(span.from_us), _bound(span.until_us)) for span in spans]


def one(text: str, asked: str = ASKED, **options: Any) -> tuple[str, str, str]:
    found = said(text, asked, **options)
    assert len(found) == 1, found
    return found[0]


def reasons(text: str, asked: str = ASKED, **options: Any) -> list[str]:
    return [span.unread for span in ask(text, asked, **options).spans if span.unread]


def _bound(instant: int | None) -> str:
    return (format_instant(instant) or "-").removesuffix("T00:00:00Z")
