"""Own which source an argument means."""

from __future__ import annotations

from pathlib import Path

from indexer.errors import SourceError
from indexer.sources.base import Source
from indexer.sources.jsonl import JsonLines

JSON_LINES = (".jsonl", ".jsonl.gz")


def open_source(argument: str | Path, *, name: str = "") -> Source:
    """Return the source that an argument names.

    Args:
        argument: path of a file of JSON lines, plain or gzipped.
        name: where its documents come from, for those that do not say it themselves.

    Raises:
        SourceError: nothing of that name, or of no known form.
    """
    path = Path(argument)
    if not path.name.endswith(JSON_LINES):
        raise SourceError(f"source must end in {' or '.join(JSON_LINES)}, got {str(argument)!r}")
    return JsonLines(path, source=name)
