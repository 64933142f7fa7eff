"""What an index says is what the obvious second reading of the rules says of the same facts."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.indexer.arrivals import HASHES, changes_of, live_passages, open_index, shuffled, take
from tests.indexer.conftest import quick_folder
from tests.mappings import oracle
from tests.mappings.worlds import LIVE, _agrees, name_of, random_questions, random_world

TEXT_OF = {key: name for name, key in HASHES.items()}


def named(version):
    """Return the oracle's name of a version: texts by the names of the world."""
    doc_id, content, *dates = name_of(version)
    return doc_id, TEXT_OF[content], *dates


def said(engine, question):
    """Return what an index says at a question, in the oracle's words."""
    as_of, known_at, reader = question
    lines = engine.timelines(engine.series_keys()).values()
    names = {version.version_id: named(version) for line in lines for version in line.versions}
    # A link from another record names a version of that record.
    return {
        names[row.version.version_id]: (
            str(row.state),
            row.superseded_at,
            tuple((each.valid_from, names[each.version_id]) for each in row.superseded_by),
        )
        for line in lines
        for row in line.standings(as_of, known_at, reader)
    }


def check(pick, kind):
    world = random_world(pick, kind)
    questions = random_questions(pick, 12)
    versions = oracle.all_versions(world)
    with quick_folder() as folder:
        engine = open_index(folder / "index")
        take(engine, shuffled(pick, changes_of(world, own_readers=True)))
        for question in questions:
            expected, got = oracle.ask(world, *question, versions), said(engine, question)
            assert expected.keys() == got.keys()
            assert [name for name in got if not _agrees(expected[name], got[name])] == []
            found = {key.split("#")[0] for key in live_passages(engine, *question)}
            assert found == {name[0] for name, (state, *_) in expected.items() if state in LIVE}
        engine.close()


@pytest.mark.slow
@given(pick=st.randoms(use_true_random=False), kind=st.sampled_from(("shared", "several")))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_index_says_what_the_rules_say(pick, kind):
    """States, successors and what can be found, for readers and moments, links across records among them."""
    check(pick, kind)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1_000))
def test_index_says_what_the_rules_say_in_many_worlds(seed):
    """The same for a thousand worlds."""
    check(Random(seed), ("shared", "several")[seed % 2])
