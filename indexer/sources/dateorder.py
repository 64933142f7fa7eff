"""Own the dates of a source that people wrote: "1 sept. 2024" becomes 2024-09-01 before anything else looks at it.

Whether "2/5/2019" is in May or in February is decided once for a source: by the setting `date_order`, else by what its
other dates show ("15/4/2019" can only have the day first). Documents that hang on it wait for the end of the source.
What stays open is refused; what the setting alone decided is low in confidence and noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from indexer import keys
from indexer.readers.errors import AmbiguousDateError, DateError
from indexer.readers.humandate import DateOrder, WrittenDate, decide_order, read_number, write_iso
from indexer.sources.base import FoundDate, RawDocument, RawItem, Refusal, RefusalCode
from mappings.interval import format_instant

_DATE_FIELDS: Final = frozenset(
    [
        keys.OBSERVED, keys.VALID_FROM, keys.UNTIL_EXCLUSIVE, keys.UNTIL_INCLUSIVE, keys.VERIFIED, keys.REVIEW_BY,
        keys.WITHDRAWN,
    ]
)  # fmt: skip
# Four digits are a year; seconds since 1970 have nine or more.
_FIRST_EPOCH: Final = 100_000_000
_WORDS: Final[dict[DateOrder, str]] = {"day_first": "day first", "month_first": "month first"}


@dataclass(frozen=True, slots=True)
class _Open:
    """A document with a date that can be read either way, and which one."""

    raw: RawDocument
    key: str
    error: AmbiguousDateError


def settle_dates(items: Iterable[RawItem], *, order: DateOrder | None = None) -> Iterator[RawItem]:
    """Yield the items of a source with the dates that people wrote as ISO texts.

    Args:
        items: of one source.
        order: `date_order` of the settings; None lets the source's own dates decide.
    """
    proofs: list[DateOrder] = []
    waiting: list[_Open] = []
    for item in items:
        if not isinstance(item, RawDocument):
            yield item
            continue
        settled = _settled(item, order, proofs)
        if isinstance(settled, _Open):
            waiting.append(settled)
        else:
            yield settled
    shown = decide_order(proofs)
    for each in waiting:
        yield _refused(each, proofs) if shown is None else _decided(each.raw, shown)


def _decided(raw: RawDocument, shown: DateOrder) -> RawDocument:
    """Return a document whose open dates are read as the other dates of its source are."""
    settled = _settled(raw, shown, [], proven=True)
    assert isinstance(settled, RawDocument)
    return replace(settled, notes=(*settled.notes, f"dates are read {_WORDS[shown]}, as others of the source show"))


def _settled(
    raw: RawDocument, order: DateOrder | None, proofs: list[DateOrder], *, proven: bool = False
) -> RawDocument | _Open:
    metadata = dict(raw.metadata)
    guessed: list[str] = []
    key = ""
    try:
        for key, value in raw.metadata.items():
            if keys.field_of(key) in _DATE_FIELDS and (written := _written(value, order)):
                metadata[key] = written.iso
                proofs += [written.proves] if written.proves else []
                guessed += [key] if written.ambiguous else []
        found = []
        for date in raw.found:
            key = date.key
            written = _written(date.value, order)
            proofs += [written.proves] if written and written.proves else []
            low = written is not None and written.ambiguous and not proven
            found.append(_dated(date, written, low=low))
            guessed += [key] if low else []
    except AmbiguousDateError as error:
        return _Open(raw, key, error)
    settled = replace(raw, metadata=metadata, found=tuple(found))
    return settled if proven or not guessed else _flagged(settled, guessed, order)


def _dated(date: FoundDate, written: WrittenDate | None, *, low: bool) -> FoundDate:
    if written is None:
        return date
    return replace(date, value=written.iso, confidence="low" if low else date.confidence)


def _flagged(raw: RawDocument, guessed: list[str], order: DateOrder | None) -> RawDocument:
    """Return a document with a note for each date that the setting alone decided; such a date is no sure one."""
    notes = tuple(
        f"{key} can be read either way: date_order = {order!r} decided" for key in dict.fromkeys(guessed)
    )
    observed = [key for key in guessed if keys.field_of(key) == keys.OBSERVED and key in raw.metadata]
    if not observed or raw.found_rules:  # where a history rules, a page's own date only stands beside
        return replace(raw, notes=raw.notes + notes)
    moved = tuple(
        FoundDate(key, str(value), key, "low" if key in observed else "high", raw.lines.get(key, ""))
        for key, value in raw.metadata.items()
        if keys.field_of(key) == keys.OBSERVED
    )
    rest = {key: value for key, value in raw.metadata.items() if keys.field_of(key) != keys.OBSERVED}
    return replace(raw, metadata=rest, found=moved + raw.found, notes=raw.notes + notes)


def _written(value: object, order: DateOrder | None) -> WrittenDate | None:
    """Return a date that a person or a program wrote as ISO; None leaves a value to whoever reads ISO.

    Raises:
        AmbiguousDateError: day and month can be read either way.
    """
    try:
        if isinstance(value, str):
            return write_iso(value, order=order)
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) >= _FIRST_EPOCH:
            return WrittenDate(str(format_instant(read_number(value).start)))
    except AmbiguousDateError:
        raise
    except DateError:
        pass  # said by who reads the field, with its key
    return None


def _refused(each: _Open, proofs: list[DateOrder]) -> Refusal:
    why = "the other dates of the source show both orders" if proofs else "no other date of the source shows its order"
    return Refusal(
        each.raw.lines.get(each.key, each.raw.location),
        each.raw.doc_id,
        RefusalCode.BAD_VALUE,
        f"{each.key}: {each.error.detail}, and {why}",
        each.error.remedy,
    )
