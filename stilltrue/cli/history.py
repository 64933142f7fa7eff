"""Own `stilltrue history`: the time line of a document or series, and what changed between two days."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stilltrue.cli import options, output

if TYPE_CHECKING:
    from reranker.changes import DocumentChange, FieldChange
    from reranker.diff import Change
    from reranker.history import HistoryEntry

# Of a sentence that changed: what went, what came.
MARKS = {"removed": ("-", "red"), "added": ("+", "green")}
# What a person calls the fields that a diff compares.
FIELDS = {
    "content_type": "type",
    "valid_from": "holds from",
    "valid_until": "holds until",
    "observed_at": "known from",
}


def history(
    name: Annotated[str, typer.Argument(metavar="DOC_OR_SERIES", help="Id of a document, or key of a series.")],
    as_of: options.AsOf = None,
    known_at: options.KnownAt = None,
    diff: Annotated[
        tuple[str, str] | None, typer.Option("--diff", metavar="A B", help="Show what changed between two days.")
    ] = None,
    zone: options.Zone = None,
    principal: options.Principal = None,
    store: options.Store = None,
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Show the versions of a document or series, and how each stands; with --json one line a version or change."""
    if diff and as_of:
        raise typer.BadParameter("the two days say when; leave --as-of out", param_hint="--diff")
    with options.open_index(config, store, principal) as index:
        if diff:
            found = index.diff(name, *diff, known_at=known_at, zone=zone)
            print_changes(found, *diff, as_json=as_json)
        else:
            print_entries(index.history(name, as_of=as_of, known_at=known_at, zone=zone), as_json=as_json)


def print_entries(entries: tuple[HistoryEntry, ...], *, as_json: bool = False) -> None:
    """Print a time line, one version after the other."""
    from mappings.interval import format_day

    for entry in entries:
        if as_json:
            output.print_json(entry.to_json())
            continue
        known = format_day(entry.observed_at) if entry.observed_at is not None else "no date"
        flags = "".join(f" [{code}]" for code in entry.codes if str(code) != str(entry.state))
        state = output.state(entry.state, 13)
        output.print_line(f"{known:<10}  {state}  {output.strong(entry.title)} · {entry.doc_id}")
        output.print_line(f"            {entry.label} · version {entry.version_id}{flags}")


def print_changes(changes: tuple[DocumentChange, ...], before: str, after: str, *, as_json: bool = False) -> None:
    """Print what changed between two days, document by document."""
    if as_json:
        for item in (item for change in changes for item in change.to_json()):
            output.print_json(item)
        return
    if not changes:
        output.print_line("nothing was in force on either day; without --diff the time line shows what was when")
    width = max(len(before), len(after))
    for change in changes:
        old, new = (entry.doc_id if entry else "" for entry in (change.before, change.after))
        moved = f" (before: {old})" if old and new and old != new else ""
        output.print_line(output.strong(change.doc_id) + moved)
        output.print_line(f"  {before:<{width}}  {change.stands_before}")
        output.print_line(f"  {after:<{width}}  {change.stands_after}")
        _print_change(change)


def _print_change(change: DocumentChange) -> None:
    if change.same:
        output.print_line("  nothing changed")
    if change.fields:
        output.print_line()
    for field in change.fields:
        old, new = _shown(field)
        output.print_line(f"  {FIELDS.get(field.name, field.name):<13} {old} → {new}")
    section = None
    for sentence in change.sentences:
        if sentence.section != section:
            section = sentence.section
            output.print_line()
            if not section or section not in (sentence.before, sentence.after):  # a heading is its own sentence
                output.print_line(f"  {output.strong(section or change.title)}")
        _print_sentence(sentence)


def _shown(field: FieldChange) -> tuple[str, str]:
    """Return both values as a person reads them: moments of different days as days."""
    old, new = field.before or "none", field.after or "none"
    if field.is_instant and old[:10] != new[:10]:
        return old[:10], new[:10]
    return old, new


def _print_sentence(change: Change) -> None:
    for operation, text in (("removed", change.before), ("added", change.after)):
        if not text:
            continue
        sign, colour = MARKS[operation]
        pieces = [(text, colour)]
        if change.pieces:
            mine = [piece for piece in change.pieces if piece.operation in ("same", operation)]
            pieces = [(piece.text, "" if piece.operation == "same" else f"bold {colour}") for piece in mine]
        output.print_block(pieces, "    ", first=f"  {sign} ")
    for value in change.values:
        output.print_line(output.faint(f"    {value.kind}: {value.before or 'none'} → {value.after or 'none'}"))
