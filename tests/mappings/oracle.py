"""Owns the second, obvious, slow reading of what holds when: one plain function a sentence of the law.

It imports nothing of the project, shares no code with it, keeps nothing between two questions, and prefers asking
every pair of things again over remembering. A disagreement with the product means that one of the two is wrong.

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

A *version* is named by the tuple of `name_of`: (doc_id, hash, from, until, supersedes, observed, sequence), the last
two of the first observation of its run, `observed` None where undated. `ask(world, T, K, reader)` answers with
{name: (state, superseded_at, superseded_by)} for every version of every document that the reader may read.
"""

OPEN = 2**63 - 1
BEGIN = -(2**63)


def ask(world, t, k, reader):
    """Say what every version is at (t, k) for one reader, as {name: (state, superseded_at, superseded_by)}."""
    answer = {}
    for version in all_versions(world):
        if may_read(world, reader, version["doc"]):
            going = replacers(world, version, t, k, reader)
            since = min((valid_from(w) for w in going), default=None)
            answer[name_of(version)] = (
                state(world, version, t, k, reader),
                since,
                tuple(name_of(w) for w in going),
            )
    return answer


def state(world, v, t, k, reader):
    """Go down the table of states; the first row that fits."""
    if not undated(v) and v["observed"][0] > k:
        return "FUTURE"
    if void(world, v, k) or ended(world, v, min(t, k)):
        return "RETRACTED"
    if valid_from(v) > t:
        return "NOT_YET_VALID"
    if valid_until(v) <= t and v["event"] != "chronicle":
        return "EXPIRED"
    if undated(v) and beside_something_better(world, v, t, k):
        return "SUPERSEDED"
    if any(valid_from(w) <= t for w in replacers(world, v, t, k, reader)):
        return "SUPERSEDED"
    if undated(v):
        return "UNDATED"
    if v["event"] and t < valid_until(v):
        return "TEMPORAL"
    return "VALID"


# --- what a document says -------------------------------------------------------------------------------------------


def name_of(v):
    return (v["doc"], v["hash"], v["from"], v["until"], v["supersedes"], v["observed"], v["sequence"])


def content_and_dates(o):
    return (o["hash"], o["from"], o["until"], o["supersedes"])


def undated(o):
    return o["observed"] is None


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


def counted(world, doc):
    """Return the dated observations that count, each once, in the linear order; a draft is in no order."""
    once = []
    for o in world[doc]["observations"]:
        same = [p for p in once if (content_and_dates(p), p["observed"], p["sequence"]) == identity(o)]
        if not o["draft"] and not undated(o) and not same:
            once.append(o)
    return sorted(once, key=linear)


def identity(o):
    return (content_and_dates(o), o["observed"], o["sequence"])


def linear(o):
    sequence = -1 if o["sequence"] is None else o["sequence"]
    dates = (o["from"] is not None, o["from"] or 0, o["until"] is not None, o["until"] or 0, o["supersedes"])
    return (o["observed"][0], sequence, o["observed"][1], o["hash"], dates)


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


def end_between(end, a, b):
    return end_first(end, a) != end_first(end, b)


def dated_versions(world, doc):
    """Cut the observations of equal content and dates into runs; the first observation of a run stands for it."""
    observations = counted(world, doc)
    runs = []
    for o in observations:
        mine = [run for run in runs if content_and_dates(run[0]) == content_and_dates(o)]
        if mine and not parted(world, doc, mine[-1][0], o):
            mine[-1].append(o)
        else:
            runs.append([o])
    return [dict(run[0], doc=doc) for run in runs]


def parted(world, doc, first, o):
    for other in counted(world, doc):
        if content_and_dates(other) != content_and_dates(o):
            if unordered(other, first) or unordered(other, o) or between(first, other, o):
                return True
    return any(end_between(end, first, o) for end in world[doc]["ends"])


def undated_versions(world, doc):
    """One version for each content and dates; what counts is when it was read last."""
    last = {}
    for o in world[doc]["observations"]:
        if undated(o) and not o["draft"]:
            key = identity(o)
            if key not in last or last[key]["read_at"] < o["read_at"]:
                last[key] = o
    return [dict(o, doc=doc) for o in last.values()]


def versions_of(world, doc):
    return dated_versions(world, doc) + undated_versions(world, doc)


def all_versions(world):
    return [v for doc in sorted(world) for v in versions_of(world, doc)]


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
    """Return the instants before valid_from at which the document was seen to say something else, or to end."""
    if undated(v):
        return []
    others = [
        o["observed"][0]
        for o in counted(world, v["doc"])
        if content_and_dates(o) != content_and_dates(v) and before(v, o)
    ]
    ends = [e["at"][0] for e in world[v["doc"]]["ends"] if not end_first(e, v)]
    return [at for at in others + ends if at < valid_from(v)]


def ended(world, v, moment):
    for end in world[v["doc"]]["ends"]:
        after = v["read_at"] < end["at"][0] if undated(v) else not end_first(end, v)
        if after and end["at"][0] <= moment:
            return True
    return False


def beside_something_better(world, v, t, k):
    """An undated reading is history beside any dated version, and beside one that was read later."""
    if dated_versions(world, v["doc"]):
        return True
    return any(
        u["read_at"] > v["read_at"] and valid_from(u) <= t and not withdrawn(world, u, k)
        for u in undated_versions(world, v["doc"])
    )


# --- between documents ----------------------------------------------------------------------------------------------


def replacers(world, v, t, k, reader):
    """Return the versions that replace v once they are in force, earliest first, as the reader knows them at k."""
    found = [
        w
        for w in all_versions(world)
        if not undated(w)
        and w["observed"][0] <= k
        and not void(world, w, k)
        and may_read(world, reader, w["doc"])
        and replaces(world, w, v, t, k, reader)
    ]
    return sorted(found, key=lambda w: (valid_from(w), w["observed"], w["doc"], linear(w)))


def replaces(world, w, v, t, k, reader):
    if w["doc"] == v["doc"]:
        return not undated(v) and before(v, w)
    if v["doc"] in links_at_work(world, w, k, reader):
        return True
    return by_place(world, w, v, t, k, reader)


def by_place(world, w, v, t, k, reader):
    """Order alone replaces only what declares no end and says something else."""
    declares_end = v["until"] is not None and not v["ttl"]
    if declares_end or w["hash"] == v["hash"] or world[w["doc"]]["series"] != world[v["doc"]]["series"]:
        return False
    if not placed_after(world, w["doc"], v["doc"]):
        return False
    for u in all_versions(world):
        at_work = links_at_work(world, u, k, reader)
        if u["doc"] == v["doc"] and w["doc"] in at_work:
            return False
        if valid_from(u) <= t and w["doc"] in at_work:
            return False
    return True


def placed_after(world, b, a):
    first_b, first_a = first_version(world, b), first_version(world, a)
    if first_a is None or first_b is None:
        return False
    place_b, place_a = place(first_b), place(first_a)
    if place_b == place_a and first_a["sequence"] is not None and first_b["sequence"] is not None:
        return first_b["sequence"] > first_a["sequence"]
    return place_b > place_a


def first_version(world, doc):
    versions = dated_versions(world, doc) if doc in world else []
    return min(versions, key=linear, default=None)


def place(first):
    return (valid_from(first), first["observed"][0])


# --- links ----------------------------------------------------------------------------------------------------------


def links_there(world, w, k, reader):
    """Return the documents that w names, where its links exist at k for this reader and are not against the dates."""
    if undated(w) or w["observed"][0] > k or void(world, w, k) or not may_read(world, reader, w["doc"]):
        return []
    return [a for a in w["supersedes"] if not against_the_dates(world, w, a)]


def against_the_dates(world, w, a):
    first = first_version(world, a)
    return first is not None and valid_from(first) > valid_from(w)


def links_at_work(world, w, k, reader):
    return [a for a in links_there(world, w, k, reader) if not comes_back(world, w["doc"], a, k, reader)]


def comes_back(world, b, a, k, reader):
    """Walk the links from a; a link b -> a lies on a circle where the walk comes to b."""
    reached, new = set(), {a}
    while new:
        reached |= new
        new = {
            c
            for w in all_versions(world)
            if w["doc"] in reached
            for c in links_there(world, w, k, reader)
            if c not in reached
        }
    return b in reached
