"""Own the errors of the face, and how it answers a misspelt word.

    StilltrueError                 (mappings.errors)
    └── BadValueError
        ├── SettingsError          a settings file or variable that says what can not be
        ├── FolderError            a folder that can not be used for what it was named for
        └── UnknownModelError      a model that can not be fetched because there is none of that name
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from mappings.errors import BadValueError

# Comparing a name with every other takes a while; among more only those that end alike are looked at.
MOST_COMPARED = 5_000


class SettingsError(BadValueError):
    """Refuse a settings file or variable."""

    code = "bad_setting"


class FolderError(BadValueError):
    """Refuse a folder that can not be used for what it was named for."""

    code = "bad_folder"


class UnknownModelError(BadValueError):
    """Refuse to fetch a model that is not known."""

    code = "unknown_model"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the remedy for a misspelt word: the nearest known one, or all of them where none is near."""
    names = sorted(known)
    nearest = difflib.get_close_matches(word, names, n=1)
    return f"did you mean {nearest[0]!r}" if nearest else "known: " + ", ".join(names)


def nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that a misspelt one is nearest to: those that end alike first, as paths do."""
    names = list(known)
    last = name.rsplit("/", 1)[-1]
    alike = [other for other in names if last and other.rsplit("/", 1)[-1].split("#")[0] == last]
    pool = names if len(names) <= MOST_COMPARED else alike
    ranked = [*difflib.get_close_matches(name, alike, n=3, cutoff=0.0), *difflib.get_close_matches(name, pool, n=3)]
    return list(dict.fromkeys(ranked))
