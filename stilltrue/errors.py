"""Own the errors of the face, and what an error means for the one who typed the command.

    StilltrueError                 (mappings.errors)
    ├── SettingsError              a settings file or variable that says what can not be
    ├── SourceError                what was named as a source is none
    └── UnknownDocumentError       no document or series of that name, for this reader
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from mappings.errors import BadValueError, StilltrueError


class SettingsError(BadValueError):
    """Refuse a settings file or variable."""

    code = "bad_setting"


class SourceError(BadValueError):
    """Refuse what was named as a source of documents."""

    code = "bad_source"


class UnknownDocumentError(StilltrueError):
    """Report a document or series that is not there, or not for this reader."""

    code = "unknown_document"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the remedy for a misspelt word: the nearest known one, or all of them where none is near."""
    names = sorted(known)
    nearest = difflib.get_close_matches(word, names, n=1)
    return f"did you mean {nearest[0]!r}" if nearest else "known: " + ", ".join(names)
