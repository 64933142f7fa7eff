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
from stilltrue.cli.log import log
from stilltrue.cli.model import fetch
from stilltrue.cli.profile import check, show
from stilltrue.cli.rerank import rerank
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


def _add(command: Callable[..., None], short: str, example: str, *, group: typer.Typer = app) -> None:
    group.command(short_help=short, epilog=f"Example: {example}")(command)


def _group(name: str, short: str) -> typer.Typer:
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(group, name=name, help=short)
    return group


_add(demo, "A small handbook, asked about many days: begin here.", "stilltrue demo handbook-demo")
_add(ingest, "Take documents in: a folder, git, JSON lines.", "stilltrue ingest git+docs --dry-run")
_add(search, "Find what holds on a day, best first.", 'stilltrue search "how long do refunds take" --as-of 2024-02')
_add(
    rerank,
    "Rank candidates of any search engine by what holds.",
    'stilltrue rerank "how long do refunds take" --as-of 2024-03 < candidates.jsonl',
)
_add(history, "Show versions, or what changed between two days.", "stilltrue history refunds --diff 2023 2024-06")
_add(status, "Show what lies in the index.", "stilltrue status --json")
_add(verify, "Compare what is derived with the truth.", "stilltrue verify --repair")
_add(end, "Say that a document has ended.", "stilltrue end warranty --at 2025-01-01 --reason archived")
_add(
    withdraw,
    "Say that a text never held.",
    "stilltrue withdraw shipping-2023 --as-of 2023-08 --at 2023-08-10 --reason 'sent by mistake'",
)
_add(log, "Show what a question left out, and why.", "stilltrue log 83c972e49fc136c8 --json")
_add(config, "Show the settings in force, and their origin.", "stilltrue config --json")

profile = _group("profile", "The numbers of time of each content type.")
_add(show, "Show them, or those of a document and why.", "stilltrue profile show refunds-2024", group=profile)
_add(check, "Check the settings of profiles.", "stilltrue profile check --config stilltrue.toml", group=profile)

model = _group("model", "Models that turn texts into vectors.")
_add(fetch, "Download one, checked.", "stilltrue model fetch minilm", group=model)
