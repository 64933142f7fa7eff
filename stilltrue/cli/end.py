"""Own `stilltrue end`: a document that is no more."""

from __future__ import annotations

from typing import Annotated

import typer

from stilltrue.cli import options, output


def end(
    doc_id: Annotated[str, typer.Argument(metavar="DOC", help="Id of the document.")],
    at: options.At = None,
    zone: options.Zone = None,
    reason: options.Reason = "",
    store: options.Store = None,
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Say that a document has ended: all its versions are closed from then on, and none comes back."""
    with options.open_index(config, store) as index:
        report = index.end(doc_id, at=at, zone=zone, reason=reason)
    if as_json:
        output.print_json({"doc_id": doc_id, "ended": report.ended})
    else:
        output.print_line(f"{doc_id} has ended" if report.ended else f"{doc_id} had ended already")
