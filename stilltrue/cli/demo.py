"""Own `stilltrue demo`: the sample handbook built, taken in and asked, with the commands that do it."""

from __future__ import annotations

import shutil
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from contextlib import ExitStack, chdir
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer
from typer.core import TyperGroup

from stilltrue.cli import options, output

if TYPE_CHECKING:
    from stilltrue.demo.tour import Stop

WIDTH = 78
# Lies in the folder, so that what is typed there means this index and no other of a folder above.
SETTINGS = "# The index of the sample handbook.\n[store]\nurl = \"embedded:.stilltrue\"\n"


def demo(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="Where it is built, and stays; default: nowhere.", show_default=False),
    ] = None,
    _debug: options.Debug = False,
) -> None:
    """Build a small company's handbook of four years, take it in, and ask it about many days. Needs nothing else."""
    with ExitStack() as stack:
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stilltrue-demo-")))
        _build(place)
        stack.enter_context(chdir(place))
        _present(cast(TyperGroup, context.find_root().command))
    for line in next_steps(folder, _activation()):
        output.print_line(line)


def _build(place: Path) -> None:
    """Put the handbook's history, the old wiki and the settings of their index into a folder."""
    from stilltrue.demo.handbook import build
    from stilltrue.errors import FolderError

    if place.exists() and not (place.is_dir() and not any(place.iterdir())):
        raise FolderError(f"folder must be empty, got {str(place)!r}", remedy="remove it, or name another")
    build(place)
    (place / "stilltrue.toml").write_text(SETTINGS, encoding="utf-8")


def _present(command: TyperGroup) -> None:
    """Take the handbook in and walk through the tour; every line that is shown as typed is what runs."""
    from stilltrue.demo.tour import OPENING, TOUR

    for number, stop in enumerate((OPENING, *TOUR)):
        _head(stop, number)
        for line, arguments in zip(stop.lines(), stop.commands, strict=True):
            output.print_line(output.strong(f"$ {line}"))
            _run(command, arguments)
            output.print_line()


def _head(stop: Stop, number: int) -> None:
    title = f"{number} · {stop.title}" if number else stop.title
    output.print_line(output.strong(f"── {title} ".ljust(WIDTH, "─")))
    for line in textwrap.wrap(stop.told, WIDTH):
        output.print_line(line)
    output.print_line()


def _run(command: TyperGroup, arguments: Sequence[str]) -> None:
    """Run a command as it was typed, with the settings that it would have alone, on the day of the tour."""
    from stilltrue.demo.tour import TODAY
    from stilltrue.settings import Settings, StoreSettings

    settings = Settings.model_construct(store=StoreSettings(url="embedded:.stilltrue"))
    token = options.DESK.set(options.Desk(settings, clock=lambda: TODAY))
    try:
        command.main(args=list(arguments), prog_name="stilltrue", standalone_mode=False)
    finally:
        options.DESK.reset(token)


def _activation() -> Path | None:
    """Return what makes the shell find `stilltrue`, where it does not yet: the script of its environment."""
    script = Path(sys.executable).parent / "activate"
    return script if shutil.which("stilltrue") is None and script.is_file() else None


def next_steps(folder: Path | None, activation: Path | None) -> list[str]:
    """Return what to type next."""
    lines = [output.strong("── What next ".ljust(WIDTH, "─"))]
    if activation:
        lines += ["So that your shell finds stilltrue:", "", f"    . {_short(activation)}", ""]
    if folder:
        lines += ["The handbook stays, and every command above works there:", "", f"    cd {folder}", ""]
    else:
        lines += ["Keep the handbook, to ask it yourself:", "", "    stilltrue demo handbook-demo", ""]
    lines += ["Your own documents, a git repository for example, in one line:", ""]
    return [*lines, '    stilltrue ingest git+PATH && stilltrue search "your question" --as-of -1y']


def _short(path: Path) -> Path:
    """Return a path as seen from where one stands, where it lies below."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
