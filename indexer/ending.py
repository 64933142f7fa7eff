"""Own the two ways to go: the end of a document, and the withdrawal of a text that never held."""

from __future__ import annotations

from dataclasses import dataclass, replace

from indexer.door import EndRead
from indexer.errors import UnknownDocumentError, UnknownVersionError
from indexer.ingest import Intake
from indexer.merging import Change, WithdrawalRead
from indexer.recovery import finish_pending
from indexer.report import IngestReport
from indexer.settings import IngestSettings
from indexer.writing import TextEmbedder
from mappings.interval import format_instant
from mappings.series import End, Withdrawal
from mappings.timeline import Timeline
from mappings.version import Version
from store.engine import Engine

COMMAND = "command"
# Fewer digits than this of a version_id are rather a slip than a name.
_SHORTEST_VERSION = 4


@dataclass(frozen=True, slots=True)
class WithdrawalRequest:
    """Which text of a document never held, or did after all.

    Attributes:
        at: from when on that is known, µs.
        version: a version_id or its first digits; without one, the version in force at `as_of`.
        as_of: µs; without it, `at`.
        reason: shown with the version.
        undo: take the withdrawal back.
    """

    doc_id: str
    at: int
    version: str | None = None
    as_of: int | None = None
    reason: str = ""
    undo: bool = False


@dataclass(frozen=True, slots=True)
class WithdrawalPlan:
    """What a withdrawal would void: the text, and every run of it that was first observed by then."""

    doc_id: str
    withdrawal: Withdrawal
    runs: tuple[Version, ...]


def end_document(
    engine: Engine, doc_id: str, end: End, *, settings: IngestSettings, embedder: TextEmbedder
) -> IngestReport:
    """End a document: all its versions before that moment are closed, none is restored.

    Raises:
        UnknownDocumentError: the index does not hold the document.
    """
    _timeline(engine, doc_id)
    return _apply(engine, EndRead(end.source, doc_id, end), settings, embedder)


def plan_withdrawal(engine: Engine, request: WithdrawalRequest) -> WithdrawalPlan:
    """Find which text of a document is meant, and which of its runs a withdrawal would void.

    Raises:
        UnknownDocumentError: the index does not hold the document.
        UnknownVersionError: it has no such version, or none was in force then, or none that could be known by then.
    """
    timeline = _timeline(engine, request.doc_id)
    versions = timeline.by_document[request.doc_id]
    meant = _named(versions, request) if request.version else _in_force(timeline, request)
    runs = tuple(v for v in versions if v.content_hash == meant.content_hash and v.observed <= request.at)
    if not runs:
        raise UnknownVersionError(
            f"withdrawal must not be earlier than version {meant.version_id!r} of document {request.doc_id!r}, "
            f"got {format_instant(request.at)} < {format_instant(meant.observed)}",
            remedy="give a later --at",
        )
    withdrawal = Withdrawal(meant.content_hash, request.at, request.undo, request.reason)
    return WithdrawalPlan(request.doc_id, withdrawal, runs)


def withdraw_document(
    engine: Engine, plan: WithdrawalPlan, *, settings: IngestSettings, embedder: TextEmbedder
) -> IngestReport:
    """Do what was planned: the text never held, and from then on that is known; or it did after all."""
    return _apply(engine, WithdrawalRead(COMMAND, plan.doc_id, plan.withdrawal), settings, embedder)


def _apply(engine: Engine, change: Change, settings: IngestSettings, embedder: TextEmbedder) -> IngestReport:
    report = IngestReport()
    with engine.writer() as writer:
        intake = Intake(engine, writer, settings, embedder)
        report.mended = finish_pending(engine, writer, intake.chunker, embedder)
        intake.take([change], report)
    return report


def _timeline(engine: Engine, doc_id: str) -> Timeline:
    series = engine.series_of([doc_id]).get(doc_id)
    timeline = engine.timelines([series]).get(series) if series is not None else None
    if timeline is None or doc_id not in timeline.by_document:
        raise UnknownDocumentError(
            f"document must be one that the index holds, got {doc_id!r}", remedy="search for it to see its id"
        )
    return timeline


def _named(versions: tuple[Version, ...], request: WithdrawalRequest) -> Version:
    wanted = request.version or ""
    fitting = [version for version in versions if version.version_id.startswith(wanted)]
    if len(wanted) >= _SHORTEST_VERSION and len(fitting) == 1:
        return fitting[0]
    raise UnknownVersionError(
        f"version must name one version of {request.doc_id!r}, got {wanted!r} which fits {len(fitting)}",
        remedy=f"stilltrue history {request.doc_id} lists them",
    )


def _in_force(timeline: Timeline, request: WithdrawalRequest) -> Version:
    """Return the version in force at a moment, as known then; to undo, as if nothing had been withdrawn."""
    record = timeline.record
    document = record.documents[request.doc_id]
    if request.undo:
        timeline = Timeline(record.with_document(replace(document, withdrawals=())))
    moment = request.at if request.as_of is None else request.as_of
    view = timeline.at(moment, request.at, document.principals)
    live = [row.version for row in view.in_force() if row.version.doc_id == request.doc_id]
    if not live:
        raise UnknownVersionError(
            f"document {request.doc_id!r} must have a version in force, got none at {format_instant(moment)}",
            remedy=f"give another --as-of, or --version; stilltrue history {request.doc_id} lists them",
        )
    return live[-1]
