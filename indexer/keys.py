"""Own the table of declared keys: which spelling in front matter or metadata stands for which field.

Case, `-`, `_` and spaces do not matter: `Last-Updated`, `last_updated` and `lastUpdated` are one key. A key that is
not here is kept as metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

OBSERVED: Final = "observed_at"
VALID_FROM: Final = "valid_from"
UNTIL_EXCLUSIVE: Final = "valid_until"
UNTIL_INCLUSIVE: Final = "expires"
VERIFIED: Final = "verified_at"
REVIEW_BY: Final = "review_by"
SUPERSEDES: Final = "supersedes"
SERIES: Final = "series"
RELEASE: Final = "release"
SEQUENCE: Final = "sequence"
WITHDRAWN: Final = "withdrawn"
WITHDRAWN_REASON: Final = "withdrawn_reason"
DELETED: Final = "deleted"
DRAFT: Final = "draft"
CONTENT_TYPE: Final = "content_type"
CATEGORY: Final = "category"
KIND: Final = "kind"
TOPIC: Final = "topic"
VALUE: Final = "value"
TAGS: Final = "tags"
URL: Final = "url"
PRINCIPALS: Final = "principals"
SOURCE: Final = "source"

# field → spellings. Where a field may be given by several keys at once, what then holds stands in `declared`.
SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    OBSERVED: ("observed_at", "date", "published", "updated", "lastmod", "last_updated", "last_modified"),
    VALID_FROM: ("valid_from", "effective", "effective_from", "effective_date", "start", "starts"),
    UNTIL_EXCLUSIVE: ("valid_until",),
    UNTIL_INCLUSIVE: ("expires", "expiry", "valid_through", "end", "ends"),
    VERIFIED: ("verified_at", "verified", "last_reviewed", "reviewed"),
    REVIEW_BY: ("review_by", "review_due"),
    SUPERSEDES: ("supersedes", "replaces"),
    SERIES: ("series", "lineage"),
    # `version` is what the exports call it; in this program a version is a state of a document.
    RELEASE: ("release", "version"),
    SEQUENCE: ("sequence",),
    WITHDRAWN: ("withdrawn",),
    WITHDRAWN_REASON: ("withdrawn_reason",),
    DELETED: ("deleted",),
    DRAFT: ("draft",),
    CONTENT_TYPE: ("content_type", "type"),
    CATEGORY: ("category",),
    KIND: ("kind",),
    TOPIC: ("topic",),
    VALUE: ("value",),
    TAGS: ("tags",),
    URL: ("url", "canonical"),
    PRINCIPALS: ("principals",),
    SOURCE: ("source",),
}

_SEPARATORS = re.compile(r"[\s_\-]+")


def folded(key: str) -> str:
    """Return a key without case and separators."""
    return _SEPARATORS.sub("", key).lower()


_FIELDS: Final = {folded(key): field for field, keys in SPELLINGS.items() for key in keys}
_DATE_KEYS: Final = {folded(key): key for key in SPELLINGS[OBSERVED]}
# How alike an unknown key must be to be named as a likely slip ("obseved_at"); difflib's own default is 0.6, at
# which "data" and "date" are alike but so are "title" and "tile".
_ALIKE: Final = 0.8


@lru_cache(maxsize=4_096)  # the documents of a source have the same keys
def field_of(key: str) -> str | None:
    """Return the field that a key stands for, None for one that is not in the table."""
    return _FIELDS.get(folded(key))


def likely_date_key(unknown: Iterable[str]) -> tuple[str, str] | None:
    """Return (key as written, key of a date that it is probably meant to be), None where nothing is near."""
    for key in unknown:
        if near := get_close_matches(folded(key), _DATE_KEYS, n=1, cutoff=_ALIKE):
            return key, _DATE_KEYS[near[0]]
    return None
