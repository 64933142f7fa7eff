"""What the client raises, and what a server answers, becomes errors of the store: a table with no gaps."""

import inspect
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import opensearchpy.exceptions as foreign
import orjson
import pytest

from store.errors import NotAStoreError, RowError, StoreError, StoreMissingError, StoreUnavailableError
from store.opensearch import bulk
from store.opensearch.address import Address
from store.opensearch.boundary import BY_CLASS, from_client, from_failure
from store.opensearch.bulk import Operation
from store.opensearch.cluster import Cluster

CLASSES = [
    each
    for _, each in sorted(inspect.getmembers(foreign, inspect.isclass))
    if issubclass(each, Exception) and each.__module__ == foreign.__name__ and not issubclass(each, Warning)
]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda each: each.__name__)
def test_every_exception_of_the_client_is_mapped(kind):
    """A class that a newer client brings is found here."""
    assert any(issubclass(kind, known) for known, _ in BY_CLASS)
    place = [index for index, (known, _) in enumerate(BY_CLASS) if issubclass(kind, known)]
    exact = [index for index, (known, _) in enumerate(BY_CLASS) if known is kind]
    assert not exact or exact[0] == place[0]  # nothing more general stands before it


FAILURES = [
    ({"type": "index_closed_exception", "reason": "closed", "index": "a"}, 400, StoreUnavailableError, "(index 'a')"),
    ({"type": "cluster_block_exception", "reason": "blocked"}, 429, StoreUnavailableError, "free disk space"),
    ({"type": "mapper_parsing_exception", "reason": "field [x]"}, 400, RowError, "field [x]"),
    ({"type": "parsing_exception", "reason": "unknown field [x]"}, 400, NotAStoreError, "not ours"),
    ({"type": "index_not_found_exception", "reason": "no such index [a]"}, 404, StoreMissingError, "no such index"),
    ({"type": "unheard_of", "reason": "?"}, 400, StoreError, "unheard_of: ?"),
    ({"type": "outer", "root_cause": [{"type": "index_closed_exception"}]}, 400, StoreUnavailableError, "closed"),
    ({"failed_shards": [{"reason": {"type": "index_closed_exception"}}]}, 0, StoreUnavailableError, "closed"),
]


@pytest.mark.parametrize(("failure", "status", "kind", "said"), FAILURES, ids=[f"{r[0].get('type')}" for r in FAILURES])
def test_a_failure_in_an_answer(failure, status, kind, said):
    """The name that the server gives decides; the reason and the way out are in the message."""
    error = from_failure(failure, status, "opensearch://h:9200/kb")
    assert type(error) is kind
    assert said in str(error) and "opensearch://h:9200/kb" in str(error)


def test_a_refused_connection_says_the_way_out():
    """Without a status the class decides."""
    error = from_client(foreign.ConnectionError("N/A", "refused", OSError("refused")), "here")
    assert isinstance(error, StoreUnavailableError) and "the node is running" in str(error)


class Busy(BaseHTTPRequestHandler):
    """A node that is too busy at first, then stores what it is sent, and answers as its script says."""

    script: list = []  # noqa: RUF012
    received: list = []  # noqa: RUF012

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        type(self).received.append(body)
        status, answer = type(self).script.pop(0)(body)
        data = orjson.dumps(answer)
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def keys(body):
    return [line["index"]["_id"] for line in map(orjson.loads, body.splitlines()) if "index" in line]


def stores(body):
    return 200, {"errors": False, "items": [{"index": {"_id": key, "status": 201}} for key in keys(body)]}


def stores_every_other(body):
    items = [{"index": {"_id": key, "status": 429 if at % 2 else 201}} for at, key in enumerate(keys(body))]
    return 200, {"errors": True, "items": items}


def is_busy(_):
    return 429, {"error": {"type": "rejected_execution_exception", "reason": "full"}, "status": 429}


def forgets_one(body):
    return 200, {"errors": False, "items": stores(body)[1]["items"][1:]}


@pytest.fixture
def node(monkeypatch):
    """Give a connection to a node whose answers are scripted; no pause is waited for."""
    pauses = []
    monkeypatch.setattr(bulk.time, "sleep", pauses.append)
    handler = type("Scripted", (Busy,), {"script": [], "received": []})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    cluster = Cluster(Address("127.0.0.1", server.server_port))
    yield cluster, handler, pauses
    cluster.close()
    server.shutdown()
    server.server_close()
    thread.join()


def operations(count):
    return [Operation("index", "i", f"d{number}", {"text": "x"}) for number in range(count)]


def test_a_busy_cluster_is_sent_the_rest_again(node):
    """Only what was rejected is sent again, after longer and longer pauses; every document gets through once."""
    cluster, handler, pauses = node
    handler.script[:] = [is_busy, stores_every_other, stores]
    outcomes = bulk.write(cluster, operations(4))
    assert [outcome.operation.key for outcome in outcomes] == ["d0", "d1", "d2", "d3"]
    assert [keys(body) for body in handler.received] == [["d0", "d1", "d2", "d3"]] * 2 + [["d1", "d3"]]
    assert pauses == [0.5, 1.0]


def test_a_cluster_that_stays_busy_is_said(node):
    """After the last try there is an error that counts what is missing."""
    cluster, handler, pauses = node
    handler.script[:] = [is_busy] * 20
    with pytest.raises(StoreUnavailableError, match="too busy for 2 of 2 documents, the first is 'd0'"):
        bulk.write(cluster, operations(2))
    assert len(pauses) == 9


def test_an_answer_with_fewer_items_is_an_error(node):
    """A server that leaves out a document without a word is not believed."""
    cluster, handler, _ = node
    handler.script[:] = [forgets_one]
    with pytest.raises(StoreUnavailableError, match="answered 2 of 3 operations"):
        bulk.write(cluster, operations(3))


def test_writes_are_parted(node):
    """No request is much larger than 5 MB."""
    cluster, handler, _ = node
    handler.script[:] = [stores] * 3
    large = [Operation("index", "i", f"d{number}", {"text": "x" * 2_000_000}) for number in range(5)]
    assert len(bulk.write(cluster, large)) == 5
    assert [len(keys(body)) for body in handler.received] == [2, 2, 1]


SHARDS = {"total": 3, "successful": 2, "skipped": 0, "failed": 1}
PARTIAL = [
    ({"timed_out": True, "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0}}, "ran out of time"),
    ({"timed_out": False, "_shards": SHARDS}, "answered for 2 of 3 shards"),
    ({"timed_out": False, "_shards": {**SHARDS, "failed": 0}}, "answered for 2 of 3 shards"),
    ({"timed_out": False, "_shards": {**SHARDS, "failures": [{"reason": {"type": "x", "reason": "y"}}]}}, "x: y"),
]


@pytest.mark.parametrize(("answer", "message"), PARTIAL, ids=["time", "failed", "missing", "named"])
def test_an_answer_that_is_not_whole_is_an_error(node, answer, message):
    """Fewer shards or too little time give no shorter list."""
    cluster, handler, _ = node
    handler.script[:] = [lambda _: (200, {"responses": [{**answer, "hits": {"hits": []}}]})]
    with pytest.raises(StoreError, match=message):
        cluster.search("i", {})
