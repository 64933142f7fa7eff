"""Own the values that an engine is given and gives back; `store.engine` says what is done with them.

Instants are int64 µs since 1970. Columns hold n candidates and q distinct terms of a question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mappings.document import Kind, Section
from mappings.errors import BadValueError
from mappings.interval import BEGIN, OPEN
from mappings.stamps import Stamps

Vector: TypeAlias = NDArray[np.float32]
Counts: TypeAlias = NDArray[np.int32]
Instants: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class EmbedderId:
    """Which embedder made the vectors of an index; an index holds those of one only."""

    name: str
    version: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Where:
    """Which passages may be candidates. Both legs apply all of it before they cut to their depth.

    Attributes:
        as_of: T, the moment for which the answer must hold.
        known_at: K, the moment up to which something may have been known.
        principals: of the reader; without them only passages that everybody may read are seen.
        states: whether stamps are applied; without them everything observed by K is a candidate, also what is out.
        undated: whether passages without a usable date may be candidates.
        content_types, kinds, sources, series, doc_ids: where not empty, a passage must have one of them.
        period: [start, until) in µs that a passage must overlap; an event without a recorded end must have been
            observed inside it, and what carries no date stays. None: no such bound.
    """

    as_of: int
    known_at: int
    principals: tuple[str, ...] = ()
    states: bool = True
    undated: bool = True
    content_types: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    sources: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    period: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        for name in ("as_of", "known_at"):
            if not BEGIN < getattr(self, name) < OPEN:
                raise BadValueError(f"{name} must be an instant in µs since 1970, got {getattr(self, name)!r}")


@dataclass(frozen=True, slots=True)
class PassageRow:
    """One passage as it is stored.

    Attributes:
        passage_id: unique in the index; putting it again replaces what is there.
        title: of the document; section: heading path, empty at the top of a document.
        text: what a reader is shown.
        title_terms, body_terms: of its two fields, from `store.analysis.analyze_passage`.
        text_key: identity of what was embedded; passages with equal keys have equal vectors.
        readers: principals who may read it; empty: everybody.
    """

    passage_id: str
    doc_id: str
    series: str
    source: str
    content_type: str
    kind: Kind
    title: str
    section: str
    text: str
    title_terms: tuple[str, ...]
    body_terms: tuple[str, ...]
    text_key: str
    readers: tuple[str, ...]
    stamps: Stamps


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """What is stored of a passage besides its words: for recovery and for checking an index against its records."""

    passage_id: str
    doc_id: str
    series: str
    source: str
    content_type: str
    kind: Kind
    text_key: str
    readers: tuple[str, ...]
    stamps: Stamps


@dataclass(frozen=True, slots=True)
class PassageText:
    """What a reader is shown of a passage."""

    passage_id: str
    title: str
    section: str
    text: str


@dataclass(frozen=True, slots=True)
class Content:
    """What one content hash stands for: the whole reading of a document, kept once."""

    title: str
    text: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """Candidates of both legs as columns: n passages, sorted by passage_id, and q distinct terms of the question.

    Attributes:
        terms: (q,) the distinct terms, in the order in which the question first has them.
        passage_ids, doc_ids, series, content_types, kinds: (n,).
        title_tf, body_tf: (n, q) how often each term stands in title and body.
        title_len, body_len: (n,) number of terms.
        cosine: (n,) exact cosine with the question's vector, for every candidate of either leg; 0 without a vector.
        observed: (n,) µs, from which the age counts; `mappings.interval.BEGIN` where undated.
        from_lexical, from_dense: (n,) which leg brought it.
    """

    terms: tuple[str, ...]
    passage_ids: list[str]
    doc_ids: list[str]
    series: list[str]
    content_types: list[str]
    kinds: list[Kind]
    title_tf: Counts
    body_tf: Counts
    title_len: Counts
    body_len: Counts
    cosine: Floats
    observed: Instants
    from_lexical: Bools
    from_dense: Bools

    def __len__(self) -> int:
        return len(self.passage_ids)


@dataclass(frozen=True, slots=True)
class Statistics:
    """Exact statistics over all passages of the index, live or not, readable or not.

    Attributes:
        terms: (q,) the distinct terms asked for; df: (q,) passages that hold the term in title or body.
        title_avg, body_avg: mean number of terms per passage; 0 in an empty index.
    """

    terms: tuple[str, ...]
    passages: int
    df: Instants
    title_avg: float
    body_avg: float


@dataclass(frozen=True, slots=True)
class Link:
    """A declared replacement: document `doc_id` of `series` takes the place of document `target`."""

    target: str
    doc_id: str
    series: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of the index that does not agree with the truth.

    Attributes:
        part: "truth", "terms", "vectors" or "columns".
        key: what it is about, a passage_id where there is one.
    """

    part: str
    key: str
    detail: str


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What lies in an index.

    Attributes:
        sequence: counts what was made visible to search.
        embedder: None while nothing was written.
        versions: of all documents, drafts in none; counted when records are stored.
        undated: passages without a usable date; pending: series whose write is not finished.
    """

    engine: str
    index: str
    generation: int
    sequence: int
    embedder: EmbedderId | None
    documents: int
    series: int
    versions: int
    passages: int
    undated: int
    pending: int


@dataclass(frozen=True, slots=True)
class ReleaseDay:
    """When a release of something was first seen: the smallest `observed_at` of what carries its name.

    Attributes:
        source: of the documents that carry it.
        release: its name as declared, such as "2.11".
        observed: µs since 1970.
    """

    source: str
    release: str
    observed: int
