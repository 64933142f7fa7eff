"""Own how far a git history was read, as one line of text that the index keeps for its source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from indexer.errors import SourceError
from indexer.sources.gitnames import Names

_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class State:
    """The last commit that was read, the names at it, and the documents of which nothing could be read yet."""

    commit: str
    names: Names = field(default_factory=Names)
    silent: Iterable[str] = ()

    def write(self) -> str:
        """Return the state as text."""
        data = {"format": _FORMAT, "commit": self.commit, "silent": sorted(self.silent), "names": self.names.to_json()}
        return orjson.dumps(data).decode()

    @classmethod
    def read(cls, text: str) -> KeptState:
        """Return what `write` wrote.

        Raises:
            SourceError: it is none, or of another format.
        """
        try:
            data = orjson.loads(text)
            if data["format"] == _FORMAT:
                return KeptState(data["commit"], tuple(data["silent"]), data["names"])
        except (orjson.JSONDecodeError, KeyError, TypeError):
            pass
        raise SourceError(
            f"state of the git history is not readable, got {text[:80]!r}", remedy="read it anew under another --source"
        )


@dataclass(frozen=True, slots=True)
class KeptState:
    """A state as it was kept: its names need the paths of its commit to be whole."""

    commit: str
    silent: tuple[str, ...]
    _names: dict[str, Any]

    def names_at(self, paths: Iterable[str]) -> Names:
        """Return the names, given the document paths of the commit."""
        return Names.from_json(self._names, paths)
