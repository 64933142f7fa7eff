"""Own when a time is left alone although a row fits: numbers that are no years, names, quotes, half a range."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from reranker.timewords.granules import Granule, Strength
from reranker.timewords.languages import Language
from reranker.timewords.lexer import Token
from reranker.timewords.operators import Draft

_QUOTED: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"]*\"", re.DOTALL)
_GLUE: Final = frozenset("-/~.,'")
# How far before a range the verb that makes it one of releases may stand: "upgrade Exchange Server from 2013 to 2016".
_MOVE_DISTANCE: Final = 4
# Rows whose words are numbers alone.
_NUMERIC: Final = frozenset(("iso day", "iso month", "numeric day", "year", "years", "iso week"))
_YEARS: Final = frozenset(("year", "years"))
# Earlier numbers, and round ones, count things more often than they are years, when a plural stands behind them.
_FIRST_PLAIN_YEAR: Final = 1900
# A word that counts is at least this long: "2019 as" counts nothing.
_SHORTEST_PLURAL: Final = 4


def quoted(text: str) -> list[tuple[int, int]]:
    """Return where quotes and code stand; a quote around the whole text quotes nothing.

    Args:
        text: a text that `lexer.same` has been over.
    """
    found = [match.span() for match in _QUOTED.finditer(text)]
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    return [] if found == [(first, last)] else found


def drop_homonyms(tokens: list[Token], text: str, language: Language) -> None:
    """Take the month from words that are a verb where they stand: "how may I reset", "you may retry 2 times"."""
    for at, token in enumerate(tokens):
        if token.text in language.guards.homonyms and not (at and text[token.start : token.end].istitle()):
            counted = at + 1 < len(tokens) and "DAY" in tokens[at + 1].classes and "NUMBER" in tokens[at + 1].classes
            following = at + 2 if counted else at + 1
            if following < len(tokens) and _is_plain(tokens[following], language):
                tokens[at] = Token(token.text, token.start, token.end, {}, token.glued)


def _is_plain(token: Token, language: Language) -> bool:
    """Tell whether a token is a word that says nothing about time, not even how two times are joined."""
    return token.text[0].isalpha() and not token.classes and token.text not in language.guards.after_homonym


def objection(tokens: Sequence[Token], start: int, end: int, draft: Draft, language: Language) -> str | None:
    """Return why tokens start to end, excluded, may not be read; None if they may, "" for a reason nobody asked for."""
    if draft.refusal:
        return draft.refusal
    for guard in (_glued, _numbered, _edition, _counted, _topic, _half_range, _moved):
        found = guard(tokens, start, end, draft, language)
        if found is not None:
            return found
    return None


def _text(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].text if 0 <= at < len(tokens) else ""


def _last(draft: Draft) -> Granule | None:
    return draft.dates[-1] if draft.dates else None


def _glued(tokens: Sequence[Token], start: int, end: int, _: Draft, __: Language) -> str | None:
    before = tokens[start].glued and _text(tokens, start - 1) in _GLUE
    after = end + 1 < len(tokens) and tokens[end].glued and tokens[end].text in _GLUE and tokens[end + 1].glued
    return "" if before or (after and tokens[end + 1].text[0].isalnum()) else None


def _numbered(tokens: Sequence[Token], start: int, _: int, draft: Draft, language: Language) -> str | None:
    """Leave the number of something alone: "ticket 20161016", "rows 2014-2018"."""
    before, nouns = _text(tokens, start - 1), language.guards
    rule = draft.dates[0].rule if draft.dates else ""
    plain = rule in _NUMERIC and "NUMBER" in tokens[start].classes
    named = before in nouns.number_nouns and (plain or rule in ("years", "iso month"))
    # "the 2019-2020 season" is about a season
    named |= rule == "years" and start > 0 and "THE" in tokens[start - 1].classes
    return "" if named or (plain and before in nouns.size_nouns) else None


def _edition(tokens: Sequence[Token], start: int, end: int, draft: Draft, language: Language) -> str | None:
    """Leave the date of an edition alone: "API version 2021-04-01", "S3 2006-03-01 API"."""
    if not draft.dates or draft.dates[0].rule not in ("iso day", "iso month") or "NUMBER" in tokens[start].classes:
        return None
    bare = "ISODAY" in tokens[start].classes or "ISOMONTH" in tokens[start].classes
    before, after = _text(tokens, start - 1) if bare else "", _text(tokens, end)
    named = before.rpartition("-")[2] in language.guards.edition_nouns or after in language.guards.edition_nouns
    return "the date names an edition" if named and not tokens[start].glued else None


def _counted(tokens: Sequence[Token], _: int, end: int, draft: Draft, language: Language) -> str | None:
    """Leave a number alone that counts what stands behind it: "in 2048 dims"."""
    last, guards = _last(draft), language.guards
    if last is None or last.rule not in _YEARS or end >= len(tokens):
        return None
    after = tokens[end].text
    if after in guards.units or after[0] in "%°€$£¥":
        return ""
    # "in 2019 policies changed" is a year, "in 1500 words" and "in 2000 pieces" are counts
    number = tokens[end - 1].classes.get("YEAR", _FIRST_PLAIN_YEAR)
    plain = isinstance(number, int) and number >= _FIRST_PLAIN_YEAR and number % 100
    plural = guards.plural and len(after) >= _SHORTEST_PLURAL and after.isalpha() and after.endswith(guards.plural)
    return "" if not plain and plural and after not in guards.not_plural else None


def _topic(tokens: Sequence[Token], _: int, end: int, draft: Draft, language: Language) -> str | None:
    """Leave a time alone that is part of a name: "the year 2000 problem", "today's date function"."""
    after = _text(tokens, end)
    if after and after == language.possessive:
        after = _text(tokens, end + 1)
    return "" if after in language.guards.topics else None


def _half_range(tokens: Sequence[Token], _: int, end: int, draft: Draft, language: Language) -> str | None:
    """Leave a range or a list alone of which only one part is a date: "from 2000 to 4000"."""
    last = _last(draft)
    if last is None or last.strength is not Strength.WORD or end + 1 >= len(tokens):
        return None
    link, other = tokens[end].text, tokens[end + 1].classes
    if link in language.guards.links and ("NUMBER" in other or "VERSION" in other or "MONTH" in other):
        return "only one end of a range is a date"
    listed = link in language.guards.pairs and ("YEAR" in other if last.grain == "year" else "MONTH" in other)
    return "several periods" if listed else None


def _moved(tokens: Sequence[Token], start: int, _: int, draft: Draft, language: Language) -> str | None:
    """Leave bare years alone behind a verb of change: "migrate from 2013 to 2016", "raise it by 2000"."""
    if not draft.dates or any(granule.rule not in _YEARS for granule in draft.dates):
        return None
    if len(draft.dates) == 1 and tokens[start].text not in language.guards.amounts:
        return None
    near = [token.text for token in tokens[max(0, start - _MOVE_DISTANCE) : start]]
    moved = any(word in language.guards.moves for word in near)
    return "the numbers may name releases or amounts" if moved else None
