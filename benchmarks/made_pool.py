"""Own the candidates that the speed of the core is measured on, and the two ways to score them without it.

The candidates are made from a fixed seed: three passages a document, nine content types, one in ten an event, ages to
five years, words and cosines as a question of eight words meets them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mappings.document import Attributes, Kind, Observation, State
from mappings.interval import DAY, OPEN, Precision, Span, parse_moment
from mappings.profile import DEFAULT_PROFILES
from mappings.timeline import Standing
from mappings.version import Version
from reranker.core.additive import STANDARD
from reranker.core.rates import Rates, rates
from reranker.core.relevance import BODY_BOOST, K1, TITLE_BOOST, B
from reranker.pool import Pool
from reranker.question import Question, When, read_question
from reranker.ranking import Tuning
from reranker.settings import DEFAULT_SETTINGS
from store.embed import get_embedder
from store.engine import Columns, PassageText, Statistics

SEED: Final = 7
NOW: Final = parse_moment("2026-01-01").start
QUESTION: Final = "rotate the signing keys of the build agents before a release"
TYPES: Final = ("reference", "policy", "runbook", "tutorial", "faq", "news", "release_notes", "incident", "legal")
KINDS: Final = (Kind.STATIC, Kind.VERSIONED, Kind.EVENT)
SHARES: Final = (0.4, 0.5, 0.1)
OLDEST_DAYS: Final = 1_800
PAGE: Final = 10


@dataclass(frozen=True, slots=True)
class Row:
    """A document as the plain formula takes it."""

    doc_id: str
    cosine: float
    observed: datetime
    inside: bool

    def age_days(self, now: datetime) -> float:
        """Return how old it is, in days, never negative."""
        return max(0.0, (now - self.observed).total_seconds() / 86_400)


@dataclass(frozen=True, slots=True)
class Made:
    """Candidates of one question, in the forms that each way takes."""

    question: Question
    pool: Pool
    tuning: Tuning
    texts: Mapping[str, PassageText]
    rates: Rates
    rows: Sequence[Row]

    def arithmetic(self) -> NDArray[np.intp]:
        """Return the best ten by the formula of one question, written out."""
        found, words, rate, a = self.pool.columns, self.question.lexicon, self.rates, self.tuning.semantic_share
        title = TITLE_BOOST / (1.0 - B + B * (found.title_len / words.title_average))
        body = BODY_BOOST / (1.0 - B + B * (found.body_len / words.body_average))
        tf = found.title_tf * title[:, None] + found.body_tf * body[:, None]
        share = (words.counts * words.idf * (tf / (K1 + tf))).sum(axis=1) / words.bound
        relevance = (1.0 - a) * share + a * np.clip(found.cosine, 0.0, 1.0)
        age = np.maximum(NOW - found.observed, 0) / DAY
        temporal = np.maximum(rate.floor, 0.5 ** (age / rate.half_life))
        scores = relevance * (1.0 - rate.silent + rate.silent * temporal)
        passed = np.maximum(share, found.cosine) >= self.tuning.relevance_gate
        return np.argsort(-np.where(passed, scores, -1.0), kind="stable")[:PAGE]

    def obvious(self) -> list[str]:
        """Return the best ten by the additive formula, as one writes it first."""
        now = datetime(2026, 1, 1, tzinfo=UTC)
        ranked = sorted(self.rows, key=lambda row: _additive(row, self.rows, now), reverse=True)
        return [row.doc_id for row in ranked[:PAGE]]


def make(n: int) -> Made:
    """Make n candidates."""
    source = np.random.default_rng(SEED)
    embedder = get_embedder("hashing")
    question = read_question(QUESTION, When(NOW, NOW, NOW), embedder=embedder, statistics=_statistics)
    columns = _columns(n, question.lexicon.terms, source)
    pool = Pool(columns, tuple(_standing(columns, at) for at in range(n)))
    return Made(
        question=question,
        pool=pool,
        tuning=Tuning.of(embedder, DEFAULT_PROFILES, DEFAULT_SETTINGS),
        texts={name: PassageText(name, "Build agents", "Keys", "Keys are rotated.") for name in columns.passage_ids},
        rates=rates(columns.content_types, columns.kinds, DEFAULT_PROFILES),
        rows=[_row(pool, at) for at in range(n)],
    )


def _statistics(tokens: Sequence[str]) -> Statistics:
    terms = tuple(dict.fromkeys(tokens))
    return Statistics(terms, 10_000, np.arange(1, len(terms) + 1, dtype=np.int64) * 150, 4.0, 90.0)


def _columns(n: int, terms: tuple[str, ...], source: np.random.Generator) -> Columns:
    shape = n, len(terms)
    doc_ids = [f"doc-{at // 3:06d}" for at in range(n)]
    return Columns(
        terms=terms,
        passage_ids=[f"passage-{at:06d}" for at in range(n)],
        doc_ids=doc_ids,
        series=list(doc_ids),
        content_types=[TYPES[at] for at in source.integers(0, len(TYPES), n)],
        kinds=[KINDS[at] for at in source.choice(len(KINDS), n, p=SHARES)],
        title_tf=(source.random(shape) < 0.1).astype(np.int32),
        body_tf=source.poisson(0.5, shape).astype(np.int32),
        title_len=source.integers(2, 8, n, dtype=np.int32),
        body_len=source.integers(30, 200, n, dtype=np.int32),
        cosine=source.random(n) * 0.6,
        observed=NOW - source.integers(0, OLDEST_DAYS * DAY, n),
        from_lexical=np.ones(n, dtype=bool),
        from_dense=np.ones(n, dtype=bool),
    )


def _standing(columns: Columns, at: int) -> Standing:
    observed, kind = int(columns.observed[at]), columns.kinds[at]
    reading = Observation(
        content_hash=f"{at:032x}",
        observed=Span(observed, observed + 1, Precision.INSTANT),
        valid_from=None,
        valid_until=None,
        until_source=None,
        attributes=Attributes(content_type=columns.content_types[at], kind=kind, title="Build agents"),
    )
    version = Version(columns.doc_ids[at], f"version-{at:06d}", 0, (reading,), OPEN, ())
    return Standing(version, State.TEMPORAL if kind is Kind.EVENT else State.VALID)


def _row(pool: Pool, at: int) -> Row:
    found = pool.columns
    age = timedelta(microseconds=NOW - int(found.observed[at]))
    observed = datetime(2026, 1, 1, tzinfo=UTC) - age
    return Row(found.doc_ids[at], float(found.cosine[at]), observed, pool.standings[at].state is State.TEMPORAL)


def _additive(row: Row, pool: Sequence[Row], now: datetime) -> float:
    """Score one document; what is stretched over the pool is read off the pool."""
    cosines, ages = [other.cosine for other in pool], [other.age_days(now) for other in pool]
    age = row.age_days(now)
    vector = _stretched(row.cosine, min(cosines), max(cosines), 1.0)
    recency = 1.0 - _stretched(age, min(ages), max(ages), 0.0)
    decay = 0.5 ** (age / STANDARD.half_life_days)
    validity = STANDARD.validity_boost if row.inside else 1.0
    event = 0.5 if row.inside and row.cosine < STANDARD.event_min_raw_score else 1.0
    penalty = 0.3 if vector < STANDARD.min_vector_score else 1.0
    w = STANDARD.temporal_weight
    return penalty * ((1.0 - w) * vector + w * decay * recency * validity * event)


def _stretched(value: float, low: float, high: float, where_equal: float) -> float:
    return (value - low) / (high - low) if high > low else where_equal
