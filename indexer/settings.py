"""Own the settings of taking documents in: the group `[ingest]`."""

from __future__ import annotations

import codecs
import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from indexer.readers.page import DEFAULT_MAX_BYTES, ReaderOptions
from mappings.document import Kind
from mappings.errors import MomentError
from mappings.interval import get_zone


class SeriesRule(BaseModel):
    """Documents whose path fits the pattern share the series that its named groups, joined by "/", make."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str

    @field_validator("path")
    @classmethod
    def _compiles(cls, value: str) -> str:
        try:
            groups = re.compile(value).groupindex
        except re.error as error:
            raise ValueError(f"path must be a regular expression, got {value!r} ({error})") from error
        if not groups:
            raise ValueError(f"path must have a named group such as (?P<page>.*), got {value!r}")
        return value


class TypeRule(BaseModel):
    """Documents at a path, or with a word in their title, are of a content type and, if given, of a kind."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Annotated[str, Field(min_length=1, max_length=64)]
    path: str | None = None
    heading: str | None = None
    kind: Kind | None = None

    @field_validator("heading")
    @classmethod
    def _some_condition(cls, value: str | None) -> str | None:
        if value is not None and not value.strip():
            raise ValueError("heading must hold a word")
        return value

    def model_post_init(self, context: object, /) -> None:
        """Refuse a rule that fits everything."""
        if self.path is None and self.heading is None:
            raise ValueError(f"rule for type {self.type!r} must have a path or a heading")


class IngestSettings(BaseModel):
    """What rules the way in.

    Attributes:
        mode: strict refuses a document without a usable date, and readings that can not be ordered; lenient keeps them.
        zone: zone of declared dates that carry none.
        chunk_tokens: longest passage, in the tokens of `chunking`.
        series: patterns of paths whose named groups make the series key; the first that fits holds.
        encoding: of files that are not UTF-8 and carry no byte order mark; unset refuses them.
        date_order: how 03/04/2025 is meant: day_first or month_first; unset: as the other dates of the source show.
        max_file_bytes: larger files are refused.
        types: rules for content types, before the built-in ones; the first that fits holds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    mode: Literal["strict", "lenient"] = "strict"
    zone: str = "UTC"
    # Measured with passages of about 110 words; below 40 a passage holds no thought, above 2,000 it is a page.
    chunk_tokens: Annotated[int, Field(ge=40, le=2_000)] = 200
    encoding: str | None = None
    date_order: Literal["day_first", "month_first"] | None = None
    max_file_bytes: Annotated[int, Field(ge=1)] = DEFAULT_MAX_BYTES
    series: tuple[SeriesRule, ...] = ()
    types: tuple[TypeRule, ...] = ()

    def reader_options(self) -> ReaderOptions:
        """Return what rules the reading of files."""
        return ReaderOptions(self.encoding, self.date_order, self.max_file_bytes)

    @field_validator("encoding")
    @classmethod
    def _known_encoding(cls, value: str | None) -> str | None:
        try:
            return value and codecs.lookup(value).name
        except LookupError as error:
            raise ValueError(f"encoding must be one that Python knows, got {value!r}, for example latin-1") from error

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            get_zone(value)
        except MomentError as error:
            raise ValueError(str(error)) from error
        return value
