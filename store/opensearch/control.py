"""Own the control document: which generation is asked, which dated indices it has, and what they hold in sum.

It is changed by compare-and-set on the number that the server gives to each write, so a writer that was overtaken by
another is told. `sequence` counts what was made visible to search; `unfinished` says that somebody is at it, or died.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from mappings.interval import BEGIN, OPEN
from mappings.names import UNDATED, Extent, Period
from mappings.templates import CONTENTS, CONTROL, PASSAGES, RECORDS, REJECTIONS, index_name
from store.errors import NewerFormatError, StoreLockedError, StoreMissingError
from store.opensearch import bulk
from store.opensearch.bulk import Operation
from store.opensearch.cluster import Cluster
from store.values import EmbedderId

DOCUMENT: Final = "control"
# Raised when what the control document, or a record beside it, holds could not be read by an older program.
FORMAT: Final = 1
# A bound beyond this counts as none: 2**62 µs is the year 148,000.
_LARGE: Final = 2.0**62


@dataclass(frozen=True, slots=True)
class Held:
    """What one dated index holds: passages, terms in their two fields, and the largest ends among them."""

    passages: int = 0
    title_total: int = 0
    body_total: int = 0
    until: int = BEGIN
    closed: int = BEGIN


@dataclass(frozen=True, slots=True)
class Control:
    """The control document as it was read.

    Attributes:
        held: by label of the dated index.
        unfinished: passages may be on their way; what `held` says may be too little.
        mark: the number and term that the server gave to this reading.
    """

    name: str
    generation: int
    sequence: int
    embedder: EmbedderId
    period: Period
    held: Mapping[str, Held] = field(default_factory=dict)
    unfinished: bool = False
    mark: tuple[int, int] = (0, 0)

    @property
    def passages(self) -> int:
        """Passages of all indices."""
        return sum(held.passages for held in self.held.values())

    @property
    def undated(self) -> int:
        """Passages without a usable date."""
        return self.held.get(UNDATED, Held()).passages

    @property
    def extents(self) -> dict[str, Extent]:
        """What each index can still admit; while somebody writes, anything."""
        return {
            label: Extent() if self.unfinished else Extent(held.until, held.closed)
            for label, held in self.held.items()
        }

    @property
    def records(self) -> str:
        """Name of the index of records."""
        return index_name(self.name, RECORDS, generation=self.generation)

    @property
    def contents(self) -> str:
        """Name of the index of whole readings."""
        return index_name(self.name, CONTENTS)

    @property
    def own(self) -> str:
        """Name of the index in which this document lies."""
        return index_name(self.name, CONTROL)

    @property
    def rejections(self) -> str:
        """Name of the index of the log."""
        return index_name(self.name, REJECTIONS)

    def dated(self, label: str) -> str:
        """Return the name of a dated index."""
        return index_name(self.name, PASSAGES, generation=self.generation, label=label)

    def all_dated(self) -> list[str]:
        """Return the names of all dated indices, in order."""
        return [self.dated(label) for label in sorted(self.held)]

    def same_places(self, other: Control) -> bool:
        """Tell whether a question that was made for one fits the other."""
        return (self.generation, self.extents) == (other.generation, other.extents)


def control_body(control: Control) -> dict[str, Any]:
    """Return the document of a control."""
    body = asdict(control)
    for name in ("name", "mark"):
        del body[name]
    return {"what": DOCUMENT, "key": DOCUMENT, "body": {"format": FORMAT, **body}}


def control_of(cluster: Cluster, document: Mapping[str, Any]) -> Control:
    """Return the control that a document, or a hit of a search, holds; raises NewerFormatError for a newer one."""
    body = dict(document["_source"]["body"])
    found = int(body.pop("format"))
    if found > FORMAT:
        raise NewerFormatError(f"store {cluster.place}", found=found, known=FORMAT)
    return Control(
        **{
            **body,
            "name": cluster.address.name,
            "embedder": EmbedderId(**body["embedder"]),
            "period": Period(body["period"]),
            "held": {label: Held(**held) for label, held in body["held"].items()},
            "mark": (document["_seq_no"], document["_primary_term"]),
        }
    )


def read_control(cluster: Cluster) -> Control:
    """Return the control as it is at this moment; raises StoreMissingError where there is none."""
    document = cluster.get(index_name(cluster.address.name, CONTROL), DOCUMENT)
    if document is None:
        raise missing(cluster)
    return control_of(cluster, document)


def missing(cluster: Cluster) -> StoreMissingError:
    """Return the error that says that there is no index."""
    return StoreMissingError(f"no index at {cluster.place}", remedy="make one with: stilltrue ingest SOURCE")


def save_control(cluster: Cluster, control: Control) -> Control:
    """Write a control in place of the one it was made from.

    Raises:
        StoreLockedError: somebody else wrote it meanwhile, so the right to write has been lost.
    """
    write = Operation("index", control.own, DOCUMENT, control_body(control), control.mark)
    (outcome,) = bulk.write(cluster, [write], refresh=True)
    if not outcome.conflict:
        return replace(control, mark=outcome.mark)
    now = read_control(cluster)
    if replace(now, mark=control.mark) == control:
        return now  # our own write, sent again after its answer was lost
    raise StoreLockedError(
        f"store {cluster.place} was taken over by another writer", remedy="repeat what was not finished"
    )


def recount(cluster: Cluster, control: Control, labels: Iterable[str]) -> Control:
    """Return the control with what these dated indices hold at this moment, counted by the server."""
    wanted = sorted(labels)
    aggregations = {
        "title_total": {"sum": {"field": "title_len"}},
        "body_total": {"sum": {"field": "body_len"}},
        "until": {"max": {"field": "until"}},
        "closed": {"max": {"field": "closed"}},
    }
    body = {"size": 0, "track_total_hits": True, "aggs": aggregations}
    asked = [({"index": control.dated(label)}, body) for label in wanted]
    answers = cluster.searches(asked) if asked else []
    return replace(control, held={**control.held, **dict(zip(wanted, map(_held, answers), strict=True))})


def _held(answer: Mapping[str, Any]) -> Held:
    found = answer["aggregations"]
    return Held(
        passages=int(answer["hits"]["total"]["value"]),
        title_total=int(found["title_total"]["value"]),
        body_total=int(found["body_total"]["value"]),
        until=_at_most(found["until"]["value"]),
        closed=_at_most(found["closed"]["value"]),
    )


def _at_most(value: float | None) -> int:
    """Return a bound not below a number that the server gave as float64."""
    if value is None:
        return BEGIN
    return OPEN if value >= _LARGE else int(math.nextafter(value, math.inf)) + 1


def averages(control: Control) -> tuple[float, float]:
    """Return the mean number of terms of a passage's title and body; 0 in an empty index."""
    passages = max(control.passages, 1)
    titles: Sequence[int] = [held.title_total for held in control.held.values()]
    bodies: Sequence[int] = [held.body_total for held in control.held.values()]
    return sum(titles) / passages, sum(bodies) / passages
