"""Own the embedder that needs no model: words and their four-letter pieces, hashed.

It knows likeness of spelling, not of meaning: "refunds" is near "refunding" and far from "reimbursement". It costs
nothing to install, and gives the same numbers on every machine.

    v[crc32(f) mod d] += sign(f) * (1 + ln tf(f))   over the distinct features f of a text, then v / |v|

Source: feature hashing after Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", ICML 2009;
subword pieces after Bojanowski et al., "Enriching Word Vectors with Subword Information", TACL 2017.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from store.analysis import STOP_WORDS

# Of 256, 384, 512 and 1024 the smallest that adds to words alone on questions in plain language.
DIMENSION: Final = 512
# Changes with every change of a vector, so that an index never mixes two.
VERSION: Final = "1"
# With titles as a field of their own, more of it lowers nDCG on questions without a time.
SEMANTIC_SHARE: Final = 0.1
# Over twelve sets: 0.98 of questions about nothing here stay below it, 0.86 of questions about another set, 0.11 of
# those with an answer (benchmarks/verdicts.py).
ANSWER_THRESHOLD: Final = 0.23

# Four letters tell stems apart, three join unrelated words.
_PIECE: Final = 4
# Words of one and two letters have no pieces of their own.
_SHORT: Final = 2
# Longer runs of letters are data rather than words: their pieces would outweigh the text.
_LONGEST: Final = 64
# The vocabulary of a large corpus; past it the cache starts anew.
_CACHE_WORDS: Final = 200_000

_WORD: Final = re.compile(r"\w+")
_SIGN_BIT: Final = 31  # the bucket takes the low bits, the sign the highest: independent of each other

_NONE: Final = np.empty(0, dtype=np.uint32)

# 1 + ln tf by tf, so that no text is measured with another machine's logarithm; past the last, tf counts no more.
_LOG_TF: Final = np.array([0.0, *(1.0 + round(math.log(tf), 12) for tf in range(1, 1025))])


class HashingEmbedder:
    """Embed by spelling."""

    name = "hashing"
    version = VERSION
    dimension = DIMENSION
    semantic_share = SEMANTIC_SHARE
    answer_threshold = ANSWER_THRESHOLD

    def __init__(self) -> None:
        self._features = _Features()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return (n, 512) float32, each row of length 1, or all zeros for a text without words."""
        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self._vector(text)
        return rows

    def _vector(self, text: str) -> NDArray[np.float64]:
        parts = [_NONE, *map(self._features.__getitem__, _WORD.findall(text.lower()))]
        features = np.sort(np.concatenate(parts))
        if not len(features):
            return np.zeros(DIMENSION)
        changes = np.flatnonzero(features[1:] != features[:-1])
        first = np.concatenate(([0], changes + 1))
        counts = np.concatenate((first[1:], [len(features)])) - first
        distinct = features[first]
        weights = _LOG_TF[np.minimum(counts, len(_LOG_TF) - 1)]
        signed = np.where(distinct >> _SIGN_BIT, -weights, weights)
        vector = np.zeros(DIMENSION) + np.bincount(distinct % DIMENSION, signed, minlength=DIMENSION)
        length = math.sqrt(float(np.square(vector).sum()))
        return vector / length if length else vector


class _Features(dict[str, NDArray[np.uint32]]):
    """Features by word, filled as words are met; stop words have none."""

    def __missing__(self, word: str) -> NDArray[np.uint32]:
        features = _NONE if word in STOP_WORDS else _features(word[:_LONGEST])
        if len(self) >= _CACHE_WORDS:
            self.clear()
        self[word] = features
        return features


def _features(word: str) -> NDArray[np.uint32]:
    """Return the hashes of a word and, with its ends marked, of its pieces; the two kinds never meet."""
    names = [f"w {word}"]
    if len(word) > _SHORT:
        marked = f"<{word}>"
        names += [f"p {marked[at : at + _PIECE]}" for at in range(len(marked) - _PIECE + 1)]
    return np.array([zlib.crc32(name.encode("utf-8", "surrogatepass")) for name in names], dtype=np.uint32)
