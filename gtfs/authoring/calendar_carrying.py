"""The calendar of a feed -> kinds of day, and what of it they cannot hold."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from gtfs.authoring.sketch import DayKind, SketchDays
from gtfs.clock import parse_date
from gtfs.folding import slugify
from gtfs.raw import RawFeed

_ADDED = "1"
_COLUMNS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS = ("Segunda", "Terça", "Quarta", "Quinta", "Sexta", "Sábado", "Domingo")


def carry_days(feed: RawFeed, used: set[str], losses: list[str]) -> SketchDays | None:
    """Kinds of day for the services of calendar.txt that trips use; None when there is none.

    A date with exceptions becomes a holiday when every service does on it what it does on holidays.
    """
    rows = _read_calendar(feed, used)
    dates = _read_exceptions(feed)
    if lost := sorted(used - rows.keys() - {""}):
        losses.append(f"Dias que só existem como datas soltas: {', '.join(lost[:5])}.")
    if not rows:
        return None
    spans = {(first, last) for _, first, last in rows.values()}
    first_day, last_day = min(span[0] for span in spans), max(span[1] for span in spans)
    if len(spans) > 1:
        losses.append(f"Períodos diferentes de cada tipo de dia: todos ficam de {first_day} a {last_day}.")
    weekdays = {id_: days for id_, (days, _, _) in rows.items()}
    running = {id_ for id_ in rows if any(changes.get(id_) == _ADDED for changes in dates.values())}
    running |= {id_ for id_ in rows if _always_stays(id_, weekdays[id_], dates)}
    holidays = [day for day, changes in sorted(dates.items()) if first_day <= day <= last_day]
    held = [day for day in holidays if _is_holiday(day, dates[day], weekdays, running)]
    if odd := [day for day in holidays if day not in held]:
        told = ", ".join(f"{day:%d/%m/%Y}" for day in odd[:10])
        losses.append(f"Datas que não são como os outros feriados do arquivo: {told}.")
    kinds = tuple(
        DayKind(id_, name, weekdays[id_], id_ in running) for id_, name in _name_kinds(weekdays, running).items()
    )
    return SketchDays(first_day, last_day, kinds, tuple(held))


def name_days(weekdays: Sequence[int], holidays: bool) -> str:
    """`Dias úteis`, `Sábado`, `Domingos e feriados`, or the days by name."""
    if tuple(weekdays) == (1, 2, 3, 4, 5):
        name = "Dias úteis"
    elif tuple(weekdays) == (1, 2, 3, 4, 5, 6, 7):
        return "Todos os dias"
    else:
        names = [_DAYS[day - 1] for day in weekdays]
        name = " e ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))) or "Só feriados"
    return f"{'Domingos' if name == 'Domingo' else name} e feriados" if holidays and weekdays else name


def _read_calendar(feed: RawFeed, used: set[str]) -> dict[str, tuple[tuple[int, ...], date, date]]:
    table = feed.table("calendar.txt")
    found = {}
    columns = (table.column(name) for name in ("service_id", "start_date", "end_date", *_COLUMNS))
    for id_, start, end, *flags in zip(*columns, strict=True):
        first, last = parse_date(start), parse_date(end)
        if id_ in used and first and last:
            found[id_] = (tuple(day for day, flag in enumerate(flags, 1) if flag == "1"), first, last)
    return found


def _read_exceptions(feed: RawFeed) -> dict[date, dict[str, str]]:
    """By date, what each service with an exception does: added or removed."""
    table = feed.table("calendar_dates.txt")
    found: dict[date, dict[str, str]] = {}
    columns = (table.column(name) for name in ("service_id", "date", "exception_type"))
    for id_, text, change in zip(*columns, strict=True):
        if day := parse_date(text):
            found.setdefault(day, {})[id_] = change
    return found


def _always_stays(id_: str, weekdays: Sequence[int], dates: Mapping[date, Mapping[str, str]]) -> bool:
    """Whether a service is never taken away, though some exception falls on its weekdays."""
    own = [changes for day, changes in dates.items() if day.isoweekday() in weekdays]
    return bool(own) and all(id_ not in changes for changes in own)


def _is_holiday(
    day: date, changes: Mapping[str, str], weekdays: Mapping[str, Sequence[int]], running: set[str]
) -> bool:
    def runs(id_: str) -> bool:
        return changes[id_] == _ADDED if id_ in changes else day.isoweekday() in weekdays[id_]

    return set(changes) <= set(weekdays) and all(runs(id_) == (id_ in running) for id_ in weekdays)


def _name_kinds(weekdays: Mapping[str, Sequence[int]], running: set[str]) -> dict[str, str]:
    """Names of their own; of two with the same days the later one carries its id."""
    names: dict[str, str] = {}
    for id_, days in sorted(weekdays.items(), key=lambda item: tuple(item[1])):
        name = name_days(days, id_ in running)
        names[id_] = name if name not in names.values() else f"{name} ({slugify(id_) or len(names)})"
    return names


def ordinary_days(first_day: date) -> SketchDays:
    """The kinds of day most towns have, for a year from `first_day` on, without holidays."""
    kinds = (
        DayKind("dias-uteis", "Dias úteis", (1, 2, 3, 4, 5), holidays=False),
        DayKind("sabado", "Sábado", (6,), holidays=False),
        DayKind("domingos-e-feriados", "Domingos e feriados", (7,), holidays=True),
    )
    return SketchDays(first_day, first_day + timedelta(days=365), kinds, ())
