"""A line's departures in each direction for the services of a day, and how long it takes to each stop."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from gtfs.compiled import Direction, Pattern

SEAM = 60
"""Seconds that may lie between two intervals that feeds write apart: until 05:59:00 and from 06:00:00."""


@dataclass(frozen=True, slots=True, order=True)
class Start:
    """A departure in seconds of the service day; `mark` is the letter of its variant, blank for the usual way."""

    seconds: int
    mark: str


@dataclass(frozen=True, slots=True, order=True)
class Every:
    """Departures every `headway` seconds between two times of the service day."""

    start: int
    end: int
    headway: int
    mark: str


@dataclass(frozen=True, slots=True)
class StopOnWay:
    """A stop of the usual way: minutes from the first stop (least and most of all trips; None: no time).

    `estimated`: the feed has no time here, it was filled in; `closed`: nobody may board.
    """

    stop: int
    least: int | None
    most: int | None
    estimated: bool
    closed: bool


@dataclass(frozen=True, slots=True)
class Variant:
    """A way that differs from the usual one: its ends, and the stops it adds and leaves out.

    `timed_from`: the stop its times are for, when its first stop has none. `headsign` is blank if it is the usual.
    """

    mark: str
    headsign: str
    first: int
    last: int
    added: tuple[int, ...]
    skipped: tuple[int, ...]
    timed_from: int | None


@dataclass(frozen=True, slots=True)
class Departures:
    """What starts in one direction on a day; `untimed`: there are also trips without times."""

    starts: tuple[Start, ...]
    every: tuple[Every, ...]
    untimed: bool

    def __bool__(self) -> bool:
        return bool(self.starts or self.every or self.untimed)


def find_departures(direction: Direction, services: frozenset[int]) -> Departures:
    """The departures of one direction when `services` are active, in order."""
    starts: list[Start] = []
    every: list[Every] = []
    untimed = False
    for mark, pattern in name_patterns(direction):
        for service in services & pattern.services:
            starts.extend(Start(start, mark) for start, _ in pattern.trips.get(service, ()))
            windows = pattern.windows.get(service, ())
            every.extend(Every(window.start, window.end, window.headway, mark) for window in windows)
        untimed = untimed or bool(services & pattern.untimed)
    return Departures(tuple(sorted(set(starts))), _join(every), untimed)


def name_patterns(direction: Direction) -> Iterator[tuple[str, Pattern]]:
    """Each pattern with its mark: blank for the usual one and those just like it, then a, b, … z, aa, …"""
    marks: dict[object, str] = {}
    for pattern in direction.patterns:
        way = (pattern.stops, pattern.headsign, _timed_from(pattern))
        if way not in marks:
            marks[way] = _letter(len(marks))
        yield marks[way], pattern


def list_way(direction: Direction) -> tuple[StopOnWay, ...]:
    """The stops of the usual way in order, loops included."""
    usual = [pattern for mark, pattern in name_patterns(direction) if not mark]
    main = usual[0]
    profiles = [profile for pattern in usual for profile in pattern.profiles]
    way = []
    for index, stop in enumerate(main.stops):
        known = [offset for profile in profiles if (offset := profile.offsets[index]) is not None]
        least, most = _minutes(min(known, default=None)), _minutes(max(known, default=None))
        estimated = any(index in profile.estimated for profile in profiles)
        way.append(StopOnWay(stop, least, most, estimated, index in main.closed))
    return tuple(way)


def list_variants(direction: Direction) -> tuple[Variant, ...]:
    """The ways that differ from the usual one, in the order of their marks."""
    main = direction.patterns[0]
    found: dict[str, Variant] = {}
    for mark, pattern in name_patterns(direction):
        if mark and mark not in found:
            found[mark] = Variant(
                mark=mark,
                headsign=pattern.headsign if pattern.headsign != main.headsign else "",
                first=pattern.stops[0],
                last=pattern.stops[-1],
                added=_without(pattern.stops, main.stops),
                skipped=_without(main.stops, pattern.stops),
                timed_from=_timed_from(pattern),
            )
    return tuple(found.values())


def _join(every: Sequence[Every]) -> tuple[Every, ...]:
    """Intervals in order; one that goes on within SEAM of another's end at the same pace is told once."""
    joined: list[Every] = []
    for found in sorted(set(every), key=lambda one: (one.mark, one.start, one.end)):
        before = joined[-1] if joined else None
        same = before and (before.headway, before.mark) == (found.headway, found.mark)
        if before and same and 0 <= found.start - before.end <= SEAM:
            joined[-1] = Every(before.start, found.end, found.headway, found.mark)
        else:
            joined.append(found)
    return tuple(sorted(joined))


def _without(stops: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """The stops that are not in `other`, as often as they are missing there."""
    left = Counter(other)
    missing = []
    for stop in stops:
        if left[stop]:
            left[stop] -= 1
        else:
            missing.append(stop)
    return tuple(missing)


def _timed_from(pattern: Pattern) -> int | None:
    """The first stop with a time, when that is not the first stop; the same for all trips of a pattern."""
    for profile in pattern.profiles:
        for index, offset in enumerate(profile.offsets):
            if offset is not None:
                return pattern.stops[index] if index else None
    return None


def _minutes(seconds: int | None) -> int | None:
    return None if seconds is None else seconds // 60


def _letter(number: int) -> str:
    """0 is blank, 1 is a, 26 is z, 27 is aa."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = ascii_lowercase[rest] + letters
    return letters
