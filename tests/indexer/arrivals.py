"""Owns worlds as they arrive: the facts of `tests.mappings.worlds` as changes, in any order, with repeats, in batches.

Also what an index amounts to: its records as bytes, what is stored of its passages, and its answers.
"""

from __future__ import annotations

from dataclasses import replace
from zlib import crc32

from indexer.door import DocumentRead, EndRead
from indexer.ingest import Intake
from indexer.merging import WithdrawalRead
from indexer.report import IngestReport
from indexer.sections import split_sections
from indexer.settings import IngestSettings
from mappings.document import Reading, content_hash
from mappings.interval import Span
from mappings.record_format import record_to_json
from mappings.series import End, Withdrawal, principals_key
from store.embed import get_embedder, identity
from store.engine import Where
from store.opening import open_engine
from tests.mappings import worlds

LENIENT = IngestSettings(mode="lenient", chunk_tokens=40)
EMBEDDER = get_embedder("hashing")
READERS = ((), (), ("ann",), ("bob",), ("ann", "bob"))


def open_index(folder):
    """Open the index of a folder, a new one where there is none."""
    return open_engine(str(folder), embedder=identity(EMBEDDER), create=True)


def _text(name, salt):
    common = "shared words " * 30
    return f"# Common\n\n{common}\n\n# Own {name}\n\nonly {name} says {name.lower()}{name.lower()} in {salt}"


def _salted():
    """Find texts whose hashes sort as their names do: the last tie between readings is broken by the hash."""
    names = sorted({*worlds.TEXTS})
    for salt in range(10_000):
        hashes = [content_hash("T", _text(name, salt)) for name in names]
        if hashes == sorted(hashes):
            return salt, dict(zip(names, hashes, strict=True))
    raise AssertionError("no salt")


_SALT, HASHES = _salted()


def text_of(name):
    """Give the text that a world calls by name: a part that all have, and one of its own."""
    return _text(name, _SALT)


def reading(doc_id, row, *, moves, readers=None):
    """Return one reading; readers and series follow from its place, since of equal places the one read last wins.

    With `readers` they are the same for all readings of the document.
    """
    observation = replace(worlds.to_observation(row), content_hash=HASHES[row["hash"]])
    observation = replace(observation, attributes=replace(observation.attributes, title="T", source="world"))
    if observation.observed is not None:
        # The moment of reading is the one thing that does tell of arrival; it decides between undated readings alone.
        observation = replace(observation, read_at=0)
    place = crc32(repr((doc_id, principals_key(observation))).encode())
    text = text_of(row["hash"])
    series = ("s", "s", "r", doc_id)[place % 4] if moves else row["series"]
    principals = READERS[place // 4 % len(READERS)] if readers is None else readers
    return DocumentRead("f:1", Reading(doc_id, series, observation, principals, "T", text, split_sections("T", text)))


def changes_of(world, *, moves=False, own_readers=False):
    """Return everything that a world says, as changes; documents with readers of their own, or by place."""
    out = []
    for doc_id, facts in world.items():
        for row in facts["observations"]:
            readers = tuple(sorted(facts["readers"])) if own_readers else None
            out.append(reading(doc_id, {**row, "series": facts["series"]}, moves=moves, readers=readers))
        for end in facts["ends"]:
            out.append(EndRead("f:1", doc_id, End(Span(*end["at"]), end["sequence"])))
        for gone in facts["withdrawals"]:
            withdrawal = Withdrawal(HASHES[gone["hash"]], gone["known_at"], gone["undo"])
            out.append(WithdrawalRead("f:1", doc_id, withdrawal))
    return out


def shuffled(pick, changes):
    """Return the changes in another order, some of them more than once, cut into batches."""
    again = [change for change in changes if pick.random() < 0.4]
    order = [*changes, *again]
    pick.shuffle(order)
    batches, here = [], 0
    while here < len(order):
        size = pick.randint(1, len(order))
        batches.append(order[here : here + size])
        here += size
    return batches


def take(engine, batches, settings=LENIENT):
    """Bring batches into an index, one after the other."""
    report = IngestReport()
    with engine.writer() as writer:
        intake = Intake(engine, writer, settings, EMBEDDER)
        for batch in batches:
            intake.take(batch, report)
    return report


def state_of(engine):
    """Return everything that an index holds, in a form that can be compared."""
    keys = list(engine.series_keys())
    info = engine.info()
    return {
        "records": {key: record_to_json(record) for key, record in engine.records(keys).items()},
        "passages": engine.stored(keys),
        "counts": (info.documents, info.series, info.passages, info.undated, info.pending),
    }


def answers_of(engine, questions):
    """Return what an index finds and what its records say, for questions (as_of, known_at, reader)."""
    keys = list(engine.series_keys())
    vector = EMBEDDER.embed(["only a says aa"])[0]
    out = []
    for as_of, known_at, reader in questions:
        where = Where(as_of=as_of, known_at=known_at, principals=reader)
        found = engine.search(["onli", "share", "sai"], vector, where, depth=200)
        standings = {
            key: [
                (row.version.version_id, row.state, row.superseded_by)
                for row in line.standings(as_of, known_at, reader)
            ]
            for key, line in engine.timelines(keys).items()
        }
        out.append((found.passage_ids, found.cosine.tolist(), found.body_tf.tolist(), standings))
    return out


def live_passages(engine, as_of, known_at, reader=()):
    """Return the passages that an answer may hold: found by the filter, and live by the records."""
    where = Where(as_of=as_of, known_at=known_at, principals=reader)
    found = engine.search(["onli", "share", "sai"], None, where, depth=500)
    lines = engine.timelines(dict.fromkeys(found.series))
    out = []
    for passage_id, series in zip(found.passage_ids, found.series, strict=True):
        line = lines.get(series)
        view = line.at(as_of, known_at, reader) if line else None
        versions = line.passage_versions(passage_id) if line else ()
        if any(view.can_read(v.doc_id) and view.standing(v).state.is_live for v in versions):
            out.append(passage_id)
    return out
