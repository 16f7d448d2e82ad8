"""When something happened, as people write it: `ontem 7h30`, `sexta de tardinha`, `15 pras 7`, `5/12 às 19h`."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

_ONE_DAY = timedelta(days=1)
_SLACK = timedelta(minutes=10)
"""Clocks differ: this much after now is still now."""

_BACK = {"anteontem": 2, "antes de ontem": 2, "ontem": 1, "onti": 1, "hoje": 0, "hj": 0}
_NOW = re.compile(r"\b(agora|agorinha|neste momento|nesse momento|ha pouco|faz pouco|acabou de|acabei de)\b")
_WEEKDAYS = {
    "segunda": 0, "seg": 0, "terca": 1, "quarta": 2, "qua": 2, "quinta": 3, "qui": 3, "sexta": 4,
    "sex": 4, "sabado": 5, "sab": 5, "domingo": 6,
}  # fmt: skip
_WEEKDAY = re.compile(
    rf"\b({'|'.join(_WEEKDAYS)})(?:[- ]feira)?\b(?! vez| van| parada| viagem)( passad[ao])?",
)
_MONTHS = (
    "janeiro", "fevereiro", "marco", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
    "novembro", "dezembro",
)  # fmt: skip
_WRITTEN = re.compile(r"\b([0-3]?\d)[/-]([01]?\d)(?:[/-](\d{4}|\d\d))?\b")
_NAMED = re.compile(rf"\b([0-3]?\d)[º°o]? de ({'|'.join(_MONTHS)})(?: de (\d{{4}}))?\b")
_OF_MONTH = re.compile(r"\bdia ([0-3]?\d)\b")

_COUNTED = "zero uma duas tres quatro cinco seis sete oito nove dez onze doze"
_NUMBERS = {
    **{word: number for number, word in enumerate(_COUNTED.split())},
    **{"um": 1, "dois": 2, "quinze": 15, "vinte": 20, "trinta": 30, "quarenta": 40, "meia": 30, "pouco": 0},
}
_NUMBER = rf"(\d{{1,2}}|{'|'.join(_NUMBERS)})"
_PERIODS = "manha|matina|manhazinha|madrugada|tarde|tardinha|noite|noitinha"
_PERIOD = rf"(?:\s*(?:d[ae]|a|pela|na)\s+({_PERIODS}))?"
_MINUTES = r"(meia|quinze|vinte|trinta|quarenta|dez|cinco|pouco|\d{1,2})"
_TO = re.compile(rf"\b{_NUMBER} (?:minutos )?(?:pras|pra|para as|para a|para) {_NUMBER}\b{_PERIOD}")
_DIGITS = re.compile(
    r"\b([01]?\d|2[0-4])(?:\s?h(?:oras?|rs?|s)?\s?([0-5]\d)?|:([0-5]\d)(?::[0-5]\d)?)\b(?:min)?" + _PERIOD
)
_HALF = re.compile(rf"\b{_NUMBER}(?: horas?)? e {_MINUTES}\b{_PERIOD}")
_ABOUT = "as|umas|la pelas|pelas|por volta das?"
_ROUND = re.compile(rf"\b(?:{_ABOUT}) {_NUMBER}\b(?! vez| pessoa| minuto){_PERIOD}")
_PLAIN = re.compile(rf"\b{_NUMBER} d[ae] ({_PERIODS})\b")
_NOON = re.compile(r"\bmeio[- ]dia( e meia)?\b")
_MIDNIGHT = re.compile(r"\bmeia[- ]noite\b")


@dataclass(frozen=True)
class When:
    """A local day, and the hour where one was named."""

    day: date
    clock: time | None = None


def read_when(words: str, now: datetime) -> When | None:
    """Read a day, and an hour if there is one; None when neither is found or both lie ahead of `now` (local)."""
    folded = _fold(words)
    rest, day = _read_day(folded, now.date())
    clock, midnight = _read_clock(rest)
    if day is None and clock is None:
        return When(now.date(), now.time().replace(second=0, microsecond=0)) if _NOW.search(folded) else None
    if midnight and day is not None:
        day += _ONE_DAY  # the end of the day that was named
    if day is None:
        day = now.date() if clock is not None and not _is_ahead(now.date(), clock, now) else now.date() - _ONE_DAY
    if day > now.date():
        return None
    return When(day, None if clock is not None and _is_ahead(day, clock, now) else clock)


def _is_ahead(day: date, clock: time, now: datetime) -> bool:
    return datetime.combine(day, clock) > now.replace(tzinfo=None) + _SLACK


def _read_day(folded: str, today: date) -> tuple[str, date | None]:
    """The day, and the words without it, so that its numbers are not taken for an hour."""
    for pattern, read in ((_WRITTEN, _written), (_NAMED, _named), (_OF_MONTH, _of_month), (_WEEKDAY, _weekday)):
        found = pattern.search(folded)
        if found is not None and (day := read(found, today)) is not None:
            return folded[: found.start()] + " " + folded[found.end() :], day
    for words, back in _BACK.items():
        if re.search(rf"\b{words}\b", folded):
            return folded, today - back * _ONE_DAY
    return folded, None


def _written(found: re.Match[str], today: date) -> date | None:
    year = found[3] and (int(found[3]) if len(found[3]) == 4 else 2000 + int(found[3]))
    return _past_day(int(found[1]), int(found[2]), year or None, today)


def _named(found: re.Match[str], today: date) -> date | None:
    return _past_day(int(found[1]), _MONTHS.index(found[2]) + 1, int(found[3]) if found[3] else None, today)


def _of_month(found: re.Match[str], today: date) -> date | None:
    month = today.replace(day=1)
    for _ in range(3):
        day = _real_day(month.year, month.month, int(found[1]))
        if day is not None and day <= today:
            return day
        month = (month - _ONE_DAY).replace(day=1)
    return None


def _weekday(found: re.Match[str], today: date) -> date | None:
    back = (today.weekday() - _WEEKDAYS[found[1]]) % 7
    return today - (back or (7 if found[2] else 0)) * _ONE_DAY


def _past_day(day: int, month: int, year: int | None, today: date) -> date | None:
    """The day itself where a year is named, else the last such day; None for what is no day."""
    if year is not None:
        return _real_day(year, month, day)
    tried = (_real_day(today.year - back, month, day) for back in range(5))
    return next((one for one in tried if one is not None and one <= today), None)


def _real_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _read_clock(folded: str) -> tuple[time | None, bool]:
    """The hour, and whether it is the midnight that ends a day."""
    if _MIDNIGHT.search(folded):
        return time(0), True
    if found := _NOON.search(folded):
        return time(12, 30 if found[1] else 0), False
    if found := _TO.search(folded):
        hour, minutes = _number(found[2]), _number(found[1])
        return _clock(hour - 1 if minutes else hour, 60 - minutes if minutes else 0, found[3]), False
    if found := _DIGITS.search(folded):
        return _clock(int(found[1]), int(found[2] or found[3] or 0), found[4]), False
    if found := _HALF.search(folded):
        return _clock(_number(found[1]), _number(found[2]), found[3]), False
    if found := _ROUND.search(folded) or _PLAIN.search(folded):
        return _clock(_number(found[1]), 0, found[2]), False
    return None, False


def _clock(hour: int, minutes: int, period: str | None) -> time | None:
    if period in ("tarde", "tardinha", "noite", "noitinha") and 1 <= hour < 12:
        hour += 12
    elif period in ("noite", "madrugada") and hour == 12:
        hour = 0
    return time(hour % 24, minutes) if 0 <= hour <= 24 and 0 <= minutes < 60 else None


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]


def _fold(text: str) -> str:
    spread = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(sign for sign in spread if not unicodedata.combining(sign)).split())
