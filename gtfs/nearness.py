"""How far stops are apart, and which are near a place."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from math import cos, hypot, radians

from gtfs.published import StopEntry

METRES_PER_DEGREE = 111_195
"""Of latitude, on a sphere of 6 371 km."""


def metres_between(one: StopEntry, other: StopEntry) -> float | None:
    """Metres between two stops of one town; None when a coordinate is missing."""
    if one.latitude is None or one.longitude is None or other.latitude is None or other.longitude is None:
        return None
    east = (other.longitude - one.longitude) * cos(radians((one.latitude + other.latitude) / 2))
    return hypot(east, other.latitude - one.latitude) * METRES_PER_DEGREE


class Neighbourhood:
    """Stops sorted by latitude, to find those near a place without looking at all of them."""

    def __init__(self, stops: Iterable[StopEntry]) -> None:
        self._stops = sorted(
            (stop for stop in stops if stop.latitude is not None), key=lambda stop: stop.latitude or 0.0
        )
        self._latitudes = [stop.latitude or 0.0 for stop in self._stops]

    def find_near(self, place: StopEntry, metres: float) -> list[tuple[float, StopEntry]]:
        """(metres, stop) of the stops within `metres` of a stop, the nearest first."""
        if place.latitude is None:
            return []
        reach = metres / METRES_PER_DEGREE
        low = bisect_left(self._latitudes, place.latitude - reach)
        high = bisect_right(self._latitudes, place.latitude + reach)
        pairs = ((metres_between(place, stop), stop) for stop in self._stops[low:high])
        near = [(distance, stop) for distance, stop in pairs if distance is not None and distance <= metres]
        return sorted(near, key=lambda pair: (pair[0], pair[1].position))
