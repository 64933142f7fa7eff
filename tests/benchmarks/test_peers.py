"""What a user would pick instead: what each is given, and what it says when its packages are not there."""

import json
from pathlib import Path

import numpy as np
import peers
import pytest
import rankers
from shelf import Shelf, best

from store.embed import get_embedder

EMBEDDER = get_embedder("hashing")
TEXTS = ["trains are booked by the office", "meals are paid back", "trains are booked by app"]
DAY = 86_400.0


@pytest.fixture
def shelf() -> Shelf:
    """Three passages of two documents, a day apart."""
    return Shelf(["trains@1", "meals", "trains@2"], TEXTS, np.arange(3) * DAY, EMBEDDER.embed(TEXTS))


@pytest.mark.parametrize(("at", "known"), [(-1.0, 0), (0.0, 1), (1.5 * DAY, 2), (9 * DAY, 3)])
def test_only_what_was_observed_by_the_moment_is_given(shelf: Shelf, at: float, known: int) -> None:
    """A date filter keeps the first passages of the shelf; without one all of them come."""
    asked = shelf.ask("how are trains booked", EMBEDDER, at)
    assert asked.known == known
    assert {position for position, _ in shelf.nearest(asked)} == set(range(known))
    assert len(shelf.nearest(asked, known_only=False)) == 3


def test_the_best_stand_in_their_order() -> None:
    """Equal scores keep the order of the shelf."""
    assert best(np.array([0.5, 0.9, 0.5]), 2) == [(1, 0.9), (0, 0.5)]


def test_missing_packages_are_named(
    bench_set: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its packages the command says which, and how to install them."""
    monkeypatch.setattr(rankers, "PACKAGES", ("json", "no_such_package"))
    assert peers.main([str(bench_set)]) == 2
    assert capsys.readouterr().err.startswith("packages are missing: no_such_package; install them")


def test_a_folder_without_a_set_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message goes to stderr, the exit code is 2."""
    monkeypatch.setattr(rankers, "PACKAGES", ())
    assert peers.main([str(tmp_path)]) == 2
    assert "holds no set" in capsys.readouterr().err


def test_a_set_is_measured_beside_ours(
    bench_set: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each system answers each question; one that always names the newest version is right but for the past."""
    monkeypatch.setattr(rankers, "PACKAGES", ())
    monkeypatch.setattr(rankers, "rankers", lambda shelf: {"newest": lambda asked: ["trains@2"]})
    assert peers.main([str(bench_set), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    found = {(row["surface"], row["system"]): (row["n"], row["hit_1"], row["future_leak_10"]) for row in rows}
    assert found["parameter", "stilltrue"] == (3, 1.0, 0.0)
    assert found["parameter", "newest"] == (3, 0.5, pytest.approx(2 / 3))
    assert found["current", "newest"] == (1, 1.0, 0.0)
    assert peers.main([str(bench_set), "--by-set"]) == 0
    assert "each set counting once" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["hybrid", "hybrid + date", "rrf + date", "langchain", "llamaindex fixed"])
def test_each_peer_answers_from_its_package(shelf: Shelf, name: str) -> None:
    """What is filtered by date knows nothing of tomorrow (skipped where the packages are not installed)."""
    if rankers.missing():
        pytest.skip("the peers are not installed")
    ranked = rankers.rankers(shelf)[name](shelf.ask("how are trains booked", EMBEDDER, 1.5 * DAY))
    assert ("trains@2" in ranked) == (name == "hybrid") and "trains@1" in ranked
