"""The product against the second implementation on random worlds, and what must not depend on arrival."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.record_format import record_to_json
from mappings.series import SeriesRecord
from mappings.timeline import Timeline
from tests.mappings import oracle
from tests.mappings.worlds import (
    KINDS,
    LAST,
    LIVE,
    Product,
    disagreements,
    moments,
    random_questions,
    random_world,
    readers,
    to_document,
    worlds,
)


def check(seeds):
    """Return the first disagreement of each seed that has one; a seed names its world."""
    found = {}
    for seed in seeds:
        pick = random.Random(seed)
        world = random_world(pick, KINDS[seed % len(KINDS)])
        first = next(disagreements(world, random_questions(pick, 4)), None)
        if first:
            found[seed] = (first, world)
    return found


def test_state_equals_the_second_implementation_quickly():
    """600 random worlds: state, superseded_at, superseded_by as the oracle says, and the filter keeps what is live."""
    assert not check(range(600))


@pytest.mark.slow
def test_state_equals_the_second_implementation():
    """12,000 more, over all that a record can hold."""
    assert not check(range(1_000, 13_000))


@given(worlds(), st.lists(st.tuples(moments, moments, readers), min_size=1, max_size=6))
def test_state_equals_the_second_implementation_by_hypothesis(world, questions):
    """Any world and any question: the two agree."""
    assert not list(disagreements(world, questions))


@given(worlds(), moments, moments, readers)
def test_filter_plus_records_equals_state(world, t, k, reader):
    """What the filter lets through and the records call live is exactly what is live."""
    product = Product(world)
    states = {name: row[0] for name, row in product.ask(t, k, reader).items()}
    expected = {name for name, row in oracle.ask(world, t, k, reader).items() if row[0] in LIVE}
    assert {name for name in product.admitted(t, k) if states.get(name) in LIVE} == expected


def everyday(world):
    """Return the world as everybody sees it, without links and withdrawals; None where a plan was overtaken."""
    plain = {}
    for doc_id, facts in world.items():
        rows = [{**row, "supersedes": ()} for row in facts["observations"]]
        plain[doc_id] = {**facts, "observations": rows, "withdrawals": [], "readers": ()}
    overtaken = any(oracle.overtaken_at(plain, version) for version in oracle.all_versions(plain))
    return None if overtaken else plain


def inexact(world):
    """Yield the everyday questions to which the filter alone lets through more or less than what is live."""
    product = Product(world)
    for t in range(-1, LAST + 3, 3):
        live = {name for name, row in product.ask(t, t, ()).items() if row[0] in LIVE}
        if product.admitted(t, t) != live:
            yield t, product.admitted(t, t) ^ live


def test_filter_alone_is_exact_for_the_everyday_question():
    """Where K = T, all read alike, nothing was taken back and no link speaks, the filter needs no record."""
    plain = [everyday(random_world(random.Random(seed), KINDS[seed % len(KINDS)])) for seed in range(400)]
    kept = [world for world in plain if world is not None]
    assert len(kept) > 200
    assert not [(world, found) for world in kept for found in inexact(world)]


def arrive(world, batches):
    """Build the records of a world from batches of (doc_id, key of the world, row)."""
    records = {}
    for batch in batches:
        for doc_id in sorted({doc for doc, _, _ in batch}):
            rows = {key: [row for doc, k, row in batch if (doc, k) == (doc_id, key)] for key in KEYS}
            piece = to_document(doc_id, {**world[doc_id], **rows})
            record = records.setdefault(world[doc_id]["series"], SeriesRecord(world[doc_id]["series"]))
            present = record.documents.get(doc_id)
            if present is not None:
                piece = present.merge(piece.observations, piece.ends, piece.withdrawals)
            records[record.series] = record.with_document(piece)
    return records


KEYS = ("observations", "ends", "withdrawals")


@given(worlds(), st.randoms(use_true_random=False))
def test_order_of_arrival_and_repeats_change_nothing(world, pick):
    """However the facts are permuted, repeated and split into batches, record bytes and versions are the same."""
    rows = [(doc_id, key, row) for doc_id, facts in world.items() for key in KEYS for row in facts[key]]
    shuffled = pick.sample(rows, len(rows)) + pick.choices(rows, k=len(rows) // 2) if rows else []
    cuts = sorted(pick.randint(0, len(shuffled)) for _ in range(3))
    batches = [shuffled[a:b] for a, b in zip([0, *cuts], [*cuts, len(shuffled)], strict=True)]
    once, slowly = arrive(world, [rows]), arrive(world, batches)
    assert {key: record_to_json(record) for key, record in once.items()} == {
        key: record_to_json(record) for key, record in slowly.items()
    }
    assert [Timeline(once[key]).versions for key in sorted(once)] == [
        Timeline(slowly[key]).versions for key in sorted(once)
    ]
