"""Own how a series record is written to bytes: columns, not objects, with a format version inside.

Equal records give equal bytes. A column in which every value is the default is left out, and what observations say
besides their text is stored once for each distinct value, so 2,000 observations take about 100 kB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

import orjson

from mappings.document import Attributes, Kind, Observation
from mappings.errors import RecordError
from mappings.interval import Precision, Span
from mappings.series import DocumentRecord, End, LinkCopy, PassageSpan, SeriesRecord, Withdrawal

# Raised when the layout changes; a newer one is refused with the way out, an older one is read and written anew.
FORMAT: Final = 1

Row = Mapping[str, Any]


def record_to_json(record: SeriesRecord) -> bytes:
    """Return a record as bytes; equal records give equal bytes. The revision is kept beside, not inside."""
    body = {
        "format": FORMAT,
        "series": record.series,
        "documents": {doc_id: _document_out(document) for doc_id, document in record.documents.items()},
        "links": [{name: getattr(link, name) for name in _LINK} for link in record.links],
        "passages": {key: [span.doc_id, span.first, span.last] for key, span in record.passages.items()},
    }
    return orjson.dumps(body)


def record_from_json(data: bytes, *, revision: int = 0) -> SeriesRecord:
    """Read a record; raises RecordError for bytes that are none, or that a newer program wrote."""
    try:
        body = orjson.loads(data)
        if body["format"] > FORMAT:
            raise RecordError(
                f"record format must be at most {FORMAT}, got {body['format']!r}",
                remedy="open the store with the newer stilltrue that wrote it",
            )
        return SeriesRecord(
            series=body["series"],
            documents={doc_id: _document_in(doc_id, row) for doc_id, row in body["documents"].items()},
            links=tuple(_link_in(row) for row in body["links"]),
            passages={key: PassageSpan(*row) for key, row in body["passages"].items()},
            revision=revision,
        )
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(
            f"record must be readable, got {data[:60]!r}",
            remedy="restore the store from a copy, or ingest into a new place",
        ) from error


def _document_out(document: DocumentRecord) -> dict[str, Any]:
    shared: dict[Attributes, int] = {}
    numbers = [shared.setdefault(o.attributes, len(shared)) for o in document.observations]
    return {
        "observations": _columns(document.observations, numbers),
        "attributes": [_attributes_out(attributes) for attributes in shared],
        "ends": [[e.at.start, e.at.end, e.at.precision, e.sequence, e.source, e.reason] for e in document.ends],
        "withdrawals": [[w.content_hash, w.known_at, w.undo, w.reason] for w in document.withdrawals],
        "principals": document.principals,
        "principals_key": document.principals_key,
    }


def _document_in(doc_id: str, row: Row) -> DocumentRecord:
    shared = [_attributes_in(values) for values in row["attributes"]]
    return DocumentRecord(
        doc_id=doc_id,
        observations=tuple(_observation_in(values, shared) for values in _rows(row["observations"])),
        ends=tuple(End(Span(a, b, Precision(p)), *rest) for a, b, p, *rest in row["ends"]),
        withdrawals=tuple(Withdrawal(*values) for values in row["withdrawals"]),
        principals=tuple(row["principals"]),
        principals_key=(row["principals_key"][0], row["principals_key"][1]),
    )


_OBSERVATION: Final[Sequence[tuple[str, Callable[[Observation], object], object]]] = (
    ("content_hash", lambda o: o.content_hash, None),
    ("start", lambda o: o.observed and o.observed.start, None),
    ("end", lambda o: o.observed and o.observed.end, None),
    ("precision", lambda o: o.observed and o.observed.precision, None),
    ("valid_from", lambda o: o.valid_from, None),
    ("valid_until", lambda o: o.valid_until, None),
    ("until_source", lambda o: o.until_source, None),
    ("supersedes", lambda o: o.supersedes, ()),
    ("sequence", lambda o: o.sequence, None),
    ("draft", lambda o: o.draft, False),
    ("read_at", lambda o: o.read_at, 0),
)
_DEFAULTS: Final = {name: default for name, _, default in _OBSERVATION} | {"attributes": 0}


def _observation_in(row: Row, shared: Sequence[Attributes]) -> Observation:
    observed = None if row["start"] is None else Span(row["start"], row["end"], Precision(row["precision"]))
    return Observation(
        content_hash=row["content_hash"],
        observed=observed,
        valid_from=row["valid_from"],
        valid_until=row["valid_until"],
        until_source=row["until_source"],
        supersedes=tuple(row["supersedes"]),
        sequence=row["sequence"],
        draft=row["draft"],
        read_at=row["read_at"],
        attributes=shared[row["attributes"]],
    )


def _columns(observations: Sequence[Observation], attributes: Sequence[int]) -> dict[str, Any]:
    columns: dict[str, Sequence[object]] = {name: [read(o) for o in observations] for name, read, _ in _OBSERVATION}
    columns["attributes"] = attributes
    kept = {name: column for name, column in columns.items() if any(v != _DEFAULTS[name] for v in column)}
    return {"count": len(observations), **kept}


def _rows(columns: Row) -> Iterable[Row]:
    count = columns["count"]
    whole = {name: columns.get(name, [default] * count) for name, default in _DEFAULTS.items()}
    return [{name: column[i] for name, column in whole.items()} for i in range(count)]


_PLAIN: Final[Mapping[str, Any]] = {each.name: getattr(Attributes(), each.name) for each in fields(Attributes)}
_LINK: Final = tuple(each.name for each in fields(LinkCopy))


def _attributes_out(attributes: Attributes) -> dict[str, Any]:
    return {name: value for name, plain in _PLAIN.items() if (value := getattr(attributes, name)) != plain}


def _attributes_in(row: Row) -> Attributes:
    values = {**_PLAIN, **row}
    values["kind"] = Kind(values["kind"])
    values["tags"], values["reasons"] = tuple(values["tags"]), tuple(values["reasons"])
    return Attributes(**values)


def _link_in(row: Row) -> LinkCopy:
    void = tuple((interval[0], interval[1]) for interval in row["void"])
    return LinkCopy(**{**row, "void": void, "principals": tuple(row["principals"])})
