"""Own the connection to a cluster: one request at a time, checked, with errors of the store.

An answer that is not whole is an error, never a shorter list: shards that failed, a search that ran out of time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

import orjson
from opensearchpy import OpenSearch
from opensearchpy.exceptions import SerializationError, TransportError
from opensearchpy.serializer import JSONSerializer

from store.errors import StoreUnavailableError
from store.opensearch.address import Address
from store.opensearch.boundary import from_failure, translated

# Seconds for one request; a search takes milliseconds, a large bulk some seconds.
_TIMEOUT_S: Final = 60.0
# How often a request is sent again when the connection broke; every request of ours may be repeated.
_RETRIES: Final = 2
# Connections that threads share.
_CONNECTIONS: Final = 16
# Documents asked for at once by id.
_AT_ONCE: Final = 1_000

_BUSY: Final = 429
_ABSENT: Final = 404
_LINES: Final = {"content-type": "application/x-ndjson"}


class _Serializer(JSONSerializer):
    """Reads answers several times as fast as the client's own."""

    def loads(self, s: str) -> Any:
        try:
            return orjson.loads(s)
        except orjson.JSONDecodeError as error:
            raise SerializationError("answer is no JSON", error) from error

    def dumps(self, data: Any) -> Any:
        return data if isinstance(data, str | bytes) else orjson.dumps(data)


class Cluster:
    """Speaks to one cluster; safe for threads, and begins anew in a forked child."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._client: OpenSearch | None = None
        self._pid = 0

    @property
    def place(self) -> str:
        """The place without credentials."""
        return self.address.place

    def ask(self, method: str, path: str, body: object = None, **params: object) -> Any:
        """Send one request and return its answer; raises StoreError where it failed or is not whole."""
        with translated(self.place):
            answer = self._transport().perform_request(method, path, params=params, body=body)
        self._check(answer)
        return answer

    def get(self, index: str, key: str) -> dict[str, Any] | None:
        """Return a document with its numbers as it is at this moment; None where it, or its index, is not there."""
        with translated(self.place):
            found: dict[str, Any] = self._transport().perform_request(
                "GET", f"/{index}/_doc/{quote(key, safe='')}", params={"ignore": _ABSENT}
            )
        return found if found.get("found") else None

    def lines(self, path: str, lines: Iterable[object], **params: object) -> Any:
        """Send a request of one JSON text a line and return its answer, unchecked."""
        body = b"".join(orjson.dumps(line) + b"\n" for line in lines)
        with translated(self.place):
            return self._transport().perform_request("POST", path, params=params, body=body, headers=_LINES)

    def bulk(self, body: bytes, *, refresh: bool) -> Any:
        """Send many writes and return the answer; None where the cluster is too busy for any of them."""
        with translated(self.place):
            try:
                params = {"refresh": "true"} if refresh else {}
                return self._transport().perform_request("POST", "/_bulk", params=params, body=body, headers=_LINES)
            except TransportError as error:
                if error.status_code == _BUSY:
                    return None
                raise

    def searches(self, asked: Sequence[tuple[Mapping[str, object], Mapping[str, object]]]) -> list[Any]:
        """Send searches, each a header and a body, in one request; return their answers in order."""
        lines = [part for header, body in asked for part in ({"allow_partial_search_results": False, **header}, body)]
        answers: list[Any] = self.lines("/_msearch", lines)["responses"]
        if len(answers) != len(asked):
            raise StoreUnavailableError(f"store {self.place} answered {len(answers)} of {len(asked)} searches")
        for answer in answers:
            self._check(answer)
        return answers

    def search(self, index: str | Sequence[str], body: Mapping[str, object]) -> Any:
        """Send one search and return its answer."""
        return self.searches([({"index": index if isinstance(index, str) else list(index)}, body)])[0]

    def documents(self, index: str, keys: Iterable[str], source: object = True) -> dict[str, dict[str, Any]]:
        """Return documents by key as they are at this moment; those that are not there are absent.

        Args:
            index: where they lie.
            keys: of the documents.
            source: which fields are wanted, as the server names them.
        """
        wanted = list(dict.fromkeys(keys))
        found: dict[str, dict[str, Any]] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            items = [{"_index": index, "_id": key, "_source": source} for key in wanted[start : start + _AT_ONCE]]
            for document in self.gets(items):
                if document.get("found"):
                    found[document["_id"]] = document
        return found

    def gets(self, items: Sequence[Mapping[str, object]]) -> list[dict[str, Any]]:
        """Return what lies at these places, in order, as it is at this moment."""
        answer = self.ask("POST", "/_mget", {"docs": list(items)})
        for document in answer["docs"]:
            if "error" in document:
                raise from_failure(document["error"], 0, self.place)
        documents: list[dict[str, Any]] = answer["docs"]
        return documents

    def refresh(self, indices: Iterable[str]) -> None:
        """Make what was written to these indices visible to search."""
        wanted = sorted(indices)
        if wanted:
            self.ask("POST", f"/{','.join(wanted)}/_refresh")

    def close(self) -> None:
        """Let go of connections; the next request opens them again."""
        if self._client is not None and self._pid == os.getpid():
            self._client.close()
        self._client = None

    def _check(self, answer: Any) -> None:
        """Raise where an answer is a failure, or leaves something out."""
        if not isinstance(answer, Mapping):
            return
        if "error" in answer and "status" in answer:
            raise from_failure(answer["error"], int(answer["status"]), self.place)
        shards = answer.get("_shards") or {}
        if shards.get("failed") and shards.get("failures"):
            raise from_failure({"failed_shards": shards["failures"]}, 0, self.place)
        if shards.get("failed") or ("skipped" in shards and shards["successful"] != shards["total"]):
            raise StoreUnavailableError(
                f"store {self.place} answered for {shards.get('successful')} of {shards.get('total')} shards",
                remedy="wait until the cluster has recovered",
            )
        if answer.get("timed_out"):
            raise StoreUnavailableError(f"store {self.place} ran out of time", remedy="try again")

    def _transport(self) -> Any:
        if self._client is None or self._pid != os.getpid():
            self._client = self._connect()
            self._pid = os.getpid()
        return self._client.transport

    def _connect(self) -> OpenSearch:
        address = self.address
        options: dict[str, Any] = {"http_auth": (address.user, address.password)} if address.user else {}
        if address.tls:
            options |= {"use_ssl": True, "verify_certs": True}
            options |= {"ca_certs": address.ca} if address.ca else {}
        return OpenSearch(
            hosts=[{"host": address.host, "port": address.port}],
            timeout=_TIMEOUT_S,
            max_retries=_RETRIES,
            retry_on_status=(),
            serializer=_Serializer(),
            serializers={_Serializer.mimetype: _Serializer()},
            pool_maxsize=_CONNECTIONS,
            **options,
        )


