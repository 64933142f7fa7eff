"""Own a git history as a source: every commit on the first-parent line that touched a document is an observation.

A document keeps its id through renames, ends where its file goes, and comes back with it (`gitnames`). The reading
resumes after the last commit seen, whose `state` the caller keeps; what a rewritten history took back is put right at
its new tip, and said. A commit's dates and place rule; what a page declares of itself is kept beside.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pygit2

from indexer.errors import SourceError
from indexer.readers import ReaderOptions
from indexer.sources.base import RawItem
from indexer.sources.files import Skip, SkipReason
from indexer.sources.gitnames import Names
from indexer.sources.gitpages import CommitPlace, Reader
from indexer.sources.gitrepo import (
    SHORT,
    Repository,
    find_commit,
    first_parents,
    is_cut_off,
    observed_at,
    open_repository,
    resolve,
    translated,
)
from indexer.sources.gitstate import State
from indexer.sources.gittrees import Step, document_paths, step_between

_REWRITTEN: Final = "history was rewritten: commit {seen} is no longer on the first-parent line of {tip}"


class GitHistory:
    """The documents of a git repository, or of a folder of it, over its whole history.

    Attributes:
        source: name of the source, the first part of each id.
        skipped: what was passed over, and what there is to say about the history; complete after the iteration.
        state: where the reading has come to; give it to the next one as `since`. Complete after the iteration.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        branch: str | None = None,
        source: str = "",
        since: str | None = None,
        options: ReaderOptions | None = None,
    ) -> None:
        """Open the repository.

        Args:
            path: a work tree, a folder of one, or a bare repository.
            branch: branch, tag or commit; what is checked out by default.
            source: name of the source; the folder's own name by default.
            since: `state` of an earlier reading.
            options: how files are read.

        Raises:
            SourceError: there is no repository, no such branch, or git refuses it.
        """
        self._path = Path(path)
        if not self._path.exists():
            raise SourceError(f"source must be a git repository, got {str(path)!r}", remedy="correct the path")
        repository = open_repository(self._path)
        if repository is None:
            raise SourceError(
                f"source must be a git repository, got {str(path)!r} which is none",
                remedy="name a folder inside a repository, or ingest it as a plain folder, without git+",
            )
        self._repository: Repository = repository
        self._tip = resolve(repository, self._path, branch)
        if repository.subtree(self._tip) is None:
            raise SourceError(
                f"folder must be in the repository at {_short(self._tip)}, got {repository.prefix!r}",
                remedy="commit it, or ingest it as a plain folder, without git+",
            )
        self.source = source or name_of(self._path)
        self._since = State.read(since) if since else None
        self._reader = Reader(repository, self.source, options or ReaderOptions())
        self._lost: pygit2.Commit | None = None
        self.state = since or ""

    @property
    def skipped(self) -> list[Skip]:
        """Return what was passed over."""
        return self._reader.skipped

    def __iter__(self) -> Iterator[RawItem]:
        """Yield the observations, ends and refusals of the commits that were not yet seen, oldest first."""
        if self._since and self._since.commit == str(self._tip.id):
            return
        with translated(self._path):
            line = first_parents(self._tip)
            if is_cut_off(line[0]):
                self._say(f"history is cut off: it begins with commit {_short(line[0])}; run `git fetch --unshallow`")
            begin, names = self._resumed(line)
            for place in range(begin, len(line)):
                yield from self._commit(line, place, names)
            if self._lost is not None:
                yield from self._put_right(line, begin, self._lost, names)
            self.state = State(str(self._tip.id), names, self._reader.silent).write()

    def _resumed(self, line: list[pygit2.Commit]) -> tuple[int, Names]:
        """Return the first place to read, and the names as they are before it."""
        if self._since is None:
            return 0, Names()
        places = {str(commit.id): place for place, commit in enumerate(line)}
        self._reader.silent = set(self._since.silent)
        if self._since.commit in places:
            seen = line[places[self._since.commit]]
            names = self._since.names_at(document_paths(self._repository.subtree(seen)))
            return places[self._since.commit] + 1, names
        self._say(_REWRITTEN.format(seen=self._since.commit[:SHORT], tip=_short(self._tip)))
        return self._before_rewrite(line, places)

    def _before_rewrite(self, line: list[pygit2.Commit], places: dict[str, int]) -> tuple[int, Names]:
        """Return where the line that was seen and the line that is part, and the names there."""
        assert self._since is not None
        old = find_commit(self._repository, self._since.commit)
        names = Names()
        if old is None:
            self._say("the commit seen last is gone: all is read again, and what it alone held is to be ended by hand")
            return 0, names
        self._lost = old
        base = next((places[str(c.id)] for c in reversed(first_parents(old)) if str(c.id) in places), -1)
        for place in range(base + 1):
            self._follow(self._step(line, place), names)
        return base + 1, names

    def _put_right(
        self, line: list[pygit2.Commit], begin: int, old: pygit2.Commit, names: Names
    ) -> Iterator[RawItem]:
        """Yield, as of the new tip, what differs from the commit seen last: the commits taken back did that."""
        assert self._since is not None
        before = self._since.names_at(document_paths(self._repository.subtree(old)))
        # Strictly after whatever the dropped commits told, so that no place of theirs counts against it.
        latest = max(commit.commit_time for commit in first_parents(old)[begin:] or [old])
        place = self._place(line, len(line) - 1, not_before=latest + 1)
        step = step_between(self._repository.subtree(old), self._repository.subtree(self._tip), renames=False)
        for path in step.ended:
            name = before.live.get(path)
            if name is not None and name not in names.live.values():
                yield from self._reader.end(name, step.old[path], path, place)
        for path in step.changed:
            yield from self._reader.read(names.add(path), path, step.new[path], place)

    def _commit(self, line: list[pygit2.Commit], place: int, names: Names) -> Iterator[RawItem]:
        step = self._step(line, place)
        at = self._place(line, place)
        yield from self._reader.fault_all(step.faults, at)
        self._reader.skip_all(step.skipped, at)
        for path in step.ended:
            if (name := names.end(path)) is not None:
                yield from self._reader.end(name, step.old[path], path, at)
        names.move(step.moved)
        came_from = {new: old for old, new in step.moved}
        for path in step.changed:
            old_path = came_from.get(path, path)
            before = (old_path, step.old[old_path]) if old_path in step.old else None
            yield from self._reader.read(names.add(path), path, step.new[path], at, before=before)

    def _follow(self, step: Step, names: Names) -> None:
        """Keep the names in step with a commit that is not read again."""
        for path in step.ended:
            names.end(path)
        names.move(step.moved)
        for path in step.changed:
            names.add(path)

    def _step(self, line: list[pygit2.Commit], place: int) -> Step:
        old = self._repository.subtree(line[place - 1]) if place else None
        return step_between(old, self._repository.subtree(line[place]))

    def _place(self, line: list[pygit2.Commit], place: int, *, not_before: int = 0) -> CommitPlace:
        commit = line[place]
        moment = observed_at(commit, line[place - 1] if place else None, not_before=not_before)
        return CommitPlace(_short(commit), moment, place)

    def _say(self, text: str) -> None:
        self._reader.skipped.append(Skip(str(self._path), SkipReason.HISTORY, text))


def name_of(path: Path) -> str:
    """Return the name that a history has by its folder."""
    return path.resolve().name.removesuffix(".git") or "git"


def _short(commit: pygit2.Commit) -> str:
    return str(commit.id)[:SHORT]


