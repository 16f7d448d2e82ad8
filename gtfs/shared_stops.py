"""Which stops of two feeds are one place, whatever their ids, and whether two ways run the same way there."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from math import atan2, cos, degrees, floor, radians, sin

from gtfs.comparable import Spot
from gtfs.interpolation import distance_km

METRES = 40.0
"""How far apart two stops of one place may be: the two sides of an avenue."""

_DEGREE_KM = 111.2
_ASIDE = 90.0

Near = Mapping[int, Mapping[int, float]]
"""For each of our stops that is shared: stops of the other feed near it, and how many metres away."""


def find_shared_stops(ours: Sequence[Spot], others: Sequence[Spot], metres: float = METRES) -> Near:
    """The stops of two feeds within `metres` of each other, by position."""
    size = metres / 1000 / _DEGREE_KM
    cells: dict[tuple[int, int], list[int]] = {}
    for index, stop in enumerate(others):
        if stop.latitude is not None and stop.longitude is not None:
            cells.setdefault((floor(stop.latitude / size), floor(stop.longitude / size)), []).append(index)
    found: dict[int, dict[int, float]] = {}
    for index, stop in enumerate(ours):
        if stop.latitude is None or stop.longitude is None:
            continue
        wide = int(1 / max(cos(radians(stop.latitude)), 0.01)) + 1
        y, x = floor(stop.latitude / size), floor(stop.longitude / size)
        for row in (y - 1, y, y + 1):
            for column in range(x - wide, x + wide + 1):
                for other in cells.get((row, column), ()):
                    distance = _metres(stop, others[other])
                    if distance is not None and distance <= metres:
                        found.setdefault(index, {})[other] = distance
    return found


class Way:
    """The stops of one pattern, with the indexes at which each is passed."""

    def __init__(self, stops: Sequence[int], spots: Sequence[Spot]) -> None:
        self.stops = tuple(stops)
        self._spots = spots
        self.indexes: dict[int, list[int]] = {}
        for index, stop in enumerate(stops):
            self.indexes.setdefault(stop, []).append(index)

    def heading(self, index: int) -> float | None:
        """Degrees clockwise from north, from a stop to the next that is elsewhere; None at the end."""
        here = self._spots[self.stops[index]]
        for stop in self.stops[index + 1 :]:
            there = self._spots[stop]
            if (there.latitude, there.longitude) != (here.latitude, here.longitude):
                return _bearing(here, there)
        return None


def run_the_same_way(ours: Way, index: int, other: Way, other_index: int, near: Near) -> bool:
    """Whether two patterns leave a shared place the same way.

    The next shared place that ours reaches decides: the other reaches it sooner ahead of it than it lies behind.
    Without one, the shared place before decides likewise; without any, headings less than a right angle apart.
    """
    for step, indexes in ((1, range(index + 1, len(ours.stops))), (-1, range(index - 1, -1, -1))):
        for at in indexes:
            order = _find_order(near.get(ours.stops[at], {}), other, other_index)
            if order:
                return order == step
    one, two = ours.heading(index), other.heading(other_index)
    if one is None or two is None:
        return False
    return abs((one - two + 180) % 360 - 180) < _ASIDE


def _find_order(places: Mapping[int, float], other: Way, here: int) -> int:
    """1 when the places come after `here` on the other way, -1 when before, 0 when it does not pass them."""
    ahead = behind = len(other.stops)
    for place in places:
        indexes = other.indexes.get(place, [])
        cut = bisect_right(indexes, here)
        if cut < len(indexes):
            ahead = min(ahead, indexes[cut] - here)
        before = [at for at in indexes[:cut] if at != here]
        if before:
            behind = min(behind, here - before[-1])
        if here in indexes[:cut]:
            return 0
    if ahead == behind:
        return 0
    return 1 if ahead < behind else -1


def _metres(one: Spot, two: Spot) -> float | None:
    if one.latitude is None or one.longitude is None or two.latitude is None or two.longitude is None:
        return None
    return 1000 * distance_km((one.latitude, one.longitude), (two.latitude, two.longitude))


def _bearing(one: Spot, two: Spot) -> float | None:
    if one.latitude is None or one.longitude is None or two.latitude is None or two.longitude is None:
        return None
    south, north, width = radians(one.latitude), radians(two.latitude), radians(two.longitude - one.longitude)
    y = sin(width) * cos(north)
    x = cos(south) * sin(north) - sin(south) * cos(north) * cos(width)
    return degrees(atan2(y, x)) % 360
