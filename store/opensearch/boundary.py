"""Own the edge to the cluster: what its client raises, and what its answers report, becomes errors of the store.

The server names the kind of a failure; that decides, then the HTTP status, then the class of the exception. No text
of an error holds credentials: the place is named without them, and the client's own texts have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import opensearchpy.exceptions as foreign

from store.errors import (
    NotAStoreError,
    RowError,
    StoreCorruptError,
    StoreError,
    StoreMissingError,
    StoreUnavailableError,
)

Meaning = tuple[type[StoreError], str]

_OPEN: Final = "open the index again, or restore it"
_AGAIN: Final = "try again when the cluster has less to do"
_FIELD: Final = "mend the document that the message names, then ingest it again"
_RIGHTS: Final = "give a user that may read and write these indices"
_REACH: Final = "check the address, and that the node is running"
_READ_ONLY: Final = "free disk space on the cluster and lift the block, then try again"

_UNKNOWN: Final[Meaning] = (StoreError, "")
# A document that can not be stored as it is.
REFUSED: Final[Meaning] = (RowError, _FIELD)

# By the name that the server gives to a failure.
_BY_TYPE: Final[Mapping[str, Meaning]] = {
    "index_closed_exception": (StoreUnavailableError, _OPEN),
    "index_not_found_exception": (StoreMissingError, "make one with: stilltrue ingest SOURCE"),
    "cluster_block_exception": (StoreUnavailableError, _READ_ONLY),
    "mapper_parsing_exception": (RowError, _FIELD),
    "strict_dynamic_mapping_exception": (NotAStoreError, "the mapping is not ours; ingest under another name"),
    "document_parsing_exception": (RowError, _FIELD),
    "rejected_execution_exception": (StoreUnavailableError, _AGAIN),
    "circuit_breaking_exception": (StoreUnavailableError, _AGAIN),
    "no_shard_available_action_exception": (StoreUnavailableError, "wait until the cluster has recovered"),
    "unavailable_shards_exception": (StoreUnavailableError, "wait until the cluster has recovered"),
    "parsing_exception": (NotAStoreError, "the mapping is not ours; ingest under another name"),
    "query_shard_exception": (NotAStoreError, "the mapping is not ours; ingest under another name"),
    "security_exception": (StoreUnavailableError, _RIGHTS),
}
# By HTTP status.
_BY_STATUS: Final[Mapping[int, Meaning]] = {
    401: (StoreUnavailableError, _RIGHTS),
    403: (StoreUnavailableError, _RIGHTS),
    404: (StoreMissingError, "make one with: stilltrue ingest SOURCE"),
    413: (StoreUnavailableError, "raise http.max_content_length of the cluster"),
    429: (StoreUnavailableError, _AGAIN),
    503: (StoreUnavailableError, _AGAIN),
}
# By class, most specific first; whatever else the client may raise is a StoreError.
BY_CLASS: Final[tuple[tuple[type[Exception], Meaning], ...]] = (
    (foreign.SSLError, (StoreUnavailableError, "trust its certificate with ?ca=FILE in the store url")),
    (foreign.ConnectionTimeout, (StoreUnavailableError, _AGAIN)),
    (foreign.ConnectionError, (StoreUnavailableError, _REACH)),
    (foreign.AuthenticationException, (StoreUnavailableError, _RIGHTS)),
    (foreign.AuthorizationException, (StoreUnavailableError, _RIGHTS)),
    (foreign.NotFoundError, (StoreMissingError, "make one with: stilltrue ingest SOURCE")),
    (foreign.ConflictError, (StoreUnavailableError, _AGAIN)),
    (foreign.RequestError, (StoreError, "")),
    (foreign.TransportError, (StoreUnavailableError, _AGAIN)),
    (foreign.SerializationError, (StoreCorruptError, "check that an OpenSearch cluster answers at this address")),
    (foreign.ImproperlyConfigured, (StoreError, "")),
    (foreign.OpenSearchDslException, (StoreError, "")),
    (foreign.OpenSearchException, (StoreError, "")),
)


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Turn exceptions of the client into errors of the store that name the place."""
    try:
        yield
    except (foreign.OpenSearchException, foreign.ImproperlyConfigured, foreign.OpenSearchDslException) as error:
        raise from_client(error, place) from error
    except OSError as error:
        raise StoreUnavailableError(f"store {place} can not be reached: {error}", remedy=_REACH) from error


def from_client(error: Exception, place: str) -> StoreError:
    """Return the error of the store that an exception of the client means."""
    status, info = getattr(error, "status_code", None), getattr(error, "info", None)
    if isinstance(status, int) and isinstance(info, Mapping) and isinstance(info.get("error"), Mapping):
        return from_failure(info["error"], status, place)
    meaning = _BY_STATUS.get(status) if isinstance(status, int) else None
    kind, remedy = meaning or next(meaning for known, meaning in BY_CLASS if isinstance(error, known))
    said = f"{type(error).__name__} {getattr(error, 'status_code', '')}".strip()
    cause = f": {info}" if isinstance(info, Exception | str) and str(info) else ""
    return kind(f"store {place} can not be used: {said}{cause}"[:_LONGEST], remedy=remedy)


# Characters of an error: a server may quote a whole request.
_LONGEST: Final = 600


def from_failure(
    failure: Mapping[str, Any], status: int, place: str, *, otherwise: Meaning = _UNKNOWN
) -> StoreError:
    """Return the error of the store that a failure in an answer means; of a kind that nobody knows, *otherwise*."""
    inner = innermost(failure)
    kind, remedy = _BY_TYPE.get(str(inner.get("type"))) or _BY_STATUS.get(status) or otherwise
    index = f" (index {inner['index']!r})" if inner.get("index") else ""
    reason = f"{inner.get('type')}{index}: {inner.get('reason')}"
    cause = inner.get("caused_by")
    if isinstance(cause, Mapping) and cause.get("reason"):
        reason += f"; {cause['reason']}"
    return kind(f"store {place} can not be used: {reason}"[:_LONGEST], remedy=remedy)


def innermost(failure: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the failure that others were caused by, as a server nests them."""
    for causes in (failure.get("root_cause"), failure.get("failed_shards")):
        if isinstance(causes, list) and causes:
            cause = causes[0].get("reason", causes[0])
            return cause if isinstance(cause, Mapping) and "type" in cause else causes[0]
    return failure
