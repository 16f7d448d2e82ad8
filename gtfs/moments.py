"""When a line leaves a stop: at a moment, or, with intervals, some time within a stretch."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
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


EVER = (-(10**9), 10**9)
"""Bounds that leave nothing out."""


def list_moments(
    pattern: Pattern,
    index: int,
    services: Collection[int],
    shift: int = 0,
    within: tuple[int, int] = EVER,
) -> list[Moment]:
    """The departures of a pattern from its stop `index` on a day with these services, in order.

    `shift` seconds are added to each; those that cannot fall `within` two seconds are left out.
    """
    offsets = [
        None if (offset := profile.offsets[index]) is None else offset + shift for profile in pattern.profiles
    ]
    return sorted(_find_moments(pattern, offsets, services, *within))


def _find_moments(
    pattern: Pattern, offsets: Sequence[int | None], services: Collection[int], first: int, last: int
) -> Iterator[Moment]:
    for service, trips in pattern.trips.items():
        for start, profile in trips if service in services else ():
            offset = offsets[profile]
            if offset is not None and first <= start + offset <= last:
                yield Moment(start + offset, start + offset)
    for service, windows in pattern.windows.items():
        for window in windows if service in services else ():
            offset = offsets[window.profile]
            if offset is not None:
                begin, end = window.start + offset, window.end + offset
                for low in range(begin, end, window.headway):
                    if low <= last and low + window.headway >= first:
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


class Departures:
    """Departures from one stop on one day, in order: fixed `points`, and `stretches` of lines with intervals."""

    def __init__(self, moments: Iterable[Moment]) -> None:
        ordered = sorted(moments)
        self._points = [moment.low for moment in ordered if not moment.headway]
        self._stretches = [moment for moment in ordered if moment.headway]
        self._lows = [moment.low for moment in self._stretches]
        self._longest = max((moment.high - moment.low for moment in self._stretches), default=0)

    def __len__(self) -> int:
        return len(self._points) + len(self._stretches)

    def find_near(self, sought: Moment, gap: int) -> Iterator[Moment]:
        """Those that are or can be nearer than `gap`; beside a fixed time only the nearest fixed ones."""
        if sought.headway:
            first = bisect_right(self._points, sought.low - gap)
            found = self._points[first : bisect_left(self._points, sought.high + gap)]
        else:
            next_ = bisect_left(self._points, sought.low)
            found = [low for low in self._points[max(0, next_ - 1) : next_ + 1] if abs(low - sought.low) < gap]
        yield from (Moment(low, low) for low in found)
        first = bisect_left(self._lows, sought.low - gap - self._longest)
        for moment in self._stretches[first : bisect_right(self._lows, sought.high + gap)]:
            if seconds_apart(sought, moment) < gap:
                yield moment


def _covers(line: Moment, other: Moment, gap: int) -> bool:
    """Whether an interval line is always near the other departure, wherever within its stretch that is."""
    if not line.headway or line.end - line.begin < line.headway:
        return False
    inside = line.begin <= other.low and other.high <= line.end
    well_inside = line.begin + line.headway <= other.low and other.high <= line.end - line.headway
    return (inside and line.headway < gap) or (well_inside and line.headway < 2 * gap)
