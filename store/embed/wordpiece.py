"""Own the tokens of BERT models for lower-cased text: basic tokens, then the longest pieces that the vocabulary has.

Source: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers", 2018; the rules of its uncased models.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Final

from store.errors import ModelError

# A longer word is one unknown token, as in the original.
_LONGEST: Final = 100
# The vocabulary of a large corpus; past it the cache starts anew.
_CACHE_WORDS: Final = 200_000

# Han characters are words by themselves; so is every punctuation mark and, in ASCII, every symbol.
_HAN: Final = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b820-\U0002ceaf\U0002f800-\U0002fa1f"
)
_SPACED: Final = re.compile(f"([{_HAN}])")
_ASCII_PARTS: Final = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")


class WordPiece:
    """Turns texts into token numbers of one vocabulary.

    Attributes:
        pad, unknown, start, end: numbers of the special tokens.
    """

    def __init__(self, vocabulary: Path) -> None:
        try:
            lines = vocabulary.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ModelError(
                f"vocabulary {vocabulary.name!r} can not be read: {error}", remedy="give the folder of the whole model"
            ) from error
        self._numbers = {line.rstrip("\n"): number for number, line in enumerate(lines)}
        try:
            special = (self._numbers[name] for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]"))
            self.pad, self.unknown, self.start, self.end = special
        except KeyError as error:
            raise ModelError(
                f"vocabulary {vocabulary.name!r} must hold {error}", remedy="give the vocabulary of an uncased BERT"
            ) from error
        self._cache: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def encode(self, text: str, limit: int) -> list[int]:
        """Return at most *limit* token numbers, start and end among them."""
        numbers: list[int] = []
        for word in _basic_tokens(text):
            numbers += self._pieces(word)
            if len(numbers) >= limit - 2:
                break
        return [self.start, *numbers[: limit - 2], self.end]

    def _pieces(self, word: str) -> list[int]:
        known = self._cache.get(word)
        if known is None:
            known = self._longest_first(word)
            if len(self._cache) >= _CACHE_WORDS:
                self._cache.clear()
            self._cache[word] = known
        return known

    def _longest_first(self, word: str) -> list[int]:
        if len(word) > _LONGEST:
            return [self.unknown]
        pieces: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if prefix + word[start:end] in self._numbers), None)
            if end is None:
                return [self.unknown]
            pieces.append(self._numbers[prefix + word[start:end]])
            start = end
        return pieces


def _basic_tokens(text: str) -> list[str]:
    """Return lower-cased words and marks, without accents and control characters."""
    if text.isascii() and text.isprintable():
        return _ASCII_PARTS.findall(text.lower())
    spaced = _SPACED.sub(r" \1 ", "".join(map(_cleaned, text)))
    # Character by character, so that a Σ at the end of a word is σ as elsewhere.
    plain = unicodedata.normalize("NFD", "".join(map(str.lower, spaced)))
    parts: list[str] = []
    for word in plain.split():
        parts += _parted("".join(c for c in word if unicodedata.category(c) != "Mn"))
    return parts


def _cleaned(character: str) -> str:
    if character in "\t\n\r" or unicodedata.category(character) == "Zs":
        return " "
    if character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs", "Cn"):
        return ""
    return character


def _parted(word: str) -> list[str]:
    """Return a word parted at its marks, each of which stands alone."""
    parts: list[str] = []
    open_word = False
    for character in word:
        mark = (character.isascii() and not character.isalnum()) or unicodedata.category(character)[0] == "P"
        if mark or not open_word:
            parts.append(character)
        else:
            parts[-1] += character
        open_word = not mark
    return parts
