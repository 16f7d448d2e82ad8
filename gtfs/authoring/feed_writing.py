"""Turns a network into a GTFS zip, the same bytes for the same network."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import accumulate, pairwise

from gtfs.authoring.archive_writing import Row, write_archive
from gtfs.authoring.distances import measure_km
from gtfs.authoring.network import Call, Line, Network, Pattern

BUS = 3
PAID_ON_BOARD = 0
NO_TRANSFERS = 0
ADDED, REMOVED = 1, 2


@dataclass(frozen=True, slots=True)
class File:
    """One file of the feed; the first columns are its key, by which its rows are sorted."""

    name: str
    columns: str
    rows: Callable[[Network], Iterator[Row]]


@dataclass(frozen=True, slots=True)
class Trip:
    """One row of trips.txt; `start` in minutes after midnight."""

    id: str
    line: Line
    pattern: Pattern
    service: str
    start: int


def write_feed(network: Network) -> bytes:
    """The feed as a zip; two writings of one network are equal byte for byte."""
    return write_archive((file.name, file.columns.split(","), file.rows(network)) for file in FILES)


def _list_agency(network: Network) -> Iterator[Row]:
    agency = network.agency
    yield agency.id, agency.name, agency.url, agency.time_zone, "pt-BR", agency.phone, agency.email


def _list_feed_info(network: Network) -> Iterator[Row]:
    url = network.agency.url
    span = _write_date(network.first_day), _write_date(network.last_day)
    yield network.publisher, url, "pt-BR", *span, network.version, url


def _list_stops(network: Network) -> Iterator[Row]:
    for stop in network.stops:
        yield stop.id, stop.name, stop.description, f"{stop.latitude:.6f}", f"{stop.longitude:.6f}"


def _list_routes(network: Network) -> Iterator[Row]:
    for line in network.lines:
        named = line.number, line.name, line.description
        yield line.id, network.agency.id, *named, BUS, line.colour, line.text_colour


def _list_calendar(network: Network) -> Iterator[Row]:
    span = _write_date(network.first_day), _write_date(network.last_day)
    for service in network.services:
        yield service.id, *(int(day in service.weekdays) for day in range(1, 8)), *span


def _list_calendar_dates(network: Network) -> Iterator[Row]:
    """Only what differs from the weekdays of calendar.txt."""
    for service in network.services:
        for day in network.holidays:
            runs = day.isoweekday() in service.weekdays
            if runs != service.holidays:
                yield service.id, _write_date(day), ADDED if service.holidays else REMOVED


def _list_trips(network: Network) -> Iterator[Row]:
    for trip in _find_trips(network):
        shape = _name_shape(trip.line, trip.pattern) if network.with_paths else None
        direction = trip.pattern.direction
        yield trip.id, trip.line.id, trip.service, trip.pattern.headsign, direction, shape


def _list_stop_times(network: Network) -> Iterator[Row]:
    for trip in _find_trips(network):
        for sequence, (call, distance) in enumerate(_measure(trip.pattern.calls), 1):
            time = None if call.minute is None else _write_time(trip.start + call.minute)
            along = distance if network.with_paths else None
            yield trip.id, sequence, call.stop.id, time, time, int(time is not None), along


def _list_frequencies(network: Network) -> Iterator[Row]:
    for line in network.lines:
        for pattern in line.patterns:
            for service, headways in pattern.headways.items():
                trip = _name_trip(line, pattern, service, None)
                for headway in headways:
                    start, end = _write_time(headway.start), _write_time(headway.end)
                    yield trip, start, end, headway.every * 60, 0


def _list_shapes(network: Network) -> Iterator[Row]:
    """Straight lines from stop to stop."""
    for line in network.lines if network.with_paths else ():
        for pattern in line.patterns:
            for sequence, (call, distance) in enumerate(_measure(pattern.calls), 1):
                latitude, longitude = f"{call.stop.latitude:.6f}", f"{call.stop.longitude:.6f}"
                yield _name_shape(line, pattern), sequence, latitude, longitude, distance


def _list_fare_attributes(network: Network) -> Iterator[Row]:
    for fare in network.fares:
        price = f"{fare.cents // 100}.{fare.cents % 100:02}"
        yield fare.id, price, "BRL", PAID_ON_BOARD, NO_TRANSFERS, network.agency.id


def _list_fare_rules(network: Network) -> Iterator[Row]:
    for line in network.lines:
        if line.fare is not None:
            yield line.fare.id, line.id


FILES = (
    File(
        "agency.txt",
        "agency_id,agency_name,agency_url,agency_timezone,agency_lang,agency_phone,agency_email",
        _list_agency,
    ),
    File(
        "calendar.txt",
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date",
        _list_calendar,
    ),
    File("calendar_dates.txt", "service_id,date,exception_type", _list_calendar_dates),
    File(
        "fare_attributes.txt",
        "fare_id,price,currency_type,payment_method,transfers,agency_id",
        _list_fare_attributes,
    ),
    File("fare_rules.txt", "fare_id,route_id", _list_fare_rules),
    File(
        "feed_info.txt",
        "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version,"
        "feed_contact_url",
        _list_feed_info,
    ),
    File("frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times", _list_frequencies),
    File(
        "routes.txt",
        "route_id,agency_id,route_short_name,route_long_name,route_desc,route_type,route_color,route_text_color",
        _list_routes,
    ),
    File("shapes.txt", "shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon,shape_dist_traveled", _list_shapes),
    File(
        "stop_times.txt",
        "trip_id,stop_sequence,stop_id,arrival_time,departure_time,timepoint,shape_dist_traveled",
        _list_stop_times,
    ),
    File("stops.txt", "stop_id,stop_name,stop_desc,stop_lat,stop_lon", _list_stops),
    File("trips.txt", "trip_id,route_id,service_id,trip_headsign,direction_id,shape_id", _list_trips),
)
"""In the order of their names, which is the order in the zip."""


def _find_trips(network: Network) -> Iterator[Trip]:
    """Every departure, and one model trip for each set of headways, at the start of the first one."""
    for line in network.lines:
        for pattern in line.patterns:
            for service, departures in pattern.departures.items():
                for start in departures:
                    yield Trip(_name_trip(line, pattern, service, start), line, pattern, service, start)
            for service, headways in pattern.headways.items():
                name = _name_trip(line, pattern, service, None)
                yield Trip(name, line, pattern, service, headways[0].start)


def _name_trip(line: Line, pattern: Pattern, service: str, start: int | None) -> str:
    when = "intervalo" if start is None else f"{start // 60:02}{start % 60:02}"
    return f"{line.id}-{pattern.key}-{service}-{when}"


def _name_shape(line: Line, pattern: Pattern) -> str:
    return f"{line.id}-{pattern.key}"


def _measure(calls: tuple[Call, ...]) -> Iterator[tuple[Call, str]]:
    """Each call with its distance from the start, in km along straight lines, three decimals."""
    places = [(call.stop.latitude, call.stop.longitude) for call in calls]
    steps = (measure_km(first, second) for first, second in pairwise(places))
    for call, distance in zip(calls, accumulate(steps, initial=0.0), strict=True):
        yield call, f"{distance:.3f}"


def _write_date(day: date) -> str:
    return day.strftime("%Y%m%d")


def _write_time(minutes: int) -> str:
    """HH:MM:SS, past 24:00:00 for what runs after midnight."""
    return f"{minutes // 60:02}:{minutes % 60:02}:00"
