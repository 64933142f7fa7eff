"""Own changelogs: each release under a heading with its name and date is an entry, a document of its own.

A file is one when its name says so and a heading of it names a release: "## [2.1.0] - 2024-03-02", "## v3.2 (12 May
2021)", "Version 4.0, released 3 March 2024", "## 2.50.0 / 2024-02-22", "## Unreleased". What stands outside the
releases stays the page of the file, as of the newest of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Final

from indexer import keys
from indexer.readers.humandate import DateOrder
from indexer.readers.labels import iso_of
from indexer.readers.outline import Line, outline
from indexer.readers.page import Page, PageDate, ReaderOptions

_FILES = re.compile(r"(?:change(?:s|_?log|-log)?|history|news|release[-_]?notes|releases)\b", re.IGNORECASE)
_RELEASE = r"\[?v?(?P<release>\d+(?:\.\d+)+(?:[-.+]?(?:[a-z]+[-.]?\d*|\d+))*)\]?"
_WORD = r"(?:version|release|v\.?)"
_PRODUCT = rf"(?:[\w .-]{{1,40}}? )??(?:{_WORD} )?"
_BETWEEN = r"(?:\s*[-–—/:,(]+\s*|\s+)"
_YANKED = r"(?:\s*\[?yanked\]?)?"
_HEADINGS: Final = tuple(
    re.compile(pattern + r"\Z", re.IGNORECASE)
    for pattern in (
        rf"{_PRODUCT}{_RELEASE}{_YANKED}",
        rf"{_PRODUCT}{_RELEASE}{_YANKED}{_BETWEEN}(?:released )?(?P<date>[^()]+?)\)?{_YANKED}",
        rf"(?P<date>\d{{4}}-\d\d-\d\d){_BETWEEN}(?:{_WORD} )?{_RELEASE}\)?.*",
        rf"{_WORD} \[?(?P<release>\d+)\]?(?:{_BETWEEN}(?P<date>[^()]+?)\)?)?",
    )
)
_UNRELEASED = re.compile(r"\[?(?P<release>unreleased|upcoming|next(?: release)?|master|main|head)\]?\Z", re.IGNORECASE)
_TYPE: Final = "release_notes"
# What stands around the releases (how they are numbered, what is supported) is no news of any of them.
_REST_TYPE: Final = "reference"


@dataclass(slots=True)
class _Entry:
    release: str
    date: str | None
    line: int
    named: bool = True
    lines: list[str] = field(default_factory=list)


def is_changelog(path: str) -> bool:
    """Tell whether a file's name is one that changelogs have."""
    return bool(_FILES.match(PurePosixPath(path).name))


def split_changelog(page: Page, options: ReaderOptions) -> tuple[Page, ...]:
    """Return the entries of a changelog and what stands outside them; a page that names no release stays one."""
    if _release_of(Line(0, page.title, level=1), options.date_order):
        # The only heading of the first level is the only release, not the title of the file.
        page = replace(page, title="", text=f"# {page.title}\n\n{page.text}", text_line=0)
    rest, entries = _entries(page.text, options.date_order)
    if not entries:
        return (page,)
    pages = [_page(page, entry) for entry in entries if any(line.strip() for line in entry.lines)]
    if "\n".join(rest).strip():
        newest = max((entry.date for entry in entries if entry.date), default=None)
        dates = page.dates or ((PageDate("published", newest, "heading"),) if newest else ())
        metadata = {"type": _REST_TYPE, **page.metadata}
        pages.insert(0, replace(page, text="\n".join(rest).strip("\n"), metadata=metadata, dates=dates))
    return tuple(_distinct(pages))


def _entries(text: str, order: DateOrder | None) -> tuple[list[str], list[_Entry]]:
    rest: list[str] = []
    entries: list[_Entry] = []
    level = 0
    open_entry: _Entry | None = None
    lines = text.split("\n")
    for line in outline(text):
        found = _release_of(line, order) if line.level and (level in (0, line.level)) else None
        if found:
            level, open_entry = line.level, found
            entries.append(found)
            continue
        if line.level and level and line.level <= level:
            open_entry = None
        (open_entry.lines if open_entry else rest).extend(lines[line.number : line.number + line.width])
    return rest, entries


def _release_of(line: Line, order: DateOrder | None) -> _Entry | None:
    """Return the entry that a heading opens, None where it names no release; its date must be one."""
    heading = line.text.strip()
    if match := _UNRELEASED.match(heading):
        return _Entry(match["release"].lower(), None, line.number, named=False)
    for shape in _HEADINGS:
        match = shape.match(heading)
        if match is None:
            continue
        written = match.groupdict().get("date")
        date = iso_of(written, order) if written else None
        if date or not written:
            return _Entry(match["release"], date, line.number)
    return None


def _page(page: Page, entry: _Entry) -> Page:
    line = page.text_line + entry.line if page.text_line else 1
    dated = {key for key in page.metadata if keys.field_of(key) == keys.OBSERVED} if entry.date else set()
    metadata = {key: value for key, value in page.metadata.items() if key not in dated}
    metadata.setdefault("type", _TYPE)
    if entry.named:
        metadata["release"] = entry.release
    return Page(
        title=f"{page.title or 'Changelog'} {entry.release}",
        text="\n".join(entry.lines).strip("\n"),
        metadata=metadata,
        lines=page.lines,
        dates=(PageDate("published", entry.date, "heading", line),) if entry.date else (),
        part=entry.release,
        line=line,
    )


def _distinct(pages: list[Page]) -> Iterator[Page]:
    """Yield the pages; a release named twice in one file (of two products) is told apart by its place."""
    seen: dict[str, int] = {}
    for page in pages:
        seen[page.part] = seen.get(page.part, 0) + 1
        yield page if seen[page.part] == 1 else replace(page, part=f"{page.part}~{seen[page.part]}")
