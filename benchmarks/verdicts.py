"""Measure what a verdict and a tier of confidence are worth, on folders of dated documents and questions.

    python benchmarks/verdicts.py FOLDER... [--embedder NAME] [--json]

Each set is asked its own questions that have an answer, the questions of `off_topic.txt`, and questions of the other
sets. `none` is the share of each kind that gets the verdict "none"; Hit@1 is told by tier over what is answered. The
last lines move the answer threshold, so that a constant of an embedder can be set: on one half of the shipped list,
and read on the other.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from runner import settings_with
from sets import BenchSet, find, load

import stilltrue

OFF_TOPIC: Final = Path(__file__).with_name("off_topic.txt")
# Questions of each kind a set is asked at most; sets weigh alike in the means.
MOST: Final = 60
TIERS: Final = ("HIGH", "MEDIUM", "LOW")
THRESHOLDS: Final = tuple(round(0.10 + 0.02 * step, 2) for step in range(16))
# Sets that describe the same products: a question of one is on topic in the other.
KIN: Final = ({"endoflife", "endoflife-records"},)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and what came back.

    Attributes:
        kind: "own", "list" (its first half), "held" (its second half) or "other".
        best: best relevance of the hits.
        right: whether the first hit is an answer; None where there is none to find.
    """

    set: str
    kind: str
    best: float
    verdict: str
    tier: str
    right: bool | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="+", type=Path)
    parser.add_argument("--embedder")
    parser.add_argument("--json", action="store_true", help="one object with all figures")
    options = parser.parse_args(arguments)
    sets = [load(folder) for folder in find(options.folder)]
    asked = [one for bench in sets for one in _ask(bench, sets, options.embedder)]
    figures = _figures(asked)
    if options.json:
        print(json.dumps(figures))
        return 0
    print("verdict none:", ", ".join(f"{kind} {share:.3f}" for kind, share in figures["none"].items()))
    for tier, (share, right) in figures["tiers"].items():
        print(f"{tier:7} {share:.3f} of the answered, Hit@1 {right:.3f}")
    for threshold, shares in figures["thresholds"].items():
        print(f"below {threshold}:", ", ".join(f"{kind} {share:.3f}" for kind, share in shares.items()))
    return 0


def _ask(bench: BenchSet, sets: Sequence[BenchSet], embedder: str | None) -> Iterator[Asked]:
    """Take a set in and ask it everything."""
    chance = random.Random(bench.name)
    with tempfile.TemporaryDirectory(prefix="stilltrue-verdicts-") as place:
        source = Path(place) / f"{bench.name}.jsonl.gz"
        bench.write(source, "given")
        with stilltrue.open(str(Path(place) / "store"), settings=settings_with(embedder)) as index:
            index.ingest(source)
            print(bench.name, file=sys.stderr)
            for kind, text, as_of, gold in _questions(bench, sets, chance):
                answer = index.search(text, as_of=as_of)
                yield Asked(
                    set=bench.name,
                    kind=kind,
                    best=max((hit.relevance for hit in answer.hits), default=0.0),
                    verdict=str(answer.verdict),
                    tier=str(answer.confidence.tier),
                    right=bool(answer.hits) and answer.hits[0].doc_id in gold if gold else None,
                )


def _questions(
    bench: BenchSet, sets: Sequence[BenchSet], chance: random.Random
) -> Iterator[tuple[str, str, str | None, frozenset[str]]]:
    """Yield kind, text, moment and answers of each question."""
    now = max(query.now for query in bench.queries)
    own = [query for query in bench.queries if query.surface != "words" and query.gold]
    for query in chance.sample(own, min(MOST, len(own))):
        yield "own", query.text, query.as_of or query.now, query.gold
    shipped = OFF_TOPIC.read_text(encoding="utf-8").splitlines()
    for place, text in enumerate(shipped):
        yield "list" if place % 2 else "held", text, now, frozenset()
    strangers = [
        query.text
        for other in sets
        if other.name != bench.name and not any({other.name, bench.name} <= kin for kin in KIN)
        for query in other.queries
        if query.surface != "words"
    ]
    for text in chance.sample(strangers, min(MOST, len(strangers))):
        yield "other", text, now, frozenset()


def _figures(asked: Sequence[Asked]) -> dict[str, Any]:
    """Return the shares of each kind, sets weighing alike, and Hit@1 by tier over what is answered."""
    answered = [one for one in asked if one.kind == "own" and one.verdict != "none"]
    tiers: dict[str, tuple[float, float]] = {}
    for tier in TIERS:
        right = [bool(one.right) for one in answered if one.tier == tier]
        tiers[tier] = (len(right) / max(len(answered), 1), sum(right) / max(len(right), 1))
    return {
        "none": _macro(asked, {one: one.verdict == "none" for one in asked}),
        "tiers": tiers,
        "thresholds": {limit: _macro(asked, {one: one.best < limit for one in asked}) for limit in THRESHOLDS},
    }


def _macro(asked: Sequence[Asked], holds: Mapping[Asked, bool]) -> dict[str, float]:
    """Return by kind the mean over sets of the share for which something holds."""
    shares: dict[str, dict[str, list[bool]]] = {}
    for one in asked:
        shares.setdefault(one.kind, {}).setdefault(one.set, []).append(holds[one])
    return {
        kind: sum(sum(values) / len(values) for values in sets.values()) / len(sets) for kind, sets in shares.items()
    }


if __name__ == "__main__":
    sys.exit(main())
