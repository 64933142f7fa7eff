"""The numbers of time: their table, their check, and what an unknown content type gets."""

import math
from dataclasses import replace

import pytest

from mappings.document import Kind
from mappings.errors import ProfileError
from mappings.profile import DEFAULT_PROFILES, PROFILE_FIELDS, Profile, profile_for

NOTICE, CHRONICLE = "notice", "chronicle"
# half-life, w_present, w_silent, floor STATIC, floor VERSIONED, events are, time to live, boost under way, in a period
TABLE = {
    "breaking_news": (1, 0.70, 0.35, 0, 0, NOTICE, 7, 1.2, 2),
    "announcement": (7, 0.55, 0.20, 0, 0, NOTICE, 2, 1.2, 2),
    "incident": (7, 0.55, 0.20, 0, 0, CHRONICLE, None, 3, 2),
    "news": (7, 0.55, 0.20, 0, 0, CHRONICLE, None, 1.2, 2),
    "policy": (90, 0.45, 0.05, 0.20, 0.05, NOTICE, None, 1.2, 1),
    "tutorial": (90, 0.45, 0.05, 0.20, 0.05, NOTICE, None, 1.2, 1),
    "faq": (90, 0.45, 0.05, 0.20, 0.05, NOTICE, None, 1.2, 1),
    "runbook": (90, 0.45, 0.05, 0.20, 0.05, NOTICE, None, 1.2, 1),
    "release_notes": (90, 0.45, 0, 0.20, 0.05, CHRONICLE, None, 1, 2),
    "research": (180, 0.35, 0, 0.10, 0.10, CHRONICLE, None, 1, 1),
    "legal": (365, 0.25, 0, 0.20, 0.20, NOTICE, None, 1, 1),
    "reference": (1825, 0.10, 0, 0.70, 0.30, CHRONICLE, None, 1, 1),
    "mathematics": (36_500, 0.01, 0, 0.95, 0.95, CHRONICLE, None, 1, 1),
}


def test_defaults_are_those_of_the_table():
    """Every content type has the numbers written down for it, and no type is missing or added."""
    assert {name: Profile(*numbers) for name, numbers in TABLE.items()} == DEFAULT_PROFILES


def test_without_a_cue_time_counts_only_where_it_was_decided():
    """Types of silent weight 0 keep the order of relevance alone."""
    silent = {name for name, profile in DEFAULT_PROFILES.items() if profile.w_silent == 0}
    assert silent == {"release_notes", "research", "legal", "reference", "mathematics"}


BASE = DEFAULT_PROFILES["policy"]

ALLOWED = [
    {"half_life_days": 0.001},
    {"ttl_days": None},
    {"ttl_days": 0.5},
    {"max_age_days": 3650},
    {"w_present": 0},
    {"w_present": 0.999},
    {"floor_static": 0.999},
    {"boost_under_way": 1},
    {"weak": "pair"},
    {"events_are": CHRONICLE},
]


@pytest.mark.parametrize("change", ALLOWED, ids=str)
def test_a_number_inside_its_range_is_taken(change):
    """The bounds themselves are allowed where the text says so."""
    assert getattr(replace(BASE, **change), next(iter(change))) == next(iter(change.values()))


REFUSED = [
    ({"half_life_days": 0}, "> 0", "decay would divide by it"),
    ({"half_life_days": -1}, "> 0", "time does not run backwards"),
    ({"half_life_days": None}, "> 0", "only ends may be absent"),
    ({"half_life_days": math.nan}, "> 0", "not a number"),
    ({"half_life_days": math.inf}, "> 0", "never ages: give a large number"),
    ({"half_life_days": "90"}, "> 0", "a text"),
    ({"half_life_days": True}, "> 0", "a truth value"),
    ({"ttl_days": 0}, "> 0", "gone before it is there"),
    ({"max_age_days": -3}, "> 0", "nothing is younger than new"),
    ({"w_present": 1}, ">= 0 and < 1", "relevance would not count at all"),
    ({"w_present": -0.1}, ">= 0 and < 1", "age is no merit"),
    ({"w_silent": 1.5}, ">= 0 and < 1", "more than all"),
    ({"w_silent": None}, ">= 0 and < 1", "absent"),
    ({"floor_static": 1}, ">= 0 and < 1", "no decay left"),
    ({"floor_versioned": math.nan}, ">= 0 and < 1", "not a number"),
    ({"boost_under_way": 0.9}, ">= 1", "a lift does not lower"),
    ({"boost_in_period": math.inf}, ">= 1", "every score would be 1"),
    ({"events_are": "party"}, "one of notice, chronicle", "no such kind of event"),
    ({"weak": ""}, "one of caveat, pair", "no such way"),
]


@pytest.mark.parametrize(("change", "allowed", "reason"), REFUSED, ids=[f"{row[0]}: {row[2]}" for row in REFUSED])
def test_a_number_outside_its_range_is_refused(change, allowed, reason):
    """The message names the field, what is allowed, and the value that was given."""
    ((name, value),) = change.items()
    with pytest.raises(ProfileError) as refused:
        replace(BASE, **change)
    assert refused.value.detail.startswith(f"{name} must be")
    assert allowed in refused.value.detail and repr(value) in refused.value.detail


@pytest.mark.parametrize(
    ("kind", "floor"), [(Kind.STATIC, 0.20), (Kind.VERSIONED, 0.05), (Kind.EVENT, 0.0)], ids=lambda value: str(value)
)
def test_floor_goes_by_the_kind(kind, floor):
    """An event has no floor: what is over is over."""
    assert BASE.floor(kind) == floor


def test_chronicles_are_told_from_notices():
    """An incident stays as a record, an announcement goes."""
    assert DEFAULT_PROFILES["incident"].is_chronicle and not DEFAULT_PROFILES["announcement"].is_chronicle


def test_unknown_type_is_reference():
    """Also where the given table has no such row."""
    mine = {"memo": BASE}
    assert profile_for("memo", mine) is BASE
    assert profile_for("poem") is profile_for("poem", mine) is DEFAULT_PROFILES["reference"]
    assert profile_for("poem", {"reference": BASE}) is BASE


def test_fields_are_listed_for_settings():
    """Settings files name exactly the fields of a profile."""
    assert PROFILE_FIELDS == tuple(Profile.__slots__)
