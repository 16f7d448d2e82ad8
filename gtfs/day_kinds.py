"""Days on which the same services run, grouped and named in words: dias úteis, sábados, domingos e feriados."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from gtfs.service_days import ServiceDays

LOOK_BACK, LOOK_AHEAD = 27, 181
"""Days around today that are looked at: the four weeks up to it and half a year after it."""

_WEEK = timedelta(days=7)
_SINGULAR = ("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo")
_PLURAL = ("segundas", "terças", "quartas", "quintas", "sextas", "sábados", "domingos")
_NAMED = {
    (0, 1, 2, 3, 4): "Dias úteis",
    (0, 1, 2, 3, 4, 5, 6): "Todos os dias",
    (5, 6): "Sábados e domingos",
}
_WORKDAYS = 5
_SUNDAY = 6
_SHOWN_DATES = 4


@dataclass(frozen=True, slots=True)
class DayKind:
    """Days with the same active services; none active means that the line does not run.

    `weekdays` (0 for Monday) are its regular days, from `begins` to `ends`; `dates` are its other days to come.
    """

    services: frozenset[int]
    weekdays: tuple[int, ...]
    begins: date | None
    ends: date | None
    dates: tuple[date, ...]
    holidays: bool
    """Whether other days run as Sundays do."""
    days: tuple[date, ...] = ()
    """All of them that were looked at, in order."""

    def next_day(self, today: date) -> date | None:
        """The first of its days that is not over, else its last one."""
        return next((day for day in self.days if day >= today), self.days[-1] if self.days else None)

    @property
    def label(self) -> str:
        """`Domingos e feriados`; a kind without regular days is named by its dates."""
        if not self.weekdays:
            return name_dates(self.dates)
        words = name_weekdays(self.weekdays, and_holidays=self.holidays)
        since = f" a partir de {self.begins:%d/%m/%Y}" if self.begins else ""
        until = f" até {self.ends:%d/%m/%Y}" if self.ends else ""
        return f"{words}{since}{until}"


def find_day_kinds(
    services: Sequence[ServiceDays], used: Iterable[int], today: date, first: date, last: date
) -> tuple[DayKind, ...]:
    """The kinds of days around `today` (or the end nearest to it) within `first` to `last`, both included.

    `used` are the positions of the services that matter. Regular kinds come in the order of the week, then
    single dates; the days without service, if any, are the last kind.
    """
    focus = min(max(today, first), last)
    start, end = _find_window(first, last, focus)
    groups: dict[frozenset[int], list[date]] = {}
    listed = sorted(set(used))
    for ordinal in range(start.toordinal(), end.toordinal() + 1):
        active = frozenset(index for index in listed if services[index].runs_on(ordinal))
        groups.setdefault(active, []).append(date.fromordinal(ordinal))
    oldest = start if today > last else focus
    kinds = (_describe(active, days, start, end, oldest) for active, days in groups.items())
    return tuple(sorted((kind for kind in kinds if kind.weekdays or kind.dates), key=_order))


def _find_window(first: date, last: date, focus: date) -> tuple[date, date]:
    """In ordinals, since the calendar of a date may end before the look ahead does."""
    start = max(first.toordinal(), focus.toordinal() - LOOK_BACK)
    end = min(last.toordinal(), focus.toordinal() + LOOK_AHEAD)
    return date.fromordinal(start), date.fromordinal(end)


def active_services(services: Sequence[ServiceDays], day: date) -> frozenset[int]:
    """The positions of the services that run on a day."""
    ordinal = day.toordinal()
    return frozenset(index for index, service in enumerate(services) if service.runs_on(ordinal))


def name_weekdays(weekdays: tuple[int, ...], and_holidays: bool = False) -> str:
    """Words for a set of weekdays in order, 0 for Monday."""
    if and_holidays:
        workdays = tuple(day for day in weekdays if day < _WORKDAYS)
        before = [name_weekdays(workdays).lower()] if workdays else []
        rest = [_PLURAL[day] for day in weekdays if day >= _WORKDAYS]
        return _capital(_join([*before, *rest, "feriados"]))
    if weekdays in _NAMED:
        return _NAMED[weekdays]
    if len(weekdays) > 2 and weekdays[-1] - weekdays[0] == len(weekdays) - 1:
        return f"De {_SINGULAR[weekdays[0]]} a {_SINGULAR[weekdays[-1]]}"
    return _capital(_join([_PLURAL[day] for day in weekdays]))


def name_dates(dates: Sequence[date]) -> str:
    """`24/12/2026 (quinta-feira)`, several joined, the rest counted."""
    words = [f"{day:%d/%m/%Y} ({name_day(day)})" for day in dates[:_SHOWN_DATES]]
    rest = len(dates) - len(words)
    return _join([*words, *([f"mais {rest} {'datas' if rest > 1 else 'data'}"] if rest else [])])


def name_day(day: date) -> str:
    """`segunda-feira`, `sábado`."""
    name = _SINGULAR[day.weekday()]
    return f"{name}-feira" if day.weekday() < _WORKDAYS else name


def _describe(active: frozenset[int], days: list[date], start: date, end: date, oldest: date) -> DayKind:
    """Single dates before `oldest` interest nobody any more."""
    regular: dict[int, list[date]] = {}
    for weekday in range(7):
        found = [day for day in days if day.weekday() == weekday]
        if found and _is_regular(found, start, end):
            regular[weekday] = found
    covered = {day for found in regular.values() for day in found}
    others = tuple(day for day in days if day not in covered)
    begins, ends = min(covered, default=None), max(covered, default=None)
    return DayKind(
        services=active,
        weekdays=tuple(regular),
        begins=begins if begins and begins > oldest and begins - start >= _WEEK else None,
        ends=ends if ends and end - ends >= _WEEK else None,
        dates=tuple(day for day in others if day >= oldest),
        holidays=bool(others) and _SUNDAY in regular and len(regular) < 7,
        days=tuple(days),
    )


def _is_regular(found: list[date], start: date, end: date) -> bool:
    """Whether a group has most of the Mondays between its first and its last, and they are no single case."""
    between = (found[-1] - found[0]).days // 7 + 1
    offset = (found[0] - start).days % 7
    in_all = ((end - start).days - offset) // 7 + 1
    return len(found) * 2 >= between and (len(found) >= 3 or len(found) * 2 > in_all)


def _order(kind: DayKind) -> tuple[bool, bool, tuple[int, ...], date]:
    return (not kind.services, not kind.weekdays, kind.weekdays, kind.begins or min(kind.dates, default=date.min))


def _join(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} e {words[-1]}" if len(words) > 1 else "".join(words)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
