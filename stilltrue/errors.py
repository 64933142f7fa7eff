"""Own the errors of the face, and how it answers a misspelt word.

    StilltrueError                 (mappings.errors)
    └── BadValueError
        ├── SettingsError          a settings file or variable that says what can not be
        └── FolderError            a folder that can not be used for what it was named for
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from mappings.errors import BadValueError


class SettingsError(BadValueError):
    """Refuse a settings file or variable."""

    code = "bad_setting"


class FolderError(BadValueError):
    """Refuse a folder that can not be used for what it was named for."""

    code = "bad_folder"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the remedy for a misspelt word: the nearest known one, or all of them where none is near."""
    names = sorted(known)
    nearest = difflib.get_close_matches(word, names, n=1)
    return f"did you mean {nearest[0]!r}" if nearest else "known: " + ", ".join(names)
