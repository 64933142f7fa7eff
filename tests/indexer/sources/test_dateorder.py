"""Dates that people wrote, settled for a source: one order for all its dates, or none."""

import pytest

from indexer.readers.humandate import DateOrder
from indexer.sources.base import FoundDate, RawDocument, RawEnd, RawItem, Refusal
from indexer.sources.dateorder import settle_dates


def document(name: str, found: tuple[FoundDate, ...] = (), **metadata: object) -> RawDocument:
    """Return a document with metadata."""
    return RawDocument(name, name, "text", metadata, f"{name}:1", lines={"date": f"{name}:2"}, found=found)


def settle(*items: RawItem, order: DateOrder | None = None) -> dict[str, RawItem]:
    """Return the settled items by id."""
    return {item.doc_id: item for item in settle_dates(items, order=order)}


def date_of(item: RawItem) -> object:
    """Return the date of a document."""
    assert isinstance(item, RawDocument), item
    return item.metadata.get("date")


def test_written_dates_become_iso_and_others_stay() -> None:
    """Only the fields of dates are looked at, and what is no date is left for who reads the field."""
    others = {"updated": "soon", "effective": 20_240_301, "title": "1 May 2024", "epoch": 1_750_240_800}
    (settled,) = settle(document("a", date="1 sept. 2024", **others)).values()
    assert isinstance(settled, RawDocument)
    assert settled.metadata == {"date": "2024-09-01", **others}


@pytest.mark.parametrize("value", [1_750_240_800, "1750240800", 1_750_240_800_000, 1_750_240_800.0])
def test_seconds_since_1970_are_dates(value: object) -> None:
    """Numbers and their texts give the same instant."""
    assert date_of(settle(document("a", date=value))["a"]) == "2025-06-18T10:00:00Z"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -86_400, 10**30, True, None, ["1 May 2024"], 2024])
def test_other_values_are_left_alone(value: object) -> None:
    """What is no date of a person or a program is for who reads the field."""
    assert date_of(settle(document("a", date=value))["a"]) is value


def test_the_source_shows_its_order() -> None:
    """Open dates wait for the others; decided so they are as sure as those, and noted."""
    settled = settle(document("open", date="2/5/2019"), document("shows", date="15/4/2019"), RawEnd("end", {}, "x"))
    assert list(settled) == ["shows", "end", "open"]
    assert date_of(settled["open"]) == "2019-05-02"
    assert settled["open"].notes == ("dates are read day first, as others of the source show",)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("others", "why"),
    [((), "no other date of the source shows its order"), (("15/4/2019", "4/15/2019"), "show both orders")],
)
def test_an_open_order_is_refused(others: tuple[str, ...], why: str) -> None:
    """Where nothing shows the order, or both orders are shown, the file is refused with key and line."""
    items = [document(f"o{n}", date=date) for n, date in enumerate(others)]
    refused = settle(document("open", date="2/5/2019"), *items)["open"]
    assert isinstance(refused, Refusal)
    assert refused.location == "open:2"
    assert refused.detail.startswith("date: ") and why in refused.detail and "date_order" in refused.remedy


def test_the_setting_decides_with_less_trust() -> None:
    """A date that only the setting decides is low in confidence and noted; others of the document stay sure."""
    (item,) = settle(document("a", date="03/04/2025", updated="2025-01-01"), order="month_first").values()
    assert isinstance(item, RawDocument)
    assert item.metadata == {}
    assert [(d.key, d.value, d.confidence) for d in item.found] == [
        ("date", "2025-03-04", "low"),
        ("updated", "2025-01-01", "high"),
    ]
    assert item.notes == ("date can be read either way: date_order = 'month_first' decided",)


def test_windows_and_found_dates_are_settled_too() -> None:
    """A window that the setting decided is noted; a labelled line is settled like a field."""
    label = FoundDate("last_updated", "03/04/2025", "label")
    (item,) = settle(document("a", (label,), effective="05/06/2025"), order="day_first").values()
    assert isinstance(item, RawDocument)
    assert item.metadata == {"effective": "2025-06-05"}
    assert [(d.value, d.confidence) for d in item.found] == [("2025-04-03", "low")]
    assert len(item.notes) == 2


def test_a_history_keeps_a_documents_own_date_beside() -> None:
    """Where commits rule, a page's own date moves nowhere, however it was decided."""
    item = document("a", date="03/04/2025")
    ruled = RawDocument(**{**{f: getattr(item, f) for f in item.__dataclass_fields__}, "found_rules": True})
    assert date_of(settle(ruled, order="day_first")["a"]) == "2025-04-03"
