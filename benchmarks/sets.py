"""Own the benchmark folders: what lies in one, and what of it a track may see.

    <set>/docs.jsonl.gz   one document a line      <set>/queries.jsonl   one query a line
    <set>/dataset.json    `tracks`: the fields of a document that a system may read, by track
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from measures import Query

TRACKS: Final = ("given", "inferred")
SURFACES: Final = ("parameter", "current", "timeless", "words")
# The days from which a measure tells a leak are never kept from it, whatever the track hides from the product.
_NAMES: Final = ("docs.jsonl.gz", "queries.jsonl", "dataset.json")


@dataclass(frozen=True, slots=True)
class BenchSet:
    """One set of documents and queries.

    Attributes:
        documents: all fields, in the order of the file.
        fields: by track, the fields that a system may read.
    """

    name: str
    documents: tuple[Mapping[str, Any], ...]
    queries: tuple[Query, ...]
    fields: Mapping[str, tuple[str, ...]]

    def observed(self) -> dict[str, str]:
        """Return by document id since when it could be known."""
        return {document["id"]: document["observed_at"] for document in self.documents}

    def write(self, path: Path, track: str) -> None:
        """Write the documents as JSON lines with the fields of a track and no others."""
        allowed = self.fields[track]
        with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as stream:
            for document in self.documents:
                kept = {name: document[name] for name in allowed if name in document}
                stream.write(json.dumps(kept, ensure_ascii=False) + "\n")


def find(folders: Sequence[Path]) -> list[Path]:
    """Return the folders of sets among and directly below the given ones, in order, each once.

    Raises:
        FileNotFoundError: a folder holds no set.
    """
    found: dict[Path, None] = {}
    for folder in folders:
        below = [folder, *sorted(path for path in folder.iterdir() if path.is_dir())] if folder.is_dir() else []
        sets = [path for path in below if all((path / name).is_file() for name in _NAMES)]
        if not sets:
            raise FileNotFoundError(f"folder {str(folder)!r} holds no set; a set has {', '.join(_NAMES)}")
        found.update(dict.fromkeys(sets))
    return list(found)


def load(folder: Path) -> BenchSet:
    """Read one set."""
    about = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    with gzip.open(folder / "docs.jsonl.gz", "rt", encoding="utf-8") as stream:
        documents = tuple(json.loads(line) for line in stream if line.strip())
    queries = (folder / "queries.jsonl").read_text(encoding="utf-8")
    fields = {track: tuple(about["tracks"][track]) for track in TRACKS}
    return BenchSet(folder.name, documents, tuple(_queries(queries.split("\n"))), fields)


def _queries(lines: Sequence[str]) -> Iterator[Query]:
    for row in (json.loads(line) for line in lines if line.strip()):
        resolved = row.get("resolved")
        yield Query(
            qid=row["qid"],
            text=row["query"],
            as_of=row["as_of"],
            now=row["now"],
            surface=row["surface"],
            kind=row["kind"],
            gold=frozenset(row["gold"]),
            wrong=frozenset(row["wrong_version"]),
            resolved=(resolved[0], resolved[1]) if resolved else None,
        )
