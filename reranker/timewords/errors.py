"""Own what the reader of time refuses; a question itself is never refused, only left unread.

StilltrueError                  (mappings.errors)
└── BadValueError
    ├── LanguageError           a language without a table
    └── TimeSettingsError       a setting outside its range
"""

from __future__ import annotations

from mappings.errors import BadValueError


class LanguageError(BadValueError):
    """Refuse a language that has no table here."""

    code = "bad_language"


class TimeSettingsError(BadValueError):
    """Refuse a setting of the reader that is outside its range."""

    code = "bad_time_settings"
