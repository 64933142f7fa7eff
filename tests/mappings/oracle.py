"""Owns the second, obvious, slow reading of what holds when: one plain function a sentence of the law.

It imports nothing of the project and shares no code with it; it asks every pair of things again rather than be
clever about order. A disagreement with the product means that one of the two is wrong.

A *world* is plain data, one dict a document, all instants plain integers:

    {doc_id: {
        "series": "s",                      # documents of one series take each other's place
        "readers": ("ann",),                # () = everybody
        "observations": [{
            "hash": "A",                    # the text
            "observed": (10, 11) | None,    # half-open span in which it was first readable; None = no usable date
            "from": None | 5,               # declared valid_from
            "until": None | 90,             # valid_until
            "ttl": False,                   # True: `until` is a time to live of the profile, nobody declared it
            "supersedes": ("other",),       # links
            "sequence": None | 3,
            "draft": False,
            "read_at": 12,                  # when we read it; only undated readings look at it
            "event": "" | "notice" | "chronicle",
        }],
        "ends": [{"at": (50, 51), "sequence": None}],
        "withdrawals": [{"hash": "A", "known_at": 60, "undo": False}],
    }}

A *version* is named by the tuple of `name_of`: (doc_id, hash, from, declared until, supersedes, observed, sequence),
the last two of the first observation of its run, `observed` None where undated. `ask(world, T, K, reader)` answers
with {name: (state, superseded_at, superseded_by)} for every version of every document that the reader may read;
superseded_by holds (valid_from, name) of all that is known to replace it, now or later, earliest in force first.
"""

OPEN = 2**63 - 1
BEGIN = -(2**63)


def ask(world, t, k, reader, versions=None):
    """Say what every version is at (t, k) for one reader; `versions` may be handed in from `all_versions(world)`."""
    known = what_counts(world, versions or all_versions(world), k, reader)
    answer = {}
    for v in known["versions"]:
        if may_read(world, reader, v["doc"]):
            replacers = [w for w in known["counting"] if replaces(known, w, v, t)]
            replacers.sort(key=lambda w: (valid_from(w), w["doc"], linear(w)))
            by = tuple((valid_from(w), name_of(w)) for w in replacers)
            answer[name_of(v)] = (state(known, v, t, replacers), by[0][0] if by else None, by)
    return answer


def state(known, v, t, replacers):
    """Go down the table of states; the first row that fits."""
    world, k = known["world"], known["k"]
    if not undated(v) and v["observed"][0] > k:
        return "FUTURE"
    if void(world, v, k) or ended(world, v, min(t, k)):
        return "RETRACTED"
    if valid_from(v) > t:
        return "NOT_YET_VALID"
    if valid_until(v) <= t and v["event"] != "chronicle":
        return "EXPIRED"
    if undated(v) and v["doc"] in known["firsts"]:
        return "SUPERSEDED"  # beside a dated version, whatever the state of that version, it is history
    if any(valid_from(w) <= t for w in replacers):
        return "SUPERSEDED"
    if undated(v):
        return "UNDATED"
    if v["event"] and t < valid_until(v):
        return "TEMPORAL"
    return "VALID"


# --- what a document says -------------------------------------------------------------------------------------------


def name_of(v):
    return (v["doc"], *content_and_dates(v), v["observed"], v["sequence"])


def content_and_dates(o):
    return (o["hash"], o["from"], declared_until(o), o["supersedes"])


def identity(o):
    return (content_and_dates(o), o["observed"], o["sequence"])


def undated(o):
    return o["observed"] is None


def declared_until(o):
    """A time to live is nothing that the document declares."""
    return None if o["ttl"] else o["until"]


def valid_until(o):
    return OPEN if o["until"] is None else o["until"]


def valid_from(o):
    """Undeclared, it is the moment of observation, or the end where that is earlier."""
    if o["from"] is not None:
        return o["from"]
    return min(BEGIN if undated(o) else o["observed"][0], valid_until(o))


def may_read(world, reader, doc):
    readers = world[doc]["readers"]
    return not readers or any(one in readers for one in reader)


def linear(o):
    sequence = -1 if o["sequence"] is None else o["sequence"]
    dates = (BEGIN if o["from"] is None else o["from"], OPEN if declared_until(o) is None else o["until"])
    return (o["observed"][0], sequence, o["observed"][1], o["hash"], dates, o["supersedes"])


def counted(document):
    """Return the dated observations that count, each once, in the linear order; a draft is in no order."""
    once = {}
    for o in document["observations"]:
        if not o["draft"] and not undated(o):
            once.setdefault(identity(o), o)
    return sorted(once.values(), key=linear)


# --- order inside a document ----------------------------------------------------------------------------------------


def before(a, b):
    """Observation a comes before b: by the spans where they part, else by sequence, else there is no order."""
    if a["observed"][1] <= b["observed"][0]:
        return True
    if b["observed"][1] <= a["observed"][0]:
        return False
    if a["sequence"] is None or b["sequence"] is None:
        return False
    return a["sequence"] < b["sequence"]


def unordered(a, b):
    return not before(a, b) and not before(b, a)


def between(a, o, b):
    return (before(a, o) and before(o, b)) or (before(b, o) and before(o, a))


def end_first(end, o):
    """An end is a point; at the instant of an observation it comes first, unless two sequences say otherwise."""
    at, start = end["at"][0], o["observed"][0]
    if at == start and end["sequence"] is not None and o["sequence"] is not None:
        return end["sequence"] <= o["sequence"]
    return at <= start


def dated_versions(world, doc):
    """Cut the observations of equal content and dates into runs; the first observation of a run stands for it."""
    observations, ends = counted(world[doc]), world[doc]["ends"]
    runs = []
    for o in observations:
        mine = [run for run in runs if content_and_dates(run[0]) == content_and_dates(o)]
        if mine and not parted(observations, ends, mine[-1][0], o):
            mine[-1].append(o)
        else:
            runs.append([o])
    return [dict(run[0], doc=doc) for run in runs]


def parted(observations, ends, first, o):
    for other in observations:
        if content_and_dates(other) != content_and_dates(o):
            if unordered(other, first) or unordered(other, o) or between(first, other, o):
                return True
    return any(end_first(end, first) != end_first(end, o) for end in ends)


def undated_versions(world, doc):
    """Of several undated readings the one read last stands; the others are forgotten."""
    readings = [o for o in world[doc]["observations"] if undated(o) and not o["draft"]]
    readings.sort(key=lambda o: o["read_at"])
    return [dict(o, doc=doc) for o in readings[-1:]]


def all_versions(world):
    return [v for doc in sorted(world) for v in dated_versions(world, doc) + undated_versions(world, doc)]


# --- the two ways to go ---------------------------------------------------------------------------------------------


def void(world, v, k):
    """Say whether by k it is known that v never held: withdrawn, or overtaken before it came into force."""
    return withdrawn(world, v, k) or any(at <= k for at in overtaken_at(world, v))


def withdrawn(world, v, k):
    first = BEGIN if undated(v) else v["observed"][0]
    events = [
        (w["known_at"], w["undo"])
        for w in world[v["doc"]]["withdrawals"]
        if w["hash"] == v["hash"] and first <= w["known_at"] <= k
    ]
    return bool(events) and not max(events)[1]


def overtaken_at(world, v):
    """Return the instants before an announced valid_from at which the document said something else, or ended."""
    if undated(v) or v["from"] is None:
        return []
    others = [
        o["observed"][0]
        for o in counted(world[v["doc"]])
        if content_and_dates(o) != content_and_dates(v) and before(v, o)
    ]
    ends = [e["at"][0] for e in world[v["doc"]]["ends"] if not end_first(e, v)]
    return [at for at in others + ends if at < v["from"]]


def ended(world, v, moment):
    """Say whether the document ended after v by then; an undated reading is closed by an end after its reading."""
    for end in world[v["doc"]]["ends"]:
        after = v["read_at"] < end["at"][0] if undated(v) else not end_first(end, v)
        if after and end["at"][0] <= moment:
            return True
    return False


# --- what replaces what ---------------------------------------------------------------------------------------------


def what_counts(world, versions, k, reader):
    """Gather what is known at k to this reader: the versions that may replace, and the links that are at work."""
    known = {"world": world, "versions": versions, "k": k, "firsts": {}}
    for v in sorted((v for v in versions if not undated(v)), key=linear):
        known["firsts"].setdefault(v["doc"], v)
    known["counting"] = [
        w
        for w in versions
        if not undated(w) and w["observed"][0] <= k and not void(world, w, k) and may_read(world, reader, w["doc"])
    ]
    there = [(w, a) for w in known["counting"] for a in w["supersedes"] if not against_the_dates(known, w, a)]
    known["links"] = [(w, a) for w, a in there if not comes_back(there, w["doc"], a)]
    return known


def replaces(known, w, v, t):
    """Say whether w takes the place of v as soon as w is in force."""
    if w["doc"] == v["doc"]:
        return not undated(v) and before(v, w)
    if any(u is w and a == v["doc"] for u, a in known["links"]):
        return True
    return by_place(known, w, v, t)


def by_place(known, w, v, t):
    """Order alone replaces only what declares no end and says something else, and gives way to links."""
    world = known["world"]
    if undated(v) or declared_until(v) is not None or w["hash"] == v["hash"]:
        return False
    if world[w["doc"]]["series"] != world[v["doc"]]["series"] or not placed_after(known, w["doc"], v["doc"]):
        return False
    for u, a in known["links"]:
        # What a link in force replaces, replaces nothing by place: asked at t, or when w will come into force.
        if a == w["doc"] and (u["doc"] == v["doc"] or valid_from(u) <= max(t, valid_from(w))):
            return False
    return True


def placed_after(known, b, a):
    """Compare documents by their first versions; an undated document has no place."""
    if a not in known["firsts"] or b not in known["firsts"]:
        return False
    first_a, first_b = known["firsts"][a], known["firsts"][b]
    place_a = (valid_from(first_a), first_a["observed"][0])
    place_b = (valid_from(first_b), first_b["observed"][0])
    if place_b == place_a and first_a["sequence"] is not None and first_b["sequence"] is not None:
        return first_b["sequence"] > first_a["sequence"]
    return place_b > place_a


def against_the_dates(known, w, a):
    return a in known["firsts"] and valid_from(known["firsts"][a]) > valid_from(w)


def comes_back(links, b, a):
    """Walk the links from a; the link b -> a lies on a circle where the walk comes to b."""
    reached, new = set(), {a}
    while new:
        reached |= new
        new = {c for w, c in links if w["doc"] in reached} - reached
    return b in reached
