"""Run a real single-node OpenSearch for development and tests; needs Linux, Java and, the first time, Maven.

    opensearch_node.py run   [--version 2.19|3] [--heap 512m] [--data DIR] -- COMMAND...
    opensearch_node.py start [--version 2.19|3] [--heap 512m] --data DIR     prints its address as JSON
    opensearch_node.py stop  --data DIR

`run` starts a node, runs the command with OPENSEARCH_URL set, stops the node whatever happens, and returns the exit
code of the command; 69 where this machine lacks something, 70 where the node did not start. The node listens on
127.0.0.1 only, without TLS or users. What it consists of is `opensearch_home`.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from opensearch_home import RELEASES, MissingError, Release, find_java, home_of, java_major

_MAIN = "org.opensearch.bootstrap.OpenSearch"
_STATE = "node.json"
# A busy machine of two cores takes twenty seconds.
_START_S = 180.0
_STOP_S = 30.0
# Exit codes, as sysexits names them: a service that is not available, a fault of our own.
_LACKS = 69
_FAILED = 70
# What a Java machine returns that was told to end.
_TOLD_TO_END = 128 + signal.SIGTERM
# Memory holds the data of a node that nobody wants to keep, where the system offers that: a cluster writes each
# change of its state to disk and waits for it.
_IN_MEMORY = Path("/dev/shm")

_LOG4J = """\
status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%c{1.}] %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
"""
_SETTINGS = {
    "cluster.name": "development",
    "node.name": "development",
    "network.host": "127.0.0.1",
    "http.port": 0,  # the system picks one, which the log then tells
    "transport.port": 0,
    "discovery.type": "single-node",
    # A nearly full disk must not make indices read-only in a test.
    "cluster.routing.allocation.disk.threshold_enabled": False,
    # Each test makes indices of its own.
    "cluster.max_shards_per_node": 5_000,
}
_OPTIONS = (
    "-XX:+UseG1GC",
    "-Xss1m",
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF-8",
    "-Dio.netty.noUnsafe=true",
    "-Dlog4j.shutdownHookEnabled=false",
    "-Dlog4j2.disable.jmx=true",
    # Keep JNA's native part from loading: with it a node refuses to run as root.
    "-Djna.nosys=true",
    "-Djna.nounpack=true",
    "-Djna.noclasspath=true",
    "-Dopensearch.distribution.type=tar",
    "-Dopensearch.bundled_jdk=false",
)


class NodeError(Exception):
    """Say that a node did not start or stop."""


class Node:
    """A node that this process has started."""

    def __init__(self, release: Release, data: Path, heap: str, *, outlives: bool) -> None:
        java, home = find_java(release), home_of(release)
        self.data, self.log = data.resolve(), data.resolve() / "node.log"
        for name in ("config", "data", "logs", "tmp"):
            (self.data / name).mkdir(parents=True, exist_ok=True)
        settings = {**_SETTINGS, "path.data": str(self.data / "data"), "path.logs": str(self.data / "logs")}
        lines = "".join(f"{key}: {json.dumps(value)}\n" for key, value in settings.items())
        (self.data / "config" / "opensearch.yml").write_text(lines)
        (self.data / "config" / "log4j2.properties").write_text(_LOG4J)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                _command(release, java, home, self.data, heap),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.data,
                env={key: value for key, value in os.environ.items() if key not in ("CLASSPATH", "JAVA_TOOL_OPTIONS")},
                start_new_session=True,
                preexec_fn=None if outlives else _end_with_parent,
            )
        try:
            self.url = self._wait()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the node, by force where it does not end by itself."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is None:
                self.process.send_signal(number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(_STOP_S)

    @property
    def died(self) -> bool:
        """Whether the node ended by itself, rather than by being told."""
        return self.process.poll() not in (None, _TOLD_TO_END)

    def tail(self) -> str:
        """Return the end of its log, without stack traces."""
        lines = self.log.read_text(errors="replace").splitlines()
        return "\n".join([line[:300] for line in lines if not re.match(r"\s+(at|\.\.\.) ", line)][-15:])

    def _wait(self) -> str:
        """Return the address of the node once it is healthy."""
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline and self.process.poll() is None:
            text = self.log.read_text(errors="replace")
            found = re.search(r"HttpServerTransport\] publish_address \{(127\.0\.0\.1:\d+)\}", text)
            if found:
                with (
                    contextlib.suppress(OSError, ValueError),
                    direct.open(f"http://{found[1]}/_cluster/health", timeout=5) as answer,
                ):
                    if json.load(answer)["status"] in ("yellow", "green"):
                        return f"http://{found[1]}"
            time.sleep(0.1)
        raise NodeError(f"the node did not start; the end of its log:\n{self.tail()}")


def _command(release: Release, java: Path, home: Path, data: Path, heap: str) -> list[str]:
    allow = release.security_manager and java_major(java) >= 18
    return [
        str(java),
        f"-Xms{heap}",
        f"-Xmx{heap}",
        f"-Djava.io.tmpdir={data / 'tmp'}",
        f"-XX:ErrorFile={data / 'logs' / 'hs_err.log'}",
        *_OPTIONS,
        *release.options,
        *(["-Djava.security.manager=allow"] if allow else []),
        *shlex.split(os.environ.get("OPENSEARCH_JAVA_OPTS", "")),
        f"-Dopensearch.path.home={home}",
        f"-Dopensearch.path.conf={data / 'config'}",
        "-cp",
        f"{home / 'lib'}/*",
        _MAIN,
    ]


def _end_with_parent() -> None:
    """Ask the kernel, in a new process, for SIGTERM when its parent ends, even by SIGKILL."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, int(signal.SIGTERM))  # 1: PR_SET_PDEATHSIG


@contextlib.contextmanager
def running_node(version: str, heap: str, data: Path | None) -> Iterator[Node]:
    """Give a node that ends with the block; without a folder, what it kept is erased unless it died."""
    memory = _IN_MEMORY if os.access(_IN_MEMORY, os.W_OK) else None
    folder = data or Path(tempfile.mkdtemp(prefix="opensearch-", dir=memory))
    node = None
    try:
        node = Node(RELEASES[version], folder, heap, outlives=False)
        yield node
    finally:
        died = node is not None and node.died
        if node is not None:
            node.stop()
        if died and node is not None:
            print(f"the node had died; its data is in {folder}, the end of its log:\n{node.tail()}", file=sys.stderr)
        elif data is None:
            shutil.rmtree(folder, ignore_errors=True)


def _run(options: argparse.Namespace) -> int:
    with running_node(options.version, options.heap, options.data) as node:
        child = subprocess.Popen(
            options.command, env={**os.environ, "OPENSEARCH_URL": node.url}, preexec_fn=_end_with_parent
        )
        try:
            code = child.wait()
        except BaseException:
            child.terminate()
            child.wait(_STOP_S)
            raise
        return code if code >= 0 else 128 - code


def _start(options: argparse.Namespace) -> int:
    node = Node(RELEASES[options.version], options.data, options.heap, outlives=True)
    state = {"url": node.url, "pid": node.process.pid, "began": _began(node.process.pid)}
    (node.data / _STATE).write_text(json.dumps(state))
    print(json.dumps(state))
    return 0


def _stop(options: argparse.Namespace) -> int:
    state = json.loads((options.data / _STATE).read_text())
    for number in (signal.SIGTERM, signal.SIGKILL):
        deadline = time.monotonic() + _STOP_S
        # The moment of its start tells the node from a later process of the same number.
        while _began(state["pid"]) == state["began"] and time.monotonic() < deadline:
            with contextlib.suppress(ProcessLookupError):
                os.kill(state["pid"], number)
            time.sleep(0.2)
    return 0


def _began(pid: int) -> str:
    """Return when the kernel started a process; empty where there is none."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="what", required=True)
    for name, does in (("run", _run), ("start", _start), ("stop", _stop)):
        command = commands.add_parser(name)
        command.set_defaults(does=does)
        command.add_argument("--data", type=Path, required=name != "run", help="folder of data, settings and log")
        if name != "stop":
            command.add_argument("--version", choices=sorted(RELEASES), default="2.19")
            command.add_argument("--heap", default="512m", help="memory of the virtual machine, such as 512m or 1g")
        if name == "run":
            command.add_argument("command", nargs="+")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        return int(options.does(options))
    except MissingError as error:
        print(f"no OpenSearch node here: {error}", file=sys.stderr)
        return _LACKS
    except NodeError as error:
        print(error, file=sys.stderr)
        return _FAILED


if __name__ == "__main__":
    sys.exit(main())
