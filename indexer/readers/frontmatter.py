"""Own front matter: the block of keys between ``---`` (YAML) or ``+++`` (TOML) at the head of a page.

YAML is read from its events, never loaded into objects: no tags, no aliases, no dates made of texts, few levels. So
a bomb costs nothing, `release: 2.10` stays "2.10", and each key keeps its line. Only true, false and null are more
than text; what a text means is `indexer.declared`'s.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Final

import yaml

from indexer.readers.errors import FrontMatterError

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Settings of a page are lists and small mappings; deeper ones are generated, or an attack.
_LEVELS: Final = 20
_LONGEST: Final = 64 * 1024
_WORDS: Final = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_KEY_LINE = re.compile(r"[\w.-]+\s*:(?:\s|$)")
_TOML_KEY = re.compile(r"\s*(?:\"([^\"]+)\"|'([^']+)'|([\w-]+))\s*=")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The declared keys of a page, the line of each, and how many lines the block takes."""

    values: dict[str, object] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    height: int = 0


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Split a page into its front matter and the rest; a page without any keeps its whole text.

    Raises:
        FrontMatterError: the block never ends, is no mapping of keys, or uses what is not allowed; with its line.
    """
    for fence, ends, read in (("---", ("---", "..."), _read_yaml), ("+++", ("+++",), _read_toml)):
        if text.startswith(fence) and text[len(fence) :].partition("\n")[0].strip() == "":
            lines = text.split("\n")
            end = next((n for n in range(1, len(lines)) if lines[n].rstrip() in ends), None)
            if end is None:
                return _unended(lines, fence, text)
            block = "\n".join(lines[1:end])
            if len(block) > _LONGEST:
                raise FrontMatterError(
                    f"front matter has {len(block):,} characters, at most {_LONGEST:,} are read",
                    remedy="move the text below the closing fence",
                    line=1,
                )
            if fence == "---" and not _looks_like_keys(lines[1:end]):
                return FrontMatter(), text  # a rule between two paragraphs
            values, where = read(block)
            return FrontMatter(values, where, end + 1), "\n".join(lines[end + 1 :])
    return FrontMatter(), text


def _looks_like_keys(lines: list[str]) -> bool:
    """Tell whether a block means to be front matter: its first line that says something opens a key, or is YAML's."""
    for line in lines:
        if line.strip() and not line.lstrip().startswith("#"):
            return bool(_KEY_LINE.match(line)) or line.lstrip()[0] in "\"'{[&*!?<%@`|>"
    return True


def _unended(lines: list[str], fence: str, text: str) -> tuple[FrontMatter, str]:
    if fence == "---" and not (len(lines) > 1 and _KEY_LINE.match(lines[1])):
        return FrontMatter(), text
    raise FrontMatterError(
        f"front matter opens with {fence} on line 1 and never ends", remedy=f"close it with a line {fence}", line=1
    )


def _read_toml(block: str) -> tuple[dict[str, object], dict[str, int]]:
    try:
        values = tomllib.loads(block)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        found = re.search(r"line (\d+)", str(error))
        raise FrontMatterError(
            f"front matter is no TOML: {str(error)[:120]}",
            remedy="mend the line, or remove the block",
            line=int(found[1]) + 1 if found else 1,
        ) from error
    lines: dict[str, int] = {}
    for number, line in enumerate(block.split("\n"), start=2):
        if match := _TOML_KEY.match(line):
            lines.setdefault(match[1] or match[2] or match[3], number)
    return {key: _plain(value) for key, value in values.items()}, {key: lines.get(key, 1) for key in values}


def _plain(value: object) -> object:
    """Write TOML's dates as ISO texts; they are read with all others, in the configured zone."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _read_yaml(block: str) -> tuple[dict[str, object], dict[str, int]]:
    try:
        return _document(_events(block))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).split("\n")[0]
        raise FrontMatterError(
            f"front matter is no YAML: {problem}",
            remedy="mend the line, quote a value that holds ': ' or starts with a sign, or remove the block",
            line=mark.line + 2 if mark else 1,
        ) from error


def _events(block: str) -> Iterator[yaml.Event]:
    """Yield the events that make values; refuse aliases, tags and depth as soon as they appear."""
    level = 0
    for event in yaml.parse(block, Loader=_LOADER):
        line = _line(event)
        if isinstance(event, yaml.AliasEvent):
            raise _refused(f"uses the alias *{event.anchor}", "write the value out", line)
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag not in (None, "!"):
            raise _refused(f"uses the tag {event.tag!r}", "write the plain value", line)
        if isinstance(event, yaml.CollectionStartEvent):
            level += 1
            if level > _LEVELS:
                raise _refused(f"is nested more than {_LEVELS} levels deep", "flatten it", line)
        if isinstance(event, yaml.CollectionEndEvent):
            level -= 1
        yield event


def _line(event: yaml.Event) -> int:
    """Return the line of an event in its file: the fence is line 1, and marks count from 0."""
    return event.start_mark.line + 2 if event.start_mark else 1


def _refused(what: str, remedy: str, line: int) -> FrontMatterError:
    return FrontMatterError(f"front matter {what}", remedy=remedy, line=line)


def _document(events: Iterator[yaml.Event]) -> tuple[dict[str, object], dict[str, int]]:
    for event in events:
        if isinstance(event, yaml.MappingStartEvent):
            lines: dict[str, int] = {}
            return _mapping(events, lines), lines
        if isinstance(event, yaml.NodeEvent) and not (isinstance(event, yaml.ScalarEvent) and event.value == ""):
            raise _refused("holds no keys", "write key: value lines, or remove the block", _line(event))
    return {}, {}


def _mapping(events: Iterator[yaml.Event], lines: dict[str, int]) -> dict[str, object]:
    values: dict[str, object] = {}
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            break
        line = _line(event)
        if not isinstance(event, yaml.ScalarEvent):
            raise _refused("has a key that is no text", "write key: value lines", line)
        if event.value in values:
            raise _refused(f"has the key {event.value!r} twice, first on line {lines[event.value]}", "keep one", line)
        lines[event.value] = line
        values[event.value] = _value(next(events), events)
    return values


def _value(event: yaml.Event, events: Iterator[yaml.Event]) -> object:
    if isinstance(event, yaml.MappingStartEvent):
        return _mapping(events, {})
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[object] = []
        for item in events:
            if isinstance(item, yaml.SequenceEndEvent):
                break
            items.append(_value(item, events))
        return items
    if isinstance(event, yaml.ScalarEvent):
        return _WORDS.get(event.value, event.value) if event.implicit[0] else event.value
    raise AssertionError(event)  # _events lets nothing else through
