"""Own `stilltrue history`: the time line of a document or series."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stilltrue.cli import options, output

if TYPE_CHECKING:
    from reranker.history import HistoryEntry


def history(
    name: Annotated[str, typer.Argument(metavar="DOC_OR_SERIES", help="Id of a document, or key of a series.")],
    as_of: options.AsOf = None,
    known_at: options.KnownAt = None,
    zone: options.Zone = None,
    principal: options.Principal = None,
    store: options.Store = None,
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Show the versions of a document or series, and how each stands; with --json one line a version."""
    with options.open_index(config, store, principal) as index:
        entries = index.history(name, as_of=as_of, known_at=known_at, zone=zone)
    for entry in entries:
        if as_json:
            output.print_json(entry.to_json())
        else:
            _print(entry)


def _print(entry: HistoryEntry) -> None:
    from mappings.interval import format_day

    known = format_day(entry.observed_at) if entry.observed_at is not None else "no date"
    codes = "".join(f" [{code}]" for code in entry.codes)
    output.print_line(f"{known:<10}  {entry.state:<13}  {output.strong(entry.title)} · {entry.doc_id}")
    output.print_line(f"            {entry.label} · version {entry.version_id}{codes}")
