"""Own `stilltrue status`: what lies in an index, and how much of it."""

from __future__ import annotations

from stilltrue.cli import options, output


def status(
    store: options.Store = None,
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Show what lies in the index, and how much of it."""
    with options.open_index(config, store) as index:
        facts = index.status().to_json()
    if as_json:
        output.print_json(facts)
        return
    for name, value in facts.items():
        output.print_line(f"{name.replace('_', ' '):<17} {'none' if value is None else value}")
