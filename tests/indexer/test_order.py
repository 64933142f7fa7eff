"""The state of an index does not depend on arrival: order, repeats and batches change nothing."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.verify import verify
from tests.indexer.arrivals import LENIENT, answers_of, changes_of, open_index, shuffled, state_of, take
from tests.indexer.conftest import quick_folder
from tests.mappings.worlds import document, observation, random_questions, random_world

KINDS = ("lone", "shared", "several")


def differences(folder, world, pick, *, moves):
    """Bring a world in twice, in two ways, and return what differs, and what `verify` finds."""
    changes = changes_of(world, moves=moves)
    questions = random_questions(pick, 8)
    states, answers, found = [], [], []
    for name, batches in (("whole", [changes]), ("parts", shuffled(pick, changes))):
        engine = open_index(folder / name)
        take(engine, batches)
        states.append(state_of(engine))
        answers.append(answers_of(engine, questions))
        found += verify(engine, LENIENT).differences
        engine.close()
    return [part for part in states[0] if states[0][part] != states[1][part]], answers[0] == answers[1], found


def check(pick, kind, moves):
    with quick_folder() as folder:
        assert differences(folder, random_world(pick, kind), pick, moves=moves) == ([], True, [])


ARRIVALS = {"pick": st.randoms(use_true_random=False), "kind": st.sampled_from(KINDS), "moves": st.booleans()}


@pytest.mark.slow
@given(**ARRIVALS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_order_repeats_and_batches_change_nothing(pick, kind, moves):
    """Records byte for byte, passages with stamps, counts and answers are those of one arrival in order."""
    check(pick, kind, moves)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1_000))
def test_order_repeats_and_batches_change_nothing_in_many_worlds(seed):
    """The same for a thousand worlds."""
    check(Random(seed), KINDS[seed % 3], seed % 2 == 1)


HAND_MADE = {
    "A, A, late B between them": document(observation("A", 1), observation("A", 9), observation("B", 5)),
    "A, B, A": document(observation("A", 1), observation("B", 5), observation("A", 9)),
    "an end between": document(observation("A", 1), observation("A", 9), ends=[5]),
    "withdrawn and taken back": document(
        observation("A", 1), observation("B", 5), withdrawals=[("B", 7), ("B", 9, "undo")]
    ),
}


@pytest.mark.parametrize("facts", HAND_MADE.values(), ids=HAND_MADE)
def test_late_arrival_finds_its_place(quick_path, facts):
    """The cases of the specification, in a few orders each."""
    for seed in range(3):
        assert differences(quick_path / str(seed), {"d": facts}, Random(seed), moves=False) == ([], True, [])
