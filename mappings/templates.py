"""Own the shape of an index on OpenSearch: composable templates, whose bodies lie as data in `mappings/index`.

A template is composed of `base`, which all indices share, and of the component of its part: passages (one index a
period), records, contents, control, rejections. Every vector mapping names the engine: the server's default is
another, and needs a native library that not every server has.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

# Raised with every change of a mapping that an older program could not read or write; kept in `_meta`.
VERSION: Final = 1
# The key of what is ours in the `_meta` of a mapping.
META: Final = "stilltrue"

PASSAGES: Final = "passages"
RECORDS: Final = "records"
CONTENTS: Final = "contents"
CONTROL: Final = "control"
REJECTIONS: Final = "rejections"
PARTS: Final = (CONTROL, RECORDS, CONTENTS, PASSAGES, REJECTIONS)

# Above the templates that people have for patterns such as `*`.
_PRIORITY: Final = 500

Body = Mapping[str, Any]


def index_name(name: str, part: str, *, generation: int = 1, label: str = "") -> str:
    """Return the name of an index; those that depend on chunking or embedding belong to a generation."""
    if part == PASSAGES:
        return f"{name}-g{generation}-{PASSAGES}-{label}"
    return f"{name}-g{generation}-{RECORDS}" if part == RECORDS else f"{name}-{part}"


def templates(name: str, *, generation: int, dimension: int) -> dict[str, Body]:
    """Return the templates of an index by the path that each is put to, in the order in which they must be put.

    Args:
        name: what the names of all indices start with.
        generation: whose passages and records they are for.
        dimension: of the vectors.
    """
    components = {part: _read(part) for part in ("base", *PARTS)}
    components[PASSAGES]["mappings"]["properties"]["vector"]["dimension"] = dimension
    components["base"]["mappings"]["_meta"] = {META: {"mapping": VERSION}}
    of_generation = (PASSAGES, RECORDS)
    names = {part: f"{name}-g{generation}-{part}" if part in of_generation else f"{name}-{part}" for part in components}
    bodies: dict[str, Body] = {
        f"/_component_template/{names[part]}": {"template": body} for part, body in components.items()
    }
    for part in PARTS:
        bodies[f"/_index_template/{names[part]}"] = {
            "index_patterns": [index_name(name, part, generation=generation, label="*")],
            "priority": _PRIORITY,
            "composed_of": [names["base"], names[part]],
        }
    return bodies


def _read(part: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(files("mappings").joinpath("index", f"{part}.json").read_text("utf-8"))
    return body
