"""Own `stilltrue withdraw`: a text that never held."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from stilltrue.cli import options, output

if TYPE_CHECKING:
    from indexer.ending import WithdrawalPlan


def withdraw(
    doc_id: Annotated[str, typer.Argument(metavar="DOC", help="Id of the document.")],
    version: Annotated[
        str | None, typer.Option("--version", metavar="ID", help="Which version, as `history` shows it.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="MOMENT", help="Or: the version in force then; default: --at.")
    ] = None,
    at: options.At = None,
    zone: options.Zone = None,
    reason: options.Reason = "",
    undo: Annotated[bool, typer.Option("--undo", help="Take the withdrawal back.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: options.Store = None,
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Say that a text never held: what it had replaced is in force again. Lists what that voids, and asks."""
    with options.open_index(config, store) as index:
        plan = index.withdraw(
            doc_id,
            version=version,
            as_of=as_of,
            at=at,
            zone=zone,
            reason=reason,
            undo=undo,
            confirm=None if yes else _ask,
        )
    if as_json:
        runs = [run.version_id for run in plan.runs] if plan else []
        output.print_json({"doc_id": doc_id, "undo": undo, "versions": runs})
    elif plan is None:
        output.print_line("nothing was changed")
    else:
        output.print_line(f"{doc_id}: {len(plan.runs)} {'restored' if undo else 'withdrawn'}")


def _ask(plan: WithdrawalPlan) -> bool:
    """List the versions that are meant on stderr and ask; without a terminal there is nobody to ask."""
    from mappings.interval import format_instant

    what = "restores" if plan.withdrawal.undo else "voids"
    sys.stderr.write(f"this {what} {len(plan.runs)} of {plan.doc_id}:\n")
    for run in plan.runs:
        since = "no date" if run.undated else format_instant(run.observed)
        sys.stderr.write(f"  {run.version_id}  {since}  {run.attributes_at(plan.withdrawal.known_at).title}\n")
    if not sys.stdin.isatty():
        raise typer.BadParameter("nobody is there to confirm it; add --yes", param_hint="--yes")
    return typer.confirm("go on?", err=True)
