"""Own what the rows for spans mean: "since", "between … and …", "as of", applied to dates and releases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from reranker.timewords.grammar import Values
from reranker.timewords.granules import Granule, Strength
from reranker.timewords.model import Role
from reranker.timewords.moment import FIRST_INSTANT, LAST_INSTANT, Moment
from reranker.timewords.releases import ReleaseSpan

# Days that are stated, not counted: "from 2024-03-15" starts there, "from last week" lies in it.
_STATED_DAYS: Final = frozenset(("iso day", "numeric day", "spelled day", "day of month", "fixed day", "instant"))
_WEEKDAYS: Final = frozenset(("weekday", "short weekday"))


@dataclass(frozen=True, slots=True)
class Draft:
    """What a row for spans says, before the guards have looked at the words around it.

    Attributes:
        role: what is asked for.
        low, high: bounds in µs, None for open.
        dates: the granules it was made of; empty for releases.
        refusal: why it may not be read.
    """

    role: Role
    low: int | None
    high: int | None
    dates: tuple[Granule, ...] = ()
    refusal: str = ""


Operator = Callable[[Moment, Values, bool], Draft | None]


def read_span(name: str, moment: Moment, values: Values, *, whole: bool) -> Draft | None:
    """Return what a row for spans means, or None where it does not apply.

    Args:
        name: of the operator.
        moment: of the question.
        values: dates or releases of the row.
        whole: whether nothing else stands in the question.
    """
    if "RELEASE" in values:
        return _of_releases(name, values)
    if "THE" in values and any(values[key].rule in ("year", "years") for key in ("DATE", "DATE2") if key in values):
        return None  # "in the 2020 budget" is about a budget
    try:
        draft = OPERATORS[name](moment, values, whole)
    except (ValueError, OverflowError):
        return None
    if draft is None or draft.refusal:
        return draft
    low = None if draft.low is None or draft.low <= FIRST_INSTANT else draft.low
    high = None if draft.high is None or draft.high >= LAST_INSTANT else draft.high
    empty = (low is None and high is None) or (low is not None and high is not None and low >= high)
    return None if empty else replace(draft, low=low, high=high)


def _draft(granule: Granule, low: int | None, high: int | None, role: Role = Role.RANGE) -> Draft:
    return Draft(role, low, high, (granule,), granule.refusal)


def _alone(moment: Moment, values: Values, whole: bool) -> Draft | None:
    granule: Granule = values["DATE"]
    if granule.strength is Strength.INNER or (granule.strength > Strength.ALONE and not whole):
        return None
    # "today" asks for what holds now, not for what was written since midnight
    role = Role.CUE if _is_today(moment, granule) else Role.RANGE
    return _draft(granule, *moment.bounds(granule), role)


def _is_today(moment: Moment, granule: Granule) -> bool:
    return granule.grain == "day" and granule.start == moment.today and granule.rule in ("named day", "this unit")


def _in(moment: Moment, values: Values, _: bool) -> Draft | None:
    granule: Granule = values["DATE"]
    # "in today's Python" is no day
    if granule.strength > Strength.WORD or granule.rule in _WEEKDAYS or _is_today(moment, granule):
        return None
    return _draft(granule, *moment.bounds(granule))


def _on(moment: Moment, values: Values, _: bool) -> Draft | None:
    granule: Granule = values["DATE"]
    if granule.strength > Strength.WORD or (granule.strength is Strength.WORD and granule.grain != "day"):
        return None
    return _draft(granule, *moment.bounds(granule))


def _from(moment: Moment, values: Values, whole: bool) -> Draft | None:
    granule: Granule = values["DATE"]
    return _since(moment, values, whole) if granule.rule in _STATED_DAYS else _in(moment, values, whole)


def _since(moment: Moment, values: Values, _: bool) -> Draft | None:
    granule = _usable(values)
    return None if granule is None else _draft(granule, _edge(moment, granule, 0), None)


def _after(moment: Moment, values: Values, _: bool) -> Draft | None:
    granule = _usable(values)
    return None if granule is None else _draft(granule, _edge(moment, granule, 1), None)


def _before(moment: Moment, values: Values, _: bool) -> Draft | None:
    granule = _usable(values)
    return None if granule is None else _draft(granule, None, _edge(moment, granule, 0))


def _until(moment: Moment, values: Values, _: bool) -> Draft | None:
    granule = _usable(values)
    return None if granule is None else _draft(granule, None, _edge(moment, granule, 1))


def _usable(values: Values) -> Granule | None:
    granule: Granule = values["DATE"]
    return granule if granule.strength <= Strength.WORD else None


def _edge(moment: Moment, granule: Granule, side: int) -> int:
    """Return the start (0) or end (1) of a granule; "the end of March" is one boundary whichever side is asked for."""
    return moment.bounds(granule)[side] if granule.edge is None else moment.instant(granule.edge)


def _as_of(moment: Moment, values: Values, _: bool) -> Draft | None:
    granule = _usable(values)
    if granule is None or granule.grain == "rolling":
        return None
    return _draft(granule, *moment.bounds(granule), Role.AS_OF)


def _pair(values: Values) -> tuple[Granule, Granule] | None:
    """Return two ends of a range, each in the year that the other gives it where its own is not stated."""
    first, second = values["DATE"], values["DATE2"]
    if first.strength > Strength.WORD or second.strength > Strength.WORD:
        return None
    if first.instants or second.instants:
        return first, second
    if first.resolve and not second.resolve:
        first = _towards(first, second.start, (0, -1), lambda found: found.start <= second.start)
    elif second.resolve:
        start = first.start
        second = _towards(second, start, (0, 1), lambda found: found.start >= start)
    return (first, second) if first and second else None


def _towards(granule: Granule, day: int, years: tuple[int, int], fits: Callable[[Granule], bool]) -> Granule | None:
    year = date.fromordinal(day).year
    found = (granule.resolve(year + step) if granule.resolve else None for step in years)
    return next((replace(one, rule=granule.rule) for one in found if one is not None and fits(one)), None)


def _between(moment: Moment, values: Values, _: bool) -> Draft | None:
    if values["DATE"].rule in _WEEKDAYS and values["DATE2"].rule in _WEEKDAYS:
        return Draft(Role.RANGE, None, None, (values["DATE"], values["DATE2"]), "days of a schedule")
    pair = _pair(values)
    if pair is None:
        return None
    first, second = pair
    return Draft(Role.RANGE, moment.bounds(first)[0], moment.bounds(second)[1], pair, first.refusal or second.refusal)


def _bare_pair(moment: Moment, values: Values, whole: bool) -> Draft | None:
    dates: tuple[Granule, Granule] = values["DATE"], values["DATE2"]
    sure = Strength.ALONE in (dates[0].strength, dates[1].strength) or all(date.rule in _WEEKDAYS for date in dates)
    return _between(moment, values, whole) if sure or whole else None


def _to_now(moment: Moment, values: Values, _: bool) -> Draft | None:
    granule = _usable(values)
    return None if granule is None else _draft(granule, moment.bounds(granule)[0], moment.now)


def _within(moment: Moment, values: Values, whole: bool) -> Draft | None:
    return _in(moment, values, whole) if values["DATE"].rule in ("days of month", "years", "stated years") else None


def _adjacent(moment: Moment, values: Values, whole: bool) -> Draft | None:
    draft = _between(moment, values, whole)
    if draft is None or draft.dates[0].end == draft.dates[1].start:
        return draft
    return replace(draft, refusal="several periods that do not touch")


def _of_releases(name: str, values: Values) -> Draft | None:
    first: ReleaseSpan = values["RELEASE"]
    last: ReleaseSpan = values.get("RELEASE2", first)
    low, high = {
        "in": (first.start, first.end),
        "between": (first.start, last.end),
        "since": (first.start, None),
        "after": (first.end, None),
        "before": (None, first.start),
        "until": (None, first.end),
    }[name]
    refusal = first.refusal or last.refusal
    if not refusal and low is None and high is None:
        refusal = "no later release is known"
    if not refusal and low is not None and high is not None and low >= high:
        refusal = "the second release is not the later one"
    return Draft(Role.RANGE, low, high, (), refusal)


OPERATORS: Final[dict[str, Operator]] = {
    "alone": _alone,
    "in": _in,
    "on": _on,
    "from": _from,
    "since": _since,
    "after": _after,
    "before": _before,
    "until": _until,
    "between": _between,
    "bare pair": _bare_pair,
    "to now": _to_now,
    "within": _within,
    "adjacent": _adjacent,
    "as of": _as_of,
}
