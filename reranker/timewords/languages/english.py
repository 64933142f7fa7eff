"""Own the English table: how English says when."""

from __future__ import annotations

from typing import Final

from reranker.timewords.languages import Language, each
from reranker.timewords.languages.english_guards import GUARDS, JOINTS

_ONES: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_NTHS: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth"
)
_TENS: Final = {ten: 10 * n for n, ten in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}


def _numbers() -> dict[str, object]:
    """Return one to ninety-nine, and a hundred."""
    ones = {word: number for number, word in enumerate(_ONES.split(), 1)}
    tens = {f"{ten}-{one}": base + ones[one] for ten, base in _TENS.items() for one in _ONES.split()[:9]}
    return {**ones, **_TENS, **tens, "hundred": 100}


def _ordinals() -> dict[str, object]:
    """Return first to ninety-ninth."""
    nths = {word: number for number, word in enumerate(_NTHS.split(), 1)}
    tens = {f"{ten}-{nth}": base + nths[nth] for ten, base in _TENS.items() for nth in _NTHS.split()[:9]}
    return {**nths, **tens, "twentieth": 20, "thirtieth": 30}


WORDS: Final = {
    "MONTH": each(
        "january jan=1; february feb=2; march mar=3; april apr=4; may=5; june jun=6; july jul=7; august aug=8;"
        "september sep sept=9; october oct=10; november nov=11; december dec=12"
    ),
    "WEEKDAY": each(
        "monday mon=0; tuesday tue tues=1; wednesday wed=2; thursday thu thur thurs=3; friday fri=4;"
        "saturday sat=5; sunday sun=6"
    ),
    "DAYNAME": each("monday=0; tuesday=1; wednesday=2; thursday=3; friday=4; saturday=5; sunday=6"),
    # A full stop behind these belongs to them.
    "SHORT": each("jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun=1"),
    "UNIT": each(
        "second seconds sec secs=second; minute minutes min mins=minute; hour hours hr hrs=hour; day days=day;"
        "week weeks wk wks=week; month months=month; quarter quarters=quarter; year years yr yrs=year;"
        "decade decades=decade; century centuries=century; half halves=half"
    ),
    # One of them, as in "this month"; the shorter than a day have no calendar name.
    "SPAN": each("day=day; week wk=week; month=month; quarter=quarter; year yr=year; decade=decade; century=century"),
    # Behind a number; "5m" is minutes to some and months to others, so to nobody here.
    "ABBREVIATED": each("h hr=hour; d=day; w wk=week; mo=month; y yr=year"),
    "NUMBER": _numbers(),
    "A": each("a an=1"),
    "NTH": _ordinals(),
    "NAMED": each("today=0; yesterday=-1; tomorrow=1"),
    "LAST": each("last=-1; previous preceding prior=-2"),
    "PAST": each("past=-1"),
    "THIS": each("this current=0"),
    "NEXT": each("next coming=1"),
    "PART": each("early=early; mid middle=middle; late=late"),
    "EDGE": each("beginning start=start; end close=end; middle=middle"),
    "SEASON": each("spring=spring; summer=summer; autumn fall=autumn; winter=winter"),
    # Month and day; the second kind only with "day" behind it.
    "FEAST": each("christmas xmas=1225; halloween=1031"),
    "DAYFEAST": each("earth=422; independence=704; valentine valentines=214; christmas=1225"),
    "YEARTODATE": each("ytd=1"),
    "THE": each("the=1"),
    "SIDE": each("before=-1; after=1"),
}

# Dates: what a moment or a stretch is called. (meaning, pattern)
DATES: Final = (
    # days
    ("iso day", "ISODAY"),
    ("instant", "INSTANT"),
    ("numeric day", "ODDDAY"),
    ("day of month", "DAY of? MONTH ,|of? YEAR"),
    ("day of month", "DAY of? MONTH , of YEAR"),
    ("day of month", "MONTH ,? DAY ,|of? YEAR"),
    ("day of month", "DAY of? MONTH of|in? DATE"),
    ("day of month", "DAY of? MONTH"),
    ("day of month", "MONTH ,? DAY"),
    ("day of month", "MONTH -|/ DAY"),
    ("spelled day", "YEAR -|/ MONTH -|/ DAY"),
    ("spelled day", "DAY -|/ MONTH -|/ YEAR|YY"),
    ("spelled day", "DAY MONTH YY"),
    ("weekday and day", "WEEKDAY ,? the? DATE"),
    ("fixed day", "FEAST day? ,? YEAR"),
    ("fixed day", "DAYFEAST day ,? YEAR"),
    ("day of", "DAY of the? DATE"),
    ("named day", "NAMED"),
    ("this unit", "THIS SPAN"),
    ("last weekday", "LAST|PAST WEEKDAY"),
    ("this weekday", "THIS WEEKDAY"),
    ("next weekday", "NEXT WEEKDAY"),
    ("weekday", "DAYNAME"),
    ("short weekday", "WEEKDAY"),
    ("weekday of", "WEEKDAY of|from|in? the? DATE"),
    ("weekday of", "LAST SPAN WEEKDAY"),
    ("nth weekday", "NTH WEEKDAY of|in the? DATE"),
    ("final weekday", "last WEEKDAY of|in the? DATE"),
    ("ago", "NUMBER|A UNIT ago"),
    ("ago", "NUMBERUNIT ago"),
    ("couple ago", "a? couple of? UNIT ago"),
    ("half ago", "half a|an UNIT ago"),
    ("one and a half ago", "a|one UNIT and a half ago"),
    ("units beside", "NUMBER|A UNIT SIDE DATE"),
    ("units beside", "day SIDE DATE"),
    ("units beside", "the day SIDE DATE"),
    ("this time last", "this time LAST SPAN"),
    # weeks
    ("iso week", "ISOWEEK"),
    ("week of year", "calendar? week NUMBER ,|of|in? YEAR"),
    ("week of year", "YEAR week NUMBER"),
    ("week of year", "WEEKNAME of? YEAR"),
    ("week of year", "YEAR WEEKNAME"),
    ("week", "calendar week NUMBER"),
    ("week", "WEEKNAME"),
    ("week around", "the? week of DATE"),
    # months
    ("iso month", "ISOMONTH"),
    ("iso month", "YEAR / MONTHNUMBER"),
    ("iso month", "MONTHNUMBER -|/ YEAR"),
    ("month of year", "MONTH ,|of|in? YEAR"),
    ("month of year", "MONTH -|/ YEAR"),
    ("month of year", "MONTH ' TWODIGITS"),
    ("month of year", "YEAR ,|-|/? MONTH"),
    ("month of year", "MONTH of|in? DATE"),
    ("last month name", "LAST MONTH"),
    ("this month name", "THIS MONTH"),
    ("next month name", "NEXT MONTH"),
    ("month", "MONTH"),
    # quarters, halves, seasons
    ("fiscal quarter", "QUARTER of? FISCAL"),
    ("fiscal quarter", "FISCAL QUARTER"),
    ("quarter of year", "QUARTER ,|of|in|-? YEAR"),
    ("quarter of year", "YEAR -|,? QUARTER"),
    ("quarter of year", "YEARQUARTER"),
    ("quarter of year", "QUARTER ' TWODIGITS"),
    ("quarter of year", "QUARTER of|in? DATE"),
    ("quarter", "QUARTER"),
    ("quarter", "NTH quarter"),
    ("season of year", "SEASON ,|of|in? YEAR"),
    ("season of year", "SEASON of? DATE"),
    ("last season", "LAST SEASON"),
    ("this season", "THIS SEASON"),
    # years and longer
    ("stated year", "year|cy YEAR"),
    ("stated year", "calendar year YEAR"),
    ("fiscal year", "FISCAL"),
    ("fiscal year", "fiscal year? YEAR"),
    ("decade", "DECADE"),
    ("short decade", "'? SHORTDECADE"),
    ("century", "NTH -? century"),
    ("year", "YEAR"),
    # counted from now
    ("last unit", "LAST SPAN"),
    ("next unit", "NEXT SPAN"),
    ("unit before last", "the? SPAN before last"),
    ("past units", "PAST UNIT"),
    ("past units", "LAST|PAST NUMBER UNIT"),
    ("past units", "LAST|PAST NUMBERUNIT"),
    ("past units", "NUMBER LAST|PAST UNIT"),
    ("past couple", "LAST|PAST couple of? UNIT"),
    ("next units", "NEXT NUMBER UNIT"),
    ("to date", "SPAN to date"),
    ("to date", "SPAN - to - date"),
    ("year to date", "YEARTODATE"),
    # parts of others
    ("the unit", "the SPAN"),
    ("nth unit", "NTH UNIT of|in? the? DATE"),
    ("final unit", "last UNIT of|in the? DATE"),
    ("part", "PART -? DATE"),
    ("part", "PART|EDGE of the? DATE"),
    ("part", "the PART|EDGE of the? DATE"),
    # stretches inside one month
    ("days of month", "DAY -|to|through|until DAY of? MONTH ,|of? YEAR"),
    ("days of month", "DAY -|to|through|until DAY of? MONTH"),
    ("days of month", "MONTH DAY -|to|through|until DAY ,|of? YEAR"),
    ("days of month", "MONTH DAY -|to|through|until DAY"),
    ("years", "YEARS"),
    ("stated years", "year|years YEARS"),
    ("years", "YEAR ~|through YEAR"),
)

# Spans: what is said of dates and releases. (operator, pattern)
SPANS: Final = (
    ("alone", "THE? DATE"),
    ("in", "back? in|during|throughout|within THE? DATE"),
    ("on", "on|over|at|around THE? DATE"),
    ("from", "from THE? DATE"),
    ("since", "ever? since THE? DATE"),
    ("since", "on or after THE? DATE"),
    ("since", "not before THE? DATE"),
    ("since", "no|not earlier than THE? DATE"),
    ("since", "starting on|in|from|with? THE? DATE"),
    ("since", "from THE? DATE on|onward|onwards|forward"),
    ("since", "THE? DATE onward|onwards"),
    ("since", "THE? DATE and|or later|greater|after|newer|onward|onwards"),
    ("after", "after THE? DATE"),
    ("after", "later|newer than THE? DATE"),
    ("before", "sometime|sometimes? before THE? DATE"),
    ("before", "prior to THE? DATE"),
    ("before", "earlier|older than THE? DATE"),
    ("until", "until|till|til|by THE? DATE"),
    ("until", "up to|until|till THE? DATE"),
    ("until", "on or before THE? DATE"),
    ("until", "not after THE? DATE"),
    ("until", "no|not later than THE? DATE"),
    ("until", "THE? DATE and|or earlier|before|older"),
    ("between", "between THE? DATE ,? and|to|-|~|through THE? DATE"),
    ("between", "from THE? DATE ,? to|until|till|til|through|thru|-|~ THE? DATE"),
    ("between", "in|during THE? DATE through|to|-|~ THE? DATE"),
    ("bare pair", "DATE to|until|till|through|-|~ DATE"),
    ("to now", "between THE? DATE and|to the? now|present"),
    ("to now", "from THE? DATE to|until|till|through the? now|present"),
    ("to now", "DATE to|until|till|through the? now|present"),
    ("within", "between|from DATE"),
    ("adjacent", "in|during THE? DATE and THE? DATE"),
    ("as of", "as of|at|on THE? DATE"),
    ("in", "back? in|during|with RELEASE"),
    ("in", "as of RELEASE"),
    ("since", "ever? since RELEASE"),
    ("since", "from RELEASE on|onward|onwards"),
    ("after", "after RELEASE"),
    ("before", "before RELEASE"),
    ("before", "prior to RELEASE"),
    ("until", "until|till RELEASE"),
    ("until", "up to RELEASE"),
    ("between", "between RELEASE and RELEASE"),
    ("between", "from RELEASE to RELEASE"),
    ("between", "RELEASE to RELEASE"),
)

LANGUAGE: Final = Language(
    code="en",
    words=WORDS,
    dates=DATES,
    spans=SPANS,
    guards=GUARDS,
    release_words=frozenset(("version", "release", "v", "the")),
    joints=JOINTS,
    possessive="'s",
)
