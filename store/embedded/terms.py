"""Own the tantivy folder: which fields a passage has there, how it is put in and taken out, and the marker.

Terms come analysed (`store.analysis`) and are only parted at spaces here. The marker is one document that says which
sequence the folder has reached; it is committed with the passages, so it can not be wrong about them.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import orjson
import tantivy

from mappings.stamps import Stamps
from store.embedded.boundary import Damage, damage_to
from store.embedded.truth import Facet

# What everybody may read, and the prefix that keeps a principal's name from meaning it.
PUBLIC: Final = "public"
STAMP_FIELDS: Final = ("observed", "valid_from", "until", "withdrawn", "closed", "event_end")
KEYWORD_FIELDS: Final = ("content_type", "kind", "source", "series", "doc_id", "readers", "closed_by")

# One thread keeps the order of documents; bytes it collects before it writes a segment.
_WRITER_THREADS: Final = 1
_WRITER_BYTES: Final = 64_000_000
_FILES: Final = "files.json"
_MARKER: Final = "here"


class TermRow(NamedTuple):
    """What is put in for one passage; terms as the truth keeps them."""

    row: int
    title_terms: bytes
    body_terms: bytes
    facet: Facet
    series: str
    doc_id: str
    stamps: Stamps


@dataclass(frozen=True, slots=True)
class Marker:
    """How far a derived folder has come: a sequence of the truth, and the token by which the truth knows it."""

    sequence: int
    token: str


def reader_keyword(principal: str) -> str:
    """Return the keyword of a principal."""
    return f"p:{principal}"


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for name in ("title", "body"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    # Terms of either field once: document frequencies over the union, and counts of what a filter removed.
    builder.add_text_field("any", tokenizer_name="whitespace", index_option="basic")
    for name in KEYWORD_FIELDS:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in STAMP_FIELDS:
        builder.add_integer_field(name, fast=True)
    # Signed: tantivy takes a Python int in a delete for a signed number, and would not find an unsigned field.
    builder.add_integer_field("row", fast=True, indexed=True)
    builder.add_text_field("marker", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("note", stored=True, tokenizer_name="raw", index_option="basic")
    return builder.build()


class TermFolder:
    """One tantivy index on disk."""

    def __init__(self, path: Path, index: tantivy.Index) -> None:
        self.path = path
        self._index = index
        self.schema = index.schema
        self._writer: tantivy.IndexWriter | None = None
        index.config_reader("manual")  # a searcher changes when we say so, never by itself

    @classmethod
    def create(cls, path: Path) -> TermFolder:
        """Make an empty folder."""
        path.mkdir(parents=True)
        return cls(path, tantivy.Index(_schema(), path=str(path)))

    @classmethod
    def open(cls, path: Path, *, whole: bool) -> TermFolder:
        """Open a folder; unless it is known to be *whole*, raises Damage where its files are not what was written."""
        with damage_to("terms"):
            if not whole:
                _check_files(path)
            return cls(path, tantivy.Index.open(str(path)))

    def searcher(self) -> tuple[tantivy.Searcher, Marker]:
        """Return a searcher over the last commit, and how far that has come."""
        with damage_to("terms"):
            self._index.reload()
            searcher = self._index.searcher()
            found = searcher.search(_marker_query(self.schema), limit=1, count=False).hits
            if not found:
                raise Damage("terms: no marker")
            (note,) = searcher.doc(found[0][1])["note"]
            return searcher, Marker(*orjson.loads(note))

    def remove(self, rows: Iterable[int]) -> None:
        """Take out passages; those put in afterwards stay."""
        with damage_to("terms"):
            writer = self._writing()
            for row in rows:
                writer.delete_documents_by_term("row", row)

    def add(self, rows: Iterable[TermRow]) -> None:
        """Put in passages."""
        with damage_to("terms"):
            writer = self._writing()
            for row in rows:
                writer.add_document(_document(row))

    def commit(self, marker: Marker) -> None:
        """Make what was taken out and put in visible, together with the marker."""
        with damage_to("terms"):
            writer = self._writing()
            writer.delete_documents_by_query(_marker_query(self.schema))
            document = tantivy.Document()
            document.add_text("marker", _MARKER)
            document.add_text("note", orjson.dumps([marker.sequence, marker.token]).decode("ascii"))
            writer.add_document(document)
            writer.commit()

    def _writing(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = self._index.writer(_WRITER_BYTES, _WRITER_THREADS)
        return self._writer

    def settle(self) -> None:
        """Wait for merges, let go of the writer, and note what the files are."""
        if self._writer is not None:
            writer, self._writer = self._writer, None
            with damage_to("terms"):
                writer.wait_merging_threads()
                _note_files(self.path)


def _marker_query(schema: tantivy.Schema) -> tantivy.Query:
    return tantivy.Query.term_query(schema, "marker", _MARKER)


def _document(row: TermRow) -> tantivy.Document:
    document = tantivy.Document()
    title, body = row.title_terms.decode("utf-8"), row.body_terms.decode("utf-8")
    document.add_text("title", title)
    document.add_text("body", body)
    document.add_text("any", title + body)
    for name, value in (
        ("content_type", row.facet.content_type),
        ("kind", row.facet.kind),
        ("source", row.facet.source),
        ("series", row.series),
        ("doc_id", row.doc_id),
        ("closed_by", row.stamps.closed_by),
    ):
        document.add_text(name, value)
    for reader in map(reader_keyword, row.facet.readers) if row.facet.readers else (PUBLIC,):
        document.add_text("readers", reader)
    for name in STAMP_FIELDS:
        document.add_integer(name, getattr(row.stamps, name))
    document.add_integer("row", row.row)
    return document


def _segment_files(path: Path) -> list[str]:
    """Return the files that never change once they are written."""
    return sorted(file.name for file in path.iterdir() if file.suffix not in (".json", ".lock", ".new"))


def _note_files(path: Path) -> None:
    """Note sizes and checksums of the files, so that damage is told when the folder is opened again."""
    noted = _noted(path)
    now = {name: noted.get(name) or _sum_up(path / name) for name in _segment_files(path)}
    fresh = path / f"{_FILES}.new"
    fresh.write_bytes(orjson.dumps(now))
    fresh.replace(path / _FILES)


def _check_files(path: Path) -> None:
    """Compare the files that are noted and still there; what came after the last note is left to tantivy."""
    for name, summed in _noted(path).items():
        with contextlib.suppress(FileNotFoundError):
            if _sum_up(path / name) != summed:
                raise Damage(f"terms: {name} is not what was written")


def _noted(path: Path) -> dict[str, list[int]]:
    try:
        return dict(orjson.loads((path / _FILES).read_bytes()))
    except FileNotFoundError:
        return {}


def _sum_up(file: Path) -> list[int]:
    data = file.read_bytes()
    return [len(data), zlib.crc32(data)]
