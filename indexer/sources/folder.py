"""Own a folder as a source: what its documents say now, in the order of their names.

Each file declares its own dates (front matter, markup, labelled lines). Where it declares none, it takes the date of
its last commit inside a git work tree, or what `dates` says. A folder is read as it stands: after one reading,
`seen` names every document that is there, read or refused, so that what is gone can end.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from indexer.errors import SourceError
from indexer.readers import Page, ReaderOptions, ReadError, read_file
from indexer.sources import pages
from indexer.sources.base import FoundDate, RawDocument, RawItem, Refusal, RefusalCode
from indexer.sources.files import FileBytes, FoundFile, Skip, SkipReason, read_whole, walk
from mappings.errors import MomentError
from mappings.interval import format_instant, parse_moment

if TYPE_CHECKING:
    from indexer.sources.worktree import WorkTree

FROM_GIT: Final = "git"
FROM_MTIME: Final = "mtime"


class Folder:
    """The documents of a folder.

    Attributes:
        seen: ids of the documents that are there; complete when the iteration has ended.
        closed: beginnings of ids below which nothing could be looked at: folders that can not be listed, and files
            of several entries that can not be read.
        skipped: files that were passed over, with the reason; complete when the iteration has ended.
        source: name of the source, the first part of each id.
    """

    def __init__(
        self, path: str | Path, *, source: str = "", dates: str | None = None, options: ReaderOptions | None = None
    ) -> None:
        """Name the folder.

        Args:
            path: the folder.
            source: name of the source; the folder's own name by default.
            dates: date of files that declare none: `git`, `mtime` (low in confidence) or a moment; by default git's
                inside a work tree, none elsewhere.
            options: how files are read.

        Raises:
            SourceError: the folder is none, or `dates` can not be had.
        """
        self._root = Path(path)
        if not self._root.is_dir():
            raise SourceError(f"source must be a folder, got {str(path)!r} which is none", remedy="correct the path")
        self.source = source or self._root.resolve().name
        self._options = options or ReaderOptions()
        self._dates = _checked_dates(dates)
        self.seen: list[str] = []
        self.closed: list[str] = []
        self.skipped: list[Skip] = []
        self._tree = self._work_tree()

    def __iter__(self) -> Iterator[RawItem]:
        """Yield documents and refusals, reading each file once."""
        self.seen.clear()
        self.closed.clear()
        self.skipped.clear()
        self._tell_cut()
        ignored = self._tree.is_ignored if self._tree else lambda path: False
        for item in walk(self._root, is_ignored=ignored):
            if isinstance(item, Skip):
                self.skipped.append(item)
            elif isinstance(item, Refusal):
                if item.code is RefusalCode.UNREADABLE:
                    below = "" if item.location == "." else f"{item.location}/"
                    self.closed.append(f"{self.source}/{below}")
                yield item
            else:
                yield from self._read(item)

    def _work_tree(self) -> WorkTree | None:
        if self._dates not in (None, FROM_GIT):
            return None
        from indexer.sources.worktree import open_work_tree  # libgit2 is loaded for folders that need it alone

        tree = open_work_tree(self._root)
        if tree is None and self._dates == FROM_GIT:
            raise SourceError(
                f"dates from git need a work tree with commits, got {str(self._root)!r}",
                remedy="commit the folder, or choose mtime or a date",
            )
        return tree

    def _tell_cut(self) -> None:
        if self._tree and self._tree.cut:
            detail = "history is shallow: files that its oldest commit holds have no date; run `git fetch --unshallow`"
            self.skipped.append(Skip(str(self._root), SkipReason.HISTORY, detail))

    def _read(self, file: FoundFile) -> Iterator[RawItem]:
        doc_id = pages.document_id(self.source, file.path, "")
        content = read_whole(file.place, file.path, limit=self._options.max_bytes)
        if isinstance(content, Refusal):
            self._keep(doc_id)
            yield Refusal(content.location, doc_id, content.code, content.detail, content.remedy)
            return
        try:
            read = read_file(content.data, file.path, self._options)
        except ReadError as error:
            self._keep(doc_id)
            yield pages.refusal(error, file.path, doc_id)
            return
        for page in read:
            yield self._document(page, file.path, content)

    def _keep(self, doc_id: str) -> None:
        """Note a file that is there and can not be read: neither it nor its entries are gone."""
        self.seen.append(doc_id)
        self.closed.append(f"{doc_id}/")

    def _document(self, page: Page, path: str, content: FileBytes) -> RawDocument | Refusal:
        doc_id = pages.document_id(self.source, path, page.part)
        if pages.is_empty(page):
            # Not among the seen: what an emptied file once said holds no longer.
            return Refusal(path, doc_id, RefusalCode.EMPTY, "file says nothing", "write into it, or delete it")
        self.seen.append(doc_id)
        found = pages.found_dates(page, path)
        if not pages.has_observed(found) and (date := self._fallback(path, content)):
            found = (*found, date)
        return RawDocument(
            doc_id=doc_id,
            title=page.title or pages.title_of(path, self.source),
            text=page.text,
            metadata=page.metadata,
            location=pages.place(page, path),
            path=path,
            source=self.source,
            lines=pages.places(page, path),
            found=found,
            sync=True,
        )

    def _fallback(self, path: str, content: FileBytes) -> FoundDate | None:
        if self._tree:
            return self._tree.date_of(path, content.data)
        if self._dates == FROM_MTIME:
            return FoundDate("observed_at", str(format_instant(content.mtime_ns // 1_000)), FROM_MTIME, "low")
        if self._dates:
            return FoundDate("observed_at", self._dates, "given")
        return None


def _checked_dates(dates: str | None) -> str | None:
    if dates in (None, FROM_GIT, FROM_MTIME):
        return dates
    try:
        parse_moment(str(dates))
    except MomentError as error:
        raise SourceError(
            f"date_from must be git, mtime or a date, got {dates!r}", remedy="for example --date-from 2024-03-01"
        ) from error
    return dates

