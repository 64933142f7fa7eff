"""Own the errors of the store.

    StilltrueError
    └── StoreError                 anything that keeps an index from being read or written
        ├── StoreUrlError          a URL that names no engine (also a ValueError)
        ├── StoreMissingError      nothing lies there yet
        ├── NotAStoreError         something else lies there
        ├── NewerFormatError       it was written by a newer stilltrue
        ├── StoreCorruptError      the truth itself is damaged
        ├── StoreLockedError       another process is writing
        ├── StoreUnavailableError  the disk, the file system or the engine refused
        ├── StaleRecordError       a record was changed by somebody else since it was read
        ├── RowError               a passage that can not be stored (also a ValueError)
        └── EmbedderError          what turns texts into vectors
            ├── EmbedderMismatchError   an index made with another embedder
            ├── UnknownEmbedderError    a name that no embedder has (also a ValueError)
            └── ModelError              a folder that holds no usable model

Exceptions of SQLite, tantivy, the operating system and the OpenSearch client are translated to these where they are
met (`store.embedded.boundary`, `store.opensearch.boundary`), with the original kept as the cause.
"""

from __future__ import annotations

import re

from mappings.errors import StilltrueError


class StoreError(StilltrueError):
    """Say what keeps an index from being read or written."""

    code = "store_error"


class StoreUrlError(StoreError, ValueError):
    """Refuse a URL that names no engine."""

    code = "bad_store_url"


class StoreMissingError(StoreError):
    """Say that no index lies at the given place."""

    code = "store_missing"


class NotAStoreError(StoreError):
    """Refuse a place that holds something other than an index."""

    code = "not_a_store"


class NewerFormatError(StoreError):
    """Refuse an index in a format that this program does not know.

    Attributes:
        found: format of the index.
        known: newest format that this program reads.
    """

    code = "newer_format"

    def __init__(self, what: str, *, found: int, known: int) -> None:
        super().__init__(
            f"{what} has format {found}, this program reads formats up to {known}",
            remedy="upgrade stilltrue, or ingest into a new place",
        )
        self.found = found
        self.known = known


class StoreCorruptError(StoreError):
    """Say that the truth of an index is damaged and can not be rebuilt from anything else in it."""

    code = "store_corrupt"


class StoreLockedError(StoreError):
    """Say that another process is writing to the index."""

    code = "store_locked"


class StoreUnavailableError(StoreError):
    """Say that the disk, the file system or the engine refused."""

    code = "store_unavailable"


class StaleRecordError(StoreError):
    """Say that a record was changed by somebody else since it was read; nothing of the commit was kept.

    Attributes:
        series: key of the series.
        expected: revision that the caller had read.
        found: revision that is stored.
    """

    code = "stale_record"

    def __init__(self, series: str, *, expected: int, found: int) -> None:
        super().__init__(
            f"record of series {series!r} has revision {found}, the change was made to revision {expected}",
            remedy="read the record again and repeat the change",
        )
        self.series = series
        self.expected = expected
        self.found = found


class RowError(StoreError, ValueError):
    """Refuse a passage, a stamp or a vector that can not be stored."""

    code = "bad_row"


class EmbedderError(StoreError):
    """Say what is wrong with what turns texts into vectors."""

    code = "embedder_error"


class EmbedderMismatchError(EmbedderError):
    """Refuse to mix vectors of two embedders in one index."""

    code = "embedder_mismatch"


class UnknownEmbedderError(EmbedderError, ValueError):
    """Refuse a name that no embedder has."""

    code = "unknown_embedder"


class ModelError(EmbedderError):
    """Refuse a folder that holds no usable model."""

    code = "bad_model"


def masked(url: str) -> str:
    """Return a URL with what may be a user and a password left out, for a message."""
    return re.sub(r"(://)[^/?#]*@", r"\1***@", url)
