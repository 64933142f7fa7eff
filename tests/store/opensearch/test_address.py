"""What a URL of a cluster says, and what is never shown of it."""

import logging
import shutil
import ssl
import subprocess
import threading
import warnings
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from mappings.names import Period
from store import open_engine
from store.errors import StoreError, StoreUnavailableError, StoreUrlError
from store.opensearch.address import Address, PlainHttpWarning, read_address

SECRET = "s3cret/pass@word"
QUOTED = "s3cret%2Fpass%40word"


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("opensearch://localhost", Address("localhost")),
        ("opensearch://127.0.0.1:9300/kb", Address("127.0.0.1", 9300, name="kb")),
        ("opensearch://[::1]:9200/kb/", Address("::1", name="kb")),
        ("opensearch+https://s.example/kb?period=month", Address("s.example", 9200, True, "kb", period=Period.MONTH)),
        (f"opensearch+https://ann:{QUOTED}@h/kb", Address("h", 9200, True, "kb", "ann", SECRET)),
    ],
)
def test_parts_of_a_url(url, address):
    """Host, port, name, credentials and options are read; what is left out has its default."""
    with warnings.catch_warnings(action="error"):
        assert read_address(url) == address


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("opensearch://", "names no host"),
        ("opensearch:kb", "names no host"),
        ("opensearch://h:99999/kb", "port below 65536"),
        ("opensearch://h/Kb", "lower case letters, digits and underscores"),
        ("opensearch://h/a-b", "got 'a-b'"),
        ("opensearch://localhost/kb?periods=year", "unknown option, got 'periods'"),
        ("opensearch://localhost/kb?period=week", "must be year, quarter or month, got 'week'"),
        ("opensearch+https://h/kb?ca=/no/such/file", "must be a file of certificates"),
    ],
)
def test_a_bad_url_is_refused(url, message):
    """A wrong part is named with its value and what is allowed."""
    with pytest.raises(StoreUrlError, match=message):
        read_address(url)


@pytest.mark.parametrize("place", ["opensearch://{}/kb", "opensearch://{}h:99999/kb", "nope://{}h"])
def test_a_refused_url_shows_no_password(place):
    """The message of a refusal leaves out who and with what."""
    with pytest.raises(StoreUrlError) as refusal:
        open_engine(place.format(f"ann:{QUOTED}@"))
    assert "s3cret" not in str(refusal.value) and "ann" not in str(refusal.value)
    assert "***@" in str(refusal.value)


def test_plain_http_to_another_machine_warns():
    """What is sent can be read on the way; on this machine, or with TLS, it can not."""
    with pytest.warns(PlainHttpWarning, match="use opensearch") as caught:
        read_address(f"opensearch://ann:{QUOTED}@search.example/kb")
    assert "s3cret" not in str(caught[0].message)


@pytest.mark.parametrize("scheme", ["opensearch", "opensearch+https"])
def test_nothing_shows_a_password(caplog, scheme):
    """Neither errors with their causes, nor logs at any level, nor any repr."""
    caplog.set_level(logging.DEBUG)
    url = f"{scheme}://ann:{QUOTED}@127.0.0.1:9/kb"
    with pytest.raises(StoreUnavailableError) as failure:
        open_engine(url)
    texts, error = [repr(read_address(url)), caplog.text], failure.value
    while error is not None:
        texts += [str(error), repr(error), repr(vars(error))]
        error = error.__cause__ or error.__context__
    for text in texts:
        assert "s3cret" not in text and "YW5u" not in text  # nor in base64


class Answer(BaseHTTPRequestHandler):
    """Answers every request as a node would that knows nothing."""

    def do_HEAD(self):
        self.send_response(404)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def certified(tmp_path):
    """Give the port of a server with a certificate that nobody vouches for, and the certificate."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    files = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*request, *files], check=True, capture_output=True)
    server = HTTPServer(("127.0.0.1", 0), Answer)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield server.server_port, certificate
    server.shutdown()
    server.server_close()
    thread.join()


def test_certificates_are_verified(certified):
    """An unknown certificate is refused; with the file that vouches for it, the server is heard."""
    port, certificate = certified
    with pytest.raises(StoreUnavailableError, match=r"trust its certificate with \?ca=FILE"):
        open_engine(f"opensearch+https://localhost:{port}/kb")
    with pytest.raises(StoreError, match="no index at opensearch"):
        open_engine(f"opensearch+https://localhost:{port}/kb?ca={certificate}")


def test_the_name_in_a_certificate_is_verified(certified):
    """A certificate for another name does not do."""
    port, certificate = certified
    with pytest.raises(StoreUnavailableError, match="trust its certificate"):
        open_engine(f"opensearch+https://127.0.0.1:{port}/kb?ca={certificate}")
