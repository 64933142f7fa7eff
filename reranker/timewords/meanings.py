"""Own the call of a meaning: from a row of the table to a granule that exists."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from reranker.timewords.absolute import ABSOLUTE
from reranker.timewords.counted import COUNTED
from reranker.timewords.grammar import Values
from reranker.timewords.granules import Granule
from reranker.timewords.moment import Meaning, Moment
from reranker.timewords.parts import PARTS
from reranker.timewords.relative import RELATIVE

MEANINGS: Final[dict[str, Meaning]] = {**ABSOLUTE, **RELATIVE, **PARTS, **COUNTED}


def read_date(name: str, moment: Moment, values: Values) -> Granule | None:
    """Return what a row means at a moment, or None where the calendar has no such date ("30 February")."""
    try:
        granule = MEANINGS[name](moment, values)
    except (ValueError, OverflowError):
        return None
    if granule is None or not granule.exists:
        return None
    return replace(granule, rule=name)
