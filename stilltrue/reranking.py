"""Own `stilltrue.rerank`: candidates of any search engine, judged and ranked without an index.

Pure: no clock is read, no file but a model's. The moments are arguments, and what is relative counts from `now`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, TypedDict, Unpack

from mappings.document import Code
from mappings.errors import MomentError, ProfileError
from mappings.interval import parse_moment
from mappings.profile import DEFAULT_PROFILES, PROFILE_FIELDS, Profile, profile_for
from reranker.candidate import Candidate
from reranker.errors import RequestError
from reranker.moments import resolve_moments
from reranker.rerank import RerankOptions
from reranker.rerank import rerank as rank
from reranker.response import Dropped, Hit, SearchResponse
from stilltrue.arguments import Moment, Period, moment_text
from stilltrue.errors import did_you_mean
from stilltrue.models import load_embedder
from stilltrue.settings import EmbedderSettings
from store.embed import Embedder

Numbers = Mapping[str, Profile | Mapping[str, Any]]
_UNSERVED = ("passage_id", "doc_id", "version_id", "series", "title", "section", "state")


class RerankArguments(TypedDict, total=False):
    """What `rerank` may be told besides candidates, question and moments; see `reranker.rerank.RerankOptions`."""

    period: Period
    zone: str
    scale: str
    principals: Sequence[str]
    top_k: int
    per_document: int
    scoring: str
    explain: bool


def rerank(
    candidates: Sequence[Candidate | Mapping[str, Any]],
    *,
    query: str,
    as_of: Moment,
    known_at: Moment | None = None,
    now: Moment | None = None,
    profiles: Numbers | None = None,
    embedder: str | Embedder = "hashing",
    **options: Unpack[RerankArguments],
) -> SearchResponse:
    """Rank candidates that somebody else found: those that hold at `as_of`, best first; the rest in `dropped`.

    Args:
        candidates: tables with `id`, `text` or scores, and dates; see `reranker.candidate.read_candidate`.
        query: the question; measures candidates without scores. May be empty where all have some.
        as_of: the moment that the answer must hold for; a day, month or year means its end.
        known_at: up to when something may have been known. None: `as_of`, never later than `now`.
        now: what relative moments count from, and what tells whether `as_of` is past. None: `as_of` is not.
        profiles: numbers of time by content type; unset ones keep their default.
        embedder: its name, or one that is loaded.
        **options: `period`, `zone`, `scale` of raw scores, `principals`, `top_k`, `per_document`, `scoring`, `explain`.

    Raises:
        RequestError: a moment that is none, a raw score without a declared scale, two candidates with one id.
        ProfileError: a number of `profiles` that is not known, or out of its range.
    """
    zone, (start, end) = options.pop("zone", "UTC"), options.pop("period", (None, None))
    present = _moment("as_of", as_of, zone) if now is None else _moment("now", now, zone)
    moments = resolve_moments(
        moment_text(as_of),
        moment_text(known_at),
        now=present,
        zone=zone,
        period=(moment_text(start), moment_text(end)),
    )
    chosen: dict[str, Any] = {**options, "principals": tuple(options.get("principals", ()))}
    return rank(
        candidates,
        query,
        as_of=moments.as_of,
        known_at=moments.known_at,
        now=None if now is None else present,
        options=RerankOptions(**chosen, zone=zone, period=moments.period),
        embedder=load_embedder(EmbedderSettings(name=embedder)) if isinstance(embedder, str) else embedder,
        profiles=with_numbers(profiles or {}),
    )


def with_numbers(numbers: Numbers) -> dict[str, Profile]:
    """Return the default profiles, and over them what is given; raises ProfileError for a key that is not known."""
    profiles = dict(DEFAULT_PROFILES)
    for content_type, given in numbers.items():
        if isinstance(given, Profile):
            profiles[content_type] = given
            continue
        for key in given:
            if key not in PROFILE_FIELDS:
                detail = f"profile {content_type!r} has no number {key!r}"
                raise ProfileError(detail, remedy=did_you_mean(key, PROFILE_FIELDS))
        profiles[content_type] = replace(profile_for(content_type), **given)
    return profiles


def ranked_lines(answer: SearchResponse, places: Mapping[str, int], *, top_k: int | None) -> Iterator[dict[str, Any]]:
    """Yield every candidate once: the ranked ones, then those that may not be served, in the order they came in.

    Args:
        answer: of `rerank`.
        places: of the candidates as they came in, by passage_id.
        top_k: lines at most; None: all.
    """
    served = [hit.to_json(explain=answer.explain) for hit in answer.hits]
    rest = [*(_unserved(hit, hit.codes, hit.label) for hit in answer.undated)]
    rest += (_unserved(drop, (drop.code,), drop.sentence) for drop in answer.dropped or ())
    rest.sort(key=lambda line: places[line["passage_id"]])
    yield from islice([*served, *rest], top_k)


def _unserved(candidate: Hit | Dropped, codes: Sequence[Code], sentence: str) -> dict[str, Any]:
    """Return what is shown of a candidate that has no rank, and why; its score is that of nothing."""
    shown = {name: getattr(candidate, name) for name in _UNSERVED}
    why = {"codes": [str(code) for code in codes], "sentence": sentence}
    return {"rank": None, **shown, "state": str(candidate.state), "score": 0.0, **why}


def _moment(name: str, moment: Moment, zone: str) -> int:
    """Return the last instant of a moment that stands for itself: nothing is relative to nothing."""
    try:
        return parse_moment(moment_text(moment) or "", zone=zone).last
    except MomentError as error:
        raise RequestError(name, f"{name}: {error.detail}", remedy=error.remedy) from error
