"""Own texts for the figures of speed: made from syllables, the same on every machine, with the shape of real ones.

Words fall off by rank as in any language (Zipf), sections belong to a topic, and a quarter of the documents changed
once. Nothing here says anything about quality.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate, product
from pathlib import Path
from typing import Any, Final

_ONSETS: Final = ("b", "br", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "st", "t", "tr", "v")
_CORES: Final = ("a", "e", "i", "o", "u", "ai", "ou")
_CODAS: Final = ("", "l", "m", "n", "r", "s")
# Of about the size of the vocabulary of a hundred thousand passages of English.
_WORDS: Final = 40_000
_TOPICS: Final = 400
_TOPIC_WORDS: Final = 60
# Words of a section, its share from the topic, and the sections of a document.
_LENGTH: Final = 110
_OF_TOPIC: Final = 0.3
SECTIONS: Final = 4
_CHANGED_ONCE: Final = 0.25
_TYPES: Final = ("policy", "reference", "runbook", "tutorial")
_FIRST_DAY: Final = date(2016, 1, 1)
_DAYS: Final = 3_000
_SEED: Final = 2026


@dataclass(frozen=True, slots=True)
class Made:
    """What was written: documents, readings of them, and questions about them."""

    documents: int
    readings: int
    questions: tuple[str, ...]


def write(path: Path, *, passages: int, questions: int) -> Made:
    """Write readings of made documents as JSON lines, so many that the newest make about `passages` passages.

    Args:
        path: of the file.
        passages: that are in force at the end; one a section.
        questions: to make, three to six words each, half of them with two common words between.
    """
    writer = _Writer(random.Random(_SEED))
    asked: list[str] = []
    documents = max(1, passages // SECTIONS)
    every = max(1, documents // max(1, questions))
    readings = 0
    with path.open("w", encoding="utf-8") as stream:
        for number in range(documents):
            for row in writer.document(number):
                stream.write(json.dumps(row) + "\n")
                readings += 1
            if number % every == 0 and len(asked) < questions:
                asked.append(writer.question(number))
    return Made(documents, readings, tuple(asked))


class _Writer:
    def __init__(self, source: random.Random) -> None:
        self._source = source
        syllables = ["".join(parts) for parts in product(_ONSETS, _CORES, _CODAS)]
        made = ("".join(source.choices(syllables, k=source.choice((1, 2, 2, 3)))) for _ in range(2 * _WORDS))
        self._words = list(dict.fromkeys(made))[:_WORDS]
        self._weights = list(accumulate(1.0 / (rank + 3) for rank in range(len(self._words))))
        self._topics = [source.sample(self._words[200:], _TOPIC_WORDS) for _ in range(_TOPICS)]

    def document(self, number: int) -> Iterator[dict[str, Any]]:
        """Yield the readings of one document, the earliest first."""
        source, topic = self._source, self._topic(number)
        sections = [self._section(topic) for _ in range(SECTIONS)]
        day = _FIRST_DAY + timedelta(days=source.randrange(_DAYS))
        yield self._row(number, topic, sections, day)
        if source.random() < _CHANGED_ONCE:
            sections[source.randrange(SECTIONS)] = self._section(topic)
            yield self._row(number, topic, sections, day + timedelta(days=source.randrange(30, 600)))

    def question(self, number: int) -> str:
        """Return a question about the topic of a document."""
        wanted = self._source.sample(self._topic(number), self._source.randrange(3, 7))
        if number % 2:
            wanted[1:1] = self._common(2)
        return " ".join(wanted)

    def _topic(self, number: int) -> list[str]:
        return self._topics[number % _TOPICS]

    def _common(self, count: int) -> list[str]:
        return self._source.choices(self._words, cum_weights=self._weights, k=count)

    def _section(self, topic: list[str]) -> str:
        special = int(_LENGTH * _OF_TOPIC)
        words = self._common(_LENGTH - special) + self._source.choices(topic, k=special)
        self._source.shuffle(words)
        sentences = (" ".join(words[at : at + 11]).capitalize() + "." for at in range(0, _LENGTH, 11))
        return f"## {' '.join(self._source.sample(topic, 2))}\n\n{' '.join(sentences)}"

    def _row(self, number: int, topic: list[str], sections: list[str], day: date) -> dict[str, Any]:
        return {
            "id": f"made/{number}",
            "title": " ".join(topic[at] for at in (number % 7, number % 11 + 8)),
            "text": "\n\n".join(sections),
            "observed_at": day.isoformat(),
            "content_type": _TYPES[number % len(_TYPES)],
        }
