"""Kinds of day, holidays and the span of a feed as typed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from gtfs.authoring.faults import Fault
from gtfs.authoring.sketch import DayKind, Sketch, SketchDays
from gtfs.folding import fold, slugify

LONGEST_SPAN = timedelta(days=1_100)
MOST_KINDS = 8
LONGEST_NAME = 60

_DATE = re.compile(r"(?P<day>\d{1,2})[/.-](?P<month>\d{1,2})(?:[/.-](?P<year>\d{4}|\d{2}))?\b", re.ASCII)
_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b", re.ASCII)


@dataclass(frozen=True, slots=True)
class KindText:
    """A kind of day as typed; `id` is blank for a new one, `number` names its boxes."""

    number: int
    id: str
    name: str
    weekdays: tuple[int, ...]
    holidays: bool


@dataclass(frozen=True, slots=True)
class DaysText:
    """The days as typed: dates as YYYY-MM-DD, holidays one per line."""

    first_day: str
    last_day: str
    kinds: tuple[KindText, ...]
    holidays: str


def read_days(text: DaysText, sketch: Sketch) -> tuple[SketchDays, tuple[Fault, ...]]:
    """The days; a kind that lines use may not go. Faults name `inicio`, `fim`, `feriados` or `tipo1_nome`."""
    faults: list[Fault] = []
    first, last = _read_day(text.first_day, "inicio", faults), _read_day(text.last_day, "fim", faults)
    if first and last and not timedelta() <= last - first <= LONGEST_SPAN:
        faults.append(Fault(1, "1", "o último dia vem depois do primeiro, no máximo três anos", "fim"))
    kinds = tuple(_read_kinds(text.kinds, sketch, faults))
    start, end = first or sketch.days.first_day, last or sketch.days.last_day
    holidays = _read_holidays(text.holidays, start, end, faults)
    return SketchDays(start, end, kinds, holidays), tuple(faults)


def write_holidays(days: Sequence[date]) -> str:
    """One date per line, as `read_days` reads them."""
    return "\n".join(f"{day:%d/%m/%Y}" for day in days)


def _read_day(text: str, field: str, faults: list[Fault]) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        faults.append(Fault(1, "1", "escreva o dia, o mês e o ano", field))
        return None


def _read_kinds(texts: Sequence[KindText], sketch: Sketch, faults: list[Fault]) -> list[DayKind]:
    kinds: list[DayKind] = []
    taken = {kind.id for kind in sketch.days.kinds}
    for text in texts:
        field = f"tipo{text.number}_nome"
        old = sketch.days.find_kind(text.id)
        if not text.name and not text.weekdays and not text.holidays:
            if old and (lines := _list_users(old, sketch)):
                advice = f"«{old.name}» tem horários nas linhas {', '.join(lines[:5])}: apague-os antes"
                faults.append(Fault(1, "1", advice, field))
            continue
        if not slugify(text.name) or len(text.name) > LONGEST_NAME:
            faults.append(Fault(1, "1", f"dê um nome de até {LONGEST_NAME} letras, como Dias úteis", field))
        if not text.weekdays and not text.holidays:
            faults.append(Fault(1, "1", "marque pelo menos um dia da semana", f"tipo{text.number}_dias"))
        if fold(text.name) in {fold(kind.name) for kind in kinds}:
            faults.append(Fault(1, "1", "há dois tipos de dia com este nome", field))
        id_ = text.id if old else _make_id(text.name, taken)
        taken.add(id_)
        kinds.append(DayKind(id_, text.name, text.weekdays, text.holidays))
    if not kinds and not faults:
        faults.append(Fault(1, "1", "é preciso pelo menos um tipo de dia", "tipo1_nome"))
    return kinds


def _list_users(kind: DayKind, sketch: Sketch) -> list[str]:
    return [line.code for line in sketch.lines if any(kind.id in way.times for way in line.ways)]


def _make_id(name: str, taken: set[str]) -> str:
    slug = slugify(name) or "dia"
    return next(id_ for n in range(1, len(taken) + 2) if (id_ := slug if n == 1 else f"{slug}-{n}") not in taken)


def _read_holidays(text: str, first: date, last: date, faults: list[Fault]) -> tuple[date, ...]:
    """One per line, a name after it is welcome; without a year, in every year of the span."""
    found: dict[date, int] = {}
    for row, line in enumerate(text.split("\n"), 1):
        plain = line.strip()
        if not plain:
            continue
        match = _ISO.match(plain) or _DATE.match(plain)
        days = _list_dates(match, first, last) if match else ()
        if not days:
            faults.append(Fault(row, "1", f"«{plain[:40]}» não é uma data: escreva como 25/12/2026", "feriados"))
        inside = [day for day in days if first <= day <= last]
        if days and not inside:
            words = f"fica fora do período, de {first:%d/%m/%Y} a {last:%d/%m/%Y}: apague-o"
            faults.append(Fault(row, "1", f"«{plain[:40]}» {words}", "feriados"))
        for day in inside:
            if day in found:
                faults.append(Fault(row, "1", f"{day:%d/%m/%Y} já está na linha {found[day]}", "feriados"))
            found.setdefault(day, row)
    return tuple(sorted(found))


def _list_dates(match: re.Match[str], first: date, last: date) -> tuple[date, ...]:
    year = match["year"]
    years = range(first.year, last.year + 1) if not year else (int(year) + (2000 if len(year) == 2 else 0),)
    found = []
    for one in years:
        try:
            found.append(date(one, int(match["month"]), int(match["day"])))
        except ValueError:
            continue
    return tuple(found) if year else tuple(day for day in found if first <= day <= last) or tuple(found)
