"""Own `stilltrue verify`: whether everything derived follows from the truth."""

from __future__ import annotations

from typing import Annotated

import typer

from stilltrue.cli import options, output


def verify(
    repair: Annotated[bool, typer.Option("--repair", help="Bring what is derived to what the truth says.")] = False,
    store: options.Store = None,
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Compare everything derived with the truth, and list what differs. Exits with 1 where something does."""
    with options.open_index(config, store) as index:
        verdict = index.verify(repair=repair)
    if as_json:
        output.print_json(verdict)
    else:
        for difference in verdict.differences:
            output.print_line(f"{difference.part} {difference.key}: {difference.detail}")
        if verdict.mended:
            output.print_line(f"{verdict.mended} mended")
        if not verdict.differences:
            output.print_line("everything follows from the truth")
    if verdict.differences:
        raise typer.Exit(1)
