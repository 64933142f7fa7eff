"""Own which passages a document has over time: its versions and their chunks → passages and where they stand. Pure.

A passage stands for a maximal run of consecutive versions that hold the same text under the same title and heading
path. An undated version stands apart from the dated ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from indexer.chunking import Chunk, passage_id
from mappings.series import PassageSpan
from mappings.version import Version


@dataclass(frozen=True, slots=True)
class Content:
    """The title of one content hash and its chunks in reading order."""

    title: str
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A passage of a document: what it says, and the versions in which it stands (the last one tells its type)."""

    passage_id: str
    title: str
    chunk: Chunk
    span: PassageSpan
    last: Version


# What makes two chunks of neighbouring versions one passage: title, path, text, and which of several equal ones.
_Key = tuple[str, tuple[str, ...], str, int]


def place(versions: Sequence[Version], contents: Mapping[str, Content]) -> tuple[Placed, ...]:
    """Return the passages of one document, in the order of the version in which they begin, then of the text.

    Args:
        versions: of one document, in its order, an undated one last.
        contents: by content hash, for each version.
    """
    dated = [version for version in versions if not version.undated]
    placed = _runs(dated, contents)
    for version in versions:
        if version.undated:
            placed += _runs([version], contents)
    return tuple(placed)


def _runs(versions: Sequence[Version], contents: Mapping[str, Content]) -> list[Placed]:
    begun: dict[_Key, tuple[int, int, Chunk]] = {}
    done: list[tuple[int, int, int, _Key, Chunk]] = []
    for here, version in enumerate(versions):
        present = dict(_keyed(contents[version.content_hash]))
        for key in [key for key in begun if key not in present]:
            done.append((*begun[key][:2], here - 1, key, begun.pop(key)[2]))
        for order, (key, chunk) in enumerate(present.items()):
            begun.setdefault(key, (here, order, chunk))
    done += [(first, order, len(versions) - 1, key, chunk) for key, (first, order, chunk) in begun.items()]
    done.sort(key=lambda run: run[:2])  # by version, then in reading order
    return [_placed(versions[first], versions[last], key[0], chunk) for first, _, last, key, chunk in done]


def _keyed(content: Content) -> Iterable[tuple[_Key, Chunk]]:
    seen: dict[tuple[tuple[str, ...], str], int] = {}
    for chunk in content.chunks:
        which = seen.get((chunk.path, chunk.text), 0)
        seen[chunk.path, chunk.text] = which + 1
        yield (content.title, chunk.path, chunk.text, which), chunk


def _placed(first: Version, last: Version, title: str, chunk: Chunk) -> Placed:
    span = PassageSpan(first.doc_id, first.position, last.position)
    return Placed(passage_id(first.doc_id, chunk, first.version_id), title, chunk, span, last)
