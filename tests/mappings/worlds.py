"""Owns random and hand-written worlds for `oracle`, and the same worlds as series records of the product.

The time domain is small (0 to 40), so that equal instants, overlapping days and reverts are the rule.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from mappings.document import Attributes, Kind, Observation
from mappings.interval import Precision, Span
from mappings.series import DocumentRecord, End, LinkCopy, SeriesRecord, Withdrawal
from mappings.stamping import version_stamps
from mappings.stamps import admits
from mappings.timeline import Timeline
from tests.mappings import oracle

LAST = 40
KINDS = ("lone", "shared", "several")
LIVE = ("VALID", "TEMPORAL", "UNDATED")
TIME_TO_LIVE = 4
READERS = ((), ("ann",), ("bob",), ("ann", "bob"))
# Every document of a world draws its texts from the same few, so that texts return and are shared.
TEXTS = ("A", "A", "A", "B", "B", "C", "notice", "chronicle")
SERIES = {"lone": ("s", "s", "s", "s"), "shared": ("s", "s", "s", "s"), "several": ("s", "s", "r", "q")}


def observation(text, at=None, **more):
    """Return one observation; `at` an instant, a (start, end) span, or None where undated."""
    span = (at, at + 1) if isinstance(at, int) else at
    row = {
        "hash": text,
        "observed": span,
        "from": None,
        "until": None,
        "ttl": False,
        "supersedes": (),
        "sequence": None,
        "draft": False,
        "read_at": 0,
        "event": text if text in ("notice", "chronicle") else "",
    }
    return {**row, **more}


def document(*observations, series="s", readers=(), ends=(), withdrawals=()):
    """Return one document; ends as instants or dicts, withdrawals as (text, known_at) or (text, known_at, "undo")."""
    return {
        "series": series,
        "readers": tuple(readers),
        "observations": list(observations),
        "ends": [e if isinstance(e, dict) else {"at": (e, e + 1), "sequence": None} for e in ends],
        "withdrawals": [{"hash": w[0], "known_at": w[1], "undo": w[2:] == ("undo",)} for w in withdrawals],
    }


# --- random worlds ---------------------------------------------------------------------------------------------------


def random_world(pick, kind):
    """Return a world of one to four documents; `pick` is a `random.Random` (or hypothesis's)."""
    names = "abcd"[: 1 if kind == "lone" else pick.randint(2, 4)]
    return {doc: _random_document(pick, SERIES[kind][i], names) for i, doc in enumerate(names)}


def random_questions(pick, count):
    """Return (as_of, known_at, reader) triples; one in three asks about what was known then."""
    moments = [(pick.randint(-1, LAST + 2), pick.randint(-1, LAST + 2)) for _ in range(count)]
    return [(t, pick.choice((t, k, k)), pick.choice(READERS)) for t, k in moments]


def _random_document(pick, series, names):
    size = pick.choice((1, 1, 2, 2, 3, 3, 4, 6)) if len(names) > 1 else pick.choice((1, 2, 3, 4, 6, 8))
    linked = len(names) > 1 and pick.random() < 0.5
    sequenced = pick.random() < 0.3
    rows = [_random_observation(pick, names if linked else (), sequenced) for _ in range(size)]
    for here in range(1, size):
        if pick.random() < 0.3:
            rows[here] = _repeated(rows[pick.randint(0, here - 1)], rows[here])
    # Which of two undated readings was the last must be certain.
    for row, read_at in zip(rows, pick.sample(range(LAST), size), strict=True):
        row["read_at"] = read_at
    events = [(row["hash"], pick.randint(0, LAST)) for row in rows if pick.random() < 0.15]
    undone = [(text, pick.randint(0, LAST), "undo") for text, _ in events if pick.random() < 0.5]
    ends = [_random_end(pick, sequenced) for _ in range(pick.choice((0, 0, 0, 1, 2)))]
    readers = pick.choice(((), (), (), ("ann",), ("bob",), ("ann", "bob")))
    return document(*rows, series=series, readers=readers, ends=ends, withdrawals=[*events, *undone])


def _random_observation(pick, names, sequenced):
    text = pick.choice(TEXTS)
    at = pick.randint(0, LAST)
    spans = [(at, at + 1)] * 6 + [(at // 10 * 10, at // 10 * 10 + 10)] * 2 + [(at // 20 * 20, at // 20 * 20 + 20)]
    row = observation(
        text,
        None if pick.random() < 0.05 else pick.choice(spans),
        sequence=pick.randint(0, 3) if sequenced and pick.random() < 0.8 else None,
        draft=pick.random() < 0.06,
        supersedes=tuple(sorted({pick.choice((*names, "absent")) for _ in range(pick.randint(1, 2))})) if names else (),
    )
    if names and pick.random() < 0.5:
        row["supersedes"] = ()
    if pick.random() < 0.35:
        row["from"] = pick.randint(0, LAST)
    if pick.random() < 0.25:
        row["until"] = pick.randint(row["from"] or 0, LAST)
    if text == "notice" and row["until"] is None and row["observed"]:
        row["until"] = (row["from"] if row["from"] is not None else row["observed"][0]) + TIME_TO_LIVE
        row["ttl"] = True
    return row


def _repeated(row, other):
    """Return content and dates of a row as they were seen when another was."""
    if row["ttl"] or (other["observed"] is None) is not (row["observed"] is None):
        return row
    return {**row, "observed": other["observed"], "sequence": other["sequence"], "draft": other["draft"]}


def _random_end(pick, sequenced):
    at = pick.randint(0, LAST)
    return {"at": (at, at + pick.choice((1, 10))), "sequence": pick.randint(0, 3) if sequenced else None}


@st.composite
def worlds(draw):
    """Draw a world through hypothesis, so that a failing one is shrunk."""
    return random_world(draw(st.randoms(use_true_random=False)), draw(st.sampled_from(KINDS)))


moments = st.integers(-1, LAST + 2)
readers = st.sampled_from(READERS)


# --- the same for the product ----------------------------------------------------------------------------------------


def to_observation(row):
    kind = Kind.EVENT if row["event"] else Kind.VERSIONED
    span = row["observed"]
    day = Precision.INSTANT if span and span[1] - span[0] == 1 else Precision.DAY
    return Observation(
        content_hash=row["hash"],
        observed=None if span is None else Span(*span, day),
        valid_from=row["from"],
        valid_until=row["until"],
        until_source=None if row["until"] is None else ("ttl" if row["ttl"] else "declared"),
        supersedes=row["supersedes"],
        sequence=row["sequence"],
        draft=row["draft"],
        read_at=row["read_at"],
        attributes=Attributes(kind=kind, chronicle=row["event"] == "chronicle"),
    )


def to_document(doc_id, facts):
    """Return the product's record of one document, as if all of it had arrived at once."""
    return DocumentRecord(doc_id, principals=tuple(sorted(facts["readers"]))).merge(
        [to_observation(row) for row in facts["observations"]],
        [End(Span(*end["at"]), end["sequence"]) for end in facts["ends"]],
        [Withdrawal(w["hash"], w["known_at"], w["undo"]) for w in facts["withdrawals"]],
    )


def to_records(world):
    """Return the series records of a world by series, each with its copies of the links of the others."""
    records: dict[str, SeriesRecord] = {}
    for doc_id, facts in world.items():
        key = facts["series"]
        records[key] = records.get(key, SeriesRecord(key)).with_document(to_document(doc_id, facts))
    return _with_copies(records)


def _with_copies(records):
    """Give each record all links that leave or come into a record, with the first date of what they replace."""
    timelines = {series: Timeline(record) for series, record in records.items()}
    home = {doc_id: series for series, record in records.items() for doc_id in record.documents}
    first = {doc_id: place[0] for timeline in timelines.values() for doc_id, (place, _) in timeline.places.items()}
    copies = {series: [] for series in records}
    for series, timeline in timelines.items():
        for link in timeline.links:
            copy = LinkCopy(
                link.doc_id, link.target, link.version_id, link.observed, link.valid_from, link.void,
                link.principals, first.get(link.target),
            )  # fmt: skip
            for other in records:
                if other != series or home.get(link.target, series) != series:
                    copies[other].append(copy)
    return {series: replace(record, links=tuple(copies[series])) for series, record in records.items()}


def name_of(version):
    """Return the oracle's name of a version of the product."""
    first = version.first
    return (
        version.doc_id,
        first.content_hash,
        first.valid_from,
        first.valid_until if version.declares_until else None,
        first.supersedes,
        None if first.observed is None else (first.observed.start, first.observed.end),
        first.sequence,
    )


class Product:
    """The same world held by the product, asked in the oracle's words."""

    def __init__(self, world):
        self.timelines = [Timeline(record) for record in to_records(world).values()]
        self.names = {v.version_id: name_of(v) for timeline in self.timelines for v in timeline.versions}
        rows = [row for timeline in self.timelines for row in version_stamps(timeline).items()]
        self.stamps = {self.names[version_id]: stamps for version_id, stamps in rows}

    def ask(self, t, k, reader):
        """Answer like `oracle.ask`; of the versions of one document only one is named in superseded_by."""
        return {
            name_of(standing.version): (
                str(standing.state),
                standing.superseded_at,
                tuple((s.valid_from, self.names[s.version_id]) for s in standing.superseded_by),
            )
            for timeline in self.timelines
            for standing in timeline.standings(t, k, reader)
        }

    def admitted(self, t, k):
        """Return the names of the versions that the index filter lets through."""
        return {name for name, stamps in self.stamps.items() if admits(stamps, t, k)}


def disagreements(world, questions):
    """Yield what the product says otherwise than the oracle, or keeps out of an answer although it is live."""
    versions, product = oracle.all_versions(world), Product(world)
    if sorted(map(repr, product.names.values())) != sorted(repr(oracle.name_of(v)) for v in versions):
        yield "versions", product.names, [oracle.name_of(v) for v in versions]
        return
    for question in questions:
        expected, answer = oracle.ask(world, *question, versions), product.ask(*question)
        if expected.keys() != answer.keys():
            yield question, "who is there", sorted(map(repr, expected.keys() ^ answer.keys()))
            return
        admitted = product.admitted(*question[:2])
        for name, right in expected.items():
            if not _agrees(right, answer[name]):
                yield question, name, f"expected {right}", f"got {answer[name]}"
            if right[0] in LIVE and name not in admitted:
                yield question, name, "live, but kept out by", product.stamps[name]


def _agrees(right, answer):
    """Compare (state, superseded_at, superseded_by); the product names one successor a document, the earliest."""
    first = {}
    for moment, name in right[2]:
        first.setdefault(name[0], moment)
    one_each = sorted((moment, doc_id) for doc_id, moment in first.items())
    named = [(moment, name[0]) for moment, name in answer[2]]
    return right[:2] == answer[:2] and named == one_each and set(answer[2]) <= set(right[2])
