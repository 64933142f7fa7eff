"""Own what is asked of a git repository as such: opening it, its line of first parents, its trees; pygit2's errors.

Whoever reads no git need not load libgit2: other modules import this one where they need it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pygit2

from indexer.errors import SourceError
from mappings.interval import SECOND, format_instant

MODE_LINK: Final = 0o120000
MODE_SUBMODULE: Final = 0o160000
MODE_TREE: Final = 0o040000
SHORT: Final = 10

_OWNER = re.compile(r"not owned by current user")


@dataclass(frozen=True, slots=True)
class Repository:
    """An open repository, and the folder of it that is meant ("" for the whole)."""

    git: pygit2.Repository
    prefix: str

    def subtree(self, commit: pygit2.Commit) -> pygit2.Tree | None:
        """Return the meant folder as it was at a commit, None where it did not exist."""
        if not self.prefix:
            return commit.tree
        try:
            entry = commit.tree[self.prefix]
        except KeyError:
            return None
        return entry if isinstance(entry, pygit2.Tree) else None


def open_repository(path: Path) -> Repository | None:
    """Open the repository that a folder lies in, or is; None where there is none.

    Raises:
        SourceError: git refuses it.
    """
    with translated(path):
        found = pygit2.discover_repository(str(path))
        if found is None:
            return None
        git = pygit2.Repository(found)
    real = path.resolve()
    if git.is_bare or real.is_relative_to(Path(git.path).resolve()):
        return Repository(git, "")  # the path is the repository itself
    prefix = real.relative_to(Path(git.workdir).resolve()).as_posix()
    return Repository(git, "" if prefix == "." else prefix)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what libgit2 says into a SourceError with a remedy."""
    try:
        yield
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        remedy = "check the path and the repository with `git fsck`"
        if _OWNER.search(str(error)):
            remedy = f"allow it with `git config --global --add safe.directory {path}`"
        raise SourceError(f"git can not read {str(path)!r}: {error}", remedy=remedy) from error


def resolve(repository: Repository, path: Path, branch: str | None) -> pygit2.Commit:
    """Return the commit that a branch, tag or other name stands at; HEAD without a name.

    Raises:
        SourceError: there is none.
    """
    git = repository.git
    try:
        if branch is None:
            return git.head.peel(pygit2.Commit)
    except pygit2.GitError as error:
        raise SourceError(
            f"repository {str(path)!r} has no commits", remedy="commit something, or name a branch: git+PATH@BRANCH"
        ) from error
    for name in (f"refs/heads/{branch}", f"refs/remotes/origin/{branch}", branch):
        try:
            return git.revparse_single(name).peel(pygit2.Commit)
        except (pygit2.GitError, KeyError, ValueError):
            continue
    known = ", ".join(sorted(git.branches)[:8])
    raise SourceError(
        f"branch must exist in {str(path)!r}, got {branch!r}", remedy=f"known are {known}" if known else "name a commit"
    )


def find_commit(repository: Repository, name: str) -> pygit2.Commit | None:
    """Return a commit by its full id, None where it is not here any more."""
    try:
        return repository.git.revparse_single(name).peel(pygit2.Commit)
    except (pygit2.GitError, KeyError, ValueError):
        return None


def first_parents(tip: pygit2.Commit) -> list[pygit2.Commit]:
    """Return the line of first parents, oldest first; a shallow history begins where it was cut."""
    line = [tip]
    while parents := _parents(line[-1]):
        line.append(parents[0])
    return line[::-1]


def is_cut_off(commit: pygit2.Commit) -> bool:
    """Tell whether a commit has a parent that is not here: the history is shallow, and begins with this one."""
    return not _parents(commit) and b"\nparent " in commit.read_raw().partition(b"\n\n")[0]


def _parents(commit: pygit2.Commit) -> list[pygit2.Commit]:
    try:
        return commit.parents
    except (KeyError, ValueError, pygit2.GitError):  # the parent is named, and not here
        return []


def observed_at(commit: pygit2.Commit, parent: pygit2.Commit | None, *, not_before: int = 0) -> str:
    """Return when the state of a commit could be known: its committer date, or its parent's where that is later."""
    seconds = max(commit.commit_time, parent.commit_time if parent else commit.commit_time, not_before)
    return str(format_instant(seconds * SECOND))


def blob_paths(tree: pygit2.Tree | None) -> Iterator[tuple[bytes, pygit2.Oid]]:
    """Yield (raw path, id) of every file of a tree, links and submodules left out."""
    pending = [(tree, b"")] if tree is not None else []
    while pending:
        folder, prefix = pending.pop()
        for entry in folder:
            path = prefix + (entry.raw_name or b"")
            if entry.filemode == MODE_TREE:
                pending.append((entry, path + b"/"))  # type: ignore[arg-type]  # an entry of this mode is a tree
            elif entry.filemode not in (MODE_LINK, MODE_SUBMODULE):
                yield path, entry.id
