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
    """What rules the way in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mode: Literal["strict", "lenient"] = Field(
        "strict",
        description="`strict` refuses what has no usable date or can not be ordered, `lenient` stores it flagged",
    )
    zone: str = Field("UTC", description="zone of dates that carry none")
    # Measured with passages of about 110 words; below 40 a passage holds no thought, above 2,000 it is a page.
    chunk_tokens: int = Field(200, ge=40, le=2_000, description="longest passage, in words, 40 to 2000")
    encoding: str | None = Field(None, description="encoding of files that are not UTF-8; unset: they are refused")
    date_order: Literal["day_first", "month_first"] | None = Field(
        None,
        description="how 03/04/2025 is meant, `day_first` or `month_first`; unset: as other dates of the source show",
    )
    max_file_bytes: int = Field(DEFAULT_MAX_BYTES, ge=1, description="larger files are refused")
    series: tuple[SeriesRule, ...] = Field((), description="patterns of paths whose named groups make a series")
    types: tuple[TypeRule, ...] = Field((), description="rules that give a content type by path or heading")

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
