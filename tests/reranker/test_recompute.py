"""A reader can follow one candidate: what is printed of 200 random questions gives the printed score and code."""

import json
import random

import pytest

from mappings.document import Code
from reranker.core.explanation import recompute
from tests.reranker.handbook import HANDBOOK

WORDS = sorted({word.strip(".").lower() for _, title, text, _ in HANDBOOK for word in f"{title} {text}".split()})
CUES = ("", "", "currently", "latest", "today", "still", "most recent")
DAYS = (None, "2023-03", "2024-01-15", "2024-03-05", "2024-06-01", "2024-12")
OUT = {
    Code.FUTURE_OBSERVED, Code.NOT_YET_VALID, Code.EXPIRED_STATIC_DOC, Code.EXPIRED_VERSIONED_DOC, Code.EXPIRED_EVENT,
    Code.SUPERSEDED, Code.RETRACTED, Code.OUT_OF_TIME_RANGE, Code.OVER_MAX_AGE, Code.BELOW_RELEVANCE_GATE,
}  # fmt: skip


def questions(seed: int, count: int):
    """Yield random questions, days and formulas."""
    pick = random.Random(seed)
    for _ in range(count):
        words = [pick.choice(CUES), *pick.sample(WORDS, pick.randint(1, 6))]
        yield " ".join(words).strip(), pick.choice(DAYS), pick.choice(("default", "off", "additive"))


@pytest.mark.slow
def test_explanations_of_random_questions_give_what_is_printed(handbook):
    """Recomputing the printed explanation of every hit and every dropped one gives the printed score and code."""
    seen = 0
    for query, day, scoring in questions(seed=8, count=200):
        answer = handbook.ask(query, as_of=day, scoring=scoring, explain=True, history=True)
        printed = json.loads(json.dumps(answer.to_json()))
        for hit in [hit for name in ("hits", "history", "undated") for hit in printed[name]]:
            assert recompute(hit["explanation"]) == pytest.approx(hit["score"], abs=1e-9), (query, day)
            seen += 1
        for drop in printed["dropped"]:
            gated = drop["code"] == Code.BELOW_RELEVANCE_GATE
            wanted = 0.0 if gated else drop["score"]
            assert recompute(drop["explanation"]) == pytest.approx(wanted, abs=1e-9), (query, day)
            assert drop["code"] in OUT
            seen += 1
    assert seen > 1_000
