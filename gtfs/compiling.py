"""Accepted tables -> what pages need, computed once at import and stored with the version."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from gtfs.boards import gather_boards
from gtfs.clock import parse_date
from gtfs.compiled import Direction, StopBoard, pack, pack_line, pack_stop
from gtfs.compiled_feed import CompiledFeed, CompiledLine, CompiledStop
from gtfs.directions import find_directions
from gtfs.fares import fares_to_json, read_fares
from gtfs.folding import fold, sort_key
from gtfs.line_details import pack_details
from gtfs.line_work import count_work, list_active_sets
from gtfs.numbers import parse_integer, parse_number
from gtfs.on_demand import read_on_demand
from gtfs.paths import Path
from gtfs.patterns import Gathering, Place, gather_patterns
from gtfs.raw import RawFeed, RawTable
from gtfs.search_words import FIELD_END
from gtfs.service_days import ServiceDays, find_period, read_services

PLACES = ("", "0", "1")
"""Codes of location_type that get a page: stops and stations, not entrances or parts of a station."""


MOST_PATHS = 6
"""Paths of a line drawn on its map: more make it no clearer."""


def compile_feed(feed: RawFeed, paths: Callable[[], Mapping[str, Path]] | None = None) -> CompiledFeed:
    """Compile an accepted feed: times filled in, patterns and directions found.

    `paths` gives those of shapes.txt by shape_id (gtfs.measuring); without it no way has a length.
    """
    services = read_services(feed)
    stops = _read_places(feed)
    names = [feed.table("stops.txt").column("stop_name")[index] or id_ for id_, index in stops.records]
    gathered = gather_patterns(feed, {s.id: i for i, s in enumerate(services)}, stops.positions, stops.places)
    routes = feed.table("routes.txt")
    routes_found = [(row, id_) for row, id_ in enumerate(routes.column("route_id")) if id_]
    patterns = [gathered.get(id_, []) for _, id_ in routes_found]
    boards = gather_boards(patterns, names, stops.parents)
    measured = paths() if paths else {}
    lengths = {shape: path.km for shape, path in measured.items()}
    fares = read_fares(feed)
    agency = feed.table("agency.txt").column("agency_id")[0]
    first, last = _find_days(feed, services)
    active = list_active_sets(services, first.toordinal(), last.toordinal()) if first and last else ()
    offers = read_on_demand(feed, {service.id: index for index, service in enumerate(services)})
    info = feed.table("feed_info.txt")
    return CompiledFeed(
        zone=feed.table("agency.txt").column("agency_timezone")[0],
        first_day=first,
        last_day=last,
        publisher="".join(info.column("feed_publisher_name")[:1]),
        feed_version="".join(info.column("feed_version")[:1]),
        lines=tuple(
            _compile_line(
                routes,
                row,
                find_directions(line, names, lengths),
                names,
                {
                    "fares": fares_to_json(fares[id_]) if id_ in fares else None,
                    "network": routes.column("network_id")[row],
                    "agency": routes.column("agency_id")[row] or agency,
                    "paths": _draw(line, measured),
                    "on_demand": [offer.to_json() for offer in offers.get(id_, ())],
                    "work": [work.to_json() for work in count_work(line, active, lengths, stops.places)],
                },
            )
            for (row, id_), line in zip(routes_found, patterns, strict=True)
        ),
        stops=tuple(_compile_stops(feed, stops, names, boards)),
        services=pack([service.to_json() for service in services]),
    )


@dataclass(frozen=True, slots=True)
class _Stops:
    """The stops with pages: (stop_id, record in stops.txt) by position, positions by id, coordinates, stations."""

    records: list[tuple[str, int]]
    positions: dict[str, int]
    places: list[Place]
    parents: dict[int, int]


def _read_places(feed: RawFeed) -> _Stops:
    table = feed.table("stops.txt")
    called = set(feed.table("stop_times.txt").column("stop_id"))
    kinds = zip(table.column("stop_id"), table.column("location_type"), strict=True)
    records = [(id_, row) for row, (id_, kind) in enumerate(kinds) if id_ and (kind in PLACES or id_ in called)]
    positions = {id_: position for position, (id_, _) in enumerate(records)}
    pairs = list(zip(table.column("stop_lat"), table.column("stop_lon"), strict=True))
    places = [_read_place(*pairs[row]) for _, row in records]
    stations = table.column("parent_station")
    parents = {
        position: positions[stations[row]]
        for position, (_, row) in enumerate(records)
        if stations[row] in positions
    }
    return _Stops(records, positions, places, parents)


def _read_place(latitude_text: str, longitude_text: str) -> Place:
    latitude, longitude = parse_number(latitude_text), parse_number(longitude_text)
    return None if latitude is None or longitude is None else (latitude, longitude)


def _find_days(feed: RawFeed, services: Sequence[ServiceDays]) -> tuple[date | None, date | None]:
    """The days with trips of services in use, within what feed_info.txt says the feed is good for."""
    used = set(feed.table("trips.txt").column("service_id"))
    period = find_period(service for service in services if service.id in used)
    if period is None:
        return None, None
    info = feed.table("feed_info.txt")
    starts = [day for text in info.column("feed_start_date") if (day := parse_date(text))]
    ends = [day for text in info.column("feed_end_date") if (day := parse_date(text))]
    first, last = max((period[0], *starts)), min((period[1], *ends))
    return (first, last) if first <= last else period


def _compile_line(
    routes: RawTable,
    row: int,
    directions: tuple[Direction, ...],
    stop_names: Sequence[str],
    details: Mapping[str, Any],
) -> CompiledLine:
    columns = ("route_id", "route_short_name", "route_long_name", "route_desc", "route_type")
    id_, short, long, description, kind = (routes.column(name)[row] for name in columns)
    patterns = [pattern for direction in directions for pattern in direction.patterns]
    served = dict.fromkeys(stop_names[stop] for pattern in patterns for stop in pattern.stops)
    labels = [direction.label for direction in directions]
    return CompiledLine(
        gtfs_id=id_,
        short_name=short,
        long_name=long,
        description=description,
        kind=parse_integer(kind) or 0,
        colour=_read_colour(routes.column("route_color")[row]),
        text_colour=_read_colour(routes.column("route_text_color")[row]),
        sort_key=sort_key(f"{short} {long}" if short or long else id_),
        search=FIELD_END.join(fold(" ".join(part)) for part in ((short, long, description), labels, served)),
        has_times=any(pattern.trips or pattern.windows for pattern in patterns) or bool(details["on_demand"]),
        content=pack_line(directions),
        details=pack_details(details),
    )


def _draw(patterns: Sequence[Gathering], measured: Mapping[str, Path]) -> list[list[list[float]]]:
    """The different paths of a line's usual trips, each direction's most frequent first, at most MOST_PATHS."""
    shapes: dict[str, float] = {}
    for pattern in sorted(patterns, key=lambda pattern: -pattern.weight):
        for shape, _ in pattern.shapes.most_common(1):
            if shape in measured:
                shapes.setdefault(shape, pattern.weight)
    return [[list(point) for point in measured[shape].points] for shape in list(shapes)[:MOST_PATHS]]


def _read_colour(text: str) -> str:
    """The colour as upper-case digits; blank when it is none."""
    return text.upper() if len(text) == 6 and all(digit in "0123456789abcdefABCDEF" for digit in text) else ""


def _compile_stops(
    feed: RawFeed, stops: _Stops, names: Sequence[str], boards: Mapping[int, StopBoard]
) -> Iterator[CompiledStop]:
    codes, descriptions = map(feed.table("stops.txt").column, ("stop_code", "stop_desc"))
    for position, (id_, row) in enumerate(stops.records):
        latitude, longitude = stops.places[position] or (None, None)
        content = pack_stop(boards.get(position, StopBoard()))
        search = fold(" ".join((names[position], codes[row], descriptions[row])))
        yield CompiledStop(id_, codes[row], names[position], latitude, longitude, content, search)
