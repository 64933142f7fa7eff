"""The state of an index does not depend on arrival: order, repeats and batches change nothing."""

from random import Random

import pytest

from indexer.verify import verify
from tests.indexer.arrivals import LENIENT, answers_of, changes_of, open_index, shuffled, state_of, take
from tests.mappings.worlds import document, observation, random_questions, random_world

# Every seed is a world with two arrivals; the kinds take turns.
SEEDS = range(60)
KINDS = ("lone", "shared", "several")


def differences(quick_path, world, pick, *, moves):
    """Bring a world in twice, in two ways, and return what differs, and what `verify` finds."""
    changes = changes_of(world, moves=moves)
    questions = random_questions(pick, 8)
    states, answers, found = [], [], []
    for name, batches in (("whole", [changes]), ("parts", shuffled(pick, changes))):
        engine = open_index(quick_path / name)
        take(engine, batches)
        states.append(state_of(engine))
        answers.append(answers_of(engine, questions))
        found += verify(engine, LENIENT).differences
        engine.close()
    return [part for part in states[0] if states[0][part] != states[1][part]], answers[0] == answers[1], found


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_order_repeats_and_batches_change_nothing(quick_path, seed):
    """Records byte for byte, passages with stamps, counts and answers are those of one arrival in order."""
    pick = Random(seed)
    world = random_world(pick, KINDS[seed % 3])
    assert differences(quick_path, world, pick, moves=seed % 2 == 1) == ([], True, [])


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
