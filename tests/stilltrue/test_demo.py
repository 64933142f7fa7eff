"""The demo: every line it prints, every command as one types it, every state where it shows."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from mappings.document import State
from stilltrue.cli import demo
from stilltrue.cli.run import run
from stilltrue.demo.tour import OPENING, TOUR
from tests.stilltrue.expecting import expect

EXPECTED = Path(__file__).parent / "expected" / "demo.txt"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Run the demo once into a folder; give the folder and what was printed."""
    here = tmp_path_factory.mktemp("demo")
    program = "from stilltrue.cli import main; main(['demo', 'handbook-demo'])"
    # A settings file and variables of the one who tries it change nothing about the demo.
    (here / "stilltrue.toml").write_text('[search]\nrelevance_gate = 0.9\n', encoding="utf-8")
    environment = {**os.environ, "STILLTRUE_SEARCH__DEPTH": "1", "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=here, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")
    return here / "handbook-demo", done.stdout


def test_every_line_is_as_expected(shown: tuple[Path, str]) -> None:
    """The demo prints the same lines everywhere, dates and reasons included."""
    expect(EXPECTED, shown[1])


def test_commands_print_the_same_when_they_are_typed(
    shown: tuple[Path, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command that the demo shows, typed in its folder, prints what stands under it."""
    folder, text = shown
    monkeypatch.chdir(folder)
    for line in (line for stop in TOUR for line in stop.lines()):
        assert run(shlex.split(line)[1:]) == 0
        assert f"$ {line}\n{capsys.readouterr().out}\n" in text


def test_two_runs_differ_in_nothing(shown: tuple[Path, str], tmp_path: Path) -> None:
    """Under another hash seed, time zone and language the same lines come out."""
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "COLUMNS": "40"}
    environment["PATH"] = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    program = "from stilltrue.cli import main; main(['demo', 'handbook-demo'])"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.stdout == shown[1]


def test_every_state_is_shown() -> None:
    """Each state stands in the demo by its name, its code, or the words that only it has."""
    text = EXPECTED.read_text(encoding="utf-8")
    words = {State.TEMPORAL: "since 2023-03-04 · incident", State.EXPIRED: "[EXPIRED_", State.FUTURE: "FUTURE_OBSERVED"}
    assert [state for state in State if words.get(state, str(state)) not in text] == []


def test_tour_asks_enough() -> None:
    """At least eight questions, for at least eight different days, one explained, one difference."""
    commands = [command for stop in TOUR for command in stop.commands]
    questions = {command[1] for command in commands if command[0] == "search"}
    days = {command[command.index("--as-of") + 1] for command in commands if "--as-of" in command}
    assert len(questions) >= 8
    assert len(days) >= 8
    assert any("--explain" in command for command in commands)
    assert any("--diff" in command for command in commands)
    assert len({stop.title for stop in (OPENING, *TOUR)}) == len(TOUR) + 1


def test_folder_that_holds_something_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder with something in it, or a file, is refused and stays as it is."""
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    for place in (tmp_path, tmp_path / "mine.txt"):
        assert run(["demo", str(place)]) == 2
        assert "folder must be empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "gone"])
def test_what_to_type_next(kept: bool, tmp_path: Path) -> None:
    """The end says how to find the program, how to ask the handbook oneself, and how to begin with one's own."""
    lines = "\n".join(demo.next_steps(Path("shelf") if kept else None, tmp_path / "activate"))
    assert f". {tmp_path / 'activate'}" in lines
    assert ("cd shelf" if kept else "stilltrue demo handbook-demo") in lines
    assert lines.endswith('stilltrue ingest git+PATH && stilltrue search "your question" --as-of -1y')
