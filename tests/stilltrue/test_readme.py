"""The README shows what happens: its commands are run in its order, and their output is compared."""

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest

from stilltrue.cli.run import run
from stilltrue.settings import ProfileSettings
from tests.stilltrue.expecting import expect

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DEMO = (Path(__file__).parent / "expected" / "demo.txt").read_text(encoding="utf-8")


def sessions() -> list[tuple[str, str]]:
    """Return (command line, output shown) of every `stilltrue` command in the README, in order."""
    blocks = re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL)
    steps = [step for block in blocks for step in re.split(r"^\$ ", block, flags=re.MULTILINE) if step.strip()]
    pairs = [step.split("\n", 1) for step in steps]
    return [(line, output.rstrip()) for line, output in pairs if line.startswith("stilltrue ")]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder that looks like a fresh clone, as far as the README needs it."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("checkout")
def test_commands_print_what_the_readme_shows(capsys: pytest.CaptureFixture[str]) -> None:
    """Each command of the README, run in order in a fresh folder, gives exactly the output under it."""
    made = README
    assert sessions()
    for line, shown in sessions():
        code = run(shlex.split(line)[1:])
        printed = capsys.readouterr()
        assert code == 0, printed.err
        output = "\n".join(text.rstrip() for text in printed.out.splitlines()).strip("\n")
        made = made.replace(f"$ {line}\n{shown}", f"$ {line}\n{output}" + ("" if shown else "\n"), 1)
    expect(ROOT / "README.md", made)


def test_lines_of_the_demo_are_lines_of_the_demo() -> None:
    """What the README shows of `make demo` stands in its output, piece by piece between the dots."""
    (block,) = re.findall(r"```text\n(.*?)```", README, flags=re.DOTALL)
    pieces = [piece.strip("\n") for piece in block.split("…\n")]
    assert len(pieces) > 1
    assert [piece for piece in pieces if piece not in DEMO] == []


def test_first_screen_says_what_to_type() -> None:
    """Within the first screen stand what it is, `make demo` with its output, and `make test`."""
    screen = "\n".join(README.splitlines()[:40])
    wanted = ("it answers for the day", "make demo", "make test", "```text")
    assert [words for words in wanted if words not in screen] == []


@pytest.mark.usefixtures("checkout")
def test_python_of_the_readme_gives_what_it_shows() -> None:
    """The lines at the Python prompt give what stands under them."""
    text = "\n".join(re.findall(r"```pycon\n(.*?)```", README, flags=re.DOTALL))
    test = doctest.DocTestParser().get_doctest(text, {}, "README", "README.md", 0)
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_numbers_of_a_profile_are_named() -> None:
    """The README names every number of a profile; its table of settings is held by test_config.py."""
    assert [name for name in ProfileSettings.model_fields if f"`{name}`" not in README] == []


def test_readme_stays_short() -> None:
    """The README has at most 150 lines."""
    assert len(README.splitlines()) <= 150
