"""Own the step from a blob of a commit to raw documents, ends and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import pygit2

from indexer import keys
from indexer.readers import Page, ReaderOptions, ReadError, read_file
from indexer.readers.changelog import is_changelog
from indexer.readers.encoding import too_large
from indexer.readers.errors import BinaryFileError, PointerError
from indexer.sources import pages
from indexer.sources.base import FoundDate, RawDocument, RawEnd, RawItem, Refusal
from indexer.sources.files import Skip, SkipReason
from indexer.sources.gitrepo import Repository

SOURCE: Final = "git"
_PASSED_OVER: Final = {BinaryFileError: SkipReason.BINARY, PointerError: SkipReason.LFS_POINTER}


@dataclass(frozen=True, slots=True)
class CommitPlace:
    """A commit on the line: its short id, when its state could be known (RFC 3339), its position from 0."""

    short: str
    observed: str
    position: int

    @property
    def date(self) -> FoundDate:
        """The commit's date, as one that was found."""
        return FoundDate("observed_at", self.observed, SOURCE)


class Reader:
    """Read blobs, and remember what was already said.

    Attributes:
        skipped: files passed over, each once.
        silent: names of documents that say nothing: not read yet, or emptied; their ends say nothing either.
    """

    def __init__(self, repository: Repository, source: str, options: ReaderOptions) -> None:
        self._git = repository.git
        self._source = source
        self._options = options
        self.skipped: list[Skip] = []
        self._said: set[tuple[str, SkipReason]] = set()
        self.silent: set[str] = set()

    def skip_all(self, skips: list[Skip], at: CommitPlace) -> None:
        """Keep what was passed over, each path once, with the commit that brought it."""
        for skip in skips:
            if (skip.location, skip.reason) not in self._said:
                self._said.add((skip.location, skip.reason))
                self.skipped.append(Skip(f"{at.short}:{skip.location}", skip.reason, skip.detail))

    def fault_all(self, faults: list[Refusal], at: CommitPlace) -> list[RawItem]:
        """Return the refusals of names that can not be part of an id, each path once."""
        fresh = [fault for fault in faults if (fault.location, SkipReason.SPECIAL) not in self._said]
        self._said.update((fault.location, SkipReason.SPECIAL) for fault in fresh)
        return [replace(fault, location=f"{at.short}:{fault.location}") for fault in fresh]

    def read(
        self,
        name: str,
        path: str,
        blob: pygit2.Oid,
        at: CommitPlace,
        *,
        before: tuple[str, pygit2.Oid] | None = None,
    ) -> list[RawItem]:
        """Return what a document reads like at a commit; of a changelog, the entries that differ from before.

        Args:
            name: of the document inside the source.
            path: where it stands.
            blob: its content.
            at: the commit.
            before: path and content in the parent, None where it did not stand there.
        """
        try:
            now = self._pages(path, blob)
        except (BinaryFileError, PointerError) as error:
            self._keep_silent(name, before)
            self.skip_all([Skip(path, _PASSED_OVER[type(error)], error.detail)], at)
            return []
        except ReadError as error:
            self._keep_silent(name, before)
            return [pages.refusal(error, f"{at.short}:{path}", self._id(name, ""))]
        was = self._before(before) if is_changelog(path) or (before and is_changelog(before[0])) else {}
        items: list[RawItem] = [
            self._document(name, page, path, at)
            for part, page in now.items()
            if part not in was or _said(was[part]) != _said(page)
        ]
        items += [self._end(name, part, path, at, "taken out") for part in was if part not in now]
        if now:
            self.silent.discard(name)
        else:
            items += [] if was or before is None else self.end(name, blob, path, at, reason="emptied")
            self.silent.add(name)
        return items

    def end(
        self, name: str, blob: pygit2.Oid, path: str, at: CommitPlace, *, reason: str = "deleted"
    ) -> list[RawItem]:
        """Return the end of a document, or of every entry of a changelog."""
        if name in self.silent:
            return []
        parts = list(self._before((path, blob))) if is_changelog(path) else []
        return [self._end(name, part, path, at, reason) for part in parts or [""]]

    def _keep_silent(self, name: str, before: tuple[str, pygit2.Oid] | None) -> None:
        """Note a document that begins, or begins again, with what can not be read; a known one stands as it was."""
        if before is None:
            self.silent.add(name)

    def _pages(self, path: str, blob: pygit2.Oid) -> Mapping[str, Page]:
        content = self._git[blob]
        assert isinstance(content, pygit2.Blob)
        if content.size > self._options.max_bytes:
            raise too_large(content.size, self._options.max_bytes)
        read = read_file(content.data, path, self._options)
        return {page.part: page for page in read if not pages.is_empty(page)}

    def _before(self, before: tuple[str, pygit2.Oid] | None) -> Mapping[str, Page]:
        try:
            return self._pages(*before) if before else {}
        except ReadError:
            return {}

    def _id(self, name: str, part: str) -> str:
        return pages.document_id(self._source, name, part)

    def _document(self, name: str, page: Page, path: str, at: CommitPlace) -> RawDocument:
        where = f"{at.short}:{path}"
        found = pages.found_dates(page, where)
        own = {date.key: date.value for date in found if keys.field_of(date.key) == keys.OBSERVED}
        return RawDocument(
            doc_id=self._id(name, page.part),
            title=page.title or pages.title_of(name, self._source),
            text=page.text,
            metadata={**own, **page.metadata},
            location=pages.place(page, where),
            path=path,
            source=self._source,
            lines=pages.places(page, where),
            found=(at.date, *(date for date in found if date.key not in own)),
            found_rules=True,
            sequence=at.position,
        )

    def _end(self, name: str, part: str, path: str, at: CommitPlace, reason: str) -> RawEnd:
        return RawEnd(
            doc_id=self._id(name, part),
            metadata={},
            location=f"{at.short}:{path}",
            found=(at.date,),
            sequence=at.position,
            reason=f"{reason} in {at.short}",
            source=SOURCE,
        )


def _said(page: Page) -> tuple[object, ...]:
    """Return what a page says, wherever in its file it stands."""
    return page.title, page.text, dict(page.metadata), tuple((date.key, date.value) for date in page.dates)
