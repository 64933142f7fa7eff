"""Own the library's surface: `open` an index, fill it, ask it.

An edge: it reads the settings, reads the clock once a call, and hands moments, settings and rights on as arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypedDict, Unpack

from indexer.errors import UnknownDocumentError
from reranker.history import HistoryEntry
from reranker.history import history as read_history
from reranker.request import Moments, request_from, resolve_moments
from reranker.search import search as ask
from stilltrue.clock import now as read_clock
from stilltrue.settings import Settings, load_settings
from stilltrue.status import Status, read_status
from store.embed import Embedder, get_embedder
from store.engine import EmbedderId, Engine
from store.opening import open_engine

if TYPE_CHECKING:
    from reranker.response import SearchResponse

# A moment as people give it: text such as "2024-03" or "-30d", a date, or a datetime.
Moment: TypeAlias = str | date


class SearchOptions(TypedDict, total=False):
    """What a search may be told besides the question and its moments; see `reranker.request.SearchRequest`."""

    filters: Mapping[str, Any]
    top_k: int
    per_document: int
    offset: int
    history: bool
    upcoming: bool
    explain: bool


class Index:
    """An index of dated documents, as one reader sees it. Build it with `stilltrue.open`.

    Nothing is read before the first call. A call without a moment is about now.
    """

    def __init__(
        self, url: str | None = None, *, principals: Sequence[str] = (), settings: Settings | None = None
    ) -> None:
        """Name the index; see `open`."""
        self.settings = settings or load_settings()
        self.url = url or self.settings.store.url
        self.principals = tuple(principals)
        self._opened: tuple[Engine, Embedder] | None = None

    def search(
        self,
        query: str,
        *,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        zone: str | None = None,
        **options: Unpack[SearchOptions],
    ) -> SearchResponse:
        """Answer a question with the passages that hold at `as_of`, best first.

        Args:
            query: the question, 1 to 4,096 characters.
            as_of: the moment that the answer must hold for; a day, month or year means its end. None: now.
            known_at: up to when something may have been known. None: `as_of`, never later than now.
            zone: IANA name, for moments that carry none. None: `[ingest] zone`.
            **options: `filters`, `top_k`, `per_document`, `offset`, `history`, `upcoming`, `explain`.

        Raises:
            RequestError: a question that can not be asked as it stands.
            StoreError: nothing lies there, or it can not be read.
        """
        now = read_clock()
        request = request_from({"query": query, **options}, principals=self.principals)
        moments = self._moments(as_of, known_at, now=now, zone=zone)
        engine, embedder = self._open()
        return ask(
            engine,
            embedder,
            request,
            as_of=moments.as_of,
            known_at=moments.known_at,
            now=now,
            profiles=self.settings.profiles(),
            settings=self.settings.search.limits(),
        )

    def history(
        self,
        name: str,
        *,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        zone: str | None = None,
    ) -> tuple[HistoryEntry, ...]:
        """Return the versions of a document or series, the earliest first, with how each stands.

        Raises:
            UnknownDocumentError: there is none of that name, or none that this reader may know of.
        """
        moments = self._moments(as_of, known_at, now=read_clock(), zone=zone)
        engine, _ = self._open()
        entries = read_history(
            engine, name, as_of=moments.as_of, known_at=moments.known_at, principals=self.principals
        )
        if not entries:
            detail = f"no document or series {name!r} is known"
            raise UnknownDocumentError(detail, remedy="check the id; another reader or a later known_at may see it")
        return entries

    def status(self) -> Status:
        """Return what lies in the index, and how much of it."""
        engine, _ = self._open()
        return read_status(engine)

    def close(self) -> None:
        """Let go of files; the next call opens them again."""
        if self._opened is not None:
            self._opened[0].close()
            self._opened = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open(self, *, create: bool = False) -> tuple[Engine, Embedder]:
        """Open the engine once, checked against the embedder of the settings."""
        if self._opened is None:
            embedder = get_embedder(self.settings.embedder.name)
            identity = EmbedderId(embedder.name, embedder.version, embedder.dimension)
            self._opened = open_engine(self.url, embedder=identity, create=create), embedder
        return self._opened

    def _moments(
        self, as_of: Moment | None, known_at: Moment | None, *, now: int, zone: str | None
    ) -> Moments:
        zone = zone or self.settings.ingest.zone
        return resolve_moments(_text(as_of), _text(known_at), now=now, zone=zone)


def open(url: str | None = None, *, principals: Sequence[str] = (), settings: Settings | None = None) -> Index:
    """Open an index for a reader.

    Args:
        url: `embedded:PATH` or a plain path; None: `[store] url` of the settings.
        principals: who is asking; without any, only what everybody may read is seen.
        settings: None: those of the nearest ``stilltrue.toml`` and the environment.

    Raises:
        SettingsError: settings that can not be.
    """
    return Index(url, principals=principals, settings=settings)


def _text(moment: Moment | None) -> str | None:
    """Write a moment in the grammar that requests are read in."""
    if isinstance(moment, datetime):
        return moment.isoformat(sep="T")
    return moment.isoformat() if isinstance(moment, date) else moment
