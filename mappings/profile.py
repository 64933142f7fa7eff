"""Own the numbers of time for each content type, and the check that they make sense.

A profile is checked when it is built and trusted after that. The defaults are starting values: those of superlatives
and boosts were measured, the others are gated by the benchmarks (docs/benchmarks.md). Where a weight is 0 for every
candidate, the order is that of relevance alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from mappings.document import Kind
from mappings.errors import ProfileError

DEFAULT_TYPE: Final = "reference"


@dataclass(frozen=True, slots=True)
class Profile:
    """The numbers of time of one content type.

    Attributes:
        half_life_days: age at which decay gives 0.5.
        w_present, w_silent: weight of time in the score under a full present cue, and without one; 0 to below 1.
        floor_static, floor_versioned: smallest value of the decay for STATIC and VERSIONED; 0 for an EVENT.
        events_are: "notice" (gone after its end) or "chronicle" (a record that never expires).
        ttl_days: end of a notice that declares none, in days after it begins; None: no such end.
        boost_under_way, boost_in_period: lift of an event inside its window, and inside a period asked for; >= 1.
        max_age_days: older documents are out although nothing replaced them; None: never.
        weak: "caveat" (served with it) or "pair" (only beside a fresher source).
    """

    half_life_days: float
    w_present: float
    w_silent: float
    floor_static: float
    floor_versioned: float
    events_are: str = "chronicle"
    ttl_days: float | None = None
    boost_under_way: float = 1.0
    boost_in_period: float = 1.0
    max_age_days: float | None = None
    weak: str = "caveat"

    def __post_init__(self) -> None:
        for name in ("half_life_days", "ttl_days", "max_age_days"):
            _check(name, getattr(self, name), above=0, optional=name != "half_life_days")
        for name in ("w_present", "w_silent", "floor_static", "floor_versioned"):
            _check(name, getattr(self, name), least=0, below=1)
        for name in ("boost_under_way", "boost_in_period"):
            _check(name, getattr(self, name), least=1)
        _check_choice("events_are", self.events_are, ("notice", "chronicle"))
        _check_choice("weak", self.weak, ("caveat", "pair"))

    def floor(self, kind: Kind) -> float:
        """Return the smallest value of the decay for a kind of document."""
        if kind is Kind.EVENT:
            return 0.0
        return self.floor_static if kind is Kind.STATIC else self.floor_versioned

    @property
    def is_chronicle(self) -> bool:
        """Whether events of this type are records that never expire."""
        return self.events_are == "chronicle"


PROFILE_FIELDS: Final = tuple(field.name for field in fields(Profile))


def _check(
    name: str,
    value: float | None,
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    below: float = math.inf,
    optional: bool = False,
) -> None:
    if value is None and optional:
        return
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not number or value is None or not (above < value < below and value >= least):
        bounds = ((">", above), (">=", least), ("<", below))
        wanted = " and ".join(f"{sign} {bound:g}" for sign, bound in bounds if math.isfinite(bound))
        raise ProfileError(f"{name} must be a finite number {wanted}, got {value!r}")


def _check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ProfileError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")


# Pages that an editor keeps up: they are replaced rather than aged, so without a cue time hardly counts.
_GUIDE: Final = Profile(90, 0.45, 0.05, 0.20, 0.05, "notice", None, 1.2, 1.0)

DEFAULT_PROFILES: Final[Mapping[str, Profile]] = {
    # A headline is old the next day, whatever the question says.
    "breaking_news": Profile(1, 0.70, 0.35, 0.0, 0.0, "notice", 7, 1.2, 2.0),
    # An announcement without an end is about the coming days.
    "announcement": Profile(7, 0.55, 0.20, 0.0, 0.0, "notice", 2, 1.2, 2.0),
    # An incident under way is what a question about its service is after: measured, 30 of 33 at boost 3.
    "incident": Profile(7, 0.55, 0.20, 0.0, 0.0, "chronicle", None, 3.0, 2.0),
    "news": Profile(7, 0.55, 0.20, 0.0, 0.0, "chronicle", None, 1.2, 2.0),
    "policy": _GUIDE,
    "tutorial": _GUIDE,
    "faq": _GUIDE,
    "runbook": _GUIDE,
    # Release notes answer for their release for ever: no weight without a cue, and no lift for being "under way".
    "release_notes": Profile(90, 0.45, 0.0, 0.20, 0.05, "chronicle", None, 1.0, 2.0),
    "research": Profile(180, 0.35, 0.0, 0.10, 0.10),
    "legal": Profile(365, 0.25, 0.0, 0.20, 0.20, "notice"),
    # What nobody classified must not be punished for its age: a long half-life and high floors.
    DEFAULT_TYPE: Profile(1825, 0.10, 0.0, 0.70, 0.30),
    # A theorem does not age.
    "mathematics": Profile(36_500, 0.01, 0.0, 0.95, 0.95),
}


def profile_for(content_type: str, profiles: Mapping[str, Profile] = DEFAULT_PROFILES) -> Profile:
    """Return the profile of a content type; an unknown type has that of `reference`."""
    return profiles.get(content_type) or profiles.get(DEFAULT_TYPE) or DEFAULT_PROFILES[DEFAULT_TYPE]
