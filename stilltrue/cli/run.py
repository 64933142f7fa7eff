"""Own the rim of the command line: one run, its exit code, and errors in one line.

    exit code   when
    0           fine
    1           a finding: documents refused, differences found
    2           wrong use: an argument, a setting, a value
    3           an engine or model is out of reach, or broken
"""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from collections.abc import Sequence

import typer

from mappings.errors import BadValueError, RecordError, StilltrueError
from stilltrue.cli.app import app

# What a stream of output fails with; all other files are opened, and their failures told, below this rim.
_NOT_WRITTEN = (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EBADF, errno.EDQUOT)

FINE, WRONG_USE, OUT_OF_REACH = 0, 2, 3


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; every failure is one line on stderr."""
    flags = arguments[: arguments.index("--")] if "--" in arguments else arguments
    command = typer.main.get_command(app)
    _replace_closed_streams()
    try:
        _check_encoding(arguments)
        code = command.main(args=list(arguments) or ["--help"], prog_name="stilltrue", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):
        # `stilltrue history … | head` has read enough; typer makes a SystemExit of a pipe that broke while it ran.
        # What is left in the buffer must not fail at exit again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except Exception as error:
        if "--debug" in flags:
            traceback.print_exc()
        sys.stderr.write(_report(error, as_json="--json" in flags) + "\n")
        return exit_code(error)
    return code if isinstance(code, int) else FINE


def _replace_closed_streams() -> None:
    """Print into nothing where the shell has closed a stream (`>&-`), so that the exit code still tells."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")


def _check_encoding(arguments: Sequence[str]) -> None:
    """Refuse an argument that is no text: the shell's bytes were not UTF-8."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError as error:
            raise BadValueError(f"argument must be UTF-8, got {argument!r}") from error


def exit_code(error: Exception) -> int:
    """Return what a failure means to the shell."""
    if isinstance(error, typer.TyperException):
        return WRONG_USE
    if not isinstance(error, StilltrueError) or isinstance(error, RecordError):
        return OUT_OF_REACH
    from store.errors import StoreError

    # A URL that names no engine is both: the one who typed it can mend it.
    return OUT_OF_REACH if isinstance(error, StoreError) and not isinstance(error, ValueError) else WRONG_USE


def _report(error: Exception, *, as_json: bool) -> str:
    """Say in one line what failed and what to do: as text, or as {code, detail, remedy}."""
    code, detail, remedy = _facts(error)
    if as_json:
        return json.dumps({"code": code, "detail": detail, "remedy": remedy}, ensure_ascii=False)
    return f"stilltrue: {detail}; {remedy} [{code}]" if remedy else f"stilltrue: {detail} [{code}]"


def _facts(error: Exception) -> tuple[str, str, str]:
    if isinstance(error, StilltrueError):
        return error.code, error.detail, error.remedy
    if isinstance(error, typer.TyperException):
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "stilltrue"
        return "wrong_use", error.format_message().rstrip("."), f"see {command} --help"
    if isinstance(error, OSError) and error.errno in _NOT_WRITTEN and error.filename is None:
        return "output_failed", f"output can not be written: {error.strerror}", "send it somewhere with space"
    text = f"{type(error).__name__}: {error}"
    return "unexpected", " ".join(text.split()), "run it again with --debug and report what it prints"
