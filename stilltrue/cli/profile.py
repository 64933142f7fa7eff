"""Own `stilltrue profile show` and `profile check`: the numbers of time, where they come from, what is odd."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from stilltrue.cli import options, output

if TYPE_CHECKING:
    from stilltrue.profiles import Chosen, Numbers, ProfilesInForce

# Heads of the columns: what fits over a number.
HEADS = {
    "half_life_days": "half-life",
    "w_present": "w_present",
    "w_silent": "w_silent",
    "floor_static": "floor static",
    "floor_versioned": "versioned",
    "events_are": "events are",
    "ttl_days": "to live",
    "boost_under_way": "under way",
    "boost_in_period": "in period",
    "max_age_days": "max age",
    "weak": "weak",
}


def show(
    name: Annotated[
        str | None, typer.Argument(metavar="DOC", help="Id of a document: which numbers hold for it, and why.")
    ] = None,
    as_of: options.AsOf = None,
    known_at: options.KnownAt = None,
    zone: options.Zone = None,
    principal: options.Principal = None,
    store: options.Store = None,
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Show the numbers of time of every content type, or those of a document with what chose them. Days are days."""
    from stilltrue.profiles import chosen_for, profiles_in_force

    profiles = profiles_in_force(config)
    if name is None:
        if as_json:
            output.print_json(_as_json(profiles))
        else:
            _print_table(profiles)
        return
    with options.open_index(config, store, principal) as index:
        entries = index.history(name, as_of=as_of, known_at=known_at, zone=zone)
    for chosen in chosen_for(entries, profiles):
        if as_json:
            output.print_json(chosen.to_json())
        else:
            _print_chosen(chosen)


def check(
    config: options.Config = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Check the settings, and say what of the profiles is allowed and hardly meant. Exits with 1 where something is."""
    from stilltrue.profiles import odd_profiles, profiles_in_force
    from stilltrue.settings import load_settings

    profiles = profiles_in_force(config)
    findings = list(odd_profiles(load_settings(config)))
    path = str(profiles.path) if profiles.path else None
    if as_json:
        output.print_json({"file": path, "profiles": len(profiles.numbers), "findings": findings})
    else:
        for finding in findings:
            output.print_line(finding)
        if not findings:
            output.print_line(f"{len(profiles.numbers)} content types are in order; settings file: {path or 'none'}")
    if findings:
        raise typer.Exit(1)


def _as_json(profiles: ProfilesInForce) -> dict[str, Any]:
    numbers = {
        content_type: {key: number.to_json() for key, number in rows.items()}
        for content_type, rows in profiles.numbers.items()
    }
    return {"file": str(profiles.path) if profiles.path else None, "profiles": numbers}


def _print_table(profiles: ProfilesInForce) -> None:
    """Print a row a content type; what is set has a star, and its origin below."""
    head = ["content type", *(HEADS[key] for key in HEADS)]
    rows = [
        [content_type, *(_shown(numbers[key].value) + ("*" if numbers[key].place else "") for key in HEADS)]
        for content_type, numbers in profiles.numbers.items()
    ]
    wide = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    for row in (head, *rows):
        cells = [row[0].ljust(wide[0]), *(cell.rjust(width) for cell, width in zip(row[1:], wide[1:], strict=True))]
        output.print_line("  ".join(cells))
    output.print_line()
    for content_type, numbers in profiles.numbers.items():
        for key, number in numbers.items():
            if number.place:
                output.print_line(f"* {content_type}.{key} = {_shown(number.value)}  {number.place}")
    output.print_line(output.faint("any other content type has the numbers of reference"))


def _print_chosen(chosen: Chosen) -> None:
    output.print_line(f"{output.strong(chosen.doc_id)} · {chosen.content_type} · {chosen.kind}")
    for reason in chosen.reasons:
        output.print_line(f"  {reason}")
    lacking = "" if chosen.profile == chosen.content_type else f": {chosen.content_type} has none of its own"
    output.print_line(f"  numbers of {chosen.profile}{lacking}")
    _print_numbers(chosen.numbers)


def _print_numbers(numbers: Numbers) -> None:
    values = {key: _shown(number.value) for key, number in numbers.items()}
    wide = max(map(len, values)), max(map(len, values.values()))
    for key, number in numbers.items():
        line = f"    {key:<{wide[0]}}  {values[key]:<{wide[1]}}  {number.place or number.origin}"
        output.print_line(line if number.place else output.faint(line))


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:g}" if isinstance(value, int | float) else str(value)
