"""Own the options that several commands share, and how a command opens the index that they name."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from stilltrue.api import Index
    from stilltrue.settings import Settings

Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Debug: TypeAlias = Annotated[bool, typer.Option("--debug", help="Add the traceback to an error.")]
Config: TypeAlias = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Settings file; default: the nearest stilltrue.toml upwards."),
]
Store: TypeAlias = Annotated[
    str | None, typer.Option("--store", metavar="URL", help="Where the index lies; default: [store] url.")
]
Principal: TypeAlias = Annotated[
    list[str] | None, typer.Option("--principal", metavar="NAME", help="Who is asking; may be repeated.")
]
Zone: TypeAlias = Annotated[
    str | None, typer.Option("--zone", metavar="ZONE", help="Zone of the days you type; default: [ingest] zone.")
]
AsOf: TypeAlias = Annotated[
    str | None,
    typer.Option("--as-of", metavar="MOMENT", help="The day the answer must hold for: 2024-05, yesterday, -30d."),
]
KnownAt: TypeAlias = Annotated[
    str | None,
    typer.Option("--known-at", metavar="MOMENT", help="What was known by then; default: --as-of, not after now."),
]
At: TypeAlias = Annotated[
    str | None, typer.Option("--at", metavar="MOMENT", help="When; default: now.", show_default=False)
]
Reason: TypeAlias = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why, in a few words; kept.")]


@dataclass(frozen=True, slots=True)
class Desk:
    """Who runs a command, where it is no person at a shell: its settings, and what it takes for now (µs)."""

    settings: Settings
    clock: Callable[[], int]


# Set while the demo runs commands as if they were typed on its day.
DESK: ContextVar[Desk | None] = ContextVar("desk", default=None)


def desk(config: Path | None) -> Desk:
    """Return whose settings and clock a command runs with: the demo's, or those of the shell."""
    from stilltrue.clock import now
    from stilltrue.settings import load_settings

    return DESK.get() or Desk(load_settings(config), now)


def open_index(config: Path | None, store: str | None, principals: list[str] | None = None) -> Index:
    """Open the index that the options and the settings name."""
    from stilltrue.api import Index

    mine = desk(config)
    return Index(store, principals=principals or (), settings=mine.settings, clock=mine.clock)
