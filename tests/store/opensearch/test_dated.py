"""Dated indices on a node: where a passage lies, that one copy remains, and which indices a question asks."""

from dataclasses import replace

import pytest

from mappings.interval import BEGIN, OPEN, parse_moment
from mappings.stamps import Stamps
from store import Where
from tests.store.places import place_of
from tests.store.worlds import found, put, row, vector

pytestmark = pytest.mark.opensearch


def at(text):
    """Return the first instant of a moment."""
    return parse_moment(text).start


def stamps(day, **more):
    """Return the stamps of what was observed on a day."""
    return Stamps(at(day), at(day), **more)


NOW = Where(at("2025"), at("2025"))


@pytest.fixture
def asked(engine, monkeypatch):
    """Give the indices of every search that is sent from here on, a list a search."""
    seen = []
    cluster = engine._cluster
    searches = cluster.searches

    def watched(parts):
        seen.extend(header["index"] for header, _ in parts)
        return searches(parts)

    monkeypatch.setattr(cluster, "searches", watched)
    return seen


def labels(engine):
    """Return the labels of the dated indices with the passages that they hold."""
    return {label: held.passages for label, held in engine._now().held.items()}


@pytest.mark.parametrize(
    ("period", "lies"),
    [("year", ["2023", "2024", "undated"]), ("month", ["2023-12", "2024-01", "2024-07", "undated"])],
)
def test_passages_lie_in_the_period_of_their_date(request, tmp_path, period, lies):
    """Each period makes its own index, and one question finds what lies in all of them."""
    engine = place_of(request, tmp_path, "opensearch", f"?period={period}").make()
    days = ["2023-12-31T23:59:59.999999Z", "2024-01-01", "2024-07-09"]
    rows = [row(f"d{number}", stamps=stamps(day)) for number, day in enumerate(days)]
    put(engine, *rows, row("u", stamps=Stamps(BEGIN, BEGIN)))
    assert sorted(labels(engine)) == lies
    assert found(engine, where=NOW) == ["d0", "d1", "d2", "u"]
    assert found(engine, where=replace(NOW, undated=False)) == ["d0", "d1", "d2"]
    assert engine.check() == ()
    engine.close()


@pytest.mark.parametrize("by", ["put", "stamp"])
def test_a_corrected_date_moves_the_passage(engine, by):
    """One copy remains, in the index of the new date, with its words and its vector."""
    put(engine, row("a", stamps=stamps("2022-05-01")), row("b", stamps=stamps("2022-06-01")))
    with engine.writer() as writer:
        if by == "put":
            writer.put([row("a", stamps=stamps("2023-05-01"))], {})
        else:
            writer.stamp({"a": stamps("2023-05-01")})
    assert labels(engine) == {"2022": 1, "2023": 1}
    assert found(engine, where=NOW) == ["a", "b"]
    assert engine.statistics(["red"]).df.tolist() == [2]
    assert engine.stored(["a"])["a"].stamps == stamps("2023-05-01")
    assert engine.check() == ()


def test_only_indices_with_something_to_admit_are_asked(engine, asked):
    """Not those of later periods, not those in which nothing stands any more; counts cover all."""
    over = stamps("2021-03-01", closed=at("2022-01-01"), closed_by="replaced")
    put(engine, row("a", stamps=over), row("b", stamps=stamps("2022")), row("c", stamps=stamps("2024")))

    def legs(moment):
        asked.clear()
        engine.search(["red"], None, Where(at(moment), at(moment)), depth=5)
        return [index.rsplit("-", 1)[1] for index in asked[0]], asked[1:-1]

    everywhere = [f"{engine.info().index}-g1-passages-{year}" for year in ("2021", "2022", "2024")]
    assert legs("2025") == (["2022", "2024"], [everywhere, everywhere])
    assert legs("2023")[0] == ["2022"]
    assert legs("2021-06")[0] == ["2021"]
    assert engine.excluded(["red"], NOW) == {"SUPERSEDED": 1}


def test_a_question_takes_one_request(engine, asked):
    """Both legs, frequencies and counts come together; the calls after it ask nothing more."""
    put(engine, row("a", stamps=stamps("2024")))
    asked.clear()
    engine.search(["red"], vector("red"), NOW, depth=5)
    sent = len(asked)
    engine.statistics(["red"])
    engine.excluded(["red"], NOW)
    assert len(asked) == sent == 5  # words, vector, frequencies, counts, control


def test_people_have_an_alias(engine):
    """The name of the store is an alias over its dated indices."""
    put(engine, row("a", stamps=stamps("2023")), row("b", stamps=stamps("2024")))
    name = engine.info().index
    answer = engine._cluster.ask("GET", f"/_alias/{name}")
    assert sorted(answer) == [f"{name}-g1-passages-2023", f"{name}-g1-passages-2024"]


def test_the_ends_of_time_are_kept(engine):
    """The largest and smallest numbers come back as they were put, beyond any calendar."""
    rows = [row("a", stamps=Stamps(BEGIN + 1, BEGIN, until=OPEN - 1)), row("b", stamps=Stamps(OPEN - 2, OPEN - 2))]
    put(engine, *rows)
    assert {key: each.stamps for key, each in engine.stored(["a", "b"]).items()} == {
        each.passage_id: each.stamps for each in rows
    }
    assert found(engine, where=Where(5, 5)) == ["a"]
    assert found(engine, where=Where(OPEN - 2, OPEN - 2)) == ["a", "b"]
    assert engine.check() == ()
