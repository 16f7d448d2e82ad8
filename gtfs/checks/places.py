"""Rules about where things are: stops far from the town, and speeds that no van reaches."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import floor
from statistics import median

from gtfs.checks.notices import Finding
from gtfs.interpolation import distance_km
from gtfs.numbers import parse_number
from gtfs.raw import RawFeed

CELL = 0.2
"""Degrees: stops whose squares of this size touch are of one cluster; a chain of them may lead far away."""

FASTEST_KMH = 120.0
"""Above this no van or bus runs, measured in a straight line."""

_LEAST_KM = 0.3
_MINUTE = 60
_ROAD = frozenset((3, 11, *range(200, 300), *range(700, 900), 1501))
"""Kinds of route (GTFS and its extended list) whose vehicles are no faster than a van."""

Point = tuple[float, float]


def stop_far_from_town(feed: RawFeed) -> Iterator[Finding]:
    """A stop outside the main cluster, which has more than half of all: a sign, a digit or the order is wrong.

    `other` is the distance in km from the middle of the cluster.
    """
    points = _read_points(feed)
    main = _find_main_cluster(points)
    if 2 * len(main) <= len(points) or len(main) == len(points):
        return
    middle = (median(points[index][0] for index in main), median(points[index][1] for index in main))
    stops = feed.table("stops.txt")
    for index in sorted(points.keys() - main):
        far = f"{distance_km(middle, points[index]):.0f}"
        yield Finding(stops.name, stops.rows[index], "stop_lat", stops.column("stop_id")[index], far)


def _find_main_cluster(points: Mapping[int, Point]) -> set[int]:
    """The records of the largest group of stops in squares that touch, corners included."""
    cells: dict[tuple[int, int], list[int]] = {}
    for index, (latitude, longitude) in points.items():
        cells.setdefault((floor(latitude / CELL), floor(longitude / CELL)), []).append(index)
    left, largest = set(cells), set[int]()
    while left:
        cluster, edge = set[int](), [left.pop()]
        while edge:
            y, x = edge.pop()
            cluster.update(cells[y, x])
            near = {(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & left
            left -= near
            edge.extend(near)
        largest = max(largest, cluster, key=len)
    return largest


def impossible_speed(feed: RawFeed) -> Iterator[Finding]:
    """A trip that needs more than FASTEST_KMH from one timed stop to the next; once for each trip.

    Times in whole minutes may be off by nearly one. `other` is the speed in km/h.
    """
    times, trips = feed.table("stop_times.txt"), feed.table("trips.txt")
    speeds = _Speeds(feed)
    road = _find_road_lines(feed)
    for id_, route in zip(trips.column("trip_id"), trips.column("route_id"), strict=True):
        found = speeds.find_fastest(feed.calls.get(id_, [])) if route in road else None
        if found is not None:
            yield Finding(times.name, times.rows[found[0]], "arrival_time", id_, f"{found[1]:.0f}")


class _Speeds:
    """Speeds between timed stops; each pair of stops is measured once, since most trips share them."""

    def __init__(self, feed: RawFeed) -> None:
        ids, points = feed.table("stops.txt").column("stop_id"), _read_points(feed)
        self._points = {ids[index]: point for index, point in points.items()}
        self._stops = feed.table("stop_times.txt").column("stop_id")
        self._arrivals, self._departures = feed.call_times
        self._judged: dict[tuple[str, str, int], float] = {}

    def find_fastest(self, calls: list[int]) -> tuple[int, float] | None:
        """The first record that is reached faster than FASTEST_KMH, and the speed."""
        arrivals, departures, stops, judged = self._arrivals, self._departures, self._stops, self._judged
        timed = [call for call in calls if arrivals[call] is not None or departures[call] is not None]
        for before, after in pairwise(timed):
            left, reached = departures[before], arrivals[after]
            left = arrivals[before] if left is None else left
            reached = departures[after] if reached is None else reached
            if left is None or reached is None:
                continue
            whole = left % _MINUTE == 0 == reached % _MINUTE
            key = (stops[before], stops[after], reached - left + (_MINUTE if whole else 0))
            speed = judged[key] if key in judged else self._judge(key)
            if speed > FASTEST_KMH:
                return after, speed
        return None

    def _judge(self, key: tuple[str, str, int]) -> float:
        """Speed in km/h; 0 where it cannot be told or the stops are next to each other."""
        first, second, seconds = key
        points, speed = self._points, 0.0
        if first in points and second in points and seconds > 0:
            distance = distance_km(points[first], points[second])
            speed = distance * 3600 / seconds if distance > _LEAST_KM else 0.0
        self._judged[key] = speed
        return speed


def _find_road_lines(feed: RawFeed) -> set[str]:
    routes = feed.table("routes.txt")
    kinds = zip(routes.column("route_id"), routes.column("route_type"), strict=True)
    return {id_ for id_, kind in kinds if kind.isdecimal() and int(kind) in _ROAD}


def _read_points(feed: RawFeed) -> dict[int, Point]:
    """Coordinates by record of stops.txt, of those that can be read and lie on Earth."""
    stops = feed.table("stops.txt")
    pairs = zip(stops.column("stop_lat"), stops.column("stop_lon"), strict=True)
    found: dict[int, Point] = {}
    for index, (latitude_text, longitude_text) in enumerate(pairs):
        latitude, longitude = parse_number(latitude_text), parse_number(longitude_text)
        if latitude is not None and longitude is not None and abs(latitude) <= 90 and abs(longitude) <= 180:
            found[index] = (latitude, longitude)
    return found


RULES = (stop_far_from_town, impossible_speed)
