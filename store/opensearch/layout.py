"""Own making the indices of a store, and refusing indices that are not ours or of another version.

The control document comes last: until it is there, the store is not, and making it again completes what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opensearchpy.exceptions import RequestError

from mappings.templates import CONTENTS, CONTROL, META, PASSAGES, RECORDS, VERSION, index_name, templates
from store.errors import EmbedderError, NewerFormatError, NotAStoreError, StoreError
from store.opensearch import bulk
from store.opensearch.bulk import Operation
from store.opensearch.cluster import Cluster
from store.opensearch.control import DOCUMENT, Control, control_body, missing, read_control
from store.values import EmbedderId


def open_store(cluster: Cluster) -> Control:
    """Return the control of the store; raises StoreError where there is none, or what lies there is not ours."""
    check_version(cluster, index_name(cluster.address.name, CONTROL))
    return read_control(cluster)


def make_store(cluster: Cluster, embedder: EmbedderId | None) -> Control:
    """Make an empty store unless there is one, and return its control."""
    name = cluster.address.name
    if _exists(cluster, index_name(name, CONTROL)):
        check_version(cluster, index_name(name, CONTROL))
        if cluster.get(index_name(name, CONTROL), DOCUMENT) is not None:
            return read_control(cluster)
    if embedder is None:
        raise EmbedderError(f"index {cluster.place} must be made with an embedder", remedy="name one")
    control = Control(name=name, generation=1, sequence=0, embedder=embedder, period=cluster.address.period)
    put_templates(cluster, control)
    for part in (CONTROL, CONTENTS, RECORDS):
        make_index(cluster, index_name(name, part, generation=control.generation))
    # "create": of two that make a store at once, the first one's document stands.
    bulk.write(cluster, [Operation("create", control.own, DOCUMENT, control_body(control))], refresh=True)
    return read_control(cluster)


def put_templates(cluster: Cluster, control: Control) -> None:
    """Put the templates of a generation; equal ones change nothing."""
    bodies = templates(control.name, generation=control.generation, dimension=control.embedder.dimension)
    for path, body in bodies.items():
        cluster.ask("PUT", path, body)


def make_dated(cluster: Cluster, control: Control, label: str) -> None:
    """Make a dated index, with the name of the store as an alias for people."""
    # Once more: without its template the index would take vectors in a way that ends a node without native libraries.
    put_templates(cluster, control)
    make_index(cluster, index_name(control.name, PASSAGES, generation=control.generation, label=label))
    alias = {"add": {"index": control.dated(label), "alias": control.name}}
    cluster.ask("POST", "/_aliases", {"actions": [alias]})


def make_index(cluster: Cluster, index: str) -> None:
    """Make an index from its template unless it is there."""
    try:
        cluster.ask("PUT", f"/{index}")
    except StoreError as error:
        if not _is_there(error):
            raise
    check_version(cluster, index)


def check_version(cluster: Cluster, index: str) -> None:
    """Refuse an index whose mapping is not ours, or is newer than this program."""
    if not _exists(cluster, index):
        raise missing(cluster)
    mapping: Mapping[str, Any] = cluster.ask("GET", f"/{index}/_mapping")[index]["mappings"]
    found = mapping.get("_meta", {}).get(META, {}).get("mapping")
    if not isinstance(found, int):
        raise NotAStoreError(
            f"store {cluster.place} holds an index {index!r} that is not ours", remedy="choose another name"
        )
    if found > VERSION:
        raise NewerFormatError(f"mapping of {index!r} in store {cluster.place}", found=found, known=VERSION)


def _exists(cluster: Cluster, index: str) -> bool:
    return bool(cluster.ask("HEAD", f"/{index}"))


def _is_there(error: StoreError) -> bool:
    cause = error.__cause__
    return isinstance(cause, RequestError) and cause.error == "resource_already_exists_exception"
