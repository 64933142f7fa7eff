"""Own the time in a question: which words say when, and which stretch of time they mean.

`read` is pure: no clock, no engine; `moments` says what a reading asks about. The grammar stands in the tables of
`reranker.timewords.languages`.
"""

from reranker.timewords.asked import moments
from reranker.timewords.languages import language_codes
from reranker.timewords.model import Reading, Role, TimeSettings, TimeSpan
from reranker.timewords.reader import read
from reranker.timewords.releases import Releases

__all__ = ["Reading", "Releases", "Role", "TimeSettings", "TimeSpan", "language_codes", "moments", "read"]
