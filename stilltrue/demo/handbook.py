"""Own how the sample handbook is built: the steps of `corpus/story.toml` become commits of a git repository.

The same texts give the same commits, byte for byte, on every machine and at any time.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import pygit2

from mappings.errors import StilltrueError

HANDBOOK: Final = "handbook"
STRAY: Final = "old-wiki"

_CORPUS: Final = files("stilltrue.demo") / "corpus"
_STRAY_TEXTS: Final = "stray"
_MAIL: Final = "{}@marlow-gauges.example"


@dataclass(frozen=True, slots=True)
class Step:
    """One commit of the story: what it writes, moves and deletes, by path inside the handbook."""

    at: datetime
    author: str
    subject: str
    writes: tuple[tuple[str, bytes], ...]
    moves: tuple[tuple[str, str], ...] = ()
    deletes: tuple[str, ...] = ()


def read_story() -> tuple[Step, ...]:
    """Return the steps in order."""
    story = tomllib.loads((_CORPUS / "story.toml").read_text("utf-8"))
    return tuple(
        Step(
            at=datetime.fromisoformat(step["at"]),
            author=step["author"],
            subject=step["subject"],
            writes=tuple(_texts(_CORPUS / step["name"])),
            moves=tuple((old, new) for old, new in step.get("move", ())),
            deletes=tuple(step.get("delete", ())),
        )
        for step in story["step"]
    )


def build(folder: Path) -> Path:
    """Build the handbook's history in an empty folder, and the pages of the old wiki beside it.

    Args:
        folder: made where it is missing; gets `handbook/`, a git work tree, and `old-wiki/`, a plain folder.

    Returns:
        The handbook's folder.

    Raises:
        StilltrueError: something already lies there.
    """
    root = folder / HANDBOOK
    if root.exists() and any(root.iterdir()):
        raise StilltrueError(f"folder must be empty, got {str(root)!r}", remedy="remove it, or choose another place")
    root.mkdir(parents=True, exist_ok=True)
    _commit_all(root, read_story())
    stray = folder / STRAY
    stray.mkdir(exist_ok=True)
    for path, text in _texts(_CORPUS / _STRAY_TEXTS):
        (stray / path).write_bytes(text)
    return root


def _texts(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    if not folder.is_dir():
        return
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.is_dir():
            yield from _texts(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_bytes()


def _commit_all(root: Path, story: Sequence[Step]) -> None:
    repository = pygit2.init_repository(str(root), initial_head="main")
    index = pygit2.Index()
    parents: list[pygit2.Oid] = []
    for step in story:
        for old, new in step.moves:
            entry = index[old]
            index.remove(old)
            index.add(pygit2.IndexEntry(new, entry.id, entry.mode))
        for path in step.deletes:
            index.remove(path)
        for path, text in step.writes:
            blob = repository.create_blob(text)
            index.add(pygit2.IndexEntry(path, blob, pygit2.enums.FileMode.BLOB))
        mail = _MAIL.format(step.author.split()[0].lower())
        who = pygit2.Signature(step.author, mail, int(step.at.timestamp()), 0)
        tree = index.write_tree(repository)
        parents = [repository.create_commit("refs/heads/main", who, who, step.subject + "\n", tree, parents)]
    repository.checkout("refs/heads/main", strategy=pygit2.enums.CheckoutStrategy.FORCE)
