"""Own the German table: how German says when."""

from __future__ import annotations

from typing import Final

from reranker.timewords.languages import Guards, Language, each

_ENDINGS: Final = ("e", "en", "er", "es", "em")
_NUMBERS: Final = "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn"
_NTHS: Final = "erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft"


def _declined(text: str) -> dict[str, object]:
    """Read "stem=value; ...": every stem with each ending of an adjective."""
    return {stem + ending: value for stem, value in each(text).items() for ending in _ENDINGS}


WORDS: Final = {
    "MONTH": each(
        "januar jänner jan=1; februar feb=2; märz maerz mär=3; april apr=4; mai=5; juni jun=6; juli jul=7;"
        "august aug=8; september sep sept=9; oktober okt=10; november nov=11; dezember dez=12"
    ),
    "WEEKDAY": each(
        "montag mo=0; dienstag di=1; mittwoch mi=2; donnerstag do=3; freitag fr=4; samstag sonnabend sa=5; sonntag so=6"
    ),
    "DAYNAME": each("montag=0; dienstag=1; mittwoch=2; donnerstag=3; freitag=4; samstag sonnabend=5; sonntag=6"),
    "SHORT": each("jan feb mär apr jun jul aug sep sept okt nov dez mo di mi do fr sa so=1"),
    "UNIT": each(
        "sekunde sekunden=second; minute minuten=minute; stunde stunden std=hour; tag tage tagen tages=day;"
        "woche wochen=week; monat monate monaten monats=month; quartal quartale quartalen quartals=quarter;"
        "halbjahr halbjahre halbjahren halbjahres hälfte=half; jahr jahre jahren jahres=year;"
        "jahrzehnt jahrzehnte jahrzehnten=decade; jahrhundert jahrhunderte jahrhunderten=century"
    ),
    "SPAN": each(
        "tag=day; woche=week; monat monats=month; quartal quartals=quarter; jahr jahres jahre=year;"
        "jahrzehnt=decade; jahrhundert=century"
    ),
    "ABBREVIATED": each("h=hour; w=week; j=year"),
    "NUMBER": {
        **{word: n for n, word in enumerate(_NUMBERS.split(), 1)},
        **each("zwanzig=20; dreißig dreissig=30; hundert=100"),
    },
    "A": each("ein eine einem einer einen=1"),
    "NTH": _declined("; ".join(f"{stem}={n}" for n, stem in enumerate(_NTHS.split(), 1))),
    "NAMED": each("heute=0; gestern=-1; vorgestern=-2; morgen=1; übermorgen=2"),
    "LAST": _declined("letzt=-1; vorig vorherig=-2"),
    "PAST": _declined("vergangen=-1"),
    "THIS": _declined("dies laufend aktuell=0"),
    "NEXT": _declined("nächst kommend=1"),
    "BEFORELAST": _declined("vorletzt=-2"),
    "EDGE": each("anfang beginn=start; mitte=middle; ende=end"),
    "SEASON": each("frühling frühjahr=spring; sommer=summer; herbst=autumn; winter=winter"),
    "FEAST": each("weihnachten=1225; silvester=1231; neujahr=101"),
    "YEARTODATE": each("jahresbeginn jahresanfang=1"),
    "THE": each("der die das dem den des=1"),
}

DATES: Final = (
    ("iso day", "ISODAY"),
    ("instant", "INSTANT"),
    ("numeric day", "ODDDAY"),
    ("day of month", "DAY MONTH ,? YEAR"),
    ("day of month", "DAY MONTH DATE"),
    ("day of month", "DAY MONTH"),
    ("spelled day", "DAY -|/ MONTH -|/ YEAR|YY"),
    ("spelled day", "DAY MONTH YY"),
    ("weekday and day", "WEEKDAY ,? THE? DATE"),
    ("fixed day", "FEAST YEAR"),
    ("day of", "DAY des|der|vom DATE"),
    ("named day", "NAMED"),
    ("this unit", "THIS SPAN"),
    ("last weekday", "LAST|PAST WEEKDAY"),
    ("this weekday", "THIS WEEKDAY"),
    ("next weekday", "NEXT WEEKDAY"),
    ("weekday", "DAYNAME"),
    ("weekday of", "WEEKDAY DATE"),
    ("nth weekday", "NTH WEEKDAY im|in|des|der DATE"),
    ("final weekday", "LAST WEEKDAY im|in|des|der DATE"),
    ("ago", "vor NUMBER|A UNIT"),
    ("ago", "vor NUMBERUNIT"),
    ("half ago", "vor einem halben UNIT"),
    ("one and a half ago", "vor anderthalb|eineinhalb UNIT"),
    ("iso week", "ISOWEEK"),
    ("week of year", "kalenderwoche|kw|woche NUMBER ,|/|im? YEAR"),
    ("week of year", "WEEKNAME /|im? YEAR"),
    ("week", "kalenderwoche|kw NUMBER"),
    ("iso month", "ISOMONTH"),
    ("month of year", "MONTH ,|des|im? YEAR"),
    ("month of year", "MONTH -|/ YEAR"),
    ("month of year", "MONTH des|im? DATE"),
    ("last month name", "LAST MONTH"),
    ("this month name", "THIS MONTH"),
    ("next month name", "NEXT MONTH"),
    ("month", "MONTH"),
    ("fiscal year", "geschäftsjahr|geschäftsjahres YEAR"),
    ("fiscal year", "FISCAL"),
    ("quarter of year", "QUARTER ,|/|im? YEAR"),
    ("quarter of year", "YEAR QUARTER"),
    ("quarter of year", "YEARQUARTER"),
    ("quarter", "QUARTER"),
    ("quarter", "NTH quartal"),
    ("season of year", "SEASON YEAR"),
    ("season of year", "SEASON des? DATE"),
    ("last season", "LAST SEASON"),
    ("this season", "THIS SEASON"),
    ("stated year", "jahr|jahre|jahres|kalenderjahr YEAR"),
    ("decade", "DECADE jahre|jahren?"),
    ("short decade", "SHORTDECADE jahre|jahren?"),
    ("century", "NTH jahrhundert|jahrhunderts"),
    ("year", "YEAR"),
    ("last unit", "LAST SPAN"),
    ("next unit", "NEXT SPAN"),
    ("unit before last", "BEFORELAST SPAN"),
    ("past units", "PAST UNIT"),
    ("past units", "LAST|PAST NUMBER UNIT"),
    ("past units", "LAST|PAST NUMBERUNIT"),
    ("next units", "NEXT NUMBER UNIT"),
    ("year to date", "seit YEARTODATE"),
    ("the unit", "THE SPAN"),
    ("nth unit", "NTH UNIT DATE"),
    ("nth unit", "NTH UNIT des|der|von|vom|im|in THE? DATE"),
    ("final unit", "LAST UNIT des|der|von|vom|im|in THE? DATE"),
    ("part", "EDGE DATE"),
    ("part", "EDGE des|der|von|vom THE? DATE"),
    ("days of month", "DAY -|bis DAY MONTH YEAR"),
    ("days of month", "DAY -|bis DAY MONTH"),
    ("years", "YEARS"),
    ("years", "YEAR bis YEAR"),
)

SPANS: Final = (
    ("alone", "THE? DATE"),
    ("in", "im|in|während|innerhalb THE? DATE"),
    ("in", "damals im DATE"),
    ("on", "am|um|über THE? DATE"),
    ("in", "aus|von THE? DATE"),
    ("on", "vom DATE"),
    ("since", "seit|ab THE? DATE"),
    ("since", "seit|ab dem DATE"),
    ("since", "von|vom DATE an"),
    ("since", "DATE und|oder später|danach"),
    ("after", "nach THE? DATE"),
    ("before", "vor THE? DATE"),
    ("until", "bis THE? DATE"),
    ("until", "bis zu|zum|einschließlich THE? DATE"),
    ("until", "DATE und|oder früher|davor"),
    ("between", "zwischen THE? DATE und THE? DATE"),
    ("between", "von|vom THE? DATE bis|- THE? DATE"),
    ("between", "von|vom THE? DATE bis zum DATE"),
    ("bare pair", "DATE bis|- DATE"),
    ("to now", "von|vom THE? DATE bis jetzt"),
    ("to now", "zwischen DATE und jetzt"),
    ("within", "vom|von|zwischen DATE"),
    ("adjacent", "im DATE und DATE"),
    ("as of", "stand|per|zum DATE"),
    ("as of", "mit stand DATE"),
    ("as of", "stand vom|am|im|zum DATE"),
    ("in", "in|mit RELEASE"),
    ("since", "seit|ab RELEASE"),
    ("after", "nach RELEASE"),
    ("before", "vor RELEASE"),
    ("until", "bis RELEASE"),
    ("between", "zwischen RELEASE und RELEASE"),
    ("between", "von RELEASE bis|auf RELEASE"),
)

GUARDS: Final = Guards(
    number_nouns=frozenset(
        "rfc iso din en iec ieee pep cve http fehler fehlercode errno port raum zimmer seite seiten zeile artikel"
        " paragraph abschnitt kapitel ticket rechnung nr nummer id build version modell gebäude linie tabelle".split()
    ),
    size_nouns=frozenset("grenze limit größe maximum minimum höchstens mindestens".split()),
    edition_nouns=frozenset("version api schema sdk build release".split()),
    units=frozenset(
        "prozent euro eur franken kg km cm mm mb gb ms stück mal zeilen anfragen bytes tokens wörter personen"
        " mitarbeiter kunden stunden minuten sekunden tage tagen wochen monate monaten jahre jahren u/min".split()
    ),
    moves=frozenset("upgrade update migration migrieren umstieg wechsel aktualisieren erhöhen erhöht senken".split()),
    amounts=frozenset(("von", "um")),
    topics=frozenset("problem".split()),
    links=frozenset(("bis", "-", "~")),
    pairs=frozenset(("und", "oder", "gegen", "vs", ",")),
)

LANGUAGE: Final = Language(
    code="de",
    words=WORDS,
    dates=DATES,
    spans=SPANS,
    guards=GUARDS,
    ordinal="te|ten|ter|tes",
    decade="er|ern",
    date_order="DMY",
    dotted_dates=True,
    dotted_ordinals=True,
    release_words=frozenset(("version", "release", "der")),
    joints=frozenset(
        "in im am an zu von für und oder mit ist war die das dem den seit vor nach bis wie was wann".split()
    ),
)
