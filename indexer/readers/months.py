"""Own the names of months and weekdays that a declared date may use, in seven languages, and how text is folded.

English, French, German, Spanish, Italian, Dutch and Portuguese, full and short, lower case and without accents. A
name that stands here means the same month in every language that has it, so no language need be guessed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

_MONTHS: Final = (
    "january jan januar janner januari janvier janv enero ene gennaio gen janeiro",
    "february feb februar februari fevrier fevr fev febrero febbraio fevereiro",
    "march mar marz mrz mars marzo maart mrt marco",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio mag mei maio",
    "june jun juin juni junio giugno giu junho",
    "july jul juillet juil juli julio luglio lug julho",
    "august aug aout agosto ago augustus",
    "september sep sept septembre septiembre setiembre settembre set setembro",
    "october oct okt oktober octobre octubre ottobre ott outubro out",
    "november nov novembre noviembre novembro",
    "december dec dezember dez decembre diciembre dic dicembre dezembro",
)

# Monday first, as `datetime.date.weekday` counts. A short form may belong to two languages and two days.
_WEEKDAYS: Final = (
    "monday mon montag mo lundi lun lunes lunedi maandag ma segunda-feira seg",
    "tuesday tue tues dienstag di mardi mar martes martedi dinsdag terca-feira ter",
    "wednesday wed mittwoch mi mercredi mer miercoles mie mercoledi woensdag wo quarta-feira qua",
    "thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedi gio donderdag quinta-feira qui",
    "friday fri freitag fr vendredi ven viernes vie venerdi vrijdag vr sexta-feira sex",
    "saturday sat samstag sa samedi sam sabado sab sabato zaterdag za",
    "sunday sun sonntag so dimanche dim domingo dom domenica zondag zo",
)

MONTHS: Final[Mapping[str, int]] = {
    name: number for number, names in enumerate(_MONTHS, start=1) for name in names.split()
}


def weekdays_of(word: str) -> tuple[int, ...]:
    """Return the weekdays (Monday is 0) that a folded word can name; none for any other word."""
    return tuple(number for number, names in enumerate(_WEEKDAYS) if word in names.split())


def fold(text: str) -> str:
    """Return a text in lower case, without accents, with single plain spaces: composed and decomposed alike."""
    if text.isascii():
        return " ".join(text.lower().split())
    marks = unicodedata.normalize("NFKD", text)
    bare = "".join(char for char in marks if not unicodedata.combining(char))
    return " ".join(bare.lower().replace("ß", "ss").split())
