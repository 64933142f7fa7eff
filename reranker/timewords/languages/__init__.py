"""Own what a language must bring: words, rows of the grammar, guards; a second language is a second table.

A language module holds one `Language` named LANGUAGE. The meanings that its rows name are the same for all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final, Literal

from reranker.timewords.errors import LanguageError
from reranker.timewords.grammar import Row

_MODULES: Final = {"en": "english", "de": "german"}


@dataclass(frozen=True, slots=True, eq=False)
class Guards:
    """Words that make a number no year and a name no month.

    Attributes:
        number_nouns: stand before a number that is their own ("port 2019").
        size_nouns: stand before a plain number that they measure ("batch size 2048").
        edition_nouns: stand before or after a date that names an edition ("API version 2021-04-01").
        units: stand behind a number that they count ("2048 dims").
        moves: stand before "from 2013 to 2016" when it is releases that change.
        amounts: stand between such a verb and an amount ("raise it by 2000").
        topics: stand behind a time that belongs to a name ("the year 2000 problem").
        plural: ending of words that are counted by the number before them; empty: none.
        not_plural: words with that ending that count nothing.
        links, pairs: join two ends of a range; two things of one kind.
        homonyms: months that are other words too.
        after_homonym: words that may follow such a month when it is one.
    """

    number_nouns: frozenset[str] = frozenset()
    size_nouns: frozenset[str] = frozenset()
    edition_nouns: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()
    moves: frozenset[str] = frozenset()
    amounts: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    plural: str = ""
    not_plural: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    pairs: frozenset[str] = frozenset()
    homonyms: frozenset[str] = frozenset()
    after_homonym: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """The table of one language.

    Attributes:
        code: as dateparser names it.
        words: class to word to value.
        dates: rows whose names are meanings.
        spans: rows whose names are operators.
        ordinal, decade: endings of numbers, as a regular expression ("st|nd|rd|th", "s").
        date_order: how numeric dates are written, if the language fixes it.
        dotted_dates: whether "13.1.2017" is a date.
        dotted_ordinals: whether "3." is an ordinal.
        release_words: stand between "in" and a release and say nothing ("version").
        joints: words that end the name of a product.
        possessive: an ending that is not part of a word.
    """

    code: str
    words: Mapping[str, Mapping[str, object]]
    dates: tuple[Row, ...]
    spans: tuple[Row, ...]
    guards: Guards
    ordinal: str = "st|nd|rd|th"
    decade: str = "'?s"
    date_order: Literal["DMY", "MDY"] | None = None
    dotted_dates: bool = False
    dotted_ordinals: bool = False
    release_words: frozenset[str] = frozenset()
    joints: frozenset[str] = frozenset()
    possessive: str = ""


def each(text: str) -> dict[str, object]:
    """Read "word other=value; ...": every word maps to the value behind it, a number where it is one."""
    table: dict[str, object] = {}
    for group in text.split(";"):
        words, _, value = group.partition("=")
        table |= {word: int(value) if value.strip().lstrip("-").isdigit() else value.strip() for word in words.split()}
    return table


def language_codes() -> tuple[str, ...]:
    """Return the languages that have a table."""
    return tuple(sorted(_MODULES))


@cache
def get_language(code: str) -> Language:
    """Return the table of a language; raises LanguageError for one without."""
    if code not in _MODULES:
        raise LanguageError(f"language must be one of {', '.join(language_codes())}, got {code!r}")
    language: Language = import_module(f"{__name__}.{_MODULES[code]}").LANGUAGE
    return language
