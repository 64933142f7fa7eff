"""Own what is odd about declared links: to nothing, in a circle, against the dates. They are kept, flagged, listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from indexer.desk import Desk
from indexer.links import targets_of
from indexer.recovery import groups
from mappings.timeline import Link, Timeline, circular_links
from store.engine import Engine


class LinkFault(StrEnum):
    """What keeps a link from working."""

    WAITING = "waiting"
    CIRCLE = "circle"
    AGAINST_DATES = "against_dates"


@dataclass(frozen=True, slots=True)
class LinkFinding:
    """A link that does not work, and why; it is kept, and works when the fault is gone."""

    doc_id: str
    target: str
    fault: LinkFault

    def __str__(self) -> str:
        """Say it in one line."""
        why = {
            LinkFault.WAITING: "which is not here; the link works when it arrives",
            LinkFault.CIRCLE: "and is replaced by it in a circle; all links of the circle are disabled",
            LinkFault.AGAINST_DATES: "which begins later; the link is disabled",
        }
        return f"{self.doc_id!r} supersedes {self.target!r}, {why[self.fault]}"


def waiting_links(engine: Engine) -> tuple[LinkFinding, ...]:
    """Return the links of the whole index to documents that are not there, sorted."""
    found = {(link.doc_id, link.target) for link in engine.waiting_links()}
    return tuple(LinkFinding(doc_id, target, LinkFault.WAITING) for doc_id, target in sorted(found))


def link_findings(engine: Engine) -> tuple[LinkFinding, ...]:
    """Return every link of the index that does not work, sorted."""
    found = set(waiting_links(engine))
    for group in groups(tuple(engine.series_keys())):
        for timeline in engine.timelines(group).values():
            found |= set(_faults(timeline))
    return tuple(sorted(found, key=_order))


def findings_of(engine: Engine, doc_ids: Iterable[str]) -> tuple[LinkFinding, ...]:
    """Return the links of these documents that do not work, sorted."""
    desk = Desk(engine)
    found: set[LinkFinding] = set()
    linking = sorted(doc_ids)
    desk.fetch_documents(linking)
    for doc_id in linking:
        for target in targets_of(desk.document(doc_id)):
            if desk.home(target) is None:
                found.add(LinkFinding(doc_id, target, LinkFault.WAITING))
    homes = sorted({home for doc_id in linking if (home := desk.home(doc_id)) is not None})
    for timeline in engine.timelines(homes).values():
        found |= {finding for finding in _faults(timeline) if finding.doc_id in linking}
    return tuple(sorted(found, key=_order))


def _faults(timeline: Timeline) -> Iterator[LinkFinding]:
    """Yield faults of the links out of a record's own documents."""
    own = [link for link in timeline.links if link.doc_id in timeline.record.documents]
    if not own:
        return
    for link in own:
        if link.against_dates:
            yield LinkFinding(link.doc_id, link.target, LinkFault.AGAINST_DATES)
    working: list[Link] = [link for link in timeline.links if not link.against_dates]
    for doc_id, target in sorted(circular_links(working)):
        if doc_id in timeline.record.documents:
            yield LinkFinding(doc_id, target, LinkFault.CIRCLE)


def _order(finding: LinkFinding) -> tuple[str, str, str]:
    return finding.doc_id, finding.target, finding.fault
