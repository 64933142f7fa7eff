"""Own the dates that a git work tree gives to the files of a folder: the last commit that made each what it is.

A file that differs from its last commit has no sure date, one that no commit holds has none. Where the history was
cut off (a shallow clone), what the oldest commit brought may be older than it says, and gets no date.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pygit2

from indexer.sources.base import FoundDate
from indexer.sources.gitrepo import Repository, blob_paths, is_cut_off, open_repository, resolve, translated
from mappings.interval import SECOND, format_instant

SOURCE: Final = "git"


@dataclass(frozen=True, slots=True)
class WorkTree:
    """The files of a folder as the last commit knows them.

    Attributes:
        dates: path below the folder → committer date, seconds since 1970; paths of a cut-off history are absent.
        blobs: path below the folder → id of its content.
        cut: whether dates are missing because the history is shallow.
    """

    repository: Repository
    dates: dict[str, int]
    blobs: dict[str, pygit2.Oid]
    cut: bool

    def is_ignored(self, path: str) -> bool:
        """Tell whether git ignores a path below the folder; one that is committed never is."""
        whole = f"{self.repository.prefix}/{path}" if self.repository.prefix else path
        return path not in self.blobs and self.repository.git.path_is_ignored(whole)

    def date_of(self, path: str, data: bytes) -> FoundDate | None:
        """Return the date of a file that now holds `data`; low in confidence where that is not what was committed."""
        if path not in self.dates:
            return None
        unchanged = self.blobs[path] in (pygit2.hash(data), pygit2.hash(data.replace(b"\r\n", b"\n")))
        instant = str(format_instant(self.dates[path] * SECOND))
        return FoundDate("observed_at", instant, SOURCE, "high" if unchanged else "low")


def open_work_tree(path: Path) -> WorkTree | None:
    """Read the dates of a folder's files; None outside a work tree, or in one without commits.

    Raises:
        SourceError: the repository can not be read.
    """
    repository = open_repository(path)
    if repository is None or repository.git.is_bare or repository.git.head_is_unborn:
        return None
    with translated(path):
        if repository.prefix and repository.git.path_is_ignored(repository.prefix):
            return None
        head = resolve(repository, path, None)
        blobs = {raw.decode("utf-8", "surrogateescape"): oid for raw, oid in blob_paths(repository.subtree(head))}
        dates = _dates(repository, head, blobs)
    return WorkTree(repository, dates, blobs, cut=repository.git.is_shallow and len(dates) < len(blobs))


def _dates(repository: Repository, head: pygit2.Commit, blobs: dict[str, pygit2.Oid]) -> dict[str, int]:
    """Return the time of the last commit that gave each path the content that it has at the head.

    As `git log -1 -- PATH` does, a path is followed to the first parent that holds it as it is; the commit where no
    parent does is the one.
    """
    dates: dict[str, int] = {}
    followed = {head.id: set(blobs)}
    for commit in repository.git.walk(head.id, pygit2.enums.SortMode.TOPOLOGICAL | pygit2.enums.SortMode.TIME):
        paths = followed.pop(commit.id, None)
        if paths is None:
            continue
        new = _not_passed_on(repository, commit, paths, followed)
        if not is_cut_off(commit):
            dates.update(dict.fromkeys(new, commit.commit_time))
        if not followed:
            break
    return dates


def _not_passed_on(
    repository: Repository, commit: pygit2.Commit, paths: set[str], followed: dict[pygit2.Oid, set[str]]
) -> set[str]:
    """Hand each path on to the first parent that holds it as the commit does; return those that none does."""
    tree = repository.subtree(commit)
    for parent in commit.parents:
        before = repository.subtree(parent)
        changed = paths.intersection(_changed(before, tree)) if before is not None else set(paths)
        paths -= changed
        if paths:
            followed[parent.id] = _union(followed.get(parent.id), paths)
        paths = changed
    return paths


def _union(one: set[str] | None, other: set[str]) -> set[str]:
    if one is None:
        return other
    large, small = (one, other) if len(one) > len(other) else (other, one)
    large |= small
    return large


def _changed(old: pygit2.Tree, new: pygit2.Tree | None) -> Iterable[str]:
    """Yield the paths that differ between two trees."""
    if new is not None and old.id == new.id:
        return
    diff = old.diff_to_tree(new) if new is not None else old.diff_to_tree()
    for delta in diff.deltas:
        yield delta.new_file.raw_path.decode("utf-8", "surrogateescape")
