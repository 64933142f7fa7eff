"""Own how anything is printed: JSON for programs, colour only for a terminal."""

from __future__ import annotations

import sys
from typing import Any

import typer


def print_json(value: Any) -> None:
    """Print one JSON document on one line."""
    import orjson

    sys.stdout.write(orjson.dumps(value).decode() + "\n")


def print_line(text: str = "") -> None:
    """Print a line; colours fall away where it does not go to a terminal."""
    typer.echo(text)


def strong(text: str) -> str:
    """Set off what is read first."""
    return typer.style(text, bold=True)


def faint(text: str) -> str:
    """Set back what is read last."""
    return typer.style(text, dim=True)
