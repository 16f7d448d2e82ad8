"""Departures of two feeds that are too near each other at stops both serve, the same way, on the same date.

A law may ask this of vans where buses run already (Maricá, Lei 2627/2015, art. 4, § 2º: fifteen minutes); the
minutes come from there. A departure just as far apart as asked is far enough.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from gtfs.clock import start_of_service_day
from gtfs.comparable import Comparable
from gtfs.compiled import Pattern
from gtfs.day_kinds import active_services
from gtfs.moments import Departures, Moment, are_surely_nearer, list_moments, seconds_apart
from gtfs.separation_report import Approach, SeparationReport, TooNear, name_days
from gtfs.shared_stops import METRES, Near, Way, find_shared_stops, run_the_same_way

WEEKS = 6
"""How far ahead is looked: holidays and changes of the next weeks are dates of their own."""

SHOWN = 5
"""Examples of each warning."""

Key = tuple[int, int, int, str, str]
"""Position of our line and of the other line, position of our stop, label of our way and of the other's."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How near is too near: `minutes` as the law says; `metres` between stops of one place.

    `origin_only`: measured only where the trips of both begin, instead of at every shared stop.
    """

    minutes: int
    metres: float = METRES
    origin_only: bool = False

    @property
    def gap(self) -> int:
        """In seconds."""
        return self.minutes * 60


@dataclass(frozen=True, slots=True)
class _Meeting:
    """A pattern of ours and one of the other feed at a stop where both leave the same way."""

    key: Key
    ours: tuple[Pattern, int]
    other: tuple[Pattern, int]


@dataclass(frozen=True, slots=True)
class _Day:
    """What makes two days alike: our services, and the other feed's by seconds from our service day's start."""

    ours: frozenset[int]
    others: tuple[tuple[int, frozenset[int]], ...]


def choose_days(today: date, first: date | None, last: date | None, weeks: int = WEEKS) -> tuple[date, ...]:
    """The days looked at: `weeks` from today on or from when the feed begins; of an expired one its last weeks."""
    begin = max(today, first or today)
    if last is not None and begin > last:
        begin = max(first or last, last - timedelta(days=7 * weeks - 1))
    days = (begin + timedelta(days=number) for number in range(7 * weeks))
    return tuple(day for day in days if last is None or day <= last)


def compare_departures(
    ours: Comparable, other: Comparable, days: Sequence[date], asked: Asked
) -> SeparationReport:
    """Every pair of lines with departures nearer than asked, by shared stop, direction and kind of day."""
    near = find_shared_stops(ours.stops, other.stops, asked.metres)
    meetings = list(_find_meetings(ours, other, near, asked))
    found: dict[tuple[Key, tuple[Approach, ...]], list[date]] = {}
    for kind, dates in _group_days(ours, other, days).items():
        for key, approaches in _compare_on(kind, meetings, asked.gap).items():
            found.setdefault((key, approaches), []).extend(dates)
    warnings = [
        _describe(ours, other, near, key, approaches, sorted(dates), days)
        for (key, approaches), dates in found.items()
    ]
    return SeparationReport(
        minutes=asked.minutes,
        metres=asked.metres,
        origin_only=asked.origin_only,
        first_day=min(days, default=None),
        last_day=max(days, default=None),
        shared_stops=len(near),
        warnings=tuple(sorted(warnings, key=lambda one: one.order)),
    )


def _find_meetings(ours: Comparable, other: Comparable, near: Near, asked: Asked) -> Iterator[_Meeting]:
    passing: dict[int, list[tuple[int, str, Pattern, Way]]] = {}
    for position, line in enumerate(other.lines):
        for direction in line.directions:
            for pattern in direction.patterns:
                way = Way(pattern.stops, other.stops)
                for stop in way.indexes:
                    passing.setdefault(stop, []).append((position, direction.label, pattern, way))
    for position, line in enumerate(ours.lines):
        for direction in line.directions:
            for pattern in direction.patterns:
                way = Way(pattern.stops, ours.stops)
                for index in (0,) if asked.origin_only else range(len(pattern.stops) - 1):
                    if index not in pattern.closed:
                        for place, label, found, at in _meet(way, index, near, passing):
                            if at == 0 or not asked.origin_only:
                                key = (position, place, pattern.stops[index], direction.label, label)
                                yield _Meeting(key, (pattern, index), (found, at))


def _meet(
    way: Way, index: int, near: Near, passing: dict[int, list[tuple[int, str, Pattern, Way]]]
) -> Iterator[tuple[int, str, Pattern, int]]:
    """The patterns of the other feed that leave here the same way: line, label, pattern, index of its stop.

    Where one has several stops here, only the nearest that it leaves the same way counts.
    """
    seen: set[int] = set()
    for stop in sorted((places := near.get(way.stops[index], {})), key=lambda place: places[place]):
        for line, label, pattern, other in passing.get(stop, ()):
            if id(pattern) in seen:
                continue
            for at in other.indexes[stop]:
                last = at == len(other.stops) - 1
                if not last and at not in pattern.closed and run_the_same_way(way, index, other, at, near):
                    seen.add(id(pattern))
                    yield line, label, pattern, at


def _group_days(ours: Comparable, other: Comparable, days: Sequence[date]) -> dict[_Day, list[date]]:
    """Days on which the same services of both feeds are on the road, those of the days around included."""
    our_zone, other_zone = ZoneInfo(ours.zone), ZoneInfo(other.zone)
    kinds: dict[_Day, list[date]] = {}
    for day in days:
        start = start_of_service_day(day, our_zone)
        others = []
        for beside in (day - timedelta(days=1), day, day + timedelta(days=1)):
            shift = start_of_service_day(beside, other_zone) - start
            others.append((int(shift.total_seconds()), active_services(other.services, beside)))
        kinds.setdefault(_Day(active_services(ours.services, day), tuple(others)), []).append(day)
    return kinds


def _compare_on(day: _Day, meetings: Sequence[_Meeting], gap: int) -> dict[Key, tuple[Approach, ...]]:
    """For each key our departures on one day that are too near, each with the other departure nearest to it."""
    ours: dict[tuple[int, int], list[Moment]] = {}
    others: dict[tuple[int, int], Departures] = {}
    nearest: dict[Key, dict[tuple[int, int, int], Approach]] = {}
    latest = max((_find_latest(*meeting.ours) for meeting in meetings), default=0)
    for meeting in meetings:
        mine, theirs = _name(meeting.ours), _name(meeting.other)
        if mine not in ours:
            ours[mine] = list_moments(*meeting.ours, day.ours)
        if ours[mine] and theirs not in others:
            others[theirs] = _list_others(day, *meeting.other, (-gap, latest + gap))
        if not ours[mine] or not others[theirs]:
            continue
        found = nearest.setdefault(meeting.key, {})
        for number, departure in enumerate(ours[mine]):
            for moment in others[theirs].find_near(departure, gap):
                approach, place = _approach(departure, moment, gap), (*mine, number)
                if place not in found or approach.order < found[place].order:
                    found[place] = approach
    return {
        key: tuple(sorted(found.values(), key=lambda approach: (approach.ours, approach.order)))
        for key, found in nearest.items()
        if found
    }


def _name(place: tuple[Pattern, int]) -> tuple[int, int]:
    """A pattern at one of its stops, as a key that costs nothing to compare."""
    return id(place[0]), place[1]


def _find_latest(pattern: Pattern, index: int) -> int:
    """The second after which a pattern never leaves a stop."""
    offset = max((profile.offsets[index] or 0 for profile in pattern.profiles), default=0)
    starts = [start for trips in pattern.trips.values() for start, _ in trips]
    return offset + max(
        (*starts, *(window.end for found in pattern.windows.values() for window in found)), default=0
    )


def _list_others(day: _Day, pattern: Pattern, index: int, within: tuple[int, int]) -> Departures:
    """On the clock of our service day: yesterday's after midnight, today's and tomorrow's."""
    return Departures(
        moment
        for shift, services in day.others
        for moment in list_moments(pattern, index, services, shift, within)
    )


def _approach(ours: Moment, other: Moment, gap: int) -> Approach:
    return Approach(
        ours=ours.low,
        ours_until=ours.high if ours.headway else None,
        other=other.low,
        other_until=other.high if other.headway else None,
        apart=seconds_apart(ours, other),
        certain=are_surely_nearer(ours, other, gap),
    )


def _describe(
    ours: Comparable,
    other: Comparable,
    near: Near,
    key: Key,
    approaches: tuple[Approach, ...],
    dates: Sequence[date],
    days: Collection[date],
) -> TooNear:
    line, other_line, stop, direction, other_direction = key
    return TooNear(
        line=ours.lines[line].name,
        line_id=ours.lines[line].gtfs_id,
        direction=direction,
        stop=ours.stops[stop].name,
        stop_id=ours.stops[stop].gtfs_id,
        other_line=other.lines[other_line].name,
        other_direction=other_direction,
        days=name_days(dates, days),
        dates=tuple(dates),
        count=len(approaches),
        certain=sum(approach.certain for approach in approaches),
        nearest=min(approaches, key=lambda approach: approach.order),
        examples=approaches[:SHOWN],
    )
