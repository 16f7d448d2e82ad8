"""When a line leaves a stop: at a moment, or, with intervals, some time within a stretch."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from gtfs.compiled import Pattern


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """One departure, in seconds: at `low`, or some time from `low` to `high` when a line has intervals.

    An interval line passes every `headway` seconds from `begin` to `end`, at what second nobody can say.
    """

    low: int
    high: int
    headway: int = 0
    begin: int = 0
    end: int = 0

    def shift(self, seconds: int) -> "Moment":
        """The same departure counted from another start."""
        moved = (self.begin + seconds, self.end + seconds) if self.headway else (0, 0)
        return Moment(self.low + seconds, self.high + seconds, self.headway, *moved)


def list_moments(pattern: Pattern, index: int, services: Collection[int]) -> list[Moment]:
    """The departures of a pattern from its stop `index` on a day with these services, in order."""
    offsets = [profile.offsets[index] for profile in pattern.profiles]
    return sorted(_find_moments(pattern, offsets, services))


def _find_moments(pattern: Pattern, offsets: Sequence[int | None], services: Collection[int]) -> Iterator[Moment]:
    for service in services:
        for start, profile in pattern.trips.get(service, ()):
            offset = offsets[profile]
            if offset is not None:
                yield Moment(start + offset, start + offset)
        for window in pattern.windows.get(service, ()):
            offset = offsets[window.profile]
            if offset is not None:
                begin, end = window.start + offset, window.end + offset
                for low in range(begin, end, window.headway):
                    yield Moment(low, min(low + window.headway, end), window.headway, begin, end)


def seconds_apart(one: Moment, two: Moment) -> int:
    """How near two departures can be: 0 when they may leave together."""
    return max(0, two.low - one.high, one.low - two.high)


def are_surely_nearer(one: Moment, two: Moment, gap: int) -> bool:
    """Whether they are less than `gap` seconds apart at whatever second an interval line passes.

    Inside its hours nothing is farther from an interval line than half its interval from one vehicle or the next.
    """
    if not one.headway and not two.headway:
        return seconds_apart(one, two) < gap
    return _covers(one, two, gap) or _covers(two, one, gap)


def find_near(sought: Moment, moments: Sequence[Moment], gap: int, longest: int) -> Iterator[Moment]:
    """Those of `moments` (in order, none longer than `longest`) that are or can be nearer than `gap`."""
    first = bisect_left(moments, sought.low - gap - longest, key=lambda moment: moment.low)
    last = bisect_right(moments, sought.high + gap, key=lambda moment: moment.low)
    for moment in moments[first:last]:
        if seconds_apart(sought, moment) < gap:
            yield moment


def _covers(line: Moment, other: Moment, gap: int) -> bool:
    """Whether an interval line is always near the other departure, wherever within its stretch that is."""
    if not line.headway or line.end - line.begin < line.headway:
        return False
    inside = line.begin <= other.low and other.high <= line.end
    well_inside = line.begin + line.headway <= other.low and other.high <= line.end - line.headway
    return (inside and line.headway < gap) or (well_inside and line.headway < 2 * gap)
