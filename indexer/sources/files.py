"""Own the files of a folder: which are documents, which are passed over and why, and reading one in one piece.

Nothing outside the folder is ever read: links are named, not followed.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from indexer.readers import is_document
from indexer.readers.encoding import too_large
from indexer.sources.base import Refusal, RefusalCode

# Folders of programs, not of people.
_MACHINE_FOLDERS: Final = frozenset(["node_modules", "__pycache__"])
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]")
# A file that changes again during the second reading is being written to.
_TRIES: Final = 2


class SkipReason(StrEnum):
    """Why a file is passed over; it is no fault of the file."""

    SYMLINK = "symlink"
    SUBMODULE = "submodule"
    SPECIAL = "special"  # a device, a pipe, a socket
    HIDDEN = "hidden"
    IGNORED = "ignored"  # by git
    NOT_A_DOCUMENT = "not a document"
    BINARY = "binary"
    LFS_POINTER = "lfs pointer"
    HISTORY = "history"  # not a file: something about the history as a whole


@dataclass(frozen=True, slots=True)
class Skip:
    """A file that was passed over, or what else a source has to say about what it did not read."""

    location: str
    reason: SkipReason
    detail: str

    def __str__(self) -> str:
        """Render as one line."""
        return f"{self.location}: {self.detail}"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A document's file: its posix path below the folder, and where it lies."""

    path: str
    place: Path


@dataclass(frozen=True, slots=True)
class FileBytes:
    """What a file held at one moment, and when it was last written to (ns since 1970)."""

    data: bytes
    mtime_ns: int


def shown(name: str) -> str:
    """Return a path as it can be printed: control characters and bytes that are no text are escaped."""
    plain = _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), name)
    return plain.encode("utf-8", "backslashreplace").decode()


def fault_of_name(path: str) -> Refusal | None:
    """Return why a path can not be part of an id; None for one that can."""
    if _CONTROL.search(path):
        what = f"file name holds a control character, got {path!r}"
    else:
        try:
            path.encode("utf-8")
        except UnicodeEncodeError:
            what = f"file name is not UTF-8, got {os.fsencode(path)!r}"
        else:
            return None
    return Refusal(shown(path), "", RefusalCode.BAD_NAME, what, "rename the file")


def walk(
    root: Path, *, is_ignored: Callable[[str], bool] = lambda path: False
) -> Iterator[FoundFile | Skip | Refusal]:
    """Yield the documents of a folder in the order of their names, and what is passed over or can not be listed."""
    pending = [(root, "")]
    while pending:
        folder, prefix = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield _unreadable(prefix.rstrip("/") or ".", error, "folder")
            continue
        below: list[tuple[Path, str]] = []
        for entry in entries:
            path = prefix + entry.name
            if entry.name == ".git":
                continue
            if _is_plain_folder(entry):
                if entry.name in _MACHINE_FOLDERS or entry.name.startswith("."):
                    yield Skip(shown(path), SkipReason.HIDDEN, "folder is hidden, or a program's")
                elif is_ignored(path + "/"):
                    yield Skip(shown(path), SkipReason.IGNORED, "folder is ignored by git")
                else:
                    below.append((folder / entry.name, path + "/"))
            else:
                yield _file(entry, path, is_ignored, root)
        pending += reversed(below)


def _is_plain_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)


def _file(
    entry: os.DirEntry[str], path: str, is_ignored: Callable[[str], bool], root: Path
) -> FoundFile | Skip | Refusal:
    if entry.is_symlink():
        return Skip(shown(path), SkipReason.SYMLINK, _link_detail(Path(entry.path), root))
    if not entry.is_file(follow_symlinks=False):
        return Skip(shown(path), SkipReason.SPECIAL, "is no regular file")
    if entry.name.startswith("."):
        return Skip(shown(path), SkipReason.HIDDEN, "file is hidden")
    if not is_document(path):
        return Skip(shown(path), SkipReason.NOT_A_DOCUMENT, "is not Markdown, reST, HTML or text")
    if is_ignored(path):
        return Skip(shown(path), SkipReason.IGNORED, "file is ignored by git")
    return fault_of_name(path) or FoundFile(path, Path(entry.path))


def _link_detail(link: Path, root: Path) -> str:
    target = os.readlink(link)
    inside = Path(os.path.realpath(link)).is_relative_to(os.path.realpath(root))
    where = "is a link inside the folder" if inside else "is a link out of the folder"
    return f"{where}, to {shown(target)!r}: not followed"


def read_whole(place: Path, path: str, *, limit: int) -> FileBytes | Refusal:
    """Read a file that nobody writes to meanwhile, at most `limit` bytes of it."""
    for _ in range(_TRIES):
        try:
            with place.open("rb") as stream:
                before = os.fstat(stream.fileno())
                if not stat.S_ISREG(before.st_mode):
                    return Refusal(path, "", RefusalCode.CHANGED, "file became something else", "read again")
                if before.st_size > limit:
                    error = too_large(before.st_size, limit)
                    return Refusal(path, "", RefusalCode.TOO_LARGE, error.detail, error.remedy)
                data = read_stream(stream.fileno(), limit)
                after = os.fstat(stream.fileno())
        except OSError as error:
            return _unreadable(path, error, "file")
        if (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size) and len(data) == after.st_size:
            return FileBytes(data, after.st_mtime_ns)
    return Refusal(path, "", RefusalCode.CHANGED, "file changed while it was read", "read again when it is written")


def read_stream(descriptor: int, limit: int) -> bytes:
    """Read an open file to its end, or one byte beyond the limit."""
    pieces = []
    left = limit + 1
    while left > 0 and (piece := os.read(descriptor, min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _unreadable(path: str, error: OSError, what: str) -> Refusal:
    reason = error.strerror or str(error)
    return Refusal(
        shown(path), "", RefusalCode.UNREADABLE, f"{what} can not be read: {reason.lower()}", "check its permissions"
    )
