"""Own what the reranker refuses.

    StilltrueError                  (mappings.errors)
    ├── BadValueError
    │   └── RequestError            a question that can not be asked as it stands
    └── UnknownQueryError           a question that is not in the log

Each carries a stable code, the value that was refused, and the remedy.
"""

from __future__ import annotations

from mappings.errors import BadValueError, StilltrueError


class RequestError(BadValueError):
    """Refuse a question that can not be asked as it stands.

    Attributes:
        field: the key of the request that was refused.
    """

    code = "bad_request"

    def __init__(self, field: str, detail: str, *, remedy: str = "") -> None:
        super().__init__(detail, remedy=remedy)
        self.field = field


class UnknownQueryError(StilltrueError):
    """Say that the log holds no such question of this reader."""

    code = "unknown_query"
