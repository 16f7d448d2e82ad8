"""Rules about what riders read: names of lines and stops, destinations and directions."""

from collections.abc import Iterator

from gtfs.checks.notices import Finding
from gtfs.raw import RawFeed


def route_without_name(feed: RawFeed) -> Iterator[Finding]:
    """A line with neither number nor name."""
    routes = feed.table("routes.txt")
    names = zip(routes.column("route_short_name"), routes.column("route_long_name"), strict=True)
    for row, id_, both in zip(routes.rows, routes.column("route_id"), names, strict=True):
        if not any(both):
            yield Finding(routes.name, row, "route_short_name", id_)


def stop_without_name(feed: RawFeed) -> Iterator[Finding]:
    """A stop, station or entrance without a name (nodes and boarding areas need none)."""
    stops = feed.table("stops.txt")
    columns = (stops.column("stop_id"), stops.column("stop_name"), stops.column("location_type"))
    for row, id_, name, kind in zip(stops.rows, *columns, strict=True):
        if not name and kind in ("", "0", "1", "2"):
            yield Finding(stops.name, row, "stop_name", id_)


def stop_without_location(feed: RawFeed) -> Iterator[Finding]:
    """A stop, station or entrance without coordinates."""
    stops = feed.table("stops.txt")
    columns = (stops.column(name) for name in ("stop_id", "stop_lat", "stop_lon", "location_type"))
    for row, id_, latitude, longitude, kind in zip(stops.rows, *columns, strict=True):
        if not (latitude and longitude) and kind in ("", "0", "1", "2"):
            yield Finding(stops.name, row, "stop_lat", id_)


def missing_trip_headsign(feed: RawFeed) -> Iterator[Finding]:
    """A trip that does not say where it goes, at none of its stops either."""
    signed = _find_signed_trips(feed)
    for finding in _blank_trips(feed, "trip_headsign"):
        if finding.value not in signed:
            yield finding


def missing_direction(feed: RawFeed) -> Iterator[Finding]:
    """A trip that does not say in which of two directions it runs."""
    yield from _blank_trips(feed, "direction_id")


def _blank_trips(feed: RawFeed, column: str) -> Iterator[Finding]:
    trips = feed.table("trips.txt")
    for row, id_, value in zip(trips.rows, trips.column("trip_id"), trips.column(column), strict=True):
        if not value:
            yield Finding(trips.name, row, column, id_)


def _find_signed_trips(feed: RawFeed) -> set[str]:
    table = feed.table("stop_times.txt")
    if "stop_headsign" not in table:
        return set()
    pairs = zip(table.column("trip_id"), table.column("stop_headsign"), strict=True)
    return {trip for trip, headsign in pairs if headsign}


RULES = (route_without_name, stop_without_name, stop_without_location, missing_trip_headsign, missing_direction)
