"""Own where words begin and end: the word boundaries of UAX #29 as Lucene's StandardTokenizer draws them.

What becomes of a word (its stem, whether it counts) is `store.analysis`. The character classes are
`store.wordbreak_table`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from store import wordbreak_table as table

# Lucene's StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH: a longer word is cut into pieces of this length.
MAX_WORD: Final = 255

# Plain text is most text, and needs neither marks nor tables: letters and digits, joined by underscores, with a
# full stop, colon or apostrophe between letters, a full stop, comma, semicolon or apostrophe between digits.
_ASCII: Final = re.compile(
    r"[0-9A-Za-z_]+(?:(?:(?<=[A-Za-z])[.:'](?=[A-Za-z])|(?<=[0-9])[.,;'](?=[0-9]))[0-9A-Za-z_]+)*"
)


def words(text: str) -> list[str]:
    """Return the words of a text in order; empty ones and runs of underscores, which are none, may be among them."""
    return _pattern(text).findall(text)


def pieces(word: str) -> list[str]:
    """Return a word in pieces of at most 255 characters, parted as though the text ended at each limit."""
    pattern = _pattern(word)
    found: list[str] = []
    start = 0
    while start < len(word):
        match = pattern.match(word, start, start + MAX_WORD)
        if match:
            found += pattern.findall(match[0])
        start = match.end() if match else start + 1
    return found


def _pattern(text: str) -> re.Pattern[str]:
    return _ASCII if text.isascii() else _any_script()


@cache
def _any_script() -> re.Pattern[str]:
    """Return the pattern for all scripts; its one group is empty where joins stand by themselves."""
    letter, hebrew, digit, kana = map(_set, (table.LETTER, table.HEBREW, table.NUMERIC, table.KATAKANA))
    mark, join, either = map(_set, (table.EXTEND, table.JOIN, table.MID_BOTH))
    more_letters = (
        f"[{_set(table.MID_LETTER)}{either}][{mark}]*+[{letter}][{letter}{mark}]*+"
        f"|(?<=[{hebrew}])'[{mark}]*+"
        f'|(?<=[{hebrew}])"[{mark}]*+[{hebrew}][{letter}{mark}]*+'
    )
    more_digits = f"[{_set(table.MID_NUMBER)}{either}][{mark}]*+[{digit}][{digit}{mark}]*+"
    letters = f"[{letter}][{letter}{mark}]*+(?:{more_letters})*+"
    digits = f"[{digit}][{digit}{mark}]*+(?:{more_digits})*+"
    run = f"(?:(?:{letters}|{digits})++|[{kana}][{kana}{mark}]*+)"
    joins = f"[{join}][{join}{mark}]*+"
    # \ufe0e asks for a pictograph as text, \u200d glues pictographs into one.
    emoji = f"\u200d?[{_set(table.EMOJI)}](?:(?!\ufe0e)[{mark}])*+"
    flag = f"[{_set(table.RI)}][{mark}]*+"
    return re.compile(
        f"((?:{joins})?{run}(?:{joins}{run})*(?:{joins})?"
        f"|[{_set(table.HAN)}{_set(table.HIRAGANA)}][{mark}]*+"
        f"|[{_set(table.SEA)}][{_set(table.SEA)}{mark}]*+"
        f"|{emoji}(?:(?<=\u200d){emoji})*+"
        f"|{flag}{flag}"
        f"|[#*]\ufe0f?\u20e3[{mark}]*+)"
        # Joins alone are taken here in one piece: looked at from each of them, a long run would cost its square.
        f"|{joins}"
    )


def _set(ranges: str) -> str:
    """Return ranges of code points as the inside of a character class."""
    return "".join(
        "-".join(re.escape(chr(int(code, 16))) for code in item.split("-")) for item in ranges.split()
    )
