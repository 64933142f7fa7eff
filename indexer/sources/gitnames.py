"""Own which document a path of a git history is: the path of its first commit, kept through renames. Pure.

A document that was deleted comes back when its last path is used again. A new document at a path whose name another
one carries (it was renamed away) gets `~2`, the next one `~3`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class Names:
    """The documents of a history, as of the commits told so far.

    Attributes:
        live: path now → name (the path inside the source that the id is made of).
        gone: path → name of the document that ended there last, while nothing else has stood there since.
        taken: every name that was ever given.
    """

    def __init__(self) -> None:
        self.live: dict[str, str] = {}
        self.gone: dict[str, str] = {}
        self.taken: set[str] = set()

    def add(self, path: str) -> str:
        """Return the name of what now stands at a path: what stood there, what ended there, or a new one."""
        if path not in self.live:
            self.live[path] = self.gone.pop(path, "") or self._unused(path)
        return self.live[path]

    def end(self, path: str) -> str | None:
        """Return the name of the document that ended at a path, None where there was none."""
        name = self.live.pop(path, None)
        if name is not None:
            self.gone[path] = name
        return name

    def move(self, moves: Iterable[tuple[str, str]]) -> None:
        """Take documents from old paths to new ones, all at once, so that two may change places."""
        taken = [(new, self.live.pop(old, None)) for old, new in moves]
        for new, name in taken:
            if name is not None:
                self.gone.pop(new, "")
                self.live[new] = name

    def _unused(self, path: str) -> str:
        name, number = path, 1
        while name in self.taken:
            number += 1
            name = f"{path}~{number}"
        self.taken.add(name)
        return name

    def to_json(self) -> dict[str, Any]:
        """Return what can not be told from the paths of the last commit."""
        known = {*self.live.values(), *self.gone.values()}
        return {
            "moved": {path: name for path, name in sorted(self.live.items()) if path != name},
            "gone": dict(sorted(self.gone.items())),
            "lost": sorted(self.taken - known),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], paths: Iterable[str]) -> Names:
        """Return the names as they were, given the document paths of that commit."""
        names = cls()
        names.live = {path: data["moved"].get(path, path) for path in paths}
        names.gone = dict(data["gone"])
        names.taken = {*names.live.values(), *names.gone.values(), *data["lost"]}
        return names
