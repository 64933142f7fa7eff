"""Own the tour of the sample handbook: what is asked, for which day, and what each answer is there to show.

Every step is a command as one types it; `stilltrue.cli.demo` runs it and prints what it prints.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Final

from mappings.interval import parse_moment

# When the tour takes place: the day after the last one it asks for, and before what the handbook announces.
TODAY: Final = parse_moment("2025-06-19T09:00:00Z").start

_REFUND: Final = "within how many days of delivery can a customer send a gauge back"
_LOGS: Final = "how long are access logs kept"
_GYM: Final = "is there money for a gym or a swimming pool"
_LATE: Final = "are alerts late right now"
_BANDS: Final = "salary bands for software"
_PHONE: Final = "when does support answer the telephone in winter"
_READINGS: Final = "how long are readings kept"
_MEALS: Final = "what do I get for meals on a day trip"


@dataclass(frozen=True, slots=True)
class Stop:
    """A question with its lesson.

    Attributes:
        title: what it is about.
        told: what to look at, in a sentence or two.
        commands: the arguments of `stilltrue`, one tuple a command.
    """

    title: str
    told: str
    commands: tuple[tuple[str, ...], ...]

    def lines(self) -> tuple[str, ...]:
        """Return the commands as one types them."""
        return tuple(shlex.join(("stilltrue", *command)) for command in self.commands)


def _search(question: str, as_of: str, *more: str) -> tuple[str, ...]:
    return ("search", question, "--as-of", as_of, *more, "--top-k", "1")


OPENING: Final = Stop(
    "The handbook of Marlow Gauges",
    "Twenty-six people make rain gauges and keep their rules in git: four years, twenty-nine commits, and two pages of"
    " an old wiki. It is June 2025.",
    (("ingest", "git+handbook"), ("ingest", "old-wiki", "--lenient")),
)

TOUR: Final[tuple[Stop, ...]] = (
    Stop(
        "What holds today",
        "Four versions of this page followed one another, and all match alike. One of them holds; the others are"
        " history, each with the day until which it was true.",
        (_search(_REFUND, "2025-06-18", "--history"),),
    ),
    Stop(
        "What held then",
        "A customer asks for what was promised then. The month may stand in the question.",
        (("search", f"in May 2021, {_REFUND}", "--top-k", "1"),),
    ),
    Stop(
        "A page published by mistake",
        "The 45 days stood there for three days, then they were withdrawn. Two clocks: what we believed on 17 January,"
        " and what we know of 17 January since.",
        (_search(_REFUND, "2023-01-17"), _search(_REFUND, "2023-01-17", "--known-at", "2023-02-01")),
    ),
    Stop(
        "Corrected afterwards",
        "In May 2023 somebody noticed that the six months had held since January. Asked in February we would have said"
        " twelve.",
        (_search(_LOGS, "2023-02-01"), _search(_LOGS, "2023-02-01", "--known-at", "2023-06-01")),
    ),
    Stop(
        "Announced, not yet in force",
        "New rates are published and begin in September. They wait their turn, and are shown where one asks for them.",
        (_search(_MEALS, "2025-06-18", "--upcoming"),),
    ),
    Stop(
        "Expired",
        "Winter hours ended with February. In January they answer, in June they are history.",
        (_search(_PHONE, "2025-01-15"), _search(_PHONE, "2025-06-18", "--history")),
    ),
    Stop(
        "Deleted",
        "The gym contribution ended in July 2023, with its page. Nothing else says anything about it, and that is said"
        " too.",
        (_search(_GYM, "2023-06"), _search(_GYM, "2025-06-18", "--history")),
    ),
    Stop(
        "Under way, and over",
        "The same question during an incident and a month later.",
        (_search(_LATE, "2023-03-05"), _search(_LATE, "2023-04-05")),
    ),
    Stop(
        "For managers only",
        "Without the right to read it a page does not exist: not among the hits, not in a count.",
        (_search(_BANDS, "2025-06-18"), _search(_BANDS, "2025-06-18", "--principal", "managers")),
    ),
    Stop(
        "Which release",
        "Release notes never expire, each is about its own release. When that was, the index knows.",
        (("search", f"{_READINGS} in release 1.1", "--top-k", "1"),),
    ),
    Stop(
        "Old and still right",
        "Nobody has touched this runbook since 2021, and nothing replaced it. Age alone removes nothing.",
        (_search("restore a backup of the station database", "2024-11"),),
    ),
    Stop(
        "Without a date",
        "A page of the old wiki carries no date. It is kept apart and flagged, never taken for fresh.",
        (_search("where can I park the van in the yard", "2025-06-18"),),
    ),
    Stop(
        "Where a score comes from",
        "Every number can be computed again. What would have been there is named, with the reason why it is not.",
        (_search(_MEALS, "2025-06-18", "--explain"),),
    ),
    Stop(
        "The history of a page, and what changed",
        "Every version with its state today, and the difference between two days.",
        (
            ("history", "handbook/policies/refunds.md", "--as-of", "2025-06-18"),
            ("history", "handbook/policies/travel.md", "--diff", "2023-06", "2024-06"),
        ),
    ),
)
