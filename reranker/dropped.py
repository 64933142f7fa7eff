"""Own the account of what a search left out: counts by code, and what would have been on the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from mappings.document import Code, code_of
from reranker.labels import label
from reranker.pool import Pool
from reranker.ranking import Ranked, Tuning, rank_channel
from reranker.response import Dropped
from reranker.retrieve import Found
from store.engine import PassageText
from store.rejections import Rejection

_SENTENCES: Final[Mapping[str, str]] = {
    Code.OUT_OF_TIME_RANGE: "not in the period asked for",
    Code.OVER_MAX_AGE: "older than its content type allows",
    Code.BELOW_RELEVANCE_GATE: "neither its words nor its vector have to do with the question",
    Code.INVALID_SCORE: "its score is no number of its scale",
}

# A candidate that was dropped: the channel it was scored in, its position there, and why.
Drop = tuple[Ranked, int, Code]


def count_rejected(excluded: Mapping[Code, int], found: Found, hits: Ranked) -> dict[Code, int]:
    """Count passages with a word of the question that are no hits, by the first thing that keeps them out.

    Args:
        excluded: what the filter of the index kept out.
        found: what the records and the period kept out.
        hits: what the gates kept out.
    """
    from_words = hits.pool.columns.from_lexical
    codes = codes_of_states(found.fallen)
    codes += [Code.OUT_OF_TIME_RANGE] * int(found.outside.columns.from_lexical.sum())
    codes += [Code(name) for name, worded in zip(hits.failed, from_words, strict=True) if name and worded]
    counts = {code: excluded.get(code, 0) + codes.count(code) for code in Code}
    return {code: number for code, number in counts.items() if number}


def find_dropped(found: Found, hits: Ranked, tuning: Tuning) -> list[Drop]:
    """Return what would have been on the page but for its state, the period or a gate, best first.

    Args:
        found: the candidates, with those of a retrieval that asked for no state.
        hits: the ranked hits of the same question.
        tuning: what rules the numbers.
    """
    top_k = hits.cut.top_k
    least = hits.scores.score[hits.page[-1]] if len(hits.page) == top_k else 0.0
    drops = {
        ranked.pool.columns.passage_ids[at]: (ranked, at, code)
        for ranked, at, code in _candidates(found, hits, tuning)
        if ranked.scores.score[at] >= least
    }
    best = sorted(drops.values(), key=lambda drop: (-drop[0].scores.score[drop[1]], _passage_id(drop)))
    return best[:top_k]


def rejections(found: Found, hits: Ranked) -> tuple[Rejection, ...]:
    """Return the candidates with a word of the question that were looked at one by one and are no hits, each once."""
    rows = [
        *(row for pool in (found.fallen, found.out) for row in _rows(pool, codes_of_states(pool))),
        *_rows(found.outside, [Code.OUT_OF_TIME_RANGE] * len(found.outside)),
        *_rows(hits.pool, [Code(name) if name else None for name in hits.failed]),
    ]
    return tuple({row.passage_id: row for row in rows}.values())


def _rows(pool: Pool, codes: Sequence[Code | None]) -> Iterator[Rejection]:
    columns = pool.columns
    for at, (code, worded) in enumerate(zip(codes, columns.from_lexical, strict=True)):
        if code is not None and worded:
            yield Rejection(code, columns.content_types[at], columns.doc_ids[at], columns.passage_ids[at])


def show_dropped(drops: Sequence[Drop], texts: Mapping[str, PassageText], hits: Ranked) -> tuple[Dropped, ...]:
    """Return what was dropped with its sentence; a passage that was removed meanwhile is left out."""
    top = hits.scores.score[hits.order[0]] if hits.order else 0.0
    return tuple(_show(drop, texts[_passage_id(drop)], float(top)) for drop in drops if _passage_id(drop) in texts)


def _passage_id(drop: Drop) -> str:
    return drop[0].pool.columns.passage_ids[drop[1]]


def codes_of_states(pool: Pool) -> list[Code | None]:
    """Return for each candidate the code of its state; None for one that holds."""
    return [code_of(row.state, kind) for row, kind in zip(pool.standings, pool.columns.kinds, strict=True)]


def _candidates(found: Found, hits: Ranked, tuning: Tuning) -> Iterator[Drop]:
    """Yield all that was left out: by its state, by the period, by a gate."""
    for pool in (found.out, found.fallen):
        ranked = rank_channel(hits.question, pool, tuning, cut=hits.cut)
        codes = codes_of_states(pool)
        yield from ((ranked, at, code) for at in ranked.order if (code := codes[at]) is not None)
    outside = rank_channel(hits.question, found.outside, tuning, cut=hits.cut)
    yield from ((outside, at, Code.OUT_OF_TIME_RANGE) for at in outside.order)
    yield from ((hits, at, Code(name)) for at, name in enumerate(hits.failed) if name)


def _show(drop: Drop, text: PassageText, top: float) -> Dropped:
    ranked, at, code = drop
    columns, standing, when = ranked.pool.columns, ranked.pool.standings[at], ranked.question.when
    score = float(ranked.scores.score[at])
    stands = label(standing, as_of=when.as_of, known_at=when.known_at)
    return Dropped(
        passage_id=columns.passage_ids[at],
        doc_id=columns.doc_ids[at],
        version_id=standing.version.version_id,
        series=columns.series[at],
        title=text.title,
        section=text.section,
        state=standing.state,
        code=code,
        sentence=_SENTENCES.get(code) or f"{'matched better' if score > top else 'matched'}, {stands}",
        score=score,
        explainer=partial(ranked.explain_failure if ranked.failed[at] else ranked.explain, at),
    )
