"""Own what changed between two trees: documents that came, changed, moved and went, and what is no document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import pygit2

from indexer.readers import is_document
from indexer.sources.base import Refusal
from indexer.sources.files import Skip, SkipReason, fault_of_name, shown
from indexer.sources.gitrepo import MODE_LINK, MODE_SUBMODULE, blob_paths

# Half of the lines, as git itself takes it.
_FIND: Final = pygit2.enums.DiffFind.FIND_RENAMES


@dataclass(slots=True)
class Step:
    """What one commit did to the documents.

    Attributes:
        moved: (old path, new path) of renames; the new path is among `changed` too.
        changed: paths that came or changed, in order.
        ended: paths that are no longer documents, in order.
        old, new: path → content, before and after, of the paths named above.
        skipped: links and submodules that came.
        faults: files whose names can not be part of an id.
    """

    moved: list[tuple[str, str]] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    old: dict[str, pygit2.Oid] = field(default_factory=dict)
    new: dict[str, pygit2.Oid] = field(default_factory=dict)
    skipped: list[Skip] = field(default_factory=list)
    faults: list[Refusal] = field(default_factory=list)


def document_paths(tree: pygit2.Tree | None) -> Iterator[str]:
    """Yield the paths of the documents of a tree."""
    for raw, _ in blob_paths(tree):
        path = _text(raw)
        if _is_read(path):
            yield path


def step_between(old: pygit2.Tree | None, new: pygit2.Tree | None, *, renames: bool = True) -> Step:
    """Return what lies between two trees; None is an empty one."""
    step = Step()
    deltas = list(_deltas(old, new, renames=renames))
    for delta in deltas:
        _before(delta, step)
    for delta in deltas:
        _after(delta, step)
    arrived = set(step.changed)
    step.ended = sorted(path for path in step.ended if path not in arrived)
    step.changed.sort()
    return step


def _deltas(old: pygit2.Tree | None, new: pygit2.Tree | None, *, renames: bool) -> Iterable[pygit2.DiffDelta]:
    if old is None and new is None or old is not None and new is not None and old.id == new.id:
        return []
    if old is None:
        assert new is not None
        return new.diff_to_tree(swap=True).deltas
    diff = old.diff_to_tree(new) if new is not None else old.diff_to_tree()
    if renames and _may_rename(diff):
        diff.find_similar(flags=_FIND)
    return diff.deltas


def _may_rename(diff: pygit2.Diff) -> bool:
    """Tell whether a document went and one came: looking for likeness costs reading them."""
    kinds = {
        delta.status
        for delta in diff.deltas
        if is_document(_text(delta.old_file.raw_path)) or is_document(_text(delta.new_file.raw_path))
    }
    return {pygit2.enums.DeltaStatus.ADDED, pygit2.enums.DeltaStatus.DELETED} <= kinds


def _before(delta: pygit2.DiffDelta, step: Step) -> None:
    side = delta.old_file
    path = _text(side.raw_path)
    if delta.status == pygit2.enums.DeltaStatus.ADDED or not _is_file(side.mode) or not _is_read(path):
        return
    step.old[path] = side.id
    new = _text(delta.new_file.raw_path)
    stays = delta.status != pygit2.enums.DeltaStatus.DELETED and _is_file(delta.new_file.mode) and _is_read(new)
    if not stays:
        step.ended.append(path)
    elif new != path:
        step.moved.append((path, new))


def _after(delta: pygit2.DiffDelta, step: Step) -> None:
    side = delta.new_file
    if delta.status == pygit2.enums.DeltaStatus.DELETED:
        return
    path = _text(side.raw_path)
    if side.mode == MODE_SUBMODULE:
        step.skipped.append(Skip(shown(path), SkipReason.SUBMODULE, "is a submodule: ingest it by itself"))
    elif side.mode == MODE_LINK:
        step.skipped.append(Skip(shown(path), SkipReason.SYMLINK, "is a link: not followed"))
    elif not is_document(path):
        return
    elif fault := fault_of_name(path):
        step.faults.append(fault)
    else:
        step.changed.append(path)
        step.new[path] = side.id


def _is_file(mode: int) -> bool:
    return mode not in (0, MODE_LINK, MODE_SUBMODULE)


def _is_read(path: str) -> bool:
    return is_document(path) and fault_of_name(path) is None


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
