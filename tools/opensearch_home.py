"""Own what an OpenSearch node consists of, and laying it out as a folder that the stock main class runs from.

There is no archive of the server where Maven looks, but its parts are there: the server's jar with its dependencies,
one jar for each core module, the k-NN plugin as a zip. One call of `mvn` fetches them; they become lib/, modules/ and
plugins/ below a cache folder (OPENSEARCH_NODE_CACHE, by default ~/.cache/opensearch-node), once for each release.

What is missing, and what follows: no native k-NN library, so only vectors with `"engine": "lucene"` work, and a mapping
with the default engine ends the node; no security plugin; JNA's native part is kept from loading, because a node that
has it refuses to run as root.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

# Raised when the layout changes: homes of an earlier one are then built again.
_LAYOUT = 1
_MVN_TIMEOUT_S = 900
_JVMS = Path("/usr/lib/jvm")
_DESCRIPTOR = "plugin-descriptor.properties"


class MissingError(Exception):
    """Say what this machine lacks to run a node."""


@dataclass(frozen=True)
class Release:
    """A server and the k-NN plugin that was built for exactly it.

    Attributes:
        java: major versions it runs on, from the first to before the second.
        preferred: of those, the ones to take first.
        infix: what the class names of its modules have before "Plugin".
        lib: what a node needs besides the dependencies of the server's jar.
        knn_lib: what lies beside the jars of the k-NN zip, without dependencies of its own.
        options: of the virtual machine.
        security_manager: whether it installs one, which newer Java must be told to allow.
    """

    version: str
    java: tuple[int, int]
    preferred: tuple[int, ...]
    infix: str
    lib: tuple[str, ...]
    knn_lib: tuple[str, ...] = ()
    options: tuple[str, ...] = field(default=())
    security_manager: bool = False


_GEOMETRY = ("org.locationtech.spatial4j:spatial4j:0.7", "org.locationtech.jts:jts-core:1.15.0")

RELEASES: Mapping[str, Release] = {
    "2.19": Release(
        version="2.19.1",
        java=(11, 24),  # its security manager is gone from Java 24 on
        preferred=(17, 21),
        infix="",
        lib=("org.apache.logging.log4j:log4j-core:2.21.0", *_GEOMETRY),
        options=("-Djava.locale.providers=SPI,COMPAT",),
        security_manager=True,
    ),
    # 3 wants a class that a stock node gets from its Java agent: the small jar that has it is published at 3.6.0. The
    # module transport-grpc, which k-NN extends and takes guava from, is not: the classes that k-NN refers to lie
    # beside its own jars.
    "3": Release(
        version="3.5.0",
        java=(21, 100),
        preferred=(21, 25),
        infix="Module",
        lib=(
            "org.opensearch:opensearch-agent-bootstrap:3.6.0",
            "org.apache.logging.log4j:log4j-core:2.25.3",
            *_GEOMETRY,
        ),
        knn_lib=(
            "com.google.guava:guava:33.2.1-jre",
            "com.google.guava:failureaccess:1.0.2",
            "org.opensearch.plugin:transport-grpc-spi:3.6.0",
            "org.opensearch:protobufs:1.3.0",
        ),
        options=("-Djava.locale.providers=SPI,CLDR", "--add-modules=jdk.incubator.vector"),
    ),
}

# Core modules: folder and name, artifact, class ("*" stands for the infix of the release), what it extends.
_MODULES = (
    ("aggs-matrix-stats", "aggs-matrix-stats-client", "search.aggregations.matrix.MatrixAggregation*Plugin", ""),
    ("analysis-common", "analysis-common", "analysis.common.CommonAnalysis*Plugin", "lang-painless"),
    ("lang-expression", "lang-expression", "script.expression.Expression*Plugin", ""),
    ("lang-painless", "lang-painless", "painless.Painless*Plugin", ""),
    ("mapper-extras", "mapper-extras-client", "index.mapper.MapperExtras*Plugin", ""),
    ("reindex", "reindex-client", "index.reindex.Reindex*Plugin", ""),
    ("transport-netty4", "transport-netty4-client", "transport.Netty4*Plugin", ""),
)
_KNN = "opensearch-knn"
# Of what its descriptor extends, the module that is published.
_KNN_EXTENDS = "lang-painless"
# The modules' own policies are in no published jar.
_POLICY = "grant {\n    permission java.security.AllPermission;\n};\n"


def home_of(release: Release) -> Path:
    """Return the folder of a release, built first unless it is there; safe for several processes at once."""
    recipe = repr((_LAYOUT, release, _MODULES, _POLICY))
    cache = Path(os.environ.get("OPENSEARCH_NODE_CACHE") or Path.home() / ".cache" / "opensearch-node")
    home = cache / f"{release.version}-{hashlib.sha256(recipe.encode()).hexdigest()[:8]}"
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not home.exists():
            with tempfile.TemporaryDirectory(dir=cache) as work:
                jars = _fetch(release, Path(work) / "fetch")
                _lay_out(release, jars, Path(work) / "home")
                (Path(work) / "home").rename(home)
    return home


def find_java(release: Release) -> Path:
    """Return the java command for a release: a preferred version, else the lowest that fits.

    Raises:
        MissingError: there is none in OPENSEARCH_JAVA_HOME, which alone counts if set, JAVA_HOME, PATH or the usual
            folder.
    """
    chosen = os.environ.get("OPENSEARCH_JAVA_HOME")
    homes = [Path(chosen)] if chosen else list(_java_homes())
    found = {(home / "bin" / "java").resolve(): java_major(home / "bin" / "java") for home in homes}
    fitting = {java: major for java, major in found.items() if release.java[0] <= major < release.java[1]}
    if not fitting:
        seen = ", ".join(f"{java} ({major})" for java, major in found.items() if major) or "none"
        raise MissingError(
            f"OpenSearch {release.version} needs Java {release.java[0]} or newer, below {release.java[1]}; found {seen}"
        )
    order = {major: place for place, major in enumerate(release.preferred)}
    return min(fitting, key=lambda java: (order.get(fitting[java], len(order)), fitting[java]))


def java_major(java: Path) -> int:
    """Return the major version of a java command, 0 where it is none."""
    if not os.access(java, os.X_OK):
        return 0
    shown = subprocess.run([str(java), "-version"], capture_output=True, text=True, timeout=60, check=False)
    match = re.search(r'version "(\d+)(?:\.(\d+))?', shown.stderr)
    if match is None:
        return 0
    return int(match[2] or 0) if match[1] == "1" else int(match[1])  # 1.8 is 8


def _java_homes() -> Iterable[Path]:
    if os.environ.get("JAVA_HOME"):
        yield Path(os.environ["JAVA_HOME"])
    if on_path := shutil.which("java"):
        yield Path(on_path).resolve().parent.parent
    if _JVMS.is_dir():
        yield from sorted(_JVMS.iterdir())


def _fetch(release: Release, folder: Path) -> Path:
    """Fetch everything with one call of mvn, each part into `<part>/jars` with its dependencies."""
    parts = {
        "lib": [
            f"org.opensearch:opensearch:{release.version}",
            f"org.opensearch:opensearch-plugin-classloader:{release.version}",
            *release.lib,
        ],
        _KNN: [f"org.opensearch.plugin:{_KNN}:{release.version}.0:zip", *release.knn_lib],
        **{name: [f"org.opensearch.plugin:{artifact}:{release.version}"] for name, artifact, _, _ in _MODULES},
    }
    for name, coordinates in parts.items():
        (folder / name).mkdir(parents=True)
        wanted = "".join(_dependency(each, alone=each in release.knn_lib) for each in coordinates)
        (folder / name / "pom.xml").write_text(_pom(name, f"<dependencies>{wanted}</dependencies>"))
    modules = "".join(f"<module>{name}</module>" for name in parts)
    (folder / "pom.xml").write_text(_pom("all", f"<modules>{modules}</modules>"))
    _run_mvn(folder)
    return folder


def _pom(name: str, body: str) -> str:
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>node</groupId>'
        f"<artifactId>{name}</artifactId><version>1</version><packaging>pom</packaging>{body}</project>\n"
    )


def _dependency(coordinate: str, *, alone: bool) -> str:
    group, artifact, version, *kind = coordinate.split(":")
    nothing = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
        f"<type>{kind[0] if kind else 'jar'}</type>{nothing if alone else ''}</dependency>"
    )


def _run_mvn(folder: Path) -> None:
    mvn = shutil.which("mvn")
    if mvn is None:
        raise MissingError("mvn is not on PATH; install Maven")
    goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=jars"]
    done = subprocess.run(
        [mvn, "-B", "-fae", "-f", str(folder / "pom.xml"), *goal],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_MVN_TIMEOUT_S,
        check=False,
    )
    if done.returncode:
        errors = [line for line in done.stdout.splitlines() if "ERROR" in line]
        raise MissingError("mvn could not fetch the parts:\n" + "\n".join(errors[:10]))


def _lay_out(release: Release, jars: Path, home: Path) -> None:
    _copy((jars / "lib" / "jars").glob("*.jar"), home / "lib")
    in_lib = {_artifact(jar) for jar in (home / "lib").iterdir()}
    for name, _, classname, extends in _MODULES:
        folder = home / "modules" / name
        # A node refuses a class that is both in lib/ and in a module.
        _copy((jar for jar in (jars / name / "jars").glob("*.jar") if _artifact(jar) not in in_lib), folder)
        descriptor = {
            "name": name,
            "description": f"core module {name}",
            "version": release.version,
            "opensearch.version": release.version,
            "java.version": str(release.java[0]),
            "classname": f"org.opensearch.{classname.replace('*', release.infix)}",
            "extended.plugins": extends,
            "has.native.controller": "false",
        }
        _describe(folder, descriptor)
        (folder / "plugin-security.policy").write_text(_POLICY)
    plugin = home / "plugins" / _KNN
    _copy((jars / _KNN / "jars").glob("*.jar"), plugin)
    for archive in (jars / _KNN / "jars").glob("*.zip"):
        with zipfile.ZipFile(archive) as zipped:
            zipped.extractall(plugin)
    lines = (plugin / _DESCRIPTOR).read_text().splitlines()
    said = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    _describe(plugin, {**said, "extended.plugins": _KNN_EXTENDS})


def _copy(jars: Iterable[Path], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for jar in jars:
        shutil.copyfile(jar, folder / jar.name)


def _artifact(jar: Path) -> str:
    return re.sub(r"-\d[^/]*\.jar$", "", jar.name)


def _describe(folder: Path, descriptor: Mapping[str, str]) -> None:
    (folder / _DESCRIPTOR).write_text("".join(f"{key}={value}\n" for key, value in descriptor.items()))
