"""Own what a ranking is worth: the measures of one query, and their means.

A ranking is a list of documents, best first. Definitions, for a query with the documents `gold` (right at its time) and
`wrong` (other states of the same thing):

    hit_1            1 if the first document is gold; over queries that have gold
    ndcg_10          sum of 1 / log2(rank + 1) over the gold documents among the first ten, divided by the same
                     sum where they stand first; over queries that have gold
    wrong_version_1  1 if the first document is wrong; over queries that list any
    future_leak_10   1 if a document observed after the query's time is among the first ten; over all queries

The time of a query is `as_of`; else the end of `resolved`, the period that its words mean; else `now`. A day contains
all of its instants. Source: nDCG after Järvelin and Kekäläinen, TOIS 2002, with binary gains.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

MEASURES: Final = ("hit_1", "wrong_version_1", "future_leak_10", "ndcg_10")
# The cut of nDCG and of the leak: a first page of results.
CUT: Final = 10

_DAY: Final = len("2024-05-01")
_ZULU: Final = re.compile(r"(?:\.\d+)?(?:Z|\+00:00)$")


@dataclass(frozen=True, slots=True)
class Query:
    """One question with what is known of its answer.

    Attributes:
        as_of: the moment beside the question, a day or an instant; None: it is asked about `now`.
        now: the day on which it is asked.
        surface: where its time stands; kind: what it asks for. A system must not read either.
        gold, wrong: document ids.
        resolved: the period that its words mean, half-open; None where they mean none.
    """

    qid: str
    text: str
    as_of: str | None
    now: str
    surface: str
    kind: str
    gold: frozenset[str]
    wrong: frozenset[str]
    resolved: tuple[str, str] | None = None

    @property
    def moment(self) -> str:
        """Return the moment that a system is told: `as_of`, else `now`."""
        return self.as_of or self.now


def measure(query: Query, ranked: Sequence[str], observed: Mapping[str, str]) -> dict[str, float]:
    """Return the measures of one query; one that does not apply is left out.

    Args:
        query: what was asked.
        ranked: document ids, best first; repeats are ignored.
        observed: by document id, the day or instant from which it could be known.
    """
    ranked = list(dict.fromkeys(ranked))
    first = ranked[:1]
    values: dict[str, float] = {}
    if query.gold:
        values["hit_1"] = float(query.gold.issuperset(first) and bool(first))
        values["ndcg_10"] = ndcg(ranked, query.gold)
    if query.wrong:
        values["wrong_version_1"] = float(query.wrong.issuperset(first) and bool(first))
    leaks = (is_after(observed[doc], query) for doc in ranked[:CUT] if doc in observed)
    values["future_leak_10"] = float(any(leaks))
    return values


def ndcg(ranked: Sequence[str], gold: frozenset[str]) -> float:
    """Return nDCG at ten with binary gains; `gold` must not be empty."""
    gained = sum(_gain(at) for at, doc in enumerate(ranked[:CUT]) if doc in gold)
    return gained / sum(_gain(at) for at in range(min(CUT, len(gold))))


def is_after(observed: str, query: Query) -> bool:
    """Return whether a document was observed after the time that a query speaks of."""
    if query.as_of is None and query.resolved is not None:
        return instant(observed) >= instant(query.resolved[1])
    limit = query.moment
    return observed[:_DAY] > limit if len(limit) == _DAY else instant(observed) > instant(limit)


def instant(text: str) -> str:
    """Return a day or an instant in UTC as text that sorts by time, to the second; a day is its first moment."""
    text = _ZULU.sub("", text.replace(" ", "T"))
    return text if "T" in text else f"{text}T00:00:00"


def mean(values: Iterable[float]) -> float | None:
    """Return the mean, None of nothing."""
    values = tuple(values)
    return sum(values) / len(values) if values else None


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float | None]:
    """Return the mean of each measure over the queries that it applies to."""
    return {name: mean(row[name] for row in rows if name in row) for name in MEASURES}


def _gain(at: int) -> float:
    return 1.0 / math.log2(at + 2)
