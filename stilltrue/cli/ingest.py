"""Own `stilltrue ingest`: a source, what it reported, and the progress on a terminal."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from stilltrue.cli import options, output

if TYPE_CHECKING:
    from indexer.preview import Preview
    from indexer.report import IngestReport, Progress
    from indexer.sources.files import Skip
    from stilltrue.api import IngestOptions

# What a summary counts, in the order in which it is read; zeros of the later ones are left out.
ALWAYS = ("added", "unchanged")
# Why files are passed over that every folder holds; they are counted, the others are named.
COUNTED = ("not a document", "hidden", "ignored")
# Where one fault repeats (a key in every page), more lines say nothing new.
MOST_REFUSALS = 20
# Of more notes alike the first is shown, with their number.
MOST_ALIKE = 5
# What differs between notes that say the same.
NUMBER = re.compile(r"\bU\+[0-9A-F]+|\d+")
WHERE_ANY = ("updated", "closed", "ended", "withdrawn", "undated", "mended")


def ingest(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="A folder, git+PATH[@BRANCH], or a file .jsonl or .jsonl.gz.")
    ],
    name: Annotated[str, typer.Option("--source", metavar="NAME", help="Where the documents come from.")] = "",
    form: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="folder, git or jsonl; else what it looks like.")
    ] = None,
    content_type: Annotated[
        str | None, typer.Option("--content-type", metavar="TYPE", help="What documents are that nothing else tells.")
    ] = None,
    date_from: Annotated[
        str | None,
        typer.Option("--date-from", metavar="git|mtime|DATE", help="Date of a folder's files that declare none."),
    ] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Store also what has no usable date, flagged.")] = False,
    keep_missing: Annotated[
        bool, typer.Option("--keep-missing", help="Leave alone what is gone from the folder.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="End even more than half of a folder; read a history from its beginning.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be stored, and why.")] = False,
    store: options.Store = None,
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Take documents in; what is in already changes nothing. Exits with 1 where a document was refused."""
    how: IngestOptions = {
        "format": form,
        "date_from": date_from,
        "content_type": content_type,
        "keep_missing": keep_missing,
        "force": force,
    }
    with options.open_index(config, store) as index:
        if dry_run:
            refused = _preview(index.preview(source, name=name, lenient=lenient or None, **how), as_json=as_json)
        else:
            with _progress() as progress:
                report = index.ingest(source, name=name, lenient=lenient or None, progress=progress, **how)
            refused = _tell(report, as_json=as_json)
    if refused:
        raise typer.Exit(1)


def _tell(report: IngestReport, *, as_json: bool) -> bool:
    """Print what became of a source; tell whether something was refused."""
    for line in _refused(report):
        sys.stderr.write(line + "\n")
    if as_json:
        output.print_json(report)
    else:
        _print(report)
    return bool(report.refused)


def _refused(report: IngestReport) -> Iterator[str]:
    """Yield what was refused; of one kind of fault as many as a person reads, the rest by number."""
    seen = Counter[str]()
    for refusal in report.refused:
        seen[refusal.code] += 1
        if seen[refusal.code] <= MOST_REFUSALS:
            yield f"refused {refusal} [{refusal.code}]"
    for code, number in seen.items():
        if number > MOST_REFUSALS:
            yield f"refused {number - MOST_REFUSALS:,} more [{code}]; --json lists all"


def _preview(items: Iterator[Preview], *, as_json: bool) -> bool:
    """Print what would be stored, one item after the other; tell whether something would be refused."""
    refused = False
    for item in items:
        refused |= item.action == "refuse"
        if as_json:
            output.print_json(item.to_json())
            continue
        dates = f" · {item.facts['observed_at'] or 'undated'}" if item.action == "store" else ""
        output.print_line(f"{item.action:7}{item.doc_id or item.location}{dates}")
        output.print_line(output.faint(f"       {'; '.join(reason for reason in item.reasons if reason)}"))
    return refused


def _print(report: IngestReport) -> None:
    counts = [(name, getattr(report, name)) for name in (*ALWAYS, *WHERE_ANY)]
    told = [f"{number:,} {name}" for name, number in counts if number or name in ALWAYS]
    if report.refused:
        told.append(f"{len(report.refused):,} refused")
    output.print_line(", ".join(told))
    notes = [(NUMBER.sub("", note.text), f"note {note.location}: {note.text}") for note in report.notes]
    links = [(str(finding.fault), f"note {finding}") for finding in report.links]
    odd = [(_alike(skip), f"passed over {skip}") for skip in report.skipped if skip.reason not in COUNTED]
    for line in (*_few(notes), *_few(links), *_few(odd), *_passed_over(report)):
        output.print_line(output.faint(line))


def _alike(skip: Skip) -> str:
    """Return what makes files that were passed over alike; what is said about a history is said once."""
    return str(skip) if skip.reason == "history" else str(skip.reason)


def _few(lines: list[tuple[str, str]]) -> Iterator[str]:
    """Yield lines, of more than a few alike the first with their number.

    Args:
        lines: (what makes them alike, line).
    """
    left = Counter(alike for alike, _ in lines)
    for alike, line in lines:
        if left[alike] > MOST_ALIKE:
            yield f"{line} (and {left[alike] - 1:,} alike; --json lists all)"
            left[alike] = 0
        elif left[alike]:
            yield line


def _passed_over(report: IngestReport) -> Iterator[str]:
    """Yield the number of files that were passed over as every folder has them."""
    common = Counter(str(skip.reason) for skip in report.skipped if skip.reason in COUNTED)
    if common:
        yield "passed over " + ", ".join(f"{number:,} {reason}" for reason, number in common.items())


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
