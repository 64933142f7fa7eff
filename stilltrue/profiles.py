"""Own the account of the numbers of time: those in force for each content type, where each came from, what is odd."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mappings.profile import DEFAULT_PROFILES, DEFAULT_TYPE, PROFILE_FIELDS, Profile
from reranker.history import HistoryEntry
from stilltrue.in_force import InForce, settings_in_force
from stilltrue.settings import Settings, load_settings

_GROUP: Final = "profile."
# How alike a name must be to be taken for a slip of a known one: "policies" and "policy" are, "howto" and "news" not.
_ALIKE: Final = 0.7


@dataclass(frozen=True, slots=True)
class Number:
    """A number of time as it is.

    Attributes:
        origin: `default`, `file` or `environment`; for a type of the user's own, unset ones are `default of reference`.
        place: the file or the variable that says it; empty for a default.
    """

    value: Any
    origin: str
    place: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the number as plain data."""
        return {"value": self.value, "origin": self.origin, "place": self.place or None}


Numbers = Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class ProfilesInForce:
    """The numbers of every content type.

    Attributes:
        path: the settings file that was found.
        numbers: by content type: those with defaults, then those of the user's own.
    """

    path: Path | None
    numbers: Mapping[str, Numbers]

    def of(self, content_type: str) -> tuple[str, Numbers]:
        """Return the numbers that hold for a content type, and whose they are: its own, or those of `reference`."""
        name = content_type if content_type in self.numbers else DEFAULT_TYPE
        return name, self.numbers[name]


def profiles_in_force(config: Path | None = None, *, folder: Path | None = None) -> ProfilesInForce:
    """Return the numbers of every content type, with where each came from.

    Args:
        config: as for `load_settings`.
        folder: as for `load_settings`.

    Raises:
        SettingsError: as `load_settings` does.
        ProfileError: a number out of its range.
    """
    path, settings = settings_in_force(config, folder=folder)
    said = {each.key: each for each in settings if each.key.startswith(_GROUP)}
    profiles = load_settings(config, folder=folder).profiles()
    own = sorted(set(profiles) - set(DEFAULT_PROFILES))
    numbers: dict[str, Numbers] = {}
    for content_type in (*DEFAULT_PROFILES, *own):
        plain = f"default of {DEFAULT_TYPE}" if content_type in own else "default"
        rows = ((key, said.get(f"{_GROUP}{content_type}.{key}")) for key in PROFILE_FIELDS)
        numbers[content_type] = {
            key: Number(getattr(profiles[content_type], key), *_origin(row, plain)) for key, row in rows
        }
    return ProfilesInForce(path, numbers)


def _origin(said: InForce | None, plain: str) -> tuple[str, str]:
    return (plain, "") if said is None else (said.origin, said.place)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which numbers hold for a document, and what chose them.

    Attributes:
        reasons: why content type, kind and series are what they are.
        profile: the content type whose numbers hold.
    """

    doc_id: str
    content_type: str
    kind: str
    reasons: tuple[str, ...]
    profile: str
    numbers: Numbers

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "doc_id": self.doc_id,
            "content_type": self.content_type,
            "kind": self.kind,
            "reasons": list(self.reasons),
            "profile": self.profile,
            "numbers": {key: number.to_json() for key, number in self.numbers.items()},
        }


def chosen_for(entries: tuple[HistoryEntry, ...], profiles: ProfilesInForce) -> Iterator[Chosen]:
    """Yield the numbers of each document of a time line: of the version that holds, else of its last."""
    latest: dict[str, HistoryEntry] = {}
    for entry in entries:
        before = latest.get(entry.doc_id)
        if before is None or entry.state.is_live or not before.state.is_live:
            latest[entry.doc_id] = entry
    for doc_id in sorted(latest):
        entry = latest[doc_id]
        name, numbers = profiles.of(entry.content_type)
        yield Chosen(doc_id, entry.content_type, str(entry.kind), entry.reasons, name, numbers)


def odd_profiles(settings: Settings) -> Iterator[str]:
    """Yield what is allowed in the settings of profiles and is hardly meant, one line each."""
    ruled = [rule.type for rule in settings.ingest.types]
    known = {*DEFAULT_PROFILES, *ruled}
    for name in sorted(settings.profile):
        if name not in known and (near := _nearest(name, known)):
            yield f"profile {name!r} is of no content type with numbers; did you mean {near!r}"
    numbered = {*DEFAULT_PROFILES, *settings.profile}
    for name in dict.fromkeys(ruled):
        if name not in numbered and (near := _nearest(name, numbered)):
            yield f"ingest.types gives type {name!r}, which has no numbers; did you mean {near!r}"
    profiles = settings.profiles()
    for name, given in sorted(settings.profile.items()):
        yield from (f"profile {name!r}: {oddity}" for oddity in _oddities(profiles[name], given.model_fields_set))


def _oddities(profile: Profile, given: set[str]) -> Iterator[str]:
    if profile.w_silent > profile.w_present:
        weights = f"{profile.w_silent:g} > {profile.w_present:g}"
        yield f"w_silent should not be above w_present, got {weights}: a question about now would weigh time less"
    if "ttl_days" in given and profile.is_chronicle:
        yield f"ttl_days does nothing where events are a chronicle, got {profile.ttl_days:g}; set events_are = 'notice'"


def _nearest(name: str, known: set[str]) -> str | None:
    folded = {_folded(other): other for other in sorted(known)}
    near = difflib.get_close_matches(_folded(name), folded, n=1, cutoff=_ALIKE)
    return folded[near[0]] if near else None


def _folded(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")
