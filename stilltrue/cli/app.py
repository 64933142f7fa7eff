"""Own the list of commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from stilltrue.cli.config import config
from stilltrue.cli.demo import demo
from stilltrue.cli.end import end
from stilltrue.cli.history import history
from stilltrue.cli.ingest import ingest
from stilltrue.cli.search import search
from stilltrue.cli.status import status
from stilltrue.cli.verify import verify
from stilltrue.cli.withdraw import withdraw
from stilltrue.version import VERSION

app = typer.Typer(
    name="stilltrue",
    help="Search that knows what is still true: the answer for any day, from dated documents.",
    epilog="Exit codes: 0 fine, 1 a finding, 2 wrong use, 3 out of reach. Each command's --help has an example.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"stilltrue {VERSION}")
        raise typer.Exit


@app.callback()
def stilltrue(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Search that knows what is still true: the answer for any day, from dated documents."""


def _add(command: Callable[..., None], short: str, example: str) -> None:
    app.command(short_help=short, epilog=f"Example: {example}")(command)


_add(demo, "A small handbook, asked about many days: begin here.", "stilltrue demo handbook-demo")
_add(ingest, "Take documents in: a folder, git, JSON lines.", "stilltrue ingest git+docs --dry-run")
_add(search, "Find what holds on a day, best first.", 'stilltrue search "how long do refunds take" --as-of 2024-02')
_add(history, "Show versions, or what changed between two days.", "stilltrue history refunds --diff 2023 2024-06")
_add(status, "Show what lies in the index.", "stilltrue status --json")
_add(verify, "Compare what is derived with the truth.", "stilltrue verify --repair")
_add(end, "Say that a document has ended.", "stilltrue end warranty --at 2025-01-01 --reason archived")
_add(
    withdraw,
    "Say that a text never held.",
    "stilltrue withdraw shipping-2023 --as-of 2023-08 --at 2023-08-10 --reason 'sent by mistake'",
)
_add(config, "Show the settings in force, and their origin.", "stilltrue config --json")
