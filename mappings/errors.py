"""Own the base of every error that stilltrue raises, and the errors of the words themselves.

    StilltrueError            what went wrong, and the remedy
    └── BadValueError         a value that breaks its rule (also a ValueError)
        ├── MomentError       a text that is no moment
        ├── ProfileError      a number of time outside its range
        └── RecordError       a series record that this program can not read

Each other package draws the leaves that it raises in its own ``errors.py``.
"""

from __future__ import annotations

from typing import ClassVar


class StilltrueError(Exception):
    """Say what went wrong, with which value, and how to go on.

    Attributes:
        code: short stable name of the kind of failure, for programs.
        detail: one line for a person, with the value that was refused.
        remedy: what to do about it; may be empty.
    """

    code: ClassVar[str] = "error"

    def __init__(self, detail: str, *, remedy: str = "") -> None:
        super().__init__(detail if not remedy else f"{detail}; {remedy}")
        self.detail = detail
        self.remedy = remedy


class BadValueError(StilltrueError, ValueError):
    """Refuse a value that breaks its rule."""

    code = "bad_value"


class MomentError(BadValueError):
    """Refuse a text that is no moment."""

    code = "bad_moment"


class ProfileError(BadValueError):
    """Refuse a number of time that is outside its range."""

    code = "bad_profile"


class RecordError(BadValueError):
    """Refuse a series record that this program can not read."""

    code = "bad_record"
