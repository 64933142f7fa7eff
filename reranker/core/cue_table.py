"""Own the words that say how a question stands to time: their strengths, and the guards around them (English).

Each row is what to look for; before and after it what must not stand, or must. Unsure means unread: a word that may
have another sense in its place ("now defaults to", "voltage current", "New York") is in no row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Row:
    """Words of the present, and where they are none.

    Attributes:
        strength: c, how strongly they ask for the present state.
        words: pattern of the words that are read (and taken out of the text that is searched).
        before: pattern that must match right before the words; empty: anything.
        not_before: pattern that must not.
        after, not_after: alike, right after the words.
        question: whether the text must have the form of a question.
    """

    strength: float
    words: str
    before: str = ""
    not_before: str = ""
    after: str = ""
    not_after: str = ""
    question: bool = False


# The form of a question: it begins like one, or ends like one.
QUESTION: Final = re.compile(
    r"\A\W*(?:is|are|was|do|does|did|can|could|may|should|has|have|will|would|which|what|who|whom|where|when|how|why)\b"
    r"|\?\s*\Z",
    re.IGNORECASE,
)

_DETERMINERS: Final = (
    r"(?:^|[\"'(,:;?.!-]\s*|\b(?:a|an|the|this|that|these|our|my|your|their|his|her|its|any|some|which|what|whose|all"
    r"|is|are|was|be|do|does|can|of|for|with|under|about|by|on|from|to|in|at|and|or|per|show|list|find|give)\s+)\Z"
)
_UNTIL: Final = r"(?:until|till|from|by|up to|before|since|than)"
_AUXILIARIES: Final = r"(?:can|could|may|might|must|will|would|should|is|are|has|have)"
_END: Final = r"\s*(?:$|[?!.,;:)])"
# "current" as electricity, as water, or as where one stands in a program.
_OTHER_CURRENTS: Final = (
    r"s?\s+(?:source|sources|sink|transformer|density|densities|voltage|limiter|limiting|draw|drain|sensor|sensing|loop"
    r"|mirror|amplifier|transistor|relationship|relationships|system|systems|flow|flows|gain|carrying|meter|divider"
    r"|controlled|distribution|element|elements|directory|dir|folder|path|working|user|page|thread|process|node|line"
    r"|row|cell|context|time|date|timestamp|branch|selection|tab|window|session|position|object|file|document|item"
    r"|account|scope|locale|request|frame|index|cursor|transaction)\b"
)
_STILL_NOUNS: Final = r"\s+(?:images?|life|frames?|photos?|pictures?|water|camera|shots?|air)\b"
_ADVICE_VERBS: Final = r"(?:use|choose|pick|take|prefer|buy|adopt|go with|switch|migrate|upgrade)"
_PERIODS: Final = (
    r"(?:few|couple|two|three|four|five|six|seven|ten|hours?|days?|nights?|evening|morning|weeks?|weekend|months?"
    r"|quarters?|years?|decades?|century|time|mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|spring|summer|autumn|fall|winter)"
)

PRESENT: Final[tuple[Row, ...]] = (
    Row(0.70, r"right now|as of now|as of today|at the moment|at present|presently|currently|nowadays|these days"),
    Row(0.70, r"now", not_before=rf"\b(?:{_UNTIL}|{_AUXILIARIES}|just|and)\s+\Z", after=_END),
    Row(0.70, r"today", not_before=rf"\b{_UNTIL}\s+\Z", not_after=r"['’]s\b"),
    Row(0.70, r"current", before=_DETERMINERS, after=r"\s+\w", not_after=_OTHER_CURRENTS),
    Row(0.55, r"recently|lately", not_before=r"\bmost\s+\Z"),
    Row(0.55, r"recent", before=_DETERMINERS, after=r"\s+\w"),
    Row(0.55, r"this (?:week|month)"),
    Row(
        0.50,
        r"still",
        not_before=r"\b(?:a|an|the|stand|sit|hold|keep|stay|or)\s+\Z",
        not_after=_STILL_NOUNS,
        question=True,
    ),
    Row(0.50, r"anymore|any more|any longer|no longer", not_after=r"\s+than\b", question=True),
    Row(0.50, r"yet", after=_END, question=True),
    Row(0.50, r"changed", before=r"\b(?:has|have|hasn['’]t|haven['’]t)\s[^?.!;]{0,60}\Z", question=True),
    Row(0.40, r"changed", before=r"\bwhat\s+\Z"),
    Row(0.40, r"new", before=r"\b(?:what\s+is|what\s+are|what['’]s|anything|something)\s+\Z"),
    Row(
        0.40,
        r"updated|revised",
        before=_DETERMINERS,
        not_before=r"\b(?:is|are|was|be|to)\s+\Z",
        after=r"\s+\w",
        not_after=r"\s+(?:by|in|on|at|with|when|via|from|to|and|or)\b",
    ),
    Row(0.35, r"best", before=r"\b(?:which|what)\s[^?.!;]{1,60}\b(?:is|are|works|work)\s+\Z", after=_END),
    Row(0.35, r"best", before=r"\bthe\s+\Z", after=r"\s+(?:way|choice|option|tool|approach|method|alternative)\b"),
    Row(0.35, r"recommend|recommended", question=True, not_before=r"\bnot\s+\Z"),
    Row(0.35, r"should (?:i|we)", not_before=r"\b(?:when|how|where|why)\s+\Z", after=rf"\s+{_ADVICE_VERBS}\b"),
)

# "the latest …": always asks for the newest, but not as a label, a way to sort, or the end of a term.
SUPERLATIVE: Final = Row(
    0.70,
    r"latest|newest|most recent|most current",
    not_before=r"(?:\bat the\s+|\b(?:by|sort|sorted|order|ordered)\s+|[:@`'\"_/.-])\Z",
    not_after=r"(?:[`'\"_/:@-]|\s+(?:first|tag|tags|label|keyword|to oldest|at)\b)",
)
# "last" is more often a unit, a place or a name: it counts only before a noun of what is published, further on.
LAST: Final = Row(
    0.70,
    r"last",
    not_before=r"(?:\b(?:at|the very)\s+|[:@`'\"_/.-])\Z",
    not_after=rf"(?:[`'\"_/:@-]|\s+(?:\d|{_PERIODS}\b))",
)

# Words that end the phrase in which the noun of "the latest …" is looked for, and how far it may stand.
PHRASE_ENDS: Final = frozenset(
    "in of on at for to is are was were did do does has have had from before after since until by with that which"
    " who when where why how not than as if".split()
)
PHRASE_LENGTH: Final = 8

# Which content types the noun of "the latest …" names; a second leg brings the newest of them.
NOUNS: Final[Mapping[str, tuple[str, ...]]] = {
    noun: types
    for nouns, types in (
        ("release releases version versions changelog update updates", ("release_notes",)),
        ("incident incidents outage outages disruption disruptions", ("incident",)),
        ("announcement announcements notice notices", ("announcement",)),
        ("news headline headlines article articles", ("news", "breaking_news")),
        ("policy policies guideline guidelines", ("policy",)),
        ("law laws regulation regulations ruling rulings statute", ("legal",)),
        ("paper papers study studies preprint preprints", ("research",)),
        ("tutorial tutorials guide guides howto", ("tutorial",)),
        ("runbook runbooks playbook playbooks", ("runbook",)),
    )
    for noun in nouns.split()
}
