"""Own what a document declares that stilltrue has no word for: kept as one text, equal for equal values.

It decides nothing and is no part of the content hash, so a change of it makes no version. Values are plain data; what
JSON has no word for (a date of TOML) becomes the text of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

# Levels of a value that are kept as such: deeper ones no program that prints JSON need follow.
_LEVELS: Final = 50


def metadata_text(values: Mapping[str, object]) -> str:
    """Return declared values as JSON with sorted keys; nothing for none. Deeper values are kept as their JSON text."""
    if not values:
        return ""
    return _written({key: value if _is_flat(value) else _written(value) for key, value in values.items()})


def metadata_values(text: str) -> dict[str, Any]:
    """Return the values that `metadata_text` wrote."""
    return dict(json.loads(text)) if text else {}


def _written(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_flat(value: object) -> bool:
    """Tell whether a value has no more than so many levels; never recurses."""
    level: list[object] = [value]
    for _ in range(_LEVELS):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list | tuple)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return True
    return False
