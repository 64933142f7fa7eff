"""Own a large generated history: renames, deletions, returns, merges, reverts and odd names, and the truth about it.

The history is written with `git fast-import`. What stood where is kept by the generator itself, file by file, and
what a document is called follows from its own book-keeping, not from the program under test.
"""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

START = 1_600_000_000
FOLDERS = ("", "docs/", "docs/guide/", "ünï cødé/", "with space/", "-dash/", "q'uo\"te/")
STEMS = ("page", "Page", "a b", "naïve", "100%", "#hash", "x;y", "~tilde", "emoji-🌧", "dot.dot")


@dataclass
class File:
    """A file that stands in the tree: its lines, and the name of the document that it is."""

    name: str
    lines: list[str]

    @property
    def text(self) -> str:
        """Return its content."""
        return "\n".join(self.lines) + "\n"


@dataclass
class Commit:
    """A commit on the first-parent line: when it could be known, and path → (document, content) of its tree."""

    observed: int
    tree: dict[str, tuple[str, str]]


@dataclass
class History:
    """A generated history and the truth about it."""

    path: Path
    commits: list[Commit] = field(default_factory=list)

    def truth(self, path: str, moment: int) -> tuple[str, str] | None:
        """Return document and content at a path at a moment (seconds since 1970), None where nothing stood there."""
        tree: dict[str, tuple[str, str]] = {}
        for commit in self.commits:
            if commit.observed <= moment:
                tree = commit.tree
        return tree.get(path)


class Generator:
    """Write one history, commit after commit."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.files: dict[str, File] = {}
        self.last_at: dict[str, str] = {}  # path → name of the document that ended there last
        self.names: set[str] = set()
        self.words = 0
        self.changed: dict[str, str | None] = {}
        self.stream: list[bytes] = []
        self.mark = 0
        self.reverts: list[tuple[str, list[str]]] = []

    def fresh_lines(self, count: int) -> list[str]:
        """Return lines that stand nowhere else, so that no file is like another by chance."""
        self.words += count
        return [f"line {n} {self.random.random():.12f} of words" for n in range(self.words - count, self.words)]

    def free_path(self) -> str:
        """Return a path at which nothing stands."""
        while True:
            path = f"{self.random.choice(FOLDERS)}{self.random.choice(STEMS)}-{self.random.randrange(60)}.md"
            if path not in self.files:
                return path

    def add(self) -> None:
        """Create a file, now and then where one stood before."""
        again = [path for path in self.last_at if path not in self.files]
        path = self.random.choice(sorted(again)) if again and self.random.random() < 0.3 else self.free_path()
        name = self.last_at.pop(path, None) or self.unused(path)
        self.files[path] = File(name, self.fresh_lines(10))
        self.changed[path] = self.files[path].text

    def unused(self, path: str) -> str:
        """Return the name of a new document at a path."""
        name, number = path, 1
        while name in self.names:
            number += 1
            name = f"{path}~{number}"
        self.names.add(name)
        return name

    def edit(self) -> None:
        """Change a line of a file, or put back what it said earlier."""
        path = self.random.choice(sorted(self.files))
        file = self.files[path]
        earlier = [lines for name, lines in self.reverts if name == file.name and lines != file.lines]
        if earlier and self.random.random() < 0.3:
            file.lines = list(self.random.choice(earlier))
        else:
            self.reverts.append((file.name, list(file.lines)))
            file.lines[self.random.randrange(len(file.lines))] = self.fresh_lines(1)[0]
        self.changed[path] = file.text

    def delete(self) -> None:
        """Delete a file."""
        path = self.random.choice(sorted(self.files))
        self.last_at[path] = self.files.pop(path).name
        self.changed[path] = None

    def rename(self) -> None:
        """Move a file, now and then with a changed line, sometimes only its capitals."""
        path = self.random.choice(sorted(self.files))
        swapped = path.swapcase()
        new = swapped if swapped.endswith(".MD") and swapped not in self.files else self.free_path()
        new = new if self.random.random() < 0.2 else self.free_path()
        file = self.files.pop(path)
        if self.random.random() < 0.5:
            file.lines[0] = self.fresh_lines(1)[0]
        self.files[new] = file
        self.last_at.pop(new, None)
        self.changed[path], self.changed[new] = None, file.text

    def write_commit(self, branch: str, at: int, parents: list[int], files: dict[str, str | None]) -> int:
        """Write one commit of the stream and return its mark."""
        self.mark += 1
        out = self.stream
        out.append(f"commit {branch}\nmark :{self.mark}\ncommitter A <a@example.org> {at} +0000\ndata 1\nx\n".encode())
        if parents:
            out.append(f"from :{parents[0]}\n".encode())
        out += [f"merge :{parent}\n".encode() for parent in parents[1:]]
        for path, text in files.items():
            quoted = '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
            if text is None:
                out.append(f"D {quoted}\n".encode())
            else:
                data = text.encode()
                out.append(f"M 100644 inline {quoted}\ndata {len(data)}\n".encode() + data + b"\n")
        return self.mark


STEPS = (("edit", 60), ("add", 12), ("rename", 12), ("delete", 10))


def generate(path: Path, *, commits: int, seed: int = 7) -> History:
    """Write a history of so many commits on the first-parent line, and as many branches as chance has it."""
    made, history = Generator(seed), History(path)
    at, before, tip = START, 0, 0
    kinds = [kind for kind, weight in STEPS for _ in range(weight)]
    for number in range(commits):
        made.changed = {}
        for _ in range(20 if number == 0 else made.random.choice((1, 1, 1, 2))):
            kind = "add" if len(made.files) < 8 else made.random.choice(kinds)
            if made.changed and kind in ("rename", "delete"):
                kind = "edit"  # one such change a commit, so that what is a rename is beyond doubt
            getattr(made, kind)()
        # A clock that goes back now and then: the parent's date holds.
        at += made.random.randrange(60, 90_000) if made.random.random() < 0.97 else -30
        parents = [tip] if tip else []
        if tip and made.random.random() < 0.1:
            side = made.write_commit(f"refs/heads/side-{number}", at - 10, [tip], made.changed)
            parents.append(side)
        tip = made.write_commit("refs/heads/main", at, parents, made.changed)
        history.commits.append(
            Commit(max(at, before or at), {path: (file.name, file.text) for path, file in made.files.items()})
        )
        before = at
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(path)], check=True)
    subprocess.run(
        ["git", "-C", str(path), "fast-import", "--quiet"], input=b"".join(made.stream), check=True, capture_output=True
    )
    return history


def show(path: Path, commit: str, file: str) -> str | None:
    """Return what git itself says a file held at a commit."""
    done = subprocess.run(["git", "-C", str(path), "show", f"{commit}:{file}"], capture_output=True)
    return done.stdout.decode() if done.returncode == 0 else None


def line_of(path: Path) -> list[str]:
    """Return the commits of the first-parent line, oldest first, as git itself lists them."""
    command = ["git", "-C", str(path), "rev-list", "--first-parent", "--reverse", "main"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
