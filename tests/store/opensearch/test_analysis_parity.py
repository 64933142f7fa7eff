"""Our analyzer gives token for token what the server's english analyzer gives, on the sentences of the benchmark."""

import gzip
import re
import sys
from itertools import islice

import orjson
import pytest

from store.analysis import analyze
from store.opensearch.address import read_address
from store.opensearch.cluster import Cluster

pytestmark = pytest.mark.opensearch

SENTENCES = 24_000
# A server refuses to give more tokens than this at once.
MOST_TOKENS = 10_000
SETS = ("opensearch-docs", "prometheus", "django", "govuk-runbooks", "peps", "endoflife", "cacm", "vaswani", "pubmedqa")


def sentences(bench_root, name, count):
    """Yield distinct sentences of a set, from all over it."""
    with gzip.open(bench_root / name / "docs.jsonl.gz") as lines:
        texts = [orjson.loads(line)["text"] for line in lines]
    step = max(len(texts) * 3 // count, 1)
    parts = (part.strip() for text in texts[::step] for part in re.split(r"(?<=[.!?])\s+|\n+", text))
    yield from islice(dict.fromkeys(part for part in parts if part), count)


def batches(texts):
    """Yield texts in batches of which a server gives all tokens at once."""
    batch, tokens = [], 0
    for text in texts:
        # A text has at most a token for each character.
        size = min(len(text), 4 * len(text.split()) + 8)
        if batch and tokens + size > MOST_TOKENS // 2:
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += size
    yield batch


def differing(cluster, batch):
    """Return the texts of a batch whose tokens differ."""
    answer = cluster.ask("POST", "/_analyze", {"analyzer": "english", "text": batch})
    if [token["token"] for token in answer["tokens"]] == [term for text in batch for term in analyze(text)]:
        return []
    if len(batch) == 1:
        return batch
    half = len(batch) // 2
    return differing(cluster, batch[:half]) + differing(cluster, batch[half:])


def test_tokens_are_those_of_the_server(opensearch_url, bench_root, capsys):
    """No sentence differs; those that do are shown."""
    cluster = Cluster(read_address(opensearch_url.replace("http", "opensearch", 1)))
    each = SENTENCES // len(SETS) + 500
    texts = list(dict.fromkeys(text for name in SETS for text in sentences(bench_root, name, each)))
    wrong = [text for batch in batches(texts) for text in differing(cluster, batch)]
    cluster.close()
    with capsys.disabled():
        sys.stdout.write(f"\n{len(texts) - len(wrong)} of {len(texts)} sentences have the server's tokens")
        for text in wrong[:20]:
            sys.stdout.write(f"\n  {text[:200]!r}")
    assert len(texts) >= 20_000
    assert wrong == []
