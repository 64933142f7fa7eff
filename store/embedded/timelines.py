"""Own parsed records between questions: current at every call, kept while their revision stands."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from mappings.record_format import record_from_json
from mappings.timeline import Timeline
from store.embedded.truth import Truth

# Bytes of records as they are stored, about 40,000 of them; parsed they take about twice that.
_KEPT_BYTES: Final = 64_000_000


class TimelineCache:
    """Time lines by series, the least lately used leave first."""

    def __init__(self, truth: Truth, kept_bytes: int = _KEPT_BYTES) -> None:
        self._truth = truth
        self._limit = kept_bytes
        self._bytes = 0
        self._kept: OrderedDict[str, tuple[int, int, Timeline]] = OrderedDict()
        self._mutex = threading.Lock()

    def get(self, series: Iterable[str]) -> dict[str, Timeline]:
        """Return what follows from the records as they are stored at this moment; series without one are absent."""
        revisions = self._truth.revisions(series)
        with self._mutex:
            found = {key: self._kept[key] for key in revisions if key in self._kept}
            for key in found:
                self._kept.move_to_end(key)
        timelines = {key: kept[2] for key, kept in found.items() if kept[0] == revisions[key]}
        for key, revision, body in self._truth.record_bodies(revisions.keys() - timelines.keys()):
            timelines[key] = Timeline(record_from_json(body, revision=revision))
            self._keep(key, revision, len(body), timelines[key])
        return {key: timelines[key] for key in revisions if key in timelines}

    def _keep(self, key: str, revision: int, size: int, timeline: Timeline) -> None:
        with self._mutex:
            if key in self._kept:
                self._bytes -= self._kept.pop(key)[1]
            self._kept[key] = (revision, size, timeline)
            self._bytes += size
            while self._bytes > self._limit:
                _, (_, dropped, _) = self._kept.popitem(last=False)
                self._bytes -= dropped
