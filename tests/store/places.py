"""Own where the indices of tests lie: a folder, or a name on a node, of which nothing stays behind."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from tests.store.worlds import Place

ENGINES = ["embedded", pytest.param("opensearch", marks=pytest.mark.opensearch)]

_NUMBERS = itertools.count()


def place_of(request: pytest.FixtureRequest, folder: Path, kind: str | None = None, options: str = "") -> Place:
    """Return a fresh place for an index of a kind, the fixture's parameter by default."""
    if (kind or request.param) == "embedded":
        return Place(f"embedded:{folder}", folder)
    node = request.getfixturevalue("opensearch_url")
    name = f"t{os.getpid()}_{next(_NUMBERS)}"
    request.addfinalizer(lambda: drop(node, name))
    return Place(f"{node.replace('http', 'opensearch', 1)}/{name}{options}", folder)


def drop(node: str, name: str) -> None:
    """Erase everything that a store on a node has made."""
    from store.opensearch.address import read_address
    from store.opensearch.cluster import Cluster

    cluster = Cluster(read_address(f"{node.replace('http', 'opensearch', 1)}/{name}"))
    indices = cluster.ask("GET", f"/_cat/indices/{name}-*", format="json", h="index", expand_wildcards="all")
    if indices:
        cluster.ask("DELETE", f"/{','.join(row['index'] for row in indices)}")
    cluster.ask("DELETE", f"/_index_template/{name}-*", ignore=404)
    cluster.ask("DELETE", f"/_component_template/{name}-*", ignore=404)
    cluster.close()
