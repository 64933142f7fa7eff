"""Own the clock: the only place in the project that reads one.

An edge (the command line, `Index`) reads it once a call and hands the moment on as an argument.
"""

from __future__ import annotations

from datetime import UTC, datetime

from mappings.interval import from_datetime


def now() -> int:
    """Return the present moment, µs since 1970 UTC."""
    return from_datetime(datetime.now(UTC))  # noqa: TID251 - this is the clock
