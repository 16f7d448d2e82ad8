"""On which days a service runs: calendar.txt and calendar_dates.txt as one rule per service."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Any

from gtfs.clock import parse_date
from gtfs.raw import RawFeed

WEEKDAY_COLUMNS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class ServiceDays:
    """The days of one service_id. Days are proleptic ordinals (`date.toordinal`), both ends included.

    `weekdays` is a set of bits, bit 0 for Monday; `added` and `removed` are the exceptions, which win.
    """

    id: str
    weekdays: int = 0
    start: int = 1
    end: int = 0
    added: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()

    def runs_on(self, day: date | int) -> bool:
        """Whether the service runs on a day."""
        ordinal = day if isinstance(day, int) else day.toordinal()
        if ordinal in self.added:
            return True
        return self._is_regular(ordinal) and ordinal not in self.removed

    def first_day(self) -> int | None:
        """The first day it runs on; None when it never runs."""
        return min((*self.added, *self._first_regular(range(self.start, self.end + 1))), default=None)

    def last_day(self) -> int | None:
        """The last day it runs on; None when it never runs."""
        return max((*self.added, *self._first_regular(range(self.end, self.start - 1, -1))), default=None)

    def to_json(self) -> list[Any]:
        """Plain values in the order of the fields."""
        return [self.id, self.weekdays, self.start, self.end, sorted(self.added), sorted(self.removed)]

    def _is_regular(self, ordinal: int) -> bool:
        """Day 1 of the ordinals, 1 January of year 1, is a Monday."""
        return self.start <= ordinal <= self.end and bool(self.weekdays >> (ordinal - 1) % 7 & 1)

    def _first_regular(self, days: range) -> Iterator[int]:
        """The first of `days` that is regular and not removed, or nothing."""
        kept = (day for day in days if self._is_regular(day) and day not in self.removed)
        return islice(kept if self.weekdays else (), 1)


def service_from_json(values: list[Any]) -> ServiceDays:
    """The service that `ServiceDays.to_json` wrote."""
    id_, weekdays, start, end, added, removed = values
    return ServiceDays(id_, weekdays, start, end, frozenset(added), frozenset(removed))


def read_services(feed: RawFeed) -> tuple[ServiceDays, ...]:
    """All services of a feed in the order they first appear; what cannot be read counts as no day."""
    exceptions = _read_exceptions(feed)
    calendar = feed.table("calendar.txt")
    columns = [calendar.column(name) for name in (*WEEKDAY_COLUMNS, "start_date", "end_date")]
    services: dict[str, ServiceDays] = {}
    for id_, *cells in zip(calendar.column("service_id"), *columns, strict=True):
        start, end = parse_date(cells[7]), parse_date(cells[8])
        if not id_ or start is None or end is None:
            continue
        weekdays = sum(1 << day for day, cell in enumerate(cells[:7]) if cell == "1")
        added, removed = exceptions.pop(id_, (frozenset(), frozenset()))
        services[id_] = ServiceDays(id_, weekdays, start.toordinal(), end.toordinal(), added, removed)
    for id_, (added, removed) in exceptions.items():
        services.setdefault(id_, ServiceDays(id_, added=added, removed=removed))
    return tuple(services.values())


def find_period(services: Iterable[ServiceDays]) -> tuple[date, date] | None:
    """The first and the last day on which any of the services runs; None when none ever does."""
    listed = tuple(services)
    firsts = [day for service in listed if (day := service.first_day()) is not None]
    lasts = [day for service in listed if (day := service.last_day()) is not None]
    if not firsts:
        return None
    return date.fromordinal(min(firsts)), date.fromordinal(max(lasts))


def _read_exceptions(feed: RawFeed) -> dict[str, tuple[frozenset[int], frozenset[int]]]:
    """Added and removed days by service_id."""
    table = feed.table("calendar_dates.txt")
    found: dict[str, tuple[set[int], set[int]]] = {}
    for id_, text, kind in zip(
        table.column("service_id"), table.column("date"), table.column("exception_type"), strict=True
    ):
        day = parse_date(text)
        if id_ and day is not None and kind in ("1", "2"):
            found.setdefault(id_, (set(), set()))[kind == "2"].add(day.toordinal())
    return {id_: (frozenset(added), frozenset(removed)) for id_, (added, removed) in found.items()}
