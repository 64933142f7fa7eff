"""Own what a passage is as a document, and how what is stored of it is read back from a hit.

A document can be made again from its hit, though the index keeps vectors and terms out of `_source`: their exact bytes
lie in columns beside it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from mappings.document import Kind
from mappings.errors import MomentError
from mappings.interval import format_instant
from mappings.stamps import Stamps
from store.passages import term_bytes, tie_key
from store.values import PassageRow, StoredPassage, Vector

Document = dict[str, Any]

# What everybody may read, and the prefix that keeps a principal's name from meaning it.
PUBLIC: Final = "public"
_PREFIX: Final = "p:"

STAMPS: Final = ("observed", "valid_from", "until", "withdrawn", "closed", "closed_by", "event_end")
TEXTS: Final = ("title", "section", "text")
_KEYWORDS: Final = ("passage_id", "doc_id", "series", "source", "content_type", "kind", "text_key")
# Columns in which the exact bytes lie of what `_source` leaves out.
_BYTES: Final = ("title_kept", "body_kept", "exact")

# What a server takes as the id of a document, in bytes.
_LONGEST_ID: Final = 512
# Passages read at once where all of some documents are wanted.
PAGE: Final = 1_000

# Columns that are asked for with each hit, by what the hit is wanted for.
STORED: Final = (*_KEYWORDS, "readers", *STAMPS, "written")
WHOLE: Final = ("written", *_BYTES)


def key_of(text: str) -> str:
    """Return the id of a document for any text: the text itself where a server takes it."""
    data = text.encode("utf-8")
    if 0 < len(data) <= _LONGEST_ID and not text.startswith("sha256:"):
        return text
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def reader_keywords(readers: Iterable[str]) -> list[str]:
    """Return the keywords of who may read something; without names, everybody."""
    return [f"{_PREFIX}{name}" for name in sorted(set(readers))] or [PUBLIC]


def asked_readers(principals: Iterable[str]) -> list[str]:
    """Return the keywords of what a reader may see."""
    return [PUBLIC, *(f"{_PREFIX}{name}" for name in principals)]


def document_of(row: PassageRow, vector: bytes) -> Document:
    """Return the document of a passage; `vector` holds its float32 numbers."""
    title, body = term_bytes(row.title_terms), term_bytes(row.body_terms)
    document: Document = {name: getattr(row, name) for name in (*_KEYWORDS, *TEXTS)}
    document |= {
        "kind": row.kind.value,
        "readers": reader_keywords(row.readers),
        "title_kept": _text(title),
        "body_kept": _text(body),
        "title_len": len(row.title_terms),
        "body_len": len(row.body_terms),
        "exact": _text(vector),
        "tie": tie_key(row.passage_id) - 2**63,  # below 2**64, moved to where a signed number has the same order
    }
    return stamped(document, row.stamps)


def stamped(document: Document, stamps: Stamps) -> Document:
    """Return a document with other stamps."""
    changed = {**document, **asdict(stamps)}
    changed.pop("observed_date", None)
    try:
        day = format_instant(stamps.observed)
    except MomentError:
        day = None  # beyond the calendar: a date for people is then none
    return {**changed, "observed_date": day} if day else changed


def with_readers(document: Document, readers: Iterable[str]) -> Document:
    """Return a document that others may read."""
    return {**document, "readers": reader_keywords(readers)}


def sent(document: Document, written: int) -> Document:
    """Return a document as it is sent: with what is searched in, made from the exact bytes."""
    vector = np.frombuffer(base64.b64decode(document["exact"]), dtype=np.float32)
    whole = {
        **document,
        "written": written,
        "title_terms": base64.b64decode(document["title_kept"]).decode("utf-8"),
        "body_terms": base64.b64decode(document["body_kept"]).decode("utf-8"),
    }
    # A vector of zeros is like nothing, and no server takes one.
    return {**whole, "vector": vector.tolist()} if vector.any() else whole


def document_in(hit: Mapping[str, Any]) -> Document:
    """Return the document that a hit was made from; the hit must carry `_source` and the columns of WHOLE."""
    return {**hit["_source"], **{name: _text(bytes_in(hit, name)) for name in _BYTES}}


def value_in(hit: Mapping[str, Any], name: str, default: Any = None) -> Any:
    """Return the one value of a column of a hit."""
    values = hit.get("fields", {}).get(name)
    return values[0] if values else default


def stamps_in(hit: Mapping[str, Any]) -> Stamps:
    """Return the stamps of a hit."""
    return Stamps(**{name: value_in(hit, name, "") for name in STAMPS})


def stamps_of(document: Document) -> Stamps:
    """Return the stamps of a document."""
    return Stamps(**{name: document[name] for name in STAMPS})


def readers_in(keywords: Iterable[str]) -> tuple[str, ...]:
    """Return who may read what carries these keywords; empty: everybody."""
    return tuple(sorted(word.removeprefix(_PREFIX) for word in keywords if word != PUBLIC))


def stored_in(hit: Mapping[str, Any]) -> StoredPassage:
    """Return what is stored of a passage; the hit must carry the columns of STORED."""
    texts = {name: value_in(hit, name, "") for name in _KEYWORDS}
    texts["kind"] = Kind(texts["kind"])
    return StoredPassage(**texts, readers=readers_in(hit["fields"]["readers"]), stamps=stamps_in(hit))


def newest_copies(hits: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return hits by id; of two copies, which an interrupted move leaves, the one written last."""
    found: dict[str, Mapping[str, Any]] = {}
    for hit in hits:
        other = found.get(hit["_id"])
        if other is None or value_in(other, "written", 0) < value_in(hit, "written", 0):
            found[hit["_id"]] = hit
    return found


def numbers(vector: Vector) -> bytes:
    """Return a vector as the bytes of its float32 numbers."""
    return np.ascontiguousarray(vector, dtype=np.float32).tobytes()


def bytes_in(hit: Mapping[str, Any], name: str) -> bytes:
    """Return the bytes of a binary column of a hit."""
    text = value_in(hit, name, "")
    # As a server gives columns: the alphabet of URLs, without padding.
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


