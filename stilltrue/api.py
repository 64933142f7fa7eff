"""Own the library's surface: `open` an index, fill it, ask it.

An edge: it reads the settings, reads the clock once a call, and hands moments, settings and rights on as arguments.
What only writing needs is imported by the calls that write: a search from the command line should not pay for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, Self, Unpack

from indexer.errors import UnknownDocumentError
from mappings.interval import Span, resolve_moment
from mappings.series import End
from reranker.asking import Given, TimeWords, resolve_question
from reranker.history import HistoryEntry
from reranker.history import history as read_history
from reranker.moments import resolve_moments
from reranker.request import request_from
from reranker.search import search as ask
from stilltrue.arguments import IngestOptions as IngestOptions
from stilltrue.arguments import Moment, Period, SearchOptions, moment_text
from stilltrue.clock import now as read_clock
from stilltrue.errors import nearest_names
from stilltrue.models import load_embedder
from stilltrue.settings import Settings, load_settings
from stilltrue.status import Status
from store.embed import Embedder, identity
from store.engine import Engine
from store.opening import open_engine

if TYPE_CHECKING:
    from indexer.ending import WithdrawalPlan
    from indexer.preview import Preview
    from indexer.report import IngestReport, Progress
    from indexer.settings import IngestSettings
    from indexer.sources.opening import SourceRequest
    from indexer.verify import Verdict
    from reranker.changes import DocumentChange
    from reranker.response import SearchResponse
    from store.rejections import Rejections

class Index:
    """An index of dated documents, as one reader sees it. Build it with `stilltrue.open`.

    Nothing is read before the first call. A call without a moment is about now.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        principals: Sequence[str] = (),
        settings: Settings | None = None,
        clock: Callable[[], int] = read_clock,
    ) -> None:
        """Name the index; see `open`. The `clock` says what is now, in µs since 1970."""
        self.settings = settings or load_settings()
        self.url = self.settings.store.url if url is None else url
        self.principals = tuple(principals)
        self._clock = clock
        self._opened: tuple[Engine, Embedder] | None = None

    def ingest(
        self,
        source: str | Path,
        *,
        name: str = "",
        lenient: bool | None = None,
        progress: Progress | None = None,
        **how: Unpack[IngestOptions],
    ) -> IngestReport:
        """Take in all documents of a source; what is in already changes nothing.

        A folder is read as it stands now: what is gone from it has ended. A git history is read on from the last
        commit seen.

        Args:
            source: a folder, `git+PATH[@BRANCH]`, or a file of JSON lines, plain or gzipped.
            name: where its documents come from; by default the folder's name, or what the documents say.
            lenient: store also what has no usable date, flagged. None: `[ingest] mode`.
            progress: called after each batch with the report so far.
            **how: `format`, `date_from`, `content_type`, `keep_missing`, `force`.

        Returns:
            Counts, each document that was refused, with line, value and remedy, and what was passed over.

        Raises:
            SourceError: the source can not be opened.
            StoreError: the index can not be written; what is half done is finished by the next run.
        """
        from indexer.taking import TakeRules, take_source

        now = self._clock()
        request = _source_request(source, name, how)
        rules = TakeRules(how.get("content_type"), how.get("keep_missing", False), how.get("force", False))
        engine, embedder = self._open(create=True)
        return take_source(
            engine,
            request,
            self._ingest_settings(lenient),
            embedder=embedder,
            now=now,
            rules=rules,
            profiles=self.settings.profiles(),
            progress=progress,
        )

    def preview(
        self, source: str | Path, *, name: str = "", lenient: bool | None = None, **how: Unpack[IngestOptions]
    ) -> Iterator[Preview]:
        """Yield what `ingest` would store of a source, and why; nothing is written, and no index is needed.

        Raises:
            SourceError: the source can not be opened.
        """
        from indexer.preview import preview_source
        from indexer.taking import with_type

        settings = with_type(self._ingest_settings(lenient), how.get("content_type"))
        request = _source_request(source, name, how)
        return preview_source(request, settings, now=self._clock(), profiles=self.settings.profiles())

    def _ingest_settings(self, lenient: bool | None) -> IngestSettings:
        settings = self.settings.ingest
        if lenient is None:
            return settings
        return settings.model_copy(update={"mode": "lenient" if lenient else "strict"})

    def search(
        self,
        query: str,
        *,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        period: Period | None = None,
        zone: str | None = None,
        time_words: bool | None = None,
        **options: Unpack[SearchOptions],
    ) -> SearchResponse:
        """Answer a question with the passages that hold at `as_of`, best first.

        Args:
            query: the question, 1 to 4,096 characters.
            as_of: the moment that the answer must hold for; a day, month or year means its end. None: now.
            known_at: up to when something may have been known. None: `as_of`, never later than now.
            period: (start, end) that the answer must overlap, both inclusive as people mean days; None: open there.
            zone: IANA name, for moments that carry none. None: `[ingest] zone`.
            time_words: whether the words of the question may say when, where no argument does. None: `[time] words`.
            **options: `filters`, `top_k`, `per_document`, `offset`, `history`, `upcoming`, `explain`, `scoring`.

        Raises:
            RequestError: a question that can not be asked as it stands.
            StoreError: nothing lies there, or it can not be read.
        """
        now = self._clock()
        options.setdefault("scoring", self.settings.search.scoring)
        request = request_from({"query": query, **options}, principals=self.principals)
        start, end = period or (None, None)
        asked = resolve_question(
            query,
            Given(moment_text(as_of), moment_text(known_at), (moment_text(start), moment_text(end))),
            now=now,
            zone=self._zone(zone),
            releases=lambda: self._open()[0].releases(self.principals),
            words=self._time_words(time_words),
        )
        engine, embedder = self._open()
        return ask(
            engine,
            embedder,
            request,
            as_of=asked.moments.as_of,
            known_at=asked.moments.known_at,
            now=now,
            period=asked.moments.period,
            readings=asked.readings,
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
        moments = resolve_moments(moment_text(as_of), moment_text(known_at), now=self._clock(), zone=self._zone(zone))
        engine, _ = self._open()
        entries = read_history(
            engine, name, as_of=moments.as_of, known_at=moments.known_at, principals=self.principals
        )
        return entries or self._refuse_name(name, moments.as_of, moments.known_at)

    def diff(
        self,
        name: str,
        before: Moment,
        after: Moment,
        *,
        known_at: Moment | None = None,
        zone: str | None = None,
    ) -> tuple[DocumentChange, ...]:
        """Return what changed about a document or series between two moments; nothing where none was in force.

        Args:
            name: a doc_id, else the key of a series.
            before: a moment; a day, month or year means its end.
            after: the moment that it is compared with.
            known_at: as far as known then, for both. None: each as it was known at its own moment.
            zone: of moments that carry none.

        Raises:
            UnknownDocumentError: there is none of that name, or none that this reader may know of.
        """
        from reranker.changes import Side, changes

        now, known = self._clock(), moment_text(known_at)
        both = [resolve_moments(moment_text(at), known, now=now, zone=self._zone(zone)) for at in (before, after)]
        sides = [Side(moments.as_of, moments.known_at) for moments in both]
        found = changes(self._open()[0], name, sides[0], sides[1], principals=self.principals)
        return self._refuse_name(name, sides[1].as_of, sides[1].known_at) if found is None else found

    def log(self, query_id: str) -> Rejections:
        """Return what a question left out, and why; only for the principals that it was asked with.

        Raises:
            UnknownQueryError: the log holds no such question of this reader.
        """
        from reranker.log import read_log

        return read_log(self._open()[0], query_id, principals=self.principals)

    def end(
        self, doc_id: str, *, at: Moment | None = None, zone: str | None = None, reason: str = ""
    ) -> IngestReport:
        """Say that a document has ended (deleted, archived): it closes its versions and restores nothing.

        Args:
            doc_id: the document.
            at: when; a day means its start. None: now.
            zone: of a moment that carries none.
            reason: kept with it.

        Raises:
            UnknownDocumentError: the index does not hold the document.
        """
        from indexer.ending import COMMAND, end_document

        end = End(self._moment(at, now=self._clock(), zone=zone), source=COMMAND, reason=reason)
        engine, embedder = self._open()
        return end_document(engine, doc_id, end, settings=self.settings.ingest, embedder=embedder)

    def withdraw(
        self,
        doc_id: str,
        *,
        version: str | None = None,
        as_of: Moment | None = None,
        at: Moment | None = None,
        zone: str | None = None,
        reason: str = "",
        undo: bool = False,
        confirm: Callable[[WithdrawalPlan], bool] | None = None,
    ) -> WithdrawalPlan | None:
        """Say that a text of a document never held; its predecessor is then in force again.

        Args:
            doc_id: the document.
            version: id of the version, or its first digits; None: the one in force at `as_of`.
            as_of: a moment at which the text was in force; None: `at`.
            at: from when on it is known; a day means its start. None: now.
            zone: of moments that carry none.
            reason: kept with it.
            undo: take the withdrawal back instead.
            confirm: asked with the runs of the text that this voids; False leaves everything as it is.

        Returns:
            What was done, or None where `confirm` said no.

        Raises:
            UnknownDocumentError: the index does not hold the document.
            UnknownVersionError: it has no such version, or none was in force then.
        """
        from indexer.ending import WithdrawalRequest, plan_withdrawal, withdraw_document

        now = self._clock()
        request = WithdrawalRequest(
            doc_id,
            at=self._moment(at, now=now, zone=zone).start,
            version=version,
            as_of=None if as_of is None else self._moment(as_of, now=now, zone=zone).last,
            reason=reason,
            undo=undo,
        )
        engine, embedder = self._open()
        plan = plan_withdrawal(engine, request)
        if confirm is not None and not confirm(plan):
            return None
        withdraw_document(engine, plan, settings=self.settings.ingest, embedder=embedder)
        return plan

    def verify(self, *, repair: bool = False) -> Verdict:
        """Compare everything derived with the truth; with `repair` bring it to what the truth says."""
        from indexer import verify

        engine, embedder = self._open()
        if repair:
            return verify.repair(engine, self.settings.ingest, embedder=embedder)
        return verify.verify(engine, self.settings.ingest)

    def status(self) -> Status:
        """Return what lies in the index, and how much of it."""
        engine, _ = self._open()
        return Status(engine.info())

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
            embedder = load_embedder(self.settings.embedder)
            self._opened = open_engine(self.url, embedder=identity(embedder), create=create), embedder
        return self._opened

    def _moment(self, moment: Moment | None, *, now: int, zone: str | None) -> Span:
        return resolve_moment(moment_text(moment) or "now", now=now, zone=self._zone(zone))

    def _refuse_name(self, name: str, as_of: int, known_at: int) -> NoReturn:
        """Say that nothing of that name is known, and which names are near; only ones that this reader may know."""
        engine, _ = self._open()

        def is_known(key: str) -> bool:
            return bool(read_history(engine, key, as_of=as_of, known_at=known_at, principals=self.principals))

        near = [key for key in nearest_names(name, engine.series_keys()) if is_known(key)]
        known = " or ".join(map(repr, near[:2]))
        remedy = f"did you mean {known}" if near else "search for it to see its id; another reader may see more"
        raise UnknownDocumentError(f"no document or series {name!r} is known", remedy=remedy)

    def _time_words(self, wanted: bool | None) -> TimeWords | None:
        settings = self.settings.time
        read = settings.words if wanted is None else wanted
        return TimeWords(settings.reader(), settings.language) if read else None

    def _zone(self, zone: str | None) -> str:
        return zone or self.settings.ingest.zone


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


def _source_request(source: str | Path, name: str, how: IngestOptions) -> SourceRequest:
    """Return which source is meant; one that does not exist is refused before an index is made for it."""
    from indexer.sources.opening import SourceRequest, check_source

    request = SourceRequest(str(source), name, how.get("format"), how.get("date_from"))
    check_source(request)
    return request
