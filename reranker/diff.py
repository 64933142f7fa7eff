"""Own what changed between two texts, as a person reads it: sentences first, inside them words, numbers and dates.

Pure: two texts in, changes out, in the order of the later text. Line breaks, list marks and emphasis are no changes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final, Literal

# Two sentences that share fewer of their words than this are not one sentence that changed.
LEAST_ALIKE: Final = 0.4
# Most pairs of sentences that are compared with each other where a whole stretch was rewritten.
MOST_PAIRS: Final = 10_000
# Above as many sentences the frequent ones are not used to line two texts up: that would take minutes.
MOST_EXACT: Final = 2_000

_BLOCK: Final = re.compile(r"\s*(?:[-*+]\s+|\d+[.)]\s+|>\s*|\|)")
_HEADING: Final = re.compile(r"#{1,6}\s+(.*?)\s*#*\s*$")
_FENCE: Final = re.compile(r"\s*(```|~~~)")
_EMPHASIS: Final = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])[\"')\]]*\s+(?=[^\W_a-z]|[\"'(\[`])")
_WORDS: Final = re.compile(r"\s+|\w+(?:[.,:/'’-]\w+)*|[^\w\s]")
_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_DATE: Final = (
    rf"\d{{4}}-\d{{2}}(?:-\d{{2}})?|\d{{1,2}} {_MONTH}(?: \d{{4}})?"
    rf"|{_MONTH} \d{{1,2}}(?:, \d{{4}})?\b|{_MONTH} \d{{4}}"
)
_VALUE: Final = re.compile(rf"(?P<date>\b(?:{_DATE})\b)|(?P<number>\d+(?:[.,:]\d+)*%?)")

Operation = Literal["same", "removed", "added"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a sentence that stayed, went or came."""

    operation: Operation
    text: str


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A number or a date that became another; None where there was, or is, none."""

    kind: Literal["number", "date"]
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence that came, went or changed.

    Attributes:
        section: nearest heading above it, of the later text where it stands there.
        before, after: the sentence; empty where it came or went.
        pieces: of a changed sentence, both readings woven together.
        values: numbers and dates that changed in it.
    """

    kind: Literal["added", "removed", "changed"]
    section: str
    before: str
    after: str
    pieces: tuple[Piece, ...] = ()
    values: tuple[ValueChange, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the change as plain data."""
        values = [{"kind": value.kind, "before": value.before, "after": value.after} for value in self.values]
        return {
            "kind": self.kind,
            "section": self.section,
            "before": self.before or None,
            "after": self.after or None,
            "values": values,
        }


@dataclass(frozen=True, slots=True)
class _Sentence:
    section: str
    text: str


def compare(before: str, after: str) -> tuple[Change, ...]:
    """Return the sentences that differ between two texts with Markdown's marks, none where they say the same."""
    old, new = list(_sentences(before)), list(_sentences(after))
    rough = max(len(old), len(new)) > MOST_EXACT
    matcher = SequenceMatcher(None, [each.text for each in old], [each.text for each in new], autojunk=rough)
    changes: list[Change] = []
    for operation, i, j, k, m in matcher.get_opcodes():
        if operation != "equal":
            changes.extend(_stretch(old[i:j], new[k:m]))
    return tuple(changes)


def _stretch(old: Sequence[_Sentence], new: Sequence[_Sentence]) -> Iterator[Change]:
    """Yield the changes of a stretch in which nothing stayed: those sentences paired that are alike."""
    i = j = 0
    for one, other in [*_pairs(old, new), (len(old), len(new))]:
        yield from (Change("removed", each.section, each.text, "") for each in old[i:one])
        yield from (Change("added", each.section, "", each.text) for each in new[j:other])
        if one < len(old):
            yield _changed(old[one].text, new[other])
        i, j = one + 1, other + 1


def _pairs(old: Sequence[_Sentence], new: Sequence[_Sentence]) -> list[tuple[int, int]]:
    """Return positions of sentences that became each other: in order, as alike as they can be altogether."""
    if not old or not new:
        return []
    if len(old) * len(new) > MOST_PAIRS:
        return [(at, at) for at in range(min(len(old), len(new))) if _alike(old[at].text, new[at].text) > 0]
    alike = [[_alike(one.text, other.text) for other in new] for one in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + alike[i][j])
    return list(_way(best, alike))


def _way(best: Sequence[Sequence[float]], alike: Sequence[Sequence[float]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs that make the best sum."""
    i = j = 0
    while i < len(alike) and j < len(alike[0]):
        if alike[i][j] > 0 and best[i][j] == best[i + 1][j + 1] + alike[i][j]:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


def _alike(one: str, other: str) -> float:
    """Return the share of words that two sentences have in common, 0 where it is too small to call them one."""
    words, others = Counter(one.lower().split()), Counter(other.lower().split())
    share = 2 * (words & others).total() / (words.total() + others.total())
    return share if share >= LEAST_ALIKE else 0.0


def _changed(before: str, after: _Sentence) -> Change:
    pieces = tuple(_weave(_WORDS.findall(before), _WORDS.findall(after.text)))
    return Change("changed", after.section, before, after.text, pieces, tuple(_values(before, after.text)))


def _weave(old: list[str], new: list[str]) -> Iterator[Piece]:
    """Yield two lists of words as one: what stayed, went and came, in reading order."""
    for operation, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if operation == "equal":
            yield Piece("same", "".join(old[i:j]))
            continue
        if i < j:
            yield Piece("removed", "".join(old[i:j]))
        if k < m:
            yield Piece("added", "".join(new[k:m]))


def _values(before: str, after: str) -> Iterator[ValueChange]:
    """Yield the numbers and dates that are not the same in both sentences, one for one where as many changed."""
    old, new = _found(before), _found(after)
    for operation, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if operation == "equal":
            continue
        for at in range(max(j - i, m - k)):
            was = old[i + at] if i + at < j else None
            now = new[k + at] if k + at < m else None
            if was and now and was[0] == now[0]:
                yield ValueChange(now[0], was[1], now[1])
                continue
            if was:
                yield ValueChange(was[0], was[1], None)
            if now:
                yield ValueChange(now[0], None, now[1])


def _found(sentence: str) -> list[tuple[Literal["number", "date"], str]]:
    return [("date" if match["date"] else "number", match[0]) for match in _VALUE.finditer(sentence)]


def _sentences(text: str) -> Iterator[_Sentence]:
    """Yield the sentences of a text under their headings; a list item, a table row and a line of code are one each."""
    section = ""
    for block, whole in _blocks(text):
        heading = None if whole else _HEADING.match(block)
        if heading:
            section = heading[1]
        for sentence in [block] if whole else _SENTENCE_END.split(_plain(block)):
            if sentence.strip():
                yield _Sentence(section, sentence.strip())


def _blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Yield (block, whether it is kept as it stands): paragraphs and items without their line breaks, lines of code."""
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        opens = _FENCE.match(line)
        if fence or opens:
            yield from _flushed(lines)
            fence = "" if opens and opens[1] == fence else fence or (opens[1] if opens else "")
            if not opens:
                yield line, True
            continue
        if not line.strip() or _HEADING.match(line) or _BLOCK.match(line):
            yield from _flushed(lines)
        lines.append(line)
        if _HEADING.match(line) or line.lstrip().startswith("|"):
            yield from _flushed(lines)
    yield from _flushed(lines)


def _flushed(lines: list[str]) -> Iterator[tuple[str, bool]]:
    block = " ".join(" ".join(lines).split())
    lines.clear()
    if block:
        yield block, False


def _plain(block: str) -> str:
    """Return a block without the marks of headings, items, rows and emphasis."""
    heading = _HEADING.match(block)
    if heading:
        return heading[1]
    if block.startswith("|"):
        cells = [cell.strip() for cell in block.strip("|").split("|")]
        return "" if all(set(cell) <= set("-: ") for cell in cells) else " | ".join(cells)
    mark = _BLOCK.match(block)
    return _EMPHASIS.sub(r"\2", block[mark.end() :] if mark else block)
