"""Own a small dated handbook that the tests ask: a document for each state, written for the tests."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from indexer.ending import WithdrawalRequest, end_document, plan_withdrawal, withdraw_document
from indexer.ingest import ingest
from indexer.settings import IngestSettings
from indexer.sources.base import RawDocument
from mappings.interval import Span, parse_moment
from mappings.series import End
from reranker.moments import resolve_moments
from reranker.request import request_from
from reranker.response import SearchResponse
from reranker.search import search
from reranker.settings import SearchSettings
from store.embed import get_embedder, identity
from store.engine import Engine
from store.opening import open_engine

EMBEDDER = get_embedder("hashing")
LENIENT = IngestSettings(mode="lenient")

Row = tuple[str, str, str, dict[str, Any]]

HANDBOOK: tuple[Row, ...] = (
    ("refunds", "Refunds", "A refund takes ten days.", {"date": "2023-01-10", "type": "policy", "series": "money"}),
    ("refunds", "Refunds", "A refund takes five days.", {"date": "2024-03-01", "type": "policy", "series": "money"}),
    (
        "refunds-plan",
        "Refunds from July",
        "A refund will take two days.",
        {"date": "2024-05-02", "effective": "2024-07-01", "type": "policy", "series": "money"},
    ),
    ("travel", "Travel", "Trips are booked by the desk.", {"date": "2023-02-01", "expires": "2024-01-31"}),
    (
        "outage",
        "Mail outage",
        "The mail server does not answer.",
        {"date": "2024-05-31T08:00Z", "type": "incident", "kind": "EVENT"},
    ),
    (
        "old-outage",
        "Mail outage in March",
        "The mail server did not answer.",
        {"date": "2024-03-05T08:00Z", "end": "2024-03-05T12:00Z", "type": "incident", "kind": "EVENT"},
    ),
    ("parking", "Parking", "Parking is behind the house.", {}),
    ("salary", "Salary bands", "Salaries are paid on the last day.", {"date": "2024-01-01", "principals": ["hr"]}),
    ("leave-a", "Leave", "Leave is 28 days.", {"date": "2024-01-01", "topic": "leave", "value": "28 days"}),
    ("leave-b", "Leave abroad", "Leave is 30 days.", {"date": "2024-02-01", "topic": "leave", "value": "30 days"}),
    ("cantina", "Cantina", "Lunch is at noon.", {"date": "2024-01-01"}),
    ("gone", "Library", "The library opens at nine.", {"date": "2023-05-01"}),
    ("wrong", "Bicycles", "Bicycles are lent for a month.", {"date": "2023-05-01"}),
    ("wrong", "Bicycles", "Bicycles are lent for a year.", {"date": "2024-02-01"}),
)


@dataclass(frozen=True)
class Desk:
    """Ask one index at fixed moments."""

    engine: Engine
    now: int

    def ask(
        self,
        query: str,
        *,
        as_of: str | None = None,
        known_at: str | None = None,
        period: tuple[str | None, str | None] = (None, None),
        principals: Sequence[str] = (),
        settings: SearchSettings | None = None,
        **options: Any,
    ) -> SearchResponse:
        """Answer a question as an edge would ask it."""
        moments = resolve_moments(as_of, known_at, now=self.now, period=period)
        return search(
            self.engine,
            EMBEDDER,
            request_from({"query": query, **options}, principals=principals),
            as_of=moments.as_of,
            known_at=moments.known_at,
            now=self.now,
            period=moments.period,
            settings=settings or SearchSettings(),
            timer=lambda: 0.0,
        )


def fill(engine: Engine, rows: Iterable[Row], now: int) -> None:
    """Take rows of (doc_id, title, text, metadata) into an index."""
    items = [RawDocument(*row, f"rows:{at}") for at, row in enumerate(rows)]
    report = ingest(engine, items, LENIENT, embedder=EMBEDDER, now=now)
    assert not report.refused, report.refused


def build(folder: Any, rows: Iterable[Row], now: int) -> Desk:
    """Return a new index of rows."""
    engine = open_engine(str(folder), embedder=identity(EMBEDDER), create=True)
    fill(engine, rows, now)
    return Desk(engine, now)


def build_handbook(folder: Any, now: int) -> Desk:
    """Return the handbook, with a document that ended and one whose last text was withdrawn."""
    desk = build(folder, HANDBOOK, now)
    end = End(Span.instant(parse_moment("2024-04-01").start), source="command", reason="closed")
    end_document(desk.engine, "gone", end, settings=LENIENT, embedder=EMBEDDER)
    request = WithdrawalRequest("wrong", at=parse_moment("2024-04-01").start, as_of=parse_moment("2024-03-01").start)
    plan = plan_withdrawal(desk.engine, request)
    withdraw_document(desk.engine, plan, settings=LENIENT, embedder=EMBEDDER)
    return desk
