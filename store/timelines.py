"""Own parsed records between questions: current at every call, kept while nothing changes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Protocol

from mappings.record_format import record_from_json
from mappings.timeline import Timeline

# Bytes of records as they are stored, about 40,000 of them; parsed they take about twice that.
_KEPT_BYTES: Final = 64_000_000


class RecordSource(Protocol):
    """Where records are stored."""

    def current(self, known: Mapping[str, int | None]) -> Iterator[tuple[str, int, int, bytes | None]]:
        """Yield key, mark, revision and body of the stored ones of these series; no body where a mark is known.

        A mark is any number that changes whenever the record does.
        """
        ...


class TimelineCache:
    """Time lines by series, the least lately used leave first."""

    def __init__(self, source: RecordSource, kept_bytes: int = _KEPT_BYTES) -> None:
        self._source = source
        self._limit = kept_bytes
        self._bytes = 0
        self._kept: OrderedDict[str, tuple[int, int, Timeline]] = OrderedDict()
        self._mutex = threading.Lock()

    def get(self, series: Iterable[str]) -> dict[str, Timeline]:
        """Return what follows from the records as they are stored at this moment; series without one are absent."""
        keys = tuple(dict.fromkeys(series))
        with self._mutex:
            kept = {key: self._kept[key] for key in keys if key in self._kept}
            for key in kept:
                self._kept.move_to_end(key)
        known = {key: kept[key][0] if key in kept else None for key in keys}
        timelines = {}
        for key, mark, revision, body in self._source.current(known):
            if body is None:
                timelines[key] = kept[key][2]
            else:
                timelines[key] = Timeline(record_from_json(body, revision=revision))
                self._keep(key, mark, len(body), timelines[key])
        return {key: timelines[key] for key in keys if key in timelines}

    def _keep(self, key: str, mark: int, size: int, timeline: Timeline) -> None:
        with self._mutex:
            if key in self._kept:
                self._bytes -= self._kept.pop(key)[1]
            self._kept[key] = (mark, size, timeline)
            self._bytes += size
            while self._bytes > self._limit:
                _, (_, dropped, _) = self._kept.popitem(last=False)
                self._bytes -= dropped
