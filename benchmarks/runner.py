"""Own one run: a set goes in as one track of it, every query is asked, every ranking is measured.

The product is used as a person would use it, through `import stilltrue`; the comparisons are computed from the same
index, by the same analyzer, fields and statistics.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

import baselines
from measures import Query, measure
from sets import BenchSet, load

import stilltrue
from mappings.interval import OPEN, parse_moment
from reranker.core.relevance import TermColumns, bm25f, lexicon
from stilltrue.clock import now as read_clock
from store.analysis import analyze
from store.engine import Engine, Where
from store.opening import open_engine

# A first page is ten; the rest tells by how much a question was missed.
SHOWN: Final = 30
# Passages that the comparisons rank: deep enough that a filter after the cut still leaves ten documents.
DEEP: Final = 2_000
PRODUCT: Final = "stilltrue"
# The same search without time in the score; only questions without a time are asked so.
WITHOUT_TIME: Final = "scoring off"

Rankings = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """One query, how each system ranked the documents, and what that is worth."""

    query: Query
    rankings: Rankings
    values: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Run:
    """All answers of a set on one track.

    Attributes:
        refused: documents that did not go in, with place and reason.
        ingest_s, ask_s: seconds; asking counts the product alone.
    """

    name: str
    track: str
    answers: tuple[Answer, ...]
    documents: int
    passages: int
    refused: tuple[str, ...]
    ingest_s: float
    ask_s: float


def run(folder: Path, track: str, *, surfaces: Sequence[str], embedder: str | None = None) -> Run:
    """Take a set in, ask its queries on some surfaces, and measure.

    Args:
        folder: of the set.
        track: "given" or "inferred": the fields that go in.
        surfaces: whose queries are asked.
        embedder: by name; None: that of the settings.
    """
    bench = load(folder)
    with tempfile.TemporaryDirectory(prefix="stilltrue-bench-") as place:
        source, store = Path(place) / f"{bench.name}.jsonl.gz", Path(place) / "store"
        bench.write(source, track)
        clock = Clock()
        with stilltrue.Index(str(store), settings=settings_with(embedder), clock=clock) as index:
            started = perf_counter()
            report = index.ingest(str(source))
            ingested = perf_counter()
            queries = [query for query in bench.queries if query.surface in surfaces]
            rankings = [ask(index, query, clock) for query in queries]
            asked = perf_counter()
            passages = index.status().info.passages
        others = Comparison(open_engine(str(store)), bench, track)
        answers = tuple(others.answer(query, ranked) for query, ranked in zip(queries, rankings, strict=True))
    return Run(
        name=bench.name,
        track=track,
        answers=answers,
        documents=len(bench.documents),
        passages=passages,
        refused=tuple(str(refusal) for refusal in report.refused),
        ingest_s=ingested - started,
        ask_s=asked - ingested,
    )


class Clock:
    """A clock that stands where it was set: a question is asked on its own day, whatever day this runs on."""

    def __init__(self) -> None:
        self._now = read_clock()

    def __call__(self) -> int:
        """Return the present moment, µs since 1970."""
        return self._now

    def turn_to(self, day: str) -> None:
        """Let it be the end of a day."""
        self._now = parse_moment(day).last


def ask(index: stilltrue.Index, query: Query, clock: Clock) -> Rankings:
    """Return how the product ranks documents, each by its best passage."""
    clock.turn_to(query.now)
    systems = {PRODUCT: "default"} | ({WITHOUT_TIME: "off"} if query.surface == "timeless" else {})
    return {name: _documents(index, query, scoring) for name, scoring in systems.items()}


def _documents(index: stilltrue.Index, query: Query, scoring: str) -> list[str]:
    """Ask one question; where it has no moment beside it, none is given, and the words may say one."""
    answer = index.search(query.text, as_of=query.as_of, top_k=SHOWN, per_document=1, scoring=scoring)
    return [hit.doc_id for hit in answer.hits]


def settings_with(embedder: str | None) -> stilltrue.Settings:
    """Return the settings in force, with another embedder where one is named."""
    settings = stilltrue.load_settings()
    if embedder is None:
        return settings
    chosen = settings.embedder.model_copy(update={"name": embedder})
    return settings.model_copy(update={"embedder": chosen})


class Comparison:
    """The rules of `baselines` over the words of one index."""

    def __init__(self, engine: Engine, bench: BenchSet, track: str) -> None:
        self._engine = engine
        self._documents = baselines.read(bench.documents)
        self._observed = bench.observed()
        self._rules = [rule for rule in baselines.RULES if track == "given" or rule not in baselines.GIVEN_ONLY]

    def answer(self, query: Query, ours: Rankings) -> Answer:
        """Return the rankings of the product and of all rules, measured."""
        scores = self.words(query.text)
        rankings = ours | {
            rule: baselines.rank(rule, scores, self._documents, query.moment)[:SHOWN] for rule in self._rules
        }
        values = {name: measure(query, ranked, self._observed) for name, ranked in rankings.items()}
        return Answer(query, rankings, values)

    def words(self, text: str) -> dict[str, float]:
        """Return BM25F of the best passage of each document, whatever its dates."""
        tokens = analyze(text)
        everything = Where(as_of=OPEN - 1, known_at=OPEN - 1, states=False)
        found = self._engine.search(tokens, None, everything, depth=DEEP)
        known = self._engine.statistics(tokens)
        weighed = lexicon(
            tokens,
            passages=known.passages,
            df=known.df,
            title_average=known.title_avg,
            body_average=known.body_avg,
        )
        columns = TermColumns(found.title_tf, found.body_tf, found.title_len, found.body_len)
        return _best(found.doc_ids, bm25f(columns, weighed).tolist())


def _best(doc_ids: Iterable[str], scores: Iterable[float]) -> dict[str, float]:
    best: dict[str, float] = {}
    for doc, score in zip(doc_ids, scores, strict=True):
        best[doc] = max(score, best.get(doc, score))
    return best
