"""Owns short ways to fill an index and to ask what holds in it."""

from __future__ import annotations

import json

from indexer.ingest import ingest
from indexer.settings import IngestSettings
from indexer.sources.jsonl import read_line
from mappings.interval import format_day, parse_moment
from tests.conftest import NOW
from tests.indexer.arrivals import EMBEDDER


def page(doc_id, day, text=None, **fields):
    """Give one line of a source; the text is the id and the day if none is given."""
    return {"id": doc_id, "observed_at": day, "text": text or f"{doc_id} as of {day}", **fields}


def items(*lines):
    """Give lines as a source gives them."""
    return [read_line(json.dumps(line).encode(), f"f:{number}") for number, line in enumerate(lines, 1)]


def fill(engine, *lines, now=NOW, **settings):
    """Take lines in and return the report."""
    return ingest(engine, items(*lines), IngestSettings(**settings), embedder=EMBEDDER, now=now)


def at(day):
    """Give the last instant of a day, as the moment of a question."""
    return parse_moment(day).last


def line_of(engine, doc_id):
    """Return the timeline of a document's series."""
    series = engine.series_of([doc_id])[doc_id]
    return engine.timelines([series])[series]


def states(engine, doc_id, day, known=None, reader=()):
    """Return {day of first observation: state} of a document's versions, as a reader sees them."""
    known = at(known or day)
    rows = line_of(engine, doc_id).standings(at(day), known, reader)
    return {
        "undated" if row.version.undated else format_day(row.version.observed): str(row.state)
        for row in rows
        if row.version.doc_id == doc_id
    }


def in_force(engine, doc_id, day, known=None, reader=()):
    """Return the days of first observation of a document's live versions."""
    live = ("VALID", "TEMPORAL", "UNDATED")
    return [since for since, state in states(engine, doc_id, day, known, reader).items() if state in live]
