"""Own `stilltrue config`: the settings in force, and where each value came from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stilltrue.cli import options, output

if TYPE_CHECKING:
    from pathlib import Path

    from stilltrue.in_force import InForce


def config(
    config: options.Config = None,
    example: Annotated[
        bool, typer.Option("--example", help="Print a settings file that names every setting instead.")
    ] = False,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Show which settings are in force, and where each value came from; secrets are masked."""
    from stilltrue.in_force import example_file, settings_in_force

    if example:
        output.print_line(example_file().rstrip())
        return
    path, settings = settings_in_force(config)
    if as_json:
        output.print_json(_as_json(path, settings))
    else:
        _print(path, settings)


def _as_json(path: Path | None, settings: list[InForce]) -> dict[str, Any]:
    values = {
        each.key: {"value": each.value, "origin": each.origin, "place": each.place or None} for each in settings
    }
    return {"file": str(path) if path else None, "settings": values}


def _print(path: Path | None, settings: list[InForce]) -> None:
    output.print_line(f"settings file: {path}" if path else "settings file: none found, from here upwards")
    output.print_line()
    values = {each.key: _shown(each.value) for each in settings}
    wide = max(map(len, values)), max(map(len, values.values()))
    for each in settings:
        line = f"{each.key:<{wide[0]}}  {values[each.key]:<{wide[1]}}  {_origin(each)}"
        output.print_line(output.faint(line) if each.origin == "default" else line)


def _shown(value: Any) -> str:
    if value is None or value == []:
        return "unset"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _origin(setting: InForce) -> str:
    return setting.place if setting.origin == "environment" else setting.origin
