"""Own `stilltrue ingest`: a source, what it reported, and the progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from stilltrue.cli import options, output

if TYPE_CHECKING:
    from indexer.report import IngestReport, Progress

# What a summary counts, in the order in which it is read; zeros of the later ones are left out.
ALWAYS = ("added", "unchanged")
WHERE_ANY = ("updated", "closed", "ended", "withdrawn", "undated", "mended")


def ingest(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A file of JSON lines, .jsonl or .jsonl.gz.")],
    name: Annotated[str, typer.Option("--source", metavar="NAME", help="Where the documents come from.")] = "",
    lenient: Annotated[bool, typer.Option("--lenient", help="Store also what has no usable date, flagged.")] = False,
    store: options.Store = None,
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Take documents in; what is in already changes nothing. Exits with 1 where a document was refused."""
    with options.open_index(config, store) as index, _progress() as progress:
        report = index.ingest(source, name=name, lenient=lenient or None, progress=progress)
    for refusal in report.refused:
        sys.stderr.write(f"refused {refusal}\n")
    if as_json:
        output.print_json(report)
    else:
        _print(report)
    if report.refused:
        raise typer.Exit(1)


def _print(report: IngestReport) -> None:
    counts = [(name, getattr(report, name)) for name in (*ALWAYS, *WHERE_ANY)]
    told = [f"{number:,} {name}" for name, number in counts if number or name in ALWAYS]
    if report.refused:
        told.append(f"{len(report.refused):,} refused")
    output.print_line(", ".join(told))
    for note in report.notes:
        output.print_line(output.faint(f"note {note.location}: {note.text}"))
    for finding in report.links:
        output.print_line(output.faint(f"note {finding}"))


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """Show how far it is, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as line:

        def show(report: IngestReport) -> None:
            line.update(f"{report.read:,} read, {report.added:,} added, {report.passages:,} passages")

        yield show
