"""Own `stilltrue log`: what a question left out, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stilltrue.cli import options, output

if TYPE_CHECKING:
    from store.rejections import Rejections


def log(
    query_id: Annotated[str, typer.Argument(metavar="QUERY_ID", help="Of the question: query_id in `search --json`.")],
    principal: options.Principal = None,
    store: options.Store = None,
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Show what a question left out, and why; only to who asked it. With --json its counts, then a line a candidate."""
    from reranker.log import log_to_json

    with options.open_index(config, store, principal) as index:
        entry = index.log(query_id)
    if as_json:
        for line in log_to_json(entry):
            output.print_json(line)
    else:
        _print(entry)


def _print(entry: Rejections) -> None:
    moments = [f"asked {output.moment(entry.asked_at)}", f"as of {output.moment(entry.as_of)}"]
    if entry.known_at != entry.as_of:
        moments.append(f"as known on {output.moment(entry.known_at)}")
    output.print_line(output.faint(", ".join(moments)))
    counts = ", ".join(f"{number:,} {code}" for code, number in entry.counts)
    output.print_line(f"kept out: {counts}" if counts else "nothing with a word of the question was kept out")
    if not entry.rejected:
        if entry.counts:
            output.print_line(output.faint("a question with --explain names the candidates among them"))
        return
    output.print_line()
    output.print_line(output.strong("looked at one by one"))
    for (code, content_type), number in entry.by_type().items():
        output.print_line(f"{number:>5,}  {code} · {content_type}")
    output.print_line()
    width = max(len(each.code) for each in entry.rejected)
    for each in entry.rejected:
        output.print_line(f"{each.code:<{width}}  {each.doc_id} · {each.passage_id}")
