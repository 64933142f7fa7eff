"""The rim of the command line: exit codes, errors in one line, help with an example. No index is needed."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from mappings.errors import BadValueError, RecordError, StilltrueError
from stilltrue.cli.app import app
from stilltrue.cli.run import exit_code, run
from store.errors import StoreMissingError, StoreUrlError

TREE = typer.main.get_command(app).commands
GROUPS = {name: group.commands for name, group in TREE.items() if hasattr(group, "commands")}
# What is typed after `stilltrue`, such as "search" and "profile show".
COMMANDS = sorted([*(TREE.keys() - GROUPS), *(f"{name} {inner}" for name in GROUPS for inner in GROUPS[name])])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_helps_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` of each command ends with a line that can be typed."""
    assert run([*command.split(), "--help"]) == 0
    assert f"Example: stilltrue {command}" in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_example_can_be_typed(command: str) -> None:
    """The arguments of each example are ones that its command takes."""
    group, _, inner = command.rpartition(" ")
    found = GROUPS[group][inner] if group else TREE[inner]
    example = found.epilog.removeprefix("Example: stilltrue ").split(" < ")[0]
    assert example.startswith(command)
    assert found.make_context(inner, shlex.split(example.removeprefix(command))).params != {}


def test_shell_completes_commands_and_options(folder: Path) -> None:
    """What a shell asks when somebody presses tab is answered."""
    program = "from stilltrue.cli import main; main()"
    for typed, at, answer in (("stilltrue se", "1", "search"), ("stilltrue history --di", "2", "--diff")):
        asked = {"_STILLTRUE_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": at}
        done = subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, **asked}, capture_output=True, text=True, cwd=folder
        )
        assert (done.returncode, done.stdout.split()) == (0, [answer])


def test_no_arguments_show_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """`stilltrue` alone says what there is."""
    assert run([]) == 0
    shown = capsys.readouterr().out
    assert all(f"\n  {name} " in shown for name in TREE)


WRONG = [
    (["serch", "x"], "wrong_use", "No such command 'serch'"),
    (["search"], "wrong_use", "Missing argument 'QUERY'"),
    (["search", "x", "--asof", "2024"], "wrong_use", "No such option: --asof"),
    (["search", "x", "--as-of", "2024-13"], "bad_request", "as_of: "),
    (["search", "x", "--as-of", "soon"], "bad_request", "'soon'"),
    (["search", "x", "--zone", "Mars/Base", "--as-of", "2024"], "bad_request", "'Mars/Base'"),
    (["search", "x", "--zone", "Mars/Base"], "bad_request", "'Mars/Base'"),
    (["search", "x", "--store", ""], "bad_store_url", "names no place"),
    (["ingest", ""], "bad_source", "source must name a place, got ''"),
    (["ingest", "git+"], "bad_source", "source must name a place, got 'git+'"),
    (["search", ""], "bad_request", "query must hold a word"),
    (["search", "lamp " * 250_000], "bad_request", "query must be at most 4096 characters, got 1250000"),
    (["search", "x", "--kind", "odd"], "bad_request", "filters.kind"),
    (["search", "x", "--top-k", "0"], "bad_request", "top_k must be a whole number, 1 to 100, got 0"),
    (["search", "x", "--store", "ftp://x"], "bad_store_url", "ftp://x"),
    (["history", "caf\udce9"], "bad_value", "argument must be UTF-8, got 'caf\\udce9'"),
    (["ingest", "nowhere.jsonl"], "bad_source", "got 'nowhere.jsonl' which is no file"),
    (["status", "--config", "nowhere.toml"], "bad_setting", "'nowhere.toml' can not be read"),
]


@pytest.mark.parametrize(("arguments", "code", "detail"), WRONG, ids=[" ".join(row[0])[:32] for row in WRONG])
def test_wrong_use_is_one_line_and_two(
    arguments: list[str], code: str, detail: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mistake of the one who types exits with 2, says what, and prints nothing on stdout."""
    assert run(arguments) == 2
    text = capsys.readouterr()
    assert (text.out, text.err.count("\n")) == ("", 1)
    assert detail in text.err
    assert run([*arguments, "--json"]) == 2
    fault = json.loads(capsys.readouterr().err)
    assert (sorted(fault), fault["code"]) == (["code", "detail", "remedy"], code)


def test_missing_store_is_out_of_reach(capsys: pytest.CaptureFixture[str]) -> None:
    """Where no index lies, nothing was found is not the answer."""
    assert run(["search", "lamp", "--json"]) == 3
    assert json.loads(capsys.readouterr().err)["code"] == StoreMissingError.code


def test_debug_adds_the_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    """With --debug the traceback stands above the one line."""
    assert run(["status", "--config", "nowhere.toml", "--debug"]) == 2
    shown = capsys.readouterr().err
    assert "Traceback" in shown
    assert shown.splitlines()[-1].startswith("stilltrue: config 'nowhere.toml'")


def test_reader_that_has_seen_enough_is_no_failure(folder: Path) -> None:
    """A pipe that is closed early ends the command with 0 and without a word."""
    read, write = os.pipe()
    os.close(read)
    program = "from stilltrue.cli import main; main(['--help'])"
    done = subprocess.run([sys.executable, "-c", program], stdout=write, stderr=subprocess.PIPE, cwd=folder)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def say_version(folder: Path, shell: str) -> subprocess.CompletedProcess[bytes]:
    """Print the version as a shell sends it somewhere."""
    program = "from stilltrue.cli import main; main(['--version'])"
    line = f"{shlex.quote(sys.executable)} -c {shlex.quote(program)} {shell}"
    return subprocess.run(["sh", "-c", line], capture_output=True, cwd=folder)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
def test_output_without_space_is_a_failure(folder: Path) -> None:
    """What could not be printed is told in one line, with 3."""
    done = say_version(folder, "> /dev/full")
    assert (done.returncode, done.stderr.count(b"\n")) == (3, 1)
    assert done.stderr.startswith(b"stilltrue: output can not be written: No space left")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_stream_is_no_failure(folder: Path, closed: str) -> None:
    """Where nobody wants to read, nothing is printed, and the exit code is that of the command."""
    done = say_version(folder, closed)
    assert (done.returncode, done.stderr) == (0, b"")


def test_git_without_repository_makes_no_index(folder: Path) -> None:
    """A folder that is no repository is refused before anything is created."""
    assert run(["ingest", f"git+{folder}", "--store", str(folder / "made")]) == 2
    assert not (folder / "made").exists()


MEANINGS = [
    (BadValueError("a value"), 2),
    (StilltrueError("a thing"), 2),
    (StoreUrlError("a url"), 2),
    (StoreMissingError("a place"), 3),
    (RecordError("a record"), 3),
    (RuntimeError("a bug"), 3),
]


@pytest.mark.parametrize(("error", "code"), MEANINGS, ids=[type(row[0]).__name__ for row in MEANINGS])
def test_exit_code_says_who_can_mend_it(error: Exception, code: int) -> None:
    """2: the one who typed it; 3: whoever keeps the engine, or us."""
    assert exit_code(error) == code
