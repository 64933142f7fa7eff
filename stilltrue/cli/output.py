"""Own how anything is printed: JSON for programs, colour only for a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from reranker.core.explanation import Explanation

# Down to the parts of relevance, weight and temporal; below stand the single words of the question.
DEEPEST = 2
# Of the sixteen colours that every theme of a terminal makes readable on its own ground.
STATE_COLOURS = {
    "VALID": "green",
    "TEMPORAL": "green",
    "UNDATED": "yellow",
    "NOT_YET_VALID": "cyan",
    "RETRACTED": "red",
}
# Where a snippet may begin, the line under a table's head that says nothing, a link, as much of a word as tells it.
SENTENCES = re.compile(r"(?<=[.!?])\s+|\s*\n\s*(?=[|#>*+-])|\n\s*\n")
TABLE_RULE = re.compile(r"^\s*\|(?:\s*:?-+:?\s*\|)+\s*$", re.MULTILINE)
LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
STEM = 4
# Wider lines are hard to read, narrower ones are no lines.
MOST_WIDE, MOST_NARROW = 110, 30


def print_json(value: Any) -> None:
    """Print one JSON document on one line."""
    import orjson

    typer.echo(orjson.dumps(value).decode())


def print_line(text: str = "") -> None:
    """Print a line; colours fall away where it does not go to a terminal, or where somebody wants none."""
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    typer.echo(text, color=False if plain else None)


def strong(text: str) -> str:
    """Set off what is read first."""
    return typer.style(text, bold=True)


def faint(text: str) -> str:
    """Set back what is read last."""
    return typer.style(text, dim=True)


def state(name: str, width: int = 0) -> str:
    """Colour the name of a state: what holds, what does not hold yet, what never held; the past stands back."""
    padded = f"{name:<{width}}"
    colour = STATE_COLOURS.get(name)
    return faint(padded) if colour is None else typer.style(padded, fg=colour)


def state_style(name: str) -> str:
    """Return the colour of a state as `print_block` takes it."""
    return STATE_COLOURS.get(name, "dim")


def is_terminal() -> bool:
    """Tell whether what is printed goes to a person."""
    return sys.stdout.isatty()


def print_block(pieces: Iterable[tuple[str, str]], indent: str, first: str | None = None) -> None:
    """Print styled text: on a terminal wrapped to its width behind an indent, elsewhere on one line.

    Args:
        pieces: (text, style of rich, or nothing).
        indent: before each line.
        first: in place of it before the first line.
    """
    first = indent if first is None else first
    if not is_terminal():
        print_line(first + "".join(text for text, _ in pieces))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    body = Text.assemble(*pieces)
    width = max(MOST_NARROW, min(console.width, MOST_WIDE) - len(indent))
    for number, line in enumerate(body.wrap(console, width)):
        line.rstrip()
        console.print(Text(indent if number else first) + line)


def emphasised(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text in pieces, what its author set in bold set in bold; the marks stay where it goes to no terminal."""
    if not is_terminal():
        yield text, ""
        return
    for number, piece in enumerate(text.split("**")):
        yield piece, "bold" if number % 2 else ""


def moment(instant: int) -> str:
    """Return a moment as the day that it ends, else to the second in UTC."""
    from mappings.interval import DAY, SECOND, format_day, format_instant

    if (instant + 1) % DAY == 0:
        return format_day(instant)
    return format_instant(instant // SECOND * SECOND) or "no date"


def first_moment(instant: int) -> str:
    """Return a moment as the day that it begins, else to the second in UTC."""
    from mappings.interval import DAY, format_day

    return format_day(instant) if instant % DAY == 0 else moment(instant)


def snippet(text: str, characters: int, question: str = "") -> str:
    """Return as much of a text as fits one line, cut between words, from its line nearest to the question."""
    plain = LINK.sub(r"\1", TABLE_RULE.sub("", text))
    line = " ".join(plain.split())
    if len(line) <= characters:
        return line
    parts = [" ".join(part.split()) for part in SENTENCES.split(plain) if part.strip()]
    stems = {word[:STEM] for word in re.findall(rf"\w{{{STEM},}}", question.lower())}
    shared = [sum(stem in part.lower() for stem in stems) for part in parts]
    at = shared.index(max(shared))
    rest = line if at == 0 or len(" ".join(parts[: at + 1])) <= characters else "… " + " ".join(parts[at:])
    return rest if len(rest) <= characters else rest[:characters].rsplit(" ", 1)[0] + " …"


def explanation(whole: Explanation, name: str = "score", depth: int = 0) -> Iterator[str]:
    """Yield an explanation as lines, parts indented below their whole, as deep as a person reads; JSON has it all."""
    reason = f" = {whole.formula}" if whole.formula else (f"  ({whole.note})" if whole.note else "")
    yield f"{'  ' * depth}{name} {whole.value:.6g}{reason}"
    if depth < DEEPEST:
        for part, detail in whole.details.items():
            yield from explanation(detail, part, depth + 1)
