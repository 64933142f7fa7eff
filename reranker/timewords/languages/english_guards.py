"""Own the English guards: words beside which a number is no year and a name no month."""

from __future__ import annotations

from typing import Final

from reranker.timewords.languages import Guards


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


GUARDS: Final = Guards(
    number_nouns=_set(
        "rfc rfcs iso iec ieee din pep peps cve http https errno error errors code codes exit status port ports room"
        " section sections chapter page pages line lines paragraph clause article ticket tickets issue issues bug po"
        " order invoice number numbers no nr id ids key build builds version versions revision rev release releases"
        " patch step steps part parts sku serial model area building floor gate flight"
        " route highway channel slot node nodes shard cluster table figure fig appendix exercise question kb"
        " rows row records record items item tag case cases phone call fax tel pin zip"
    ),
    size_nouns=_set("limit limits level levels size sizes batch top max maximum min minimum threshold count total"),
    edition_nouns=_set("version versions api apis schema sdk build release spec specification preview edition"),
    units=_set(
        "percent eur euro usd dollar gbp chf yen kg km cm mm kb mb gb tb kib mib gib ms rpm mah px pt hz khz mhz ghz"
        " dims dpi qps rps tps bytes bit bits byte rows row requests request records record items item people"
        " users user tokens token words word pieces piece times chars char degrees meters metres miles feet watts volts"
        " threads thread cores core hours minutes seconds days weeks months years hour minute second day week month"
        " year more other different individual separate lines"
    ),
    moves=_set(
        "upgrade upgrades upgraded upgrading migrate migrates migrated migrating migration move moved moving convert"
        " converting switch switching port reduce reduced increase increased raise raised lower lowered grew dropped"
        " values value ids rows ports"
    ),
    amounts=_set("from by"),
    topics=_set("problem bug fools madness date time function functions every each annually"),
    plural="s",
    not_plural=_set("is was has does this thus as vs versus plus its us yes perhaps always news status"),
    links=_set("to until till thru through - ~"),
    pairs=_set("and or vs versus & ,"),
    homonyms=_set("may"),
    after_homonym=_set(
        "and or to until till through of in on at for from as vs versus with by but since before after between about"
        " when what which who how why where did was were is are onward onwards last this next"
    ),
)

# A product's name does not hold these.
JOINTS: Final = _set(
    "in on at to from of for and or by with is are was were does do did the a an as since before after until between"
    " when how what which who during over into than then via using use"
)
