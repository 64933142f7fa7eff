"""Own the way from text to terms: token for token what Lucene's `english` analyzer gives.

    words (UAX #29) → possessive 's off → lower case → stop words out → Porter stem

Terms are what a passage is indexed by and what a question is counted with, on every engine. They hold no white space:
the narrow no-break space, which joins words in UAX #29, is the one character of Lucene's tokens that is dropped.
"""

from __future__ import annotations

import re
from typing import Final

import Stemmer

from store.wordbreak import MAX_WORD, pieces, words

# Lucene's EnglishAnalyzer.ENGLISH_STOP_WORDS_SET.
STOP_WORDS: Final = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these "
    "they this to was will with".split()
)

# Enough for the vocabulary of a million passages; it is emptied, not grown, past this.
_CACHE_WORDS: Final = 400_000
# A longer word is hardly seen twice.
_CACHE_LENGTH: Final = 64

# The three apostrophes that Lucene's EnglishPossessiveFilter knows.
_POSSESSIVE: Final = re.compile(r"['\u2019\uff07][sS]\Z")
# Doubled letters that stay after -ed and -ing: vowels, and l, s, z; the library undoubles the others of these itself.
_KEPT_OR_DONE: Final = frozenset("aeioulszbdfgmnprt")
# What ends in -bli or -logi once Porter's first step has taken plurals, -ed and -ing, and has written i for y.
_BLI_LOGI: Final = re.compile(r"(bl|log)(?:ies|[iy](?:ed|ing)?s?)\Z")


def analyze(text: str) -> list[str]:
    """Return the terms of a text, in order, repeats included.

    >>> analyze("O'Neill's 3.12 releases are running")
    ["o'neil", '3.12', 'releas', 'run']
    """
    found = words(text)
    terms = [term for term in map(_TERMS.__getitem__, found) if term]
    if _LONG in terms:
        return [term for word in found for term in _terms_of(word)]
    return terms


def analyze_passage(title: str, section: str, text: str) -> tuple[list[str], list[str]]:
    """Return the terms of the two fields of a passage, title and body.

    The title includes the section heading. The body is what a reader has before them, the heading and then the text:
    measured on abstracts that are one passage each, the vectors cost 0.009 of nDCG with the text alone, and nothing so.
    """
    heading = analyze(f"{title} {section}")
    return heading, heading + analyze(text)


def _terms_of(word: str) -> list[str]:
    parts = pieces(word) if len(word) > MAX_WORD else [word]
    return [term for term in map(_term, parts) if term]


def _term(word: str) -> str:
    """Return the term of one word, empty for one that does not count."""
    # An index parts terms at white space, so "10\u202f000", one word to Lucene, is kept whole as "10000".
    word = _POSSESSIVE.sub("", word.replace("\u202f", ""))
    word = word.lower() if word.isascii() else "".join(map(_lower, word))
    if word in STOP_WORDS or not word.strip("_"):
        return ""
    return stem(word)


def _lower(character: str) -> str:
    # One character for one, as Java has it: İ gives i without its dot, a final Σ is σ as elsewhere.
    return character.lower()[0]


def stem(word: str) -> str:
    """Return the stem of a lower-case word as Lucene's PorterStemmer has it.

    The library's `porter` is Porter's paper; Lucene's is his later program, which leaves words of one and two letters
    alone, undoubles every consonant but l, s and z after -ed and -ing, and reads -bli as -ble and -logi as -log.
    """
    if len(word) <= 2:
        return word
    stemmed = str(_PORTER.stemWord(word))
    if stemmed[-1] == stemmed[-2:-1] and _loses_double(word, stemmed):
        return str(_PORTER.stemWord(stemmed[:-1]))
    match = _BLI_LOGI.search(word)
    if match is None or stemmed != word[: match.start()] + match[1] + "i" or not _measure(word[: match.start()]):
        return stemmed
    return stemmed[:-1] if match[1] == "log" else str(_PORTER.stemWord(stemmed[:-1] + "e"))


def _loses_double(word: str, stemmed: str) -> bool:
    return stemmed[-1] not in _KEPT_OR_DONE and word.removesuffix("s") in (stemmed + "ed", stemmed + "ing")


def _measure(part: str) -> bool:
    """Tell whether a vowel is somewhere followed by a consonant: Porter's m > 0; y is a vowel after a consonant."""
    before = ""  # "v" or "c": what the character before is
    for character in part:
        vowel = character in "aeiou" or (character == "y" and before == "c")
        if before == "v" and not vowel:
            return True
        before = "v" if vowel else "c"
    return False


class _Terms(dict[str, str]):
    """Terms by word, filled as words are met."""

    def __missing__(self, word: str) -> str:
        if len(word) > MAX_WORD:
            return _LONG
        term = _term(word)
        if len(word) <= _CACHE_LENGTH:
            if len(self) >= _CACHE_WORDS:
                self.clear()
            self[word] = term
        return term


_LONG: Final = " "  # no term: terms hold no white space
_PORTER: Final = Stemmer.Stemmer("porter", 0)
_TERMS: Final = _Terms()
