"""Rules about trips: that they have stops, and times that go forward."""

from collections.abc import Iterator
from itertools import pairwise

from gtfs.checks.notices import Finding
from gtfs.numbers import parse_number
from gtfs.raw import RawFeed


def route_without_trips(feed: RawFeed) -> Iterator[Finding]:
    """A line that no trip belongs to."""
    routes = feed.table("routes.txt")
    served = set(feed.table("trips.txt").column("route_id"))
    for row, id_ in zip(routes.rows, routes.column("route_id"), strict=True):
        if id_ not in served:
            yield Finding(routes.name, row, "route_id", id_)


def trip_without_stop_times(feed: RawFeed) -> Iterator[Finding]:
    """A trip without any row in stop_times.txt."""
    for row, id_, calls in _trips(feed):
        if not calls:
            yield Finding("trips.txt", row, "trip_id", id_)


def unusable_trip(feed: RawFeed) -> Iterator[Finding]:
    """A trip with a single stop."""
    for row, id_, calls in _trips(feed):
        if len(calls) == 1:
            yield Finding("trips.txt", row, "trip_id", id_)


def trip_without_times(feed: RawFeed) -> Iterator[Finding]:
    """A trip with no time at any stop; one on demand has windows instead."""
    times = feed.table("stop_times.txt")
    columns = ("arrival_time", "departure_time", "start_pickup_drop_off_window")
    arrivals, departures, windows = (times.column(name) for name in columns)
    for row, id_, calls in _trips(feed):
        if calls and not any(arrivals[call] or departures[call] or windows[call] for call in calls):
            yield Finding("trips.txt", row, "trip_id", id_)


def missing_trip_edge(feed: RawFeed) -> Iterator[Finding]:
    """A trip with times, but not at its first and last stop."""
    times = feed.table("stop_times.txt")
    timed = [bool(pair[0] or pair[1]) for pair in _time_pairs(feed)]
    for _, id_, calls in _trips(feed):
        if any(timed[call] for call in calls):
            for call in {calls[0], calls[-1]}:
                if not timed[call]:
                    yield Finding(times.name, times.rows[call], "arrival_time", id_)


def stop_time_with_arrival_before_previous_departure_time(feed: RawFeed) -> Iterator[Finding]:
    """A trip that goes back in time from one timed stop to the next, or at one stop."""
    times = feed.table("stop_times.txt")
    arrivals, departures = feed.call_times
    each = [arrivals] if arrivals == departures else [arrivals, departures]
    for _, id_, calls in _trips(feed):
        moments = [time for call in calls for column in each if (time := column[call]) is not None]
        if moments != sorted(moments):
            for call, column in _find_steps_back(feed, calls):
                yield Finding(times.name, times.rows[call], column, id_, times.column(column)[call])


def _find_steps_back(feed: RawFeed, calls: list[int]) -> Iterator[tuple[int, str]]:
    """Record and column of each time that is earlier than the one before."""
    columns = tuple(zip(("arrival_time", "departure_time"), feed.call_times, strict=True))
    latest = -1
    for call in calls:
        for column, seconds in columns:
            second = seconds[call]
            if second is not None:
                if second < latest:
                    yield call, column
                latest = second


def decreasing_stop_time_distance(feed: RawFeed) -> Iterator[Finding]:
    """A trip whose distances go down."""
    times = feed.table("stop_times.txt")
    if "shape_dist_traveled" not in times:
        return
    texts = times.column("shape_dist_traveled")
    numbers = {text: parse_number(text) for text in set(texts)}
    for _, id_, calls in _trips(feed):
        known = [(call, number) for call in calls if (number := numbers[texts[call]]) is not None]
        for (_, before), (call, after) in pairwise(known):
            if after < before:
                yield Finding(times.name, times.rows[call], "shape_dist_traveled", id_)


def missing_stop_reference(feed: RawFeed) -> Iterator[Finding]:
    """A row of stop_times.txt that names neither a stop nor a zone."""
    times = feed.table("stop_times.txt")
    if "" not in set(times.column("stop_id")):
        return
    columns = (times.column(name) for name in ("trip_id", "stop_id", "location_group_id", "location_id"))
    for row, trip, *places in zip(times.rows, *columns, strict=True):
        if not any(places):
            yield Finding(times.name, row, "stop_id", trip)


def _trips(feed: RawFeed) -> Iterator[tuple[int, str, list[int]]]:
    """Row, trip_id and records of stop_times.txt, in the order of stop_sequence, of each trip."""
    trips = feed.table("trips.txt")
    calls = feed.calls
    for row, id_ in zip(trips.rows, trips.column("trip_id"), strict=True):
        yield row, id_, calls.get(id_, [])


def _time_pairs(feed: RawFeed) -> Iterator[tuple[str, str]]:
    times = feed.table("stop_times.txt")
    return zip(times.column("arrival_time"), times.column("departure_time"), strict=True)


RULES = (
    route_without_trips,
    trip_without_stop_times,
    unusable_trip,
    trip_without_times,
    missing_trip_edge,
    stop_time_with_arrival_before_previous_departure_time,
    decreasing_stop_time_distance,
    missing_stop_reference,
)
