"""Own the settings as a whole: the groups put together, and where they are read from.

One file, ``stilltrue.toml``, and over it the environment, ``STILLTRUE_GROUP__KEY``. Read once, at an edge;
plain values are handed on. A key or group that is not known is refused with the nearest one that is.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings import SettingsError as PydanticSettingsError

from indexer.settings import IngestSettings
from mappings.profile import DEFAULT_PROFILES, Profile, profile_for
from reranker.core.scoring import Scoring
from reranker.settings import DEFAULT_DEPTH, DEFAULT_LOG, MOST_DEPTH, MOST_LOG
from reranker.settings import SearchSettings as Looking
from stilltrue.errors import SettingsError, did_you_mean

if TYPE_CHECKING:
    from reranker.timewords import TimeSettings as ReaderSettings

FILE_NAME = "stilltrue.toml"
PREFIX = "STILLTRUE_"
# Names with our prefix that are no settings: where the file lies.
NOT_SETTINGS = ("STILLTRUE_CONFIG",)


class Group(BaseModel):
    """A table of the settings file: frozen, and strict about its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class StoreSettings(Group):
    """Where the index lies."""

    url: str = Field(
        "embedded:.stilltrue",
        description="where the index lies: `embedded:PATH` or a plain path, seen from the settings file",
    )


class EmbedderSettings(Group):
    """What turns text into vectors."""

    name: str = Field("hashing", description="`hashing` (likeness of word parts) or `minilm` (of meaning)")
    folder: Path | None = Field(
        None, description="where the model of `minilm` lies; unset: where `stilltrue model fetch minilm` puts it"
    )


class SearchSettings(Group):
    """How deep a search looks, and what it lets in."""

    depth: int = Field(
        DEFAULT_DEPTH, ge=1, le=MOST_DEPTH, description=f"candidates that each leg brings, at most {MOST_DEPTH}"
    )
    relevance_gate: float = Field(
        Looking().relevance_gate, ge=0, le=1, description="least likeness of a hit to the question, 0 to 1"
    )

    event_floor: float | None = Field(
        None, ge=0, le=1, description="least relevance of a lifted event; unset: a share of the answer threshold"
    )
    scoring: Scoring = Field(Scoring.DEFAULT, description="formula of the score: `default`, `additive` or `off`")
    rejection_log: int = Field(
        DEFAULT_LOG, ge=0, le=MOST_LOG, description="newest questions that `stilltrue log` knows; 0: none are kept"
    )

    def limits(self) -> Looking:
        """Return them as the search takes them."""
        return Looking(
            depth=self.depth,
            relevance_gate=self.relevance_gate,
            event_floor=self.event_floor,
            rejection_log=self.rejection_log,
        )


class TimeSettings(Group):
    """How the time in a question is read, where its words do not say."""

    words: bool = Field(True, description="whether the words of a question may say when")
    language: Literal["en", "de"] = Field("en", description="of the words: `en` or `de`")
    week_start: int = Field(0, ge=0, le=6, description="first day of the week, 0 is Monday")
    fiscal_start_month: int | None = Field(
        None, ge=1, le=12, description="month in which the fiscal year starts; unset: fiscal years are left alone"
    )
    date_order: Literal["DMY", "MDY"] | None = Field(
        None, description="how 01/02/2016 is meant, `DMY` or `MDY`; unset: left alone"
    )
    hemisphere: Literal["north", "south"] = Field("north", description="whose seasons are meant")

    def reader(self) -> ReaderSettings:
        """Return them as the reader of questions takes them."""
        from reranker.timewords import TimeSettings as ReaderSettings

        return ReaderSettings(
            week_start=self.week_start,
            fiscal_start_month=self.fiscal_start_month,
            date_order=self.date_order,
            hemisphere=self.hemisphere,
        )


class ProfileSettings(Group):
    """The numbers of time of one content type; what is not set keeps its default."""

    half_life_days: float | None = Field(None, gt=0, description="age at which freshness has halved")
    w_present: float | None = Field(None, ge=0, lt=1, description="weight of time where the question is about now")
    w_silent: float | None = Field(None, ge=0, lt=1, description="weight of time where it says nothing of it")
    floor_static: float | None = Field(None, ge=0, lt=1, description="least freshness of what does not change")
    floor_versioned: float | None = Field(None, ge=0, lt=1, description="least freshness of what is replaced")
    events_are: Literal["notice", "chronicle"] | None = Field(
        None, description="`notice`: gone after its end, `chronicle`: a record that stays"
    )
    ttl_days: float | None = Field(None, gt=0, description="end of a notice that declares none, days after its start")
    boost_under_way: float | None = Field(None, ge=1, description="lift of an event that is going on")
    boost_in_period: float | None = Field(None, ge=1, description="lift of an event in the period asked for")
    max_age_days: float | None = Field(None, gt=0, description="older documents are out although nothing replaced them")
    weak: Literal["caveat", "pair"] | None = Field(
        None, description="`caveat`: an old document is served with it, `pair`: only beside a fresher source"
    )


class Settings(BaseSettings):
    """All settings in force. Build it with `load_settings`."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix=PREFIX, env_nested_delimiter="__"
    )

    store: StoreSettings = StoreSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    ingest: IngestSettings = IngestSettings()
    search: SearchSettings = SearchSettings()
    time: TimeSettings = TimeSettings()
    profile: dict[str, ProfileSettings] = Field(default_factory=dict)

    def profiles(self) -> dict[str, Profile]:
        """Return the numbers of time of every content type: the defaults, and over them what is set."""
        profiles = dict(DEFAULT_PROFILES)
        for content_type, numbers in self.profile.items():
            changed = numbers.model_dump(exclude_none=True)
            profiles[content_type] = replace(profile_for(content_type), **changed)
        return profiles

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let the environment win over the file, and nothing else have a say."""
        return env_settings, init_settings


def load_settings(config: str | Path | None = None, *, folder: Path | None = None) -> Settings:
    """Read the settings in force.

    Args:
        config: the settings file; None: ``STILLTRUE_CONFIG``, else the nearest ``stilltrue.toml``.
        folder: where the way upwards to the nearest file starts; None: the working directory.

    Raises:
        SettingsError: a file that can not be read, an unknown key or group, a value out of its range.
    """
    start = folder or Path.cwd()
    path = find_config(config, start)
    values = read_file(path) if path else {}
    _check_environment(os.environ)
    _place(values, path.parent if path else start)
    try:
        return Settings(**values)
    except ValidationError as error:
        raise _refusal(error) from error
    except PydanticSettingsError as error:
        raise SettingsError(f"environment {PREFIX}*: {error}", remedy="tables are written as JSON") from error


def find_config(config: str | Path | None, start: Path) -> Path | None:
    """Return the settings file: the one named, else the nearest upwards of `start`, else None."""
    named = config or os.environ.get("STILLTRUE_CONFIG")
    if named:
        return Path(named)
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
    return None


def read_file(path: Path) -> dict[str, Any]:
    """Return what a settings file says, unchecked. Raises SettingsError where it can not be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"config {str(path)!r} can not be read: {error.strerror}") from error
    except ValueError as error:  # not UTF-8, or not TOML
        raise SettingsError(f"config {str(path)!r} is no TOML: {error}") from error


def _place(values: dict[str, Any], folder: Path) -> None:
    """Take relative paths from the folder of the settings file, not from where one stands."""
    store = values.setdefault("store", {})
    if isinstance(store, dict):
        store["url"] = _placed_url(store.get("url", StoreSettings().url), folder)
    embedder = values.get("embedder")
    if isinstance(embedder, dict) and isinstance(embedder.get("folder"), str):
        embedder["folder"] = folder / embedder["folder"]


def _placed_url(url: object, folder: Path) -> object:
    if not isinstance(url, str):
        return url
    scheme, colon, path = url.partition(":")
    if scheme == "embedded" and colon:
        return f"embedded:{folder / path}"
    return url if colon else str(folder / url)


def _check_environment(environment: Mapping[str, str]) -> None:
    """Refuse a variable with our prefix whose group is unknown, or that nearly is a setting."""
    groups = list(Settings.model_fields)
    for name in sorted(environment):
        if not name.startswith(PREFIX) or name in NOT_SETTINGS:
            continue
        group, delimiter, _ = name.removeprefix(PREFIX).lower().partition("__")
        if delimiter and group not in groups:
            detail = f"environment {name}: group {group!r} is not known"
            raise SettingsError(detail, remedy=did_you_mean(group, groups))
        near = difflib.get_close_matches(name, setting_variables(), n=1, cutoff=0.9)
        if not delimiter and group not in groups and near:
            raise SettingsError(f"environment {name} is no setting", remedy=f"did you mean {near[0]!r}")


def setting_variables() -> list[str]:
    """Return the environment variable of every setting that has a fixed name."""
    return [
        f"{PREFIX}{group}__{key}".upper()
        for group, field in Settings.model_fields.items()
        for key in getattr(field.annotation, "model_fields", ())
    ]


def _refusal(error: ValidationError) -> SettingsError:
    """Say the first thing that is wrong in one line: the key, the value, the remedy."""
    first = error.errors(include_url=False)[0]
    path = [str(part) for part in first["loc"]]
    name = ".".join(path)
    if first["type"] != "extra_forbidden":
        return SettingsError(f"setting {name}: {first['msg'].lower()}, got {first['input']!r}")
    what = "setting" if len(path) > 1 else "group"
    return SettingsError(f"{what} {name!r} is not known", remedy=did_you_mean(path[-1], _known_beside(path)))


def _known_beside(path: list[str]) -> list[str]:
    """Return the names that could stand where the last of `path` stands."""
    if len(path) == 1:
        return list(Settings.model_fields)
    if path[0] == "profile":
        return list(ProfileSettings.model_fields)
    return list(getattr(Settings.model_fields[path[0]].annotation, "model_fields", ()))
