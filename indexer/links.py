"""Own the copies of links: what a record must know of documents in other records to decide alone.

A record carries a copy of every link into it, of every link out of it (for the first date of what it replaces), and of
every link on a circle in which one of its documents takes part (a circle disables its links, so each record on it must
see all of it). The copies follow from the documents: they are computed anew for each record that a change may touch,
never patched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from indexer.desk import Desk
from mappings.document import Observation
from mappings.series import DocumentRecord, LinkCopy, SeriesRecord
from mappings.version import versions_of
from store.engine import Engine

Edge = tuple[str, str]


def targets_of(document: DocumentRecord | None) -> tuple[str, ...]:
    """Return the documents that a document declares to replace, in order."""
    observations: Iterable[Observation] = document.observations if document else ()
    linking = (o.supersedes for o in observations if not o.draft and o.observed is not None)
    return tuple(sorted({target for targets in linking for target in targets}))


class LinkKeeper:
    """Compute the copies of links for the records on a desk, once its documents are as they will be."""

    def __init__(self, desk: Desk, engine: Engine) -> None:
        self._desk = desk
        self._engine = engine
        self._targets: dict[str, tuple[str, ...]] = {}
        self._asked: set[str] = set()
        self._linking: dict[str, set[str]] = {}
        for doc_id in desk.changed_documents:
            self._note(doc_id)

    def settle(self, doc_ids: Sequence[str]) -> None:
        """Bring the copies up to date in every record that a change of these documents may touch."""
        touched = self._touched(doc_ids)
        self._desk.fetch_series(touched)
        members = [doc_id for series in touched for doc_id in self._desk.record(series).documents]
        self._desk.fetch_documents(members)
        self._ask(members)
        for series in touched:
            record = self._desk.record(series)
            links = self.copies(record)
            if links != record.links:
                self._desk.change(replace(record, links=links))

    def copies(self, record: SeriesRecord) -> tuple[LinkCopy, ...]:
        """Return the copies that a record must carry."""
        inside = record.documents
        inbound = {edge for edge in self._inbound(inside) if edge[0] not in inside}
        outbound = [(doc_id, t) for doc_id in inside for t in self._targets_of(doc_id) if t not in inside]
        # A circle through other records comes in and goes out.
        circles = self._circles(inside) if inbound and outbound else ()
        foreign = sorted(inbound | {edge for edge in circles if edge[0] not in inside})
        copies = [copy for edge in foreign for copy in self._copies_of(edge, record)]
        for edge in outbound:
            if self._first_valid_from(edge[1]) is not None:
                copies += list(self._copies_of(edge, record))[:1]
        return tuple(sorted(copies, key=lambda copy: (copy.doc_id, copy.target, copy.observed, copy.version_id)))

    def _touched(self, doc_ids: Sequence[str]) -> tuple[str, ...]:
        self._ask(doc_ids)
        targets = [target for doc_id in doc_ids for target in self._targets_of(doc_id)]
        linking = [doc_id for doc_id, _ in self._inbound(doc_ids)]
        on_circles = [doc_id for edge in self._circles(doc_ids) for doc_id in edge]
        near = (*doc_ids, *targets, *linking, *on_circles)
        self._desk.fetch_documents(near)
        homes = (self._desk.home(doc_id) for doc_id in near)
        known = {series for series in homes if series is not None}
        return tuple(sorted(known | {before.series for before, _ in self._desk.changed()}))

    def _targets_of(self, doc_id: str) -> tuple[str, ...]:
        if doc_id not in self._targets:
            self._targets[doc_id] = targets_of(self._desk.document(doc_id))
        return self._targets[doc_id]

    def _note(self, doc_id: str) -> None:
        for target in self._targets_of(doc_id):
            self._linking.setdefault(target, set()).add(doc_id)

    def _ask(self, doc_ids: Iterable[str]) -> None:
        """Learn who links to documents: from the index, and from what the desk holds instead."""
        asked = sorted(set(doc_ids) - self._asked)
        self._asked.update(asked)
        found = self._engine.inbound_links(asked) if asked else {}
        linking = sorted({link.doc_id for links in found.values() for link in links})
        self._desk.fetch_documents(linking)
        for doc_id in linking:
            self._note(doc_id)

    def _inbound(self, doc_ids: Iterable[str]) -> Iterator[Edge]:
        """Yield (document, target) of all links that name one of these documents."""
        self._ask(doc_ids)
        for target in doc_ids:
            for doc_id in sorted(self._linking.get(target, ())):
                yield doc_id, target

    def _circles(self, doc_ids: Iterable[str]) -> frozenset[Edge]:
        """Return the links that lie on a circle which one of these documents leads to."""
        graph: dict[str, tuple[str, ...]] = {}
        waiting = sorted(doc_ids)
        while waiting:
            self._desk.fetch_documents(waiting)
            for doc_id in waiting:
                graph[doc_id] = self._targets_of(doc_id)
            waiting = sorted({target for doc_id in waiting for target in graph[doc_id]} - set(graph))
        return frozenset(edge for ring in _rings(graph) for edge in ring)

    def _copies_of(self, edge: Edge, record: SeriesRecord) -> Iterator[LinkCopy]:
        doc_id, target = edge
        document = self._desk.document(doc_id)
        assert document is not None
        target_from = None if target in record.documents else self._first_valid_from(target)
        for version in versions_of(document):
            if target in version.first.supersedes and not version.undated:
                yield LinkCopy(
                    doc_id=doc_id,
                    target=target,
                    version_id=version.version_id,
                    observed=version.observed,
                    valid_from=version.valid_from,
                    void=version.void,
                    principals=document.principals,
                    target_from=target_from,
                )

    def _first_valid_from(self, doc_id: str) -> int | None:
        document = self._desk.document(doc_id)
        versions = versions_of(document) if document else ()
        return versions[0].valid_from if versions and not versions[0].undated else None


def _rings(graph: dict[str, tuple[str, ...]]) -> Iterator[list[Edge]]:
    """Yield, for each strongly connected part of a graph that holds a circle, its inner edges (Tarjan, iterative)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: dict[str, None] = {}  # in order, and asked for membership
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack[root] = None
        while work:
            node, targets = work[-1]
            fresh = next((target for target in targets if target not in index), None)
            if fresh is not None:
                index[fresh] = low[fresh] = len(index)
                stack[fresh] = None
                work.append((fresh, iter(graph.get(fresh, ()))))
                continue
            work.pop()
            low[node] = min([low[node], *(low[target] for target in graph.get(node, ()) if target in stack)])
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                part = set(_popped(stack, node))
                inner = [(a, b) for a in sorted(part) for b in graph.get(a, ()) if b in part]
                if inner:
                    yield inner


def _popped(stack: dict[str, None], last: str) -> Iterator[str]:
    while True:
        node, _ = stack.popitem()
        yield node
        if node == last:
            return
