"""Own the account of the settings: what there is, what is in force, and where each value came from.

The table of the README and `stilltrue.example.toml` are made here from the models, so that they can not be wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import EnvSettingsSource

from mappings.profile import DEFAULT_PROFILES
from stilltrue.settings import PREFIX, ProfileSettings, Settings, find_config, load_settings, read_file

MASK: Final = "********"
# The content type that the example sets: the one that most collections hold.
EXAMPLE_TYPE: Final = "policy"
# What the example gives for spans of time that are unset.
EXAMPLE_DAYS: Final = 365
# What stands in the example for settings that are lists of tables; a test reads them.
_EXAMPLES: Final[Mapping[str, str]] = {
    "ingest.series": '[{ path = "(?P<series>.*)/v\\\\d+(\\\\.\\\\d+)*/(?P<page>.*)" }]',
    "ingest.types": '[{ path = "runbooks/**", type = "runbook" }, { heading = "outage", type = "incident" }]',
    "ingest.encoding": '"latin-1"',
    "ingest.date_order": '"day_first"',
    "embedder.folder": '"models/minilm"',
    "search.event_floor": "0.08",
    "time.fiscal_start_month": "4",
    "time.date_order": '"DMY"',
}
_IN_URL: Final = re.compile(r"(://[^/@:\s]*):[^/@\s]*@")


@dataclass(frozen=True, slots=True)
class Known:
    """A setting that there is.

    Attributes:
        key: `group.key`.
        default: None: unset.
    """

    key: str
    default: Any
    meaning: str

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"{PREFIX}{self.key.replace('.', '__')}".upper()


@dataclass(frozen=True, slots=True)
class InForce:
    """A setting as it is.

    Attributes:
        value: secrets masked.
        origin: `default`, `file` or `environment`.
        place: the file or the variable that says it; empty for a default.
    """

    key: str
    value: Any
    origin: str
    place: str


def known_settings() -> Iterator[Known]:
    """Yield every setting that has a fixed name, in the order of the groups."""
    for group, field in Settings.model_fields.items():
        for key, setting in _keys(field):
            default = setting.get_default(call_default_factory=True)
            yield Known(f"{group}.{key}", None if default == () else default, setting.description or "")


def settings_in_force(config: Path | None = None, *, folder: Path | None = None) -> tuple[Path | None, list[InForce]]:
    """Return the settings file that was found, and every setting with where its value came from.

    Args:
        config: as for `load_settings`.
        folder: as for `load_settings`.

    Raises:
        SettingsError: as `load_settings` does; nothing that can not be in force is shown.
    """
    settings = load_settings(config, folder=folder)
    path = find_config(config, folder or Path.cwd())
    sources = {"environment": EnvSettingsSource(Settings)(), "file": read_file(path) if path else {}}
    return path, [_traced(key, value, sources, path) for key, value in _values(settings)]


def _values(settings: Settings) -> Iterator[tuple[str, Any]]:
    for group in Settings.model_fields:
        value = getattr(settings, group)
        if isinstance(value, BaseModel):
            yield from ((f"{group}.{key}", each) for key, each in value)
            continue
        for name, numbers in sorted(value.items()):  # tables by a name of the user: profile.TYPE
            yield from ((f"{group}.{name}.{key}", each) for key, each in numbers if each is not None)


def _traced(key: str, value: Any, sources: Mapping[str, Mapping[str, Any]], path: Path | None) -> InForce:
    places = {"environment": f"{PREFIX}{key.replace('.', '__')}".upper(), "file": str(path)}
    origin = next((name for name, said in sources.items() if _says(said, key.split("."))), "default")
    return InForce(key, _masked(_plain(value)), origin, places.get(origin, ""))


def _says(said: Any, way: list[str]) -> bool:
    for name in way:
        if not isinstance(said, Mapping) or name not in said:
            return False
        said = said[name]
    return True


def _plain(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return MASK
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def _masked(value: Any) -> Any:
    return _IN_URL.sub(rf"\1:{MASK}@", value) if isinstance(value, str) else value


def _keys(field: FieldInfo) -> list[tuple[str, FieldInfo]]:
    return list(getattr(field.annotation, "model_fields", {}).items())


def markdown_table() -> str:
    """Return the table of settings as it stands in the README."""
    rows = [f"| `{each.key}` | {_cell(each.default)} | {each.meaning} |" for each in known_settings()]
    return "\n".join(["| key | default | means |", "| --- | --- | --- |", *rows])


def _cell(default: Any) -> str:
    if default is None:
        return "unset"
    return f"`{str(default).lower() if isinstance(default, bool) else _plain(default)}`"


def example_file() -> str:
    """Return a settings file that names every setting, at its default and commented out: what is unset holds."""
    lines = [
        "# Every setting of stilltrue, at its default. Take the mark away from what you change.",
        f"# Each is also a variable: [search] depth is {PREFIX}SEARCH__DEPTH. Relative paths begin at this file.",
    ]
    group = ""
    for each in known_settings():
        table, key = each.key.split(".")
        if table != group:
            lines += ["", f"[{table}]"]
            group = table
        lines += [f"# {each.meaning.replace('`', '')}", f"#{key} = {_example(each)}"]
    return "\n".join([*lines, "", *_example_profile()]) + "\n"


def _example_profile() -> Iterator[str]:
    yield "# The numbers of time of a content type: here those of policy. What is not set keeps its default."
    yield f"[profile.{EXAMPLE_TYPE}]"
    profile = DEFAULT_PROFILES[EXAMPLE_TYPE]
    for key, field in ProfileSettings.model_fields.items():
        value = getattr(profile, key)
        shown = f"{_toml(EXAMPLE_DAYS)}  # unset by default" if value is None else _toml(value)
        yield f"# {field.description or ''}".replace("`", "")
        yield f"#{key} = {shown}"


def _example(known: Known) -> str:
    return _toml(known.default) if known.default is not None else f"{_EXAMPLES[known.key]}  # unset by default"


def _toml(value: Any) -> str:
    return json.dumps(_plain(value))
