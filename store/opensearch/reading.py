"""Own what a question needs of the control document: where to ask, and whether what is remembered still counts.

The searches of a question go out together with one for the control document. Where that shows another generation or
other dated indices than were asked, the question is asked again, so an answer never mixes two.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from mappings.document import Code
from mappings.templates import CONTROL, index_name
from store.errors import StoreUnavailableError
from store.opensearch.cluster import Cluster
from store.opensearch.control import DOCUMENT, Control, control_of, missing, read_control
from store.opensearch.searching import Search
from store.values import Where

# Each change of what lies where asks a question again; more than this many in one question mean something is wrong.
_TRIES: Final = 8
# Seconds for which counts that came with one search serve the calls after it. It is also how late another process's
# writes may be seen in them; records are always read as they are.
_FRESH_S: Final = 1.0
# Questions whose counts are remembered, and terms: some megabytes.
_QUESTIONS: Final = 64
_MOST_TERMS: Final = 50_000

Build = Callable[[Control], Mapping[str, Search]]
Asked = tuple[tuple[str, ...], Where]


class Reader:
    """Asks a cluster, and remembers what was counted while nothing changes."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self._frequencies: dict[str, int] = {}
        self._excluded: OrderedDict[Asked, dict[Code, int]] = OrderedDict()
        self._control: Control | None = None
        self._seen_s = 0.0
        self._mutex = threading.Lock()

    def control(self) -> Control:
        """Return the control as it was last seen."""
        return self._control or self.learn(read_control(self.cluster))

    def fresh_control(self) -> Control | None:
        """Return the control if it was seen a moment ago."""
        with self._mutex:
            return self._control if time.monotonic() < self._seen_s + _FRESH_S else None

    def learn(self, control: Control) -> Control:
        """Take note of a control that was just read or written; what was counted before it changed is forgotten."""
        with self._mutex:
            if not self._is_now(control):
                self._frequencies = {}
                self._excluded.clear()
            self._control, self._seen_s = control, time.monotonic()
        return control

    def forget(self) -> None:
        """Forget everything; it is read again when needed."""
        with self._mutex:
            self._control, self._seen_s, self._frequencies = None, 0.0, {}
            self._excluded.clear()

    def ask(self, build: Build) -> tuple[Control, bool, dict[str, Any]]:
        """Ask what *build* makes of the control, all in one request.

        Returns:
            the control that was asked by, whether nothing changed meanwhile, and the answers by name.
        """
        for _ in range(_TRIES):
            control = self.control()
            searches = dict(build(control))
            answers = self.cluster.searches([*searches.values(), self._looking()])
            now = self.learn(self._seen(answers.pop()))
            if now.same_places(control):
                unchanged = now.sequence == control.sequence
                return control, unchanged, dict(zip(searches, answers, strict=True))
        raise StoreUnavailableError(
            f"store {self.cluster.place} changed {_TRIES} times during one question", remedy="try again"
        )

    def frequencies(self, control: Control) -> dict[str, int]:
        """Return the document frequencies that are known for the state that a control names."""
        with self._mutex:
            return self._frequencies if self._is_now(control) else {}

    def remember_terms(self, control: Control, counts: Mapping[str, int]) -> None:
        """Keep document frequencies that were counted while nothing changed."""
        with self._mutex:
            if not self._is_now(control):
                return
            if len(self._frequencies) + len(counts) > _MOST_TERMS:
                self._frequencies = {}
            self._frequencies = {**self._frequencies, **counts}

    def remember_excluded(self, control: Control, asked: Asked, counts: dict[Code, int]) -> None:
        """Keep what was counted for a question while nothing changed."""
        with self._mutex:
            if not self._is_now(control):
                return
            self._excluded[asked] = counts
            while len(self._excluded) > _QUESTIONS:
                self._excluded.popitem(last=False)

    def remembered_excluded(self, asked: Asked) -> dict[Code, int] | None:
        """Return what was counted for a question a moment ago."""
        if self.fresh_control() is None:
            return None
        with self._mutex:
            found = self._excluded.get(asked)
            return dict(found) if found is not None else None

    def _is_now(self, control: Control) -> bool:
        now = self._control
        return now is not None and (now.generation, now.sequence) == (control.generation, control.sequence)

    def _looking(self) -> Search:
        body = {"query": {"ids": {"values": [DOCUMENT]}}, "seq_no_primary_term": True, "size": 1}
        return {"index": index_name(self.cluster.address.name, CONTROL)}, body

    def _seen(self, answer: Mapping[str, Any]) -> Control:
        hits: Sequence[Mapping[str, Any]] = answer["hits"]["hits"]
        if not hits:
            raise missing(self.cluster)
        return control_of(self.cluster, hits[0])
