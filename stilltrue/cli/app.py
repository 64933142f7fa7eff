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
    help="Search that knows what is still true.",
    add_completion=False,
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


def _add(command: Callable[..., None], example: str) -> None:
    app.command(epilog=f"Example: {example}")(command)


_add(demo, "stilltrue demo handbook-demo")
_add(ingest, "stilltrue ingest examples/notices.jsonl")
_add(search, 'stilltrue search "how long do refunds take" --as-of 2024-02')
_add(history, "stilltrue history refunds")
_add(status, "stilltrue status --json")
_add(verify, "stilltrue verify --repair")
_add(end, "stilltrue end warranty --at 2025-01-01 --reason archived")
_add(withdraw, "stilltrue withdraw shipping-2023 --as-of 2023-08 --at 2023-08-10 --reason 'sent by mistake'")
_add(config, "stilltrue config --json")
