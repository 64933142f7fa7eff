"""Own the written table of labels: which visible lines declare a date ("Last updated: July 1, 2024").

A line counts when it is a label and a date and nothing else, at the head or the foot of a page, outside code. The
words "this page was" may stand before the label, "by somebody" after the date. A date without one of these labels, or
inside a sentence, is never read: it is what the page talks about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from indexer.readers.errors import AmbiguousDateError, DateError
from indexer.readers.humandate import DateOrder, write_iso
from indexer.readers.months import fold
from indexer.readers.page import PageDate

# label (lower case, no accents) → the declared keys that it stands for. The page's own words, so only such phrases
# as nobody writes for something else.
LABELS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        (
            "last updated", "last update", "last modified", "last revised", "last edited", "last changed", "updated",
            "page last updated", "page updated", "date updated", "date modified", "revised", "revision date",
            "mis a jour", "derniere mise a jour", "zuletzt aktualisiert", "zuletzt geandert", "aktualisiert am",
            "letzte anderung", "stand", "ultima actualizacion", "actualizado", "ultimo aggiornamento",
            "laatst bijgewerkt", "ultima atualizacao",
        ),
        ("last_updated",),
    ),
    **dict.fromkeys(
        (
            "published", "date published", "publication date", "first published", "posted", "date posted", "released",
            "release date", "issued", "date issued", "issue date", "date", "publie", "veroffentlicht", "publicado",
            "pubblicato", "gepubliceerd",
        ),
        ("published",),
    ),
    **dict.fromkeys(
        (
            "effective", "effective date", "effective from", "effective as of", "effective since", "in force from",
            "in force since", "in effect from", "in effect since", "valid from", "applies from", "takes effect",
            "comes into force", "comes into effect",
        ),
        ("effective",),
    ),
    **dict.fromkeys(("effective and last updated", "last updated and effective"), ("effective", "last_updated")),
    "valid until": ("valid_until",),
    **dict.fromkeys(("expires", "expiry", "expiry date", "expiration date", "valid through"), ("expires",)),
    **dict.fromkeys(("last reviewed", "reviewed", "date reviewed", "last verified"), ("last_reviewed",)),
    **dict.fromkeys(("review by", "review due", "next review", "next review due"), ("review_by",)),
}  # fmt: skip

# A page says when it is from at its head or its foot; between them stand the dates it talks about.
_HEAD_LINES: Final = 25
_FOOT_LINES: Final = 12
# "Effective and last updated: Wednesday, September 18th, 2024 at 10:00 UTC by First Middle Last" fits.
_LONGEST: Final = 160

# These words are a label only with a colon: without one they begin sentences.
_NEED_COLON: Final = frozenset(["date", "stand", "effective", "reviewed", "revised", "issued", "expires", "expiry"])

_NAMES = "|".join(sorted((re.escape(label) for label in LABELS), key=len, reverse=True))
_LINE = re.compile(
    r"(?:(?:this|the) (?:page|document|article|policy|guide|notice|section|file|post|version) (?:was |is |has been )?)?"
    rf"(?P<label>{_NAMES})(?: (?:on|am|le|el|il|op|em|the))?(?P<colon> ?:)? ?(?P<date>\S.*)\Z"
)
# A piece of each label, without the letters that may carry accents: most lines hold none, and need no closer look.
_HINTS: Final = (
    "updat modif revis edit chang publ pubbl post releas issu date effect force valid appl expir review verif jour "
    "stand aktual nderung ndert ffentlicht actuali aggiorn bijgew atuali"
).split()
_MARKUP = re.compile(r"[*_`~]|\A[\s>#|(\[-]+|[\s)\]|]+\Z")
# "Last-Modified" is "last modified"; "05-Mar-2024" stays.
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])(?!feira)")
_PARTS = re.compile(r"\s*[|·•]\s*|\s{3,}|\t")
_BY = re.compile(r" by [^\d]+\Z")


def labelled_dates(lines: Iterable[tuple[int, str]], order: DateOrder | None = None) -> tuple[PageDate, ...]:
    """Return the dates that the head and the foot of a page declare.

    Args:
        lines: (line number from 1, text) of the visible lines that say something, in order, without code.
        order: how "03/04/2025" is meant; where it is None such a date is handed on as written.

    Where one label of a window stands there with different dates, none of them is taken.
    """
    said = [line for line in lines if len(line[1]) <= _LONGEST and line[1].strip()]
    near = said if len(said) <= _HEAD_LINES + _FOOT_LINES else said[:_HEAD_LINES] + said[-_FOOT_LINES:]
    found = [date for number, text in _hinted(near) for date in _of_line(text, number, order)]
    return tuple(date for date in found if date.key in _OBSERVED or _alone(date, found))


def _hinted(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines that may hold a label; one that is a label alone takes the next one beside it."""
    for (number, text), (_, following) in zip(lines, [*lines[1:], (0, "")], strict=False):
        if not _may_hold_a_label(text):
            continue
        alone = [part.rstrip(": ") for part in _plain(text)]
        yield number, f"{text} | {following}" if len(alone) == 1 and alone[0] in LABELS else text


def _may_hold_a_label(text: str) -> bool:
    low = text.lower()
    return any(hint in low for hint in _HINTS)


_OBSERVED: Final = ("last_updated", "published")


def _alone(date: PageDate, found: list[PageDate]) -> bool:
    return all(other.value == date.value for other in found if other.key == date.key)


def _of_line(text: str, number: int, order: DateOrder | None) -> Iterator[PageDate]:
    for part in _joined(_plain(text)):
        match = _LINE.match(part)
        if not match or (match["label"] in _NEED_COLON and not match["colon"]):
            continue
        if value := iso_of(_BY.sub("", match["date"]), order):
            yield from (PageDate(key, value, "label", number) for key in LABELS[match["label"]])


def _plain(text: str) -> list[str]:
    """Split a line into its parts ("Updated 2024-05-01 | 5 min read"), without markup, folded."""
    return [_HYPHEN.sub(" ", fold(part)) for part in _PARTS.split(_MARKUP.sub("", text))]


def _joined(parts: list[str]) -> Iterator[str]:
    """Yield the parts; a label that is alone takes the part after it (two cells of a table, a term and its text)."""
    for part, following in zip(parts, [*parts[1:], ""], strict=False):
        label = part.rstrip(": ")
        yield f"{label}: {following}" if label in LABELS else part


def iso_of(text: str, order: DateOrder | None = None) -> str | None:
    """Return a date as ISO; as written where day and month can be either; None where it is no date."""
    try:
        written = write_iso(text, order=order)
    except AmbiguousDateError:
        return text.strip()
    except DateError:
        return None
    return text.strip() if written.ambiguous else written.iso
