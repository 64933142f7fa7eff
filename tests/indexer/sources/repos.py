"""Own how tests make git repositories: few calls, fixed authors and times, written with git's own library."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pygit2

# 2024-01-01T00:00:00Z, seconds since 1970; each commit of a test comes an hour after the one before.
START = 1_704_067_200
HOUR = 3_600

Content = str | bytes | tuple[int, bytes]


class Repo:
    """A repository whose branch `main` grows by whole trees.

    Attributes:
        path: the work tree.
        files: path → content of the tree as it stands; a tuple gives the mode too.
        commits: ids of the first-parent line, oldest first.
    """

    def __init__(self, path: Path, *, bare: bool = False) -> None:
        self.path = path
        self.git = pygit2.init_repository(str(path), bare=bare, initial_head="main")
        self.files: dict[str, Content] = {}
        self.commits: list[pygit2.Oid] = []
        self.time = START - HOUR

    def commit(
        self,
        changes: Mapping[str, Content | None] | None = None,
        *,
        at: int | None = None,
        merge: pygit2.Oid | None = None,
        checkout: bool = False,
    ) -> pygit2.Oid:
        """Write files, delete those given as None, and commit; return the commit's id."""
        for path, content in (changes or {}).items():
            if content is None:
                del self.files[path]
            else:
                self.files[path] = content
        self.time = self.time + HOUR if at is None else at
        parents = [*self.commits[-1:], *([merge] if merge else [])]
        made = self.write(parents, "refs/heads/main")
        self.commits.append(made)
        if checkout:
            self.git.checkout("refs/heads/main", strategy=pygit2.enums.CheckoutStrategy.FORCE)
        return made

    def side(self, changes: Mapping[str, Content | None], *, at: int) -> pygit2.Oid:
        """Commit on a line of its own, from the present tip; return the commit's id."""
        kept, now = dict(self.files), self.time
        for path, content in changes.items():
            if content is None:
                del self.files[path]
            else:
                self.files[path] = content
        self.time = at
        made = self.write(self.commits[-1:], None)
        self.files, self.time = kept, now
        return made

    def move(self, old: str, new: str) -> None:
        """Rename a file; the next commit holds it."""
        self.files[new] = self.files.pop(old)

    def write(self, parents: list[pygit2.Oid], reference: str | None) -> pygit2.Oid:
        """Write the tree and a commit of it."""
        index = pygit2.Index()
        for path, content in self.files.items():
            mode, data = content if isinstance(content, tuple) else (pygit2.enums.FileMode.BLOB, content)
            if mode == pygit2.enums.FileMode.COMMIT:
                index.add(pygit2.IndexEntry(path, pygit2.Oid(hex=data.decode()), pygit2.enums.FileMode.COMMIT))
                continue
            blob = self.git.create_blob(data.encode() if isinstance(data, str) else data)
            index.add(pygit2.IndexEntry(path, blob, pygit2.enums.FileMode(mode)))
        who = pygit2.Signature("A Writer", "writer@example.org", self.time, 0)
        return self.git.create_commit(reference, who, who, "Change\n", index.write_tree(self.git), parents)

    def reset(self, to: int) -> None:
        """Take back all commits after the one at that place, and the files with them."""
        self.commits = self.commits[: to + 1]
        self.git.references.create("refs/heads/main", self.commits[-1], force=True)
        self.files = dict(self.tree_at(self.commits[-1]))

    def tree_at(self, commit: pygit2.Oid) -> dict[str, bytes]:
        """Return path → content of a commit, as git has it."""
        found: dict[str, bytes] = {}
        pending = [(self.git[commit].peel(pygit2.Commit).tree, "")]
        while pending:
            tree, prefix = pending.pop()
            for entry in tree:
                if isinstance(entry, pygit2.Tree):
                    pending.append((entry, f"{prefix}{entry.name}/"))
                elif isinstance(entry, pygit2.Blob):
                    found[prefix + str(entry.name)] = entry.data
        return found
