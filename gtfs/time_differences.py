"""How the departures of one line differ between two versions, by kind of day."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from gtfs.compiled import Direction, Pattern, Profile
from gtfs.day_kinds import DayKind, find_day_kinds
from gtfs.difference_values import DaySpan, TimesChange
from gtfs.feed_view import FeedView
from gtfs.line_times import find_departures
from gtfs.service_days import ServiceDays
from gtfs.way_differences import DirectionPair, has_same_ways

MINUTE = 60
COMPARED = timedelta(days=55)
"""The last eight weeks of a version stand for what it would say of later days."""
LEAST_COMMON = timedelta(days=13)
"""Versions with fewer common days from the first day of the later one on are compared by days of the week."""


@dataclass(frozen=True)
class Calendars:
    """The services of both versions in one list, the earlier ones first, and the days they are compared on."""

    services: tuple[ServiceDays, ...]
    split: int
    focus: date
    first: date
    last: date
    same_dates: bool
    """Whether the days are the days of both versions, not only the same days of the week."""

    def kinds(self, before: Iterable[int], after: Iterable[int]) -> tuple[DayKind, ...]:
        """The kinds of days that services of the earlier and of the later version make together."""
        used = (*before, *(self.split + service for service in after))
        found = find_day_kinds(self.services, used, self.focus, self.first, self.last) if used else ()
        return tuple(kind for kind in found if kind.services and (self.same_dates or kind.weekdays))

    def sides(self, kind: DayKind) -> tuple[frozenset[int], frozenset[int]]:
        """The services of a kind of day in the earlier and in the later version, by position there."""
        early = frozenset(service for service in kind.services if service < self.split)
        return early, frozenset(service - self.split for service in kind.services - early)


def join_calendars(before: FeedView, after: FeedView, from_day: date) -> Calendars | None:
    """The days on which two versions are compared, from `from_day` on; None when one of them has no days."""
    if not (before.first_day and before.last_day and after.first_day and after.last_day):
        return None
    start = max(after.first_day, min(from_day, after.last_day))
    first, last = max(before.first_day, after.first_day), min(before.last_day, after.last_day)
    services = (*before.services, *after.services)
    if last - max(first, start) >= LEAST_COMMON or (first, last) == (after.first_day, after.last_day):
        return Calendars(services, len(before.services), start, first, last, True)
    start = max(after.first_day, min(start, _back(after.last_day, COMPARED)))
    last = min(after.last_day, _on(start, COMPARED))
    covered = before.first_day <= start and before.last_day >= last
    days = 0 if covered else -(-(last - before.last_day).days // 7) * 7
    start = min(last, max(start, _on(before.first_day, timedelta(days))))
    moved = [_move(service, days) for service in before.services] if days else before.services
    return Calendars((*moved, *after.services), len(moved), start, start, last, covered)


def find_time_changes(pairs: Sequence[DirectionPair], calendars: Calendars) -> Iterator[TimesChange]:
    """What changes in the departures of a line; directions that end are no change of times."""
    for before, after in pairs:
        if after is None:
            continue
        found: dict[TimesChange, list[str]] = {}
        for kind in calendars.kinds(_services(before), _services(after)):
            early, late = calendars.sides(kind)
            change = _compare(before, after, early, late)
            if change is not None:
                found.setdefault(change, []).append(kind.label)
        for change, labels in found.items():
            yield replace(change, days="; ".join(labels))


def _compare(
    before: Direction | None, after: Direction, early: frozenset[int], late: frozenset[int]
) -> TimesChange | None:
    old, new = _gather(before, early), _gather(after, late)
    stay = [start for start in new.runs if start in old.runs]
    same = before is not None and has_same_ways(before, after)
    change = TimesChange(
        label=after.label,
        days="",
        before=old.span,
        after=new.span,
        new=tuple(sorted(new.starts - old.starts)),
        dropped=tuple(sorted(old.starts - new.starts)),
        rerouted=tuple(s for s in stay if same and old.runs[s].keys() != new.runs[s].keys()),
        retimed=tuple(s for s in stay if old.runs[s] != new.runs[s] and old.runs[s].keys() == new.runs[s].keys()),
        intervals_before=old.intervals if old.intervals != new.intervals else (),
        intervals_after=new.intervals if old.intervals != new.intervals else (),
        untimed=(old.untimed, new.untimed),
    )
    news = (change.new, change.dropped, change.rerouted, change.retimed)
    is_other = any(news) or old.intervals != new.intervals or old.untimed != new.untimed
    return change if is_other else None


@dataclass(frozen=True)
class _Runs:
    """The departures of a direction on a day, cut to minutes.

    `runs` has for each minute the ways taken and, for each, the published minutes at its stops.
    """

    starts: frozenset[int]
    intervals: tuple[tuple[int, int, int], ...]
    untimed: bool
    runs: Mapping[int, Mapping[tuple[int, ...], frozenset[tuple[int | None, ...]]]]

    @property
    def span(self) -> DaySpan:
        times = [*self.starts, *(start for start, _, _ in self.intervals)]
        ends = [
            *self.starts,
            *(start + (_count(start, end, pace) - 1) * pace for start, end, pace in self.intervals),
        ]
        count = len(self.starts) + sum(_count(*interval) for interval in self.intervals)
        return DaySpan(count, min(times, default=None), max(ends, default=None))


def _gather(way: Direction | None, services: frozenset[int]) -> _Runs:
    if way is None:
        return _Runs(frozenset(), (), False, {})
    departures = find_departures(way, services)
    runs: dict[int, dict[tuple[int, ...], set[tuple[int | None, ...]]]] = {}
    for pattern in way.patterns:
        for start, profile in _list_runs(pattern, services):
            minutes = _list_minutes(start, pattern.profiles[profile])
            runs.setdefault(_cut(start), {}).setdefault(pattern.stops, set()).add(minutes)
    return _Runs(
        starts=frozenset(_cut(start.seconds) for start in departures.starts),
        intervals=tuple(sorted({(every.start, every.end, every.headway) for every in departures.every})),
        untimed=departures.untimed,
        runs={
            start: {way: frozenset(times) for way, times in found.items()}
            for start, found in sorted(runs.items())
        },
    )  # fmt: skip


def _list_runs(pattern: Pattern, services: frozenset[int]) -> Iterator[tuple[int, int]]:
    """(start, profile) of the trips and of the first departure of each interval."""
    for service in services & pattern.services:
        yield from pattern.trips.get(service, ())
        yield from ((window.start, window.profile) for window in pattern.windows.get(service, ()))


def _list_minutes(start: int, profile: Profile) -> tuple[int | None, ...]:
    """The minute at each stop; None without a time in the feed: estimates follow from where the stops are."""
    return tuple(
        None if offset is None or index in profile.estimated else (start + offset) // MINUTE
        for index, offset in enumerate(profile.offsets)
    )


def _services(way: Direction | None) -> frozenset[int]:
    return frozenset(service for pattern in (way.patterns if way else ()) for service in pattern.services)


def _cut(seconds: int) -> int:
    return seconds - seconds % MINUTE


def _count(start: int, end: int, headway: int) -> int:
    return max(1, -(-(end - start) // headway))


def _move(service: ServiceDays, days: int) -> ServiceDays:
    """The service some weeks later; exceptions to regular days were for days that do not come again."""
    keep = not service.weekdays
    return ServiceDays(
        service.id,
        service.weekdays,
        service.start + days,
        service.end + days,
        frozenset(day + days for day in service.added) if keep else frozenset(),
        frozenset(day + days for day in service.removed) if keep else frozenset(),
    )


def _on(day: date, span: timedelta) -> date:
    return date.fromordinal(max(1, min(day.toordinal() + span.days, date.max.toordinal())))


def _back(day: date, span: timedelta) -> date:
    return date.fromordinal(max(day.toordinal() - span.days, 1))
