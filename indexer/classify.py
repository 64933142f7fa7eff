"""Own what a document is: content type, kind, series and the window of a notice, each with its reason.

In this order: what the metadata says, the rules of the settings, the written table below, the default. Likeness of
text never makes a series, and no model is asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from indexer.declared import Declared
from indexer.settings import IngestSettings, SeriesRule, TypeRule
from mappings.document import Kind
from mappings.interval import DAY
from mappings.profile import DEFAULT_PROFILES, DEFAULT_TYPE, Profile, profile_for

TTL: Final = "ttl"
DECLARED: Final = "declared"
# A reading alone can not tell whether its document has other states; `settle_kind` looks at this reason later.
KIND_BY_DEFAULT: Final = "kind STATIC: no series, release, link or other state is known"
KIND_BY_STATES: Final = "kind VERSIONED: has several states"

# Types whose documents are true in a window: a question about "now" or a period asks for them.
_EVENT_TYPES: Final = frozenset(("breaking_news", "announcement", "incident", "news", "release_notes"))

# Folder names that people give to one type only. A word of everyday use ("releases", "updates") is not among them.
_BY_FOLDER: Final[Mapping[str, str]] = {
    "incident": "incident", "incidents": "incident", "postmortem": "incident", "postmortems": "incident",
    "runbook": "runbook", "runbooks": "runbook", "playbooks": "runbook",
    "faq": "faq", "faqs": "faq",
    "policy": "policy", "policies": "policy",
    "tutorial": "tutorial", "tutorials": "tutorial",
    "legal": "legal",
    "news": "news", "announcement": "announcement", "announcements": "announcement",
    "release-notes": "release_notes", "release_notes": "release_notes", "releasenotes": "release_notes",
    "changelog": "release_notes", "changelogs": "release_notes",
}  # fmt: skip
_BY_STEM: Final[Mapping[str, str]] = {
    "changelog": "release_notes", "release-notes": "release_notes", "release_notes": "release_notes",
    "releasenotes": "release_notes", "faq": "faq", "runbook": "runbook",
}  # fmt: skip
# Only where the whole title is of that form: "update policy" in the title of an API page makes no policy.
_BY_TITLE: Final[Sequence[tuple[re.Pattern[str], str]]] = tuple(
    (re.compile(pattern, re.IGNORECASE), content_type)
    for pattern, content_type in (
        (r"\brelease notes?\b|\bchange ?log\b", "release_notes"),
        (r"\bincident (?:report|review)\b|\bpost-?mortem\b|^(?:incident|outage)\b\s*[:#\d]", "incident"),
        (r"\brunbook\b", "runbook"),
        (r"\bfaqs?\b|\bfrequently asked questions\b", "faq"),
        (r"\btutorial\s*$|^tutorial\b", "tutorial"),
        (r"^(?:privacy policy|terms (?:of|and) (?:service|use|conditions))$|^legal notices?$", "legal"),
        (r"^(?:[\w'&/-]+ ){0,3}policy$|^policy on\b", "policy"),
        (r"^announcement\b|^announcing\b", "announcement"),
        (r"^news\s*:", "news"),
    )
)


@dataclass(frozen=True, slots=True)
class Classified:
    """What a document is.

    Attributes:
        series: key of its series, the document's own id by default.
        valid_until, until_source: its window's end, µs, and whether it is declared or a time to live ("ttl").
        reasons: why, one line each.
    """

    content_type: str
    kind: Kind
    chronicle: bool
    series: str
    valid_until: int | None
    until_source: str | None
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """What rules look at: id, path inside the source (the id where there is none), title, and first heading."""

    doc_id: str
    path: str
    title: str
    heading: str = ""


def classify(
    subject: Subject,
    declared: Declared,
    settings: IngestSettings,
    *,
    profiles: Mapping[str, Profile] = DEFAULT_PROFILES,
) -> Classified:
    """Return what a document is, each part with its reason."""
    content_type, rule_kind, type_reason = _content_type(subject, declared, settings.types)
    series, series_reason = _series(subject, declared, settings.series)
    kind, kind_reason = _kind(content_type, rule_kind, declared, shared=series != subject.doc_id)
    profile = profile_for(content_type, profiles)
    until, until_source, until_reason = _until(kind, profile, declared)
    reasons = (type_reason, kind_reason, series_reason, until_reason)
    return Classified(
        content_type=content_type,
        kind=kind,
        chronicle=kind is Kind.EVENT and profile.is_chronicle,
        series=series,
        valid_until=until,
        until_source=until_source,
        reasons=tuple(reason for reason in reasons if reason),
    )


def _content_type(subject: Subject, declared: Declared, rules: Sequence[TypeRule]) -> tuple[str, Kind | None, str]:
    if declared.content_type is not None:
        return declared.content_type, None, f"type {declared.content_type}: metadata"
    for rule in rules:
        if _fits(rule, subject):
            shown = f"path {rule.path!r}" if rule.path is not None else f"heading {rule.heading!r}"
            return rule.type, rule.kind, f"type {rule.type}: rule for {shown}"
    content_type, why = _by_table(subject)
    return content_type, None, f"type {content_type}: {why}"


def _by_table(subject: Subject) -> tuple[str, str]:
    *folders, name = subject.path.lower().split("/")
    for folder in reversed(folders):  # the nearest folder says most
        if folder in _BY_FOLDER:
            return _BY_FOLDER[folder], f"folder {folder!r}"
    stem = re.split(r"[.@#~]", name, maxsplit=1)[0]
    if stem in _BY_STEM:
        return _BY_STEM[stem], f"file name {stem!r}"
    for pattern, content_type in _BY_TITLE:
        if match := pattern.search(subject.title.strip()):
            return content_type, f"title holds {match[0].strip()!r}"
    return DEFAULT_TYPE, "nothing says otherwise"


def _fits(rule: TypeRule, subject: Subject) -> bool:
    if rule.path is not None and not _glob(rule.path).match(subject.path):
        return False
    if rule.heading is None:
        return True
    word = re.compile(rf"(?<!\w){re.escape(rule.heading.strip())}(?!\w)", re.IGNORECASE)
    return bool(word.search(subject.title) or word.search(subject.heading))


@lru_cache(maxsize=256)
def _glob(pattern: str) -> re.Pattern[str]:
    """Compile a path pattern: `**` is any depth, `*` and `?` stay inside a folder."""
    parts = re.split(r"(\*\*/?|\*|\?)", pattern)
    wild = {"**/": r"(?:.*/)?", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
    return re.compile("".join(wild.get(part) or re.escape(part) for part in parts) + r"\Z")


def _series(subject: Subject, declared: Declared, rules: Sequence[SeriesRule]) -> tuple[str, str]:
    if declared.series is not None:
        return declared.series, f"series {declared.series}: metadata"
    for rule in rules:
        if match := re.fullmatch(rule.path, subject.path):
            key = "/".join(part for part in match.groupdict().values() if part)
            if key:
                return key, f"series {key}: path fits {rule.path!r}"
    return subject.doc_id, ""


def _kind(content_type: str, rule_kind: Kind | None, declared: Declared, *, shared: bool) -> tuple[Kind, str]:
    if declared.kind is not None:
        return declared.kind, f"kind {declared.kind}: metadata"
    if rule_kind is not None:
        return rule_kind, f"kind {rule_kind}: rule of the type"
    if content_type in _EVENT_TYPES:
        return Kind.EVENT, f"kind EVENT: type {content_type}"
    signs = (("series", shared), ("release", declared.release), ("link", declared.supersedes))
    for sign, present in signs:
        if present:
            return Kind.VERSIONED, f"kind VERSIONED: has a {sign}"
    return Kind.STATIC, KIND_BY_DEFAULT


def _until(kind: Kind, profile: Profile, declared: Declared) -> tuple[int | None, str | None, str]:
    """Return the end of the window; a notice that declares none lives for the time of its type."""
    if declared.valid_until is not None:
        return declared.valid_until, DECLARED, ""
    if kind is not Kind.EVENT or profile.is_chronicle or profile.ttl_days is None or declared.observed is None:
        return None, None, ""
    start = declared.observed.start if declared.valid_from is None else declared.valid_from
    until = start + round(profile.ttl_days * DAY)
    return until, TTL, f"until: {profile.ttl_days:g} days to live for its type"
