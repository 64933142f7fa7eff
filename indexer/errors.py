"""Own the errors of the indexer. A fault of one document is no error but a `Refusal`: the rest goes in.

    StilltrueError
    └── IndexerError
        ├── SourceError           a source that can not be opened at all
        ├── UnknownDocumentError  an end or a withdrawal of a document that the index does not hold
        ├── UnknownVersionError   a withdrawal that names no version, or a moment at which none was in force
        └── RuleError             a written rule of the settings that can not work (also a ValueError)

Inside the package `Refused` carries a refusal from where a fault is seen to where the document is given up.
"""

from __future__ import annotations

from indexer.sources.base import Refusal, RefusalCode
from mappings.errors import StilltrueError


class IndexerError(StilltrueError):
    """Say what keeps documents from being taken in."""

    code = "indexer_error"


class SourceError(IndexerError):
    """Say that a source can not be opened."""

    code = "bad_source"


class UnknownDocumentError(IndexerError):
    """Say that the index holds no such document."""

    code = "unknown_document"


class UnknownVersionError(IndexerError):
    """Say that a document has no such version, or none in force at a moment."""

    code = "unknown_version"


class RuleError(IndexerError, ValueError):
    """Refuse a rule that can not work."""

    code = "bad_rule"


class Refused(Exception):
    """Give up one document.

    Attributes:
        code: kind of fault; detail: what and which value; remedy: what puts it right.
        key: the metadata key whose value is at fault, empty when none is.
    """

    def __init__(self, code: RefusalCode, detail: str, remedy: str, *, key: str = "") -> None:
        super().__init__(detail)
        self.code, self.detail, self.remedy, self.key = code, detail, remedy, key

    def at(self, location: str, doc_id: str) -> Refusal:
        """Return it as the refusal of a document at a place."""
        return Refusal(location, doc_id, self.code, self.detail, self.remedy)
