"""Own which source an argument means: a folder, a git history, or a file of JSON lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from indexer.errors import SourceError
from indexer.readers import ReaderOptions
from indexer.sources.folder import Folder
from indexer.sources.jsonl import JsonLines

if TYPE_CHECKING:
    from indexer.sources.git import GitHistory

Format = Literal["folder", "git", "jsonl"]

_FORMATS: Final = ("folder", "git", "jsonl")
_GIT: Final = "git+"
_JSON_LINES: Final = (".jsonl", ".jsonl.gz")
_REMOTE: Final = ("http://", "https://", "ssh://", "git@", "file://")


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """Which source, and how it is meant.

    Attributes:
        argument: a folder, `git+PATH[@BRANCH]`, or a file of JSON lines.
        name: name of the source; by default the folder's, or what the documents say.
        format: `folder`, `git` or `jsonl`; None: what the argument looks like.
        dates: of a folder's files that declare none: `git`, `mtime` or a moment.
    """

    argument: str
    name: str = ""
    format: str | None = None
    dates: str | None = None


def open_source(
    request: SourceRequest, *, options: ReaderOptions, since: Callable[[str], str | None] = lambda name: None
) -> Folder | GitHistory | JsonLines:
    """Return the source that is meant, without reading it yet.

    Args:
        request: see `SourceRequest`.
        options: how files are read.
        since: name of a git history → the state of its last reading, None for one not read yet.

    Raises:
        SourceError: there is nothing of that name, or of no known form.
    """
    form = _checked_format(request)
    if form == "git":
        return _open_git(request, options, since)
    if form == "folder":
        return Folder(request.argument, source=request.name, dates=request.dates, options=options)
    return JsonLines(request.argument, source=request.name)


def check_source(request: SourceRequest) -> None:
    """Refuse what can not be a source, without opening it.

    Raises:
        SourceError: as for `open_source`.
    """
    form = _checked_format(request)
    if form == "jsonl":
        JsonLines(request.argument)
    elif form == "folder" and not Path(request.argument).is_dir():
        raise SourceError(f"source must be a folder, got {request.argument!r} which is none", remedy="correct the path")
    elif form == "git":
        _open_git(request, ReaderOptions(), lambda name: None)


def _checked_format(request: SourceRequest) -> str:
    if not request.argument.removeprefix(_GIT).strip():
        # An unset variable of a shell must not mean the working directory.
        raise SourceError(f"source must name a place, got {request.argument!r}", remedy="for this folder write .")
    form = _format_of(request)
    if request.dates is not None and form != "folder":
        raise SourceError(
            f"date_from is for folders, got {request.dates!r} for {request.argument!r}", remedy="leave it out"
        )
    return form


def _format_of(request: SourceRequest) -> str:
    if request.format is not None:
        if request.format not in _FORMATS:
            raise SourceError(f"format must be one of {', '.join(_FORMATS)}, got {request.format!r}")
        return request.format
    if request.argument.startswith(_GIT):
        return "git"
    if Path(request.argument).is_dir():
        return "folder"
    if request.argument.endswith(_JSON_LINES):
        return "jsonl"
    forms = f"a folder, git+PATH[@BRANCH], or end in {' or '.join(_JSON_LINES)}"
    known = f"source must be {forms}, got {request.argument!r}"
    if not Path(request.argument).exists():
        raise SourceError(f"{known} which does not exist", remedy="correct the path")
    raise SourceError(known, remedy="name the folder that holds the file, or say what it is with --format")


def _open_git(
    request: SourceRequest, options: ReaderOptions, since: Callable[[str], str | None]
) -> GitHistory:
    argument = _local(request.argument)
    try:
        from indexer.sources.git import GitHistory, name_of
    except ImportError as error:
        raise SourceError("git histories need pygit2, which can not be loaded", remedy="pip install pygit2") from error
    path, branch = _split_branch(argument)
    name = request.name or name_of(path)
    return GitHistory(path, branch=branch, source=name, since=since(name), options=options)


def _local(argument: str) -> str:
    """Return the path of a git argument; an address elsewhere is refused."""
    path = argument.removeprefix(_GIT)
    if path.startswith(_REMOTE):
        raise SourceError(
            f"git histories are read from a folder of this machine, got {path!r}",
            remedy="clone it, and name the folder: git+PATH",
        )
    return path


def _split_branch(argument: str) -> tuple[Path, str | None]:
    """Split PATH@BRANCH; a path that holds an @ itself is a path."""
    path, at, branch = argument.rpartition("@")
    if at and branch and not Path(argument).exists():
        return Path(path), branch
    return Path(argument), None
