"""Own how rows of the grammar are written, and how they are found in tokens.

A row is (name, pattern). A pattern is a line of elements between spaces:

    in, ago, ,       this very token (compared without case)
    YEAR, MONTH      a token of that class; its value goes to the row's meaning under that name, the second as YEAR2
    DATE, RELEASE    a part that other rows read
    since|after      one of these
    of?              may be missing

Rows are merged into one tree, so a position of the text is tried against all of them at once, and no row can loop: the
work is bounded by the longest row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final, Protocol

# Elements that stand for what other rows read.
PARTS: Final = frozenset({"DATE", "RELEASE"})

Row = tuple[str, str]
Values = dict[str, Any]
# Where a part may end, and its value, for each start.
Part = Callable[[int], Sequence[tuple[int, Any]]]


class Word(Protocol):
    """What the grammar wants to know of a token."""

    @property
    def text(self) -> str:
        """The token, folded."""
        ...

    @property
    def classes(self) -> Mapping[str, object]:
        """Class to value."""
        ...


@dataclass(slots=True)
class Node:
    """A place inside one or more patterns."""

    words: dict[str, list[Node]] = field(default_factory=dict)
    classes: list[tuple[str, Node]] = field(default_factory=list)
    parts: list[tuple[str, Node]] = field(default_factory=list)
    done: list[int] = field(default_factory=list)
    children: dict[str, Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    """A row that fits from some token up to `end`, excluded."""

    end: int
    row: int
    values: Values


def compile_rows(rows: Sequence[Row]) -> Node:
    """Merge rows into one tree."""
    root = Node()
    for number, (_, pattern) in enumerate(rows):
        choices = [(element[:-1], "") if element.endswith("?") else (element,) for element in pattern.split()]
        for sequence in product(*choices):
            _insert(root, [element for element in sequence if element], number)
    return root


def _insert(root: Node, elements: Sequence[str], number: int) -> None:
    node = root
    for element in elements:
        if element not in node.children:
            child = node.children[element] = Node()
            for name in element.split("|"):
                if name in PARTS:
                    node.parts.append((name, child))
                elif name.isupper():
                    node.classes.append((name, child))
                else:
                    node.words.setdefault(name, []).append(child)
        node = node.children[element]
    if number not in node.done:
        node.done.append(number)


def matches(root: Node, tokens: Sequence[Word], start: int, parts: Mapping[str, Part]) -> list[Match]:
    """Return every row that fits from a token on: longest first, then in the order of the table."""
    found: list[Match] = []
    stack: list[tuple[Node, int, tuple[tuple[str, object], ...]]] = [(root, start, ())]
    while stack:
        node, at, captured = stack.pop()
        found += [Match(at, row, _values(captured)) for row in node.done]
        if at < len(tokens):
            token = tokens[at]
            for child in node.words.get(token.text, ()):
                stack.append((child, at + 1, captured))
            for name, child in node.classes if token.classes else ():
                if name in token.classes:
                    stack.append((child, at + 1, (*captured, (name, token.classes[name]))))
            for name, child in node.parts:
                for end, value in parts[name](at):
                    stack.append((child, end, (*captured, (name, value))))
    found.sort(key=lambda match: (-match.end, match.row))
    return found


def _values(captured: tuple[tuple[str, object], ...]) -> Values:
    values: Values = {}
    for name, value in captured:
        values[name if name not in values else f"{name}2"] = value
    return values
