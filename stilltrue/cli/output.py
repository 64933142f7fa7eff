"""Own how anything is printed: JSON for programs, colour only for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from reranker.core.explanation import Explanation

# Down to the parts of relevance, weight and temporal; below stand the single words of the question.
DEEPEST = 2


def print_json(value: Any) -> None:
    """Print one JSON document on one line."""
    import orjson

    typer.echo(orjson.dumps(value).decode())


def print_line(text: str = "") -> None:
    """Print a line; colours fall away where it does not go to a terminal."""
    typer.echo(text)


def strong(text: str) -> str:
    """Set off what is read first."""
    return typer.style(text, bold=True)


def faint(text: str) -> str:
    """Set back what is read last."""
    return typer.style(text, dim=True)


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


def snippet(text: str, characters: int) -> str:
    """Return the beginning of a text on one line, cut between words."""
    line = " ".join(text.split())
    return line if len(line) <= characters else line[:characters].rsplit(" ", 1)[0] + " …"


def explanation(whole: Explanation, name: str = "score", depth: int = 0) -> Iterator[str]:
    """Yield an explanation as lines, parts indented below their whole, as deep as a person reads; JSON has it all."""
    reason = f" = {whole.formula}" if whole.formula else (f"  ({whole.note})" if whole.note else "")
    yield f"{'  ' * depth}{name} {whole.value:.6g}{reason}"
    if depth < DEEPEST:
        for part, detail in whole.details.items():
            yield from explanation(detail, part, depth + 1)
