"""Own the parts that the speed of search is measured beside, over the same passages: tantivy's query, numpy's product.

tantivy gets the same terms in the same two fields and answers with the best hundred; numpy multiplies the matrix of all
vectors with that of the question, and nothing else. Together they are the least that a search over words and vectors
can cost with these two parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import tantivy
from numpy.typing import NDArray

from store.analysis import analyze
from store.embed import Embedder

_WRITER_BYTES = 200_000_000
_BATCH = 4_096


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as the peers take it; `observed` and `closed` are µs since 1970."""

    title: str
    text: str
    content_type: str
    observed: int
    closed: int


@dataclass(frozen=True, slots=True)
class Filter:
    """Passages of a content type that hold at a moment, µs since 1970."""

    content_type: str
    moment: int


class Words:
    """tantivy over the same terms, in memory."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        builder = tantivy.SchemaBuilder()
        for name in ("title", "body"):
            builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
        builder.add_text_field("content_type", tokenizer_name="raw", index_option="basic")
        for name in ("observed", "closed"):
            builder.add_integer_field(name, fast=True, indexed=True)
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema)
        writer = self._index.writer(_WRITER_BYTES, 1)
        for passage in passages:
            document = tantivy.Document()
            document.add_text("title", " ".join(analyze(passage.title)))
            document.add_text("body", " ".join(analyze(passage.text)))
            document.add_text("content_type", passage.content_type)
            document.add_integer("observed", passage.observed)
            document.add_integer("closed", passage.closed)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def query(self, question: str, where: Filter | None) -> tantivy.Query:
        """Return any of the terms in title or body, under a filter."""
        should, must = tantivy.Occur.Should, tantivy.Occur.Must
        terms = [
            (should, tantivy.Query.term_query(self._schema, field, term))
            for term in dict.fromkeys(analyze(question))
            for field in ("title", "body")
        ]
        words = tantivy.Query.boolean_query(terms)
        if where is None:
            return words
        holds = (
            tantivy.Query.term_query(self._schema, "content_type", where.content_type),
            self._range("observed", None, where.moment),
            self._range("closed", where.moment + 1, None),
        )
        return tantivy.Query.boolean_query(
            [(must, words), *((must, tantivy.Query.const_score_query(part, 0.0)) for part in holds)]
        )

    def best(self, query: tantivy.Query, depth: int) -> int:
        """Run a query; return how many hits came."""
        return len(self._searcher.search(query, depth, count=False).hits)

    def _range(self, field: str, low: int | None, high: int | None) -> tantivy.Query:
        return tantivy.Query.range_query(self._schema, field, tantivy.FieldType.Integer, low, high, True, True)


class Vectors:
    """numpy over the same vectors, one row a passage."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._matrix = np.empty((len(texts), embedder.dimension), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            self._matrix[start : start + _BATCH] = embedder.embed(texts[start : start + _BATCH])

    def product(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the cosine with every passage."""
        found: NDArray[np.float32] = self._matrix @ vector
        return found
