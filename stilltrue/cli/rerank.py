"""Own `stilltrue rerank`: candidates as JSON lines in, ranked JSON lines out, without an index."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stilltrue.cli import options, output

if TYPE_CHECKING:
    from reranker.candidate import Candidate


def rerank(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The question; may be empty where all have scores.")],
    as_of: options.AsOf = None,
    known_at: options.KnownAt = None,
    from_: Annotated[str | None, typer.Option("--from", metavar="MOMENT", help="Only what held after that.")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="MOMENT", help="Only what held up to then.")] = None,
    zone: options.Zone = None,
    scale: Annotated[
        str | None,
        typer.Option(
            "--scale",
            metavar="NAME",
            help="Of the key score: cosine, half_cosine, inverse_distance, bm25:MAX, range:LOW:HIGH or logit.",
        ),
    ] = None,
    principal: options.Principal = None,
    top_k: Annotated[int | None, typer.Option("--top-k", help="Lines at most; default: one a candidate.")] = None,
    per_document: Annotated[int | None, typer.Option("--per-document", help="Ranked passages of one document.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Add where each score came from.")] = False,
    scoring: Annotated[
        str | None, typer.Option("--scoring", metavar="NAME", help="default, additive or off.")
    ] = None,
    config: options.Config = None,
    _json: Annotated[bool, typer.Option("--json", help="Print errors as JSON too; results always are.")] = False,
    _debug: options.Debug = False,
) -> None:
    """Rank candidates of any search engine: a JSON object a line on stdin, one a line on stdout, no index needed.

    A line holds id, text or scores (relevance; bm25 with bm25_max; cosine; score with --scale), and dates (observed_at,
    valid_from, valid_until, superseded_at). What may not be served comes last, with score 0 and its codes.
    """
    rules = {
        "scale": scale,
        "principals": tuple(principal or ()),
        "top_k": top_k,
        "per_document": per_document,
        "explain": explain,
    }
    moments = (as_of, known_at, (from_, until))
    for line in _ranked(query, options.desk(config), moments, rules | {"zone": zone, "scoring": scoring}):
        output.print_json(line)


Moments = tuple[str | None, str | None, tuple[str | None, str | None]]


def _ranked(query: str, desk: options.Desk, asked: Moments, rules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Read the candidates on stdin and yield the lines to print."""
    from reranker.moments import resolve_moments
    from reranker.rerank import RerankOptions
    from reranker.rerank import rerank as rank
    from stilltrue.models import load_embedder
    from stilltrue.reranking import ranked_lines

    settings, now = desk.settings, desk.clock()
    rules["zone"] = rules["zone"] or settings.ingest.zone
    rules["scoring"] = rules["scoring"] or settings.search.scoring
    as_of, known_at, period = asked
    moments = resolve_moments(as_of, known_at, now=now, zone=rules["zone"], period=period)
    chosen = RerankOptions(**rules, period=moments.period)
    candidates = read_candidates(sys.stdin.buffer, chosen.scale, chosen.zone)
    answer = rank(
        candidates,
        query,
        as_of=moments.as_of,
        known_at=moments.known_at,
        now=now,
        options=chosen,
        embedder=load_embedder(settings.embedder),
        profiles=settings.profiles(),
        settings=settings.search.limits(),
    )
    places = {candidate.passage_id: place for place, candidate in enumerate(candidates)}
    yield from ranked_lines(answer, places, top_k=chosen.top_k)


def read_candidates(stream: Iterable[bytes], scale: str | None, zone: str) -> list[Candidate]:
    """Read one candidate a line; blank lines are passed over, and one without an id has the number of its line.

    Raises:
        RequestError: a line that is no candidate, by its number; nothing is ranked then.
    """
    from reranker.candidate import read_candidate
    from reranker.errors import RequestError
    from reranker.scales import parse_scale

    scores = None if scale is None else parse_scale(scale)
    candidates: list[Candidate] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            candidate = read_candidate(_parsed(line), number, scale=scores, zone=zone)
        except RequestError as error:
            detail = error.detail.removesuffix(f" at {number}")
            raise RequestError(error.field, f"line {number}: {detail}", remedy=error.remedy) from error
        first = lines.setdefault(candidate.passage_id, number)
        if first != number:
            detail = f"line {number}: id {candidate.passage_id!r} stands in line {first} too"
            raise RequestError("candidates", detail, remedy="give each candidate its own id")
        candidates.append(candidate)
    return candidates


def _parsed(line: bytes) -> dict[str, Any]:
    from reranker.errors import RequestError

    try:
        text = line.decode("utf-8-sig")
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()  # half a character, written as an escape, is none
    except UnicodeError as error:
        raise RequestError("candidates", "text must be UTF-8", remedy="convert it") from error
    except (ValueError, RecursionError) as error:
        why = error.msg if isinstance(error, json.JSONDecodeError) else "too many levels or digits"
        raise RequestError("candidates", f"is no JSON ({why})", remedy="write one JSON object a line") from error
    if not isinstance(value, dict):
        raise RequestError("candidates", f"must be a JSON object, got {value!r:.40}", remedy="write {…}")
    return value
