"""Own `stilltrue search`: the question, its moments and filters, and how an answer reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stilltrue.cli import options, output

if TYPE_CHECKING:
    from reranker.question import TimeReading
    from reranker.response import Hit, SearchResponse

# As much of a passage as tells whether it is worth opening.
SNIPPET_CHARACTERS = 160
# Of history, what is to come and what has no date a person sees what scores at least this part of the best.
BESIDE_SHARE = 0.6

Names = list[str] | None


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The question.")],
    as_of: options.AsOf = None,
    known_at: options.KnownAt = None,
    from_: Annotated[str | None, typer.Option("--from", metavar="MOMENT", help="Only what held after that.")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="MOMENT", help="Only what held up to then.")] = None,
    zone: options.Zone = None,
    no_time_words: Annotated[
        bool, typer.Option("--no-time-words", help="Leave the time in the question's words alone.")
    ] = False,
    principal: options.Principal = None,
    type_: Annotated[Names, typer.Option("--type", metavar="NAME", help="Only this content type.")] = None,
    kind: Annotated[Names, typer.Option("--kind", help="Only STATIC, VERSIONED or EVENT.")] = None,
    source: Annotated[Names, typer.Option("--source", metavar="NAME", help="Only this source.")] = None,
    series: Annotated[Names, typer.Option("--series", metavar="KEY", help="Only this series.")] = None,
    active: Annotated[bool, typer.Option("--active", help="Only events that are going on then.")] = False,
    top_k: Annotated[int, typer.Option("--top-k", help="Hits on a page.")] = 10,
    per_document: Annotated[int, typer.Option("--per-document", help="Passages of one document.")] = 3,
    offset: Annotated[int, typer.Option("--offset", help="Hits before the page.")] = 0,
    history: Annotated[bool, typer.Option("--history", help="Show also what no longer holds.")] = False,
    upcoming: Annotated[bool, typer.Option("--upcoming", help="Show also what does not hold yet.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show where each score came from, and what was dropped.")
    ] = False,
    scoring: Annotated[
        str | None, typer.Option("--scoring", metavar="NAME", help="default, additive or off.")
    ] = None,
    store: options.Store = None,
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Find the passages that hold on a day, best first."""
    filters: dict[str, Any] = {
        "content_type": type_ or (),
        "kind": [name.upper() for name in kind or ()],
        "source": source or (),
        "series": series or (),
        "active": active,
    }
    with options.open_index(config, store, principal) as index:
        answer = index.search(
            query,
            as_of=as_of,
            known_at=known_at,
            period=(from_, until),
            zone=zone,
            time_words=False if no_time_words else None,
            filters=filters,
            top_k=top_k,
            per_document=per_document,
            offset=offset,
            history=history,
            upcoming=upcoming,
            explain=explain,
            **({"scoring": scoring} if scoring else {}),
        )
    if as_json:
        output.print_json(answer.to_json())
    else:
        _print(answer, query)


def _print(answer: SearchResponse, question: str) -> None:
    as_of, known_at = output.moment(answer.as_of), output.moment(answer.known_at)
    output.print_line(output.faint(f"as of {as_of}" + (f", as known on {known_at}" if known_at != as_of else "")))
    for reading in _outermost(answer.time_read):
        output.print_line(output.faint(_said(reading)))
    for hit in answer.hits:
        _print_hit(hit, question, explain=answer.dropped is not None)
    if not answer.hits:
        output.print_line("nothing that holds then")
    for name, hits in (("history", answer.history), ("upcoming", answer.upcoming), ("undated", answer.undated)):
        _print_beside(name, hits, question, best=answer.hits[0].score if answer.hits else 0.0)
    _print_rest(answer)


def _print_beside(name: str, hits: tuple[Hit, ...], question: str, *, best: float) -> None:
    """Print a channel beside the hits: what matches about as well as they do; a person need not see the rest."""
    best = max([best, *(hit.score for hit in hits)])
    shown = [hit for hit in hits if hit.score >= best * BESIDE_SHARE]
    if shown:
        output.print_line()
        output.print_line(output.strong(name))
    for hit in shown:
        _print_hit(hit, question, explain=False)
    if shown and len(shown) < len(hits):
        output.print_line(output.faint(f"    and {len(hits) - len(shown)} that match far less"))


def _outermost(readings: Sequence[TimeReading]) -> list[TimeReading]:
    """Return the readings that lie in no other: “right now” says what “now” in it says."""

    def inside(one: TimeReading, other: TimeReading) -> bool:
        return one.span != other.span and other.span[0] <= one.span[0] and one.span[1] <= other.span[1]

    return [one for one in readings if not any(inside(one, other) for other in readings)]


def _said(reading: TimeReading) -> str:
    """Say what words of the question were taken for time."""
    if reading.unread:
        return f"left alone: “{reading.text}”, {reading.unread}"
    if reading.start is None and reading.until is None:
        return f"read: “{reading.text}” as a word of time ({reading.role})"
    first = None if reading.start is None else output.first_moment(reading.start)
    last = None if reading.until is None else output.moment(reading.until - 1)
    if reading.role == "as_of":
        return f"read: “{reading.text}” as of {last}"
    bounds = " ".join(part for part in (first and f"from {first}", last and f"to {last}") if part)
    return f"read: “{reading.text}” as {bounds}"


def _print_hit(hit: Hit, question: str, *, explain: bool) -> None:
    title = f"{hit.title} › {hit.section}" if hit.section else hit.title
    codes = "".join(f" [{code}]" for code in hit.codes)
    output.print_line()
    output.print_line(f"{hit.rank:>2}  {output.strong(title)}")
    rest = f" · {hit.content_type} · {hit.doc_id} · score {hit.score:.3f}{codes}"
    output.print_block([(hit.label, output.state_style(hit.state)), (rest, "dim")], "    ")
    output.print_block(output.emphasised(output.snippet(hit.text, SNIPPET_CHARACTERS, question)), "    ")
    if explain:
        for line in output.explanation(hit.explanation):
            output.print_line(output.faint(f"      {line}"))


def _print_rest(answer: SearchResponse) -> None:
    """Print what the answer is worth, and what is not in it."""
    output.print_line()
    confidence = answer.confidence
    nothing = "nothing here is about this; " if answer.verdict == "none" else ""
    words = f"{answer.verdict}: {nothing}confidence {confidence.value:.2f}, {confidence.tier}"
    output.print_line(output.faint(words))
    for conflict in answer.conflicts:
        sides = ", ".join(f"{side.value} ({side.doc_id})" for side in conflict.sides)
        output.print_line(f"sources disagree on {conflict.topic}: {sides}")
    if answer.rejected:
        kept_out = ", ".join(f"{number} {code}" for code, number in answer.rejected.items())
        output.print_block([(f"kept out: {kept_out}", "dim")], "  ", first="")
    for dropped in answer.dropped or ():
        output.print_block([(f"dropped {dropped.doc_id}: {dropped.sentence}", "dim")], "  ", first="")
