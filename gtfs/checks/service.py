"""Rules about when a feed is valid: calendars, intervals between trips, time zones."""

from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from gtfs.checks.notices import Finding
from gtfs.clock import parse_date, parse_time
from gtfs.numbers import parse_integer
from gtfs.patterns import count_exact
from gtfs.raw import RawFeed
from gtfs.service_days import find_period, read_services

MOST_DEPARTURES = 5_000_000
"""Departures at stops that the intervals of a feed may make; a state capital's make half as many."""

_MINUTE = 60


def inconsistent_agency_timezone(feed: RawFeed) -> Iterator[Finding]:
    """Agencies with different zones; the standard allows one for the whole feed."""
    agency = feed.table("agency.txt")
    zones = agency.column("agency_timezone")
    for row, zone in zip(agency.rows, zones, strict=True):
        if zone != zones[0]:
            yield Finding(agency.name, row, "agency_timezone", zone, zones[0])


def start_and_end_range_out_of_order(feed: RawFeed) -> Iterator[Finding]:
    """A calendar that ends before it starts, or an interval that does."""
    calendar, frequencies = feed.table("calendar.txt"), feed.table("frequencies.txt")
    days = zip(calendar.rows, calendar.column("start_date"), calendar.column("end_date"), strict=True)
    for row, start, end in days:
        first, last = parse_date(start), parse_date(end)
        if first and last and last < first:
            yield Finding(calendar.name, row, "end_date", end, start)
    times = zip(frequencies.rows, frequencies.column("start_time"), frequencies.column("end_time"), strict=True)
    for row, start, end in times:
        begin, stop = parse_time(start), parse_time(end)
        if begin is not None and stop is not None and stop <= begin:
            yield Finding(frequencies.name, row, "end_time", end, start)


def service_without_days(feed: RawFeed) -> Iterator[Finding]:
    """A service that runs on no day, though trips may name it."""
    calendar = feed.table("calendar.txt")
    rows = dict(zip(calendar.column("service_id"), calendar.rows, strict=True))
    for service in read_services(feed):
        if service.first_day() is None:
            name = calendar.name if service.id in rows else "calendar_dates.txt"
            yield Finding(name, rows.get(service.id), "service_id", service.id)


def expired_calendar(feed: RawFeed, today: date) -> Iterator[Finding]:
    """A feed whose last day with trips is past."""
    period = find_period(read_services(feed))
    if period is not None and period[1] < today:
        yield Finding("calendar.txt", field="end_date", value=f"{period[1]:%d/%m/%Y}")


def no_future_service(feed: RawFeed, today: date) -> Iterator[Finding]:
    """A calendar that goes on, but for services no trip belongs to: from `today` on nothing runs."""
    services = read_services(feed)
    trips = feed.table("trips.txt")
    pairs = zip(trips.column("trip_id"), trips.column("service_id"), strict=True)
    used = {service for trip, service in pairs if trip in feed.calls}
    lasting, running = find_period(services), find_period(service for service in services if service.id in used)
    if lasting is not None and lasting[1] >= today and (running is None or running[1] < today):
        yield Finding(trips.name, field="service_id", value=f"{running[1]:%d/%m/%Y}" if running else "nunca")


def line_that_ended(feed: RawFeed, today: date) -> Iterator[Finding]:
    """A line whose last trip is past, in a feed where others go on; `other` is its last day."""
    last = {service.id: service.last_day() or 0 for service in read_services(feed)}
    trips, routes = feed.table("trips.txt"), feed.table("routes.txt")
    ends: dict[str, int] = {}
    for route, service in zip(trips.column("route_id"), trips.column("service_id"), strict=True):
        ends[route] = max(ends.get(route, 0), last.get(service, 0))
    if max(ends.values(), default=0) < today.toordinal():
        return
    for row, id_ in zip(routes.rows, routes.column("route_id"), strict=True):
        if 0 < ends.get(id_, 0) < today.toordinal():
            yield Finding(routes.name, row, "route_id", id_, f"{date.fromordinal(ends[id_]):%d/%m/%Y}")


def invalid_headway(feed: RawFeed) -> Iterator[Finding]:
    """An interval between trips that is not a number of seconds above zero."""
    for row, text in _headways(feed):
        number = parse_integer(text)
        if number is None or number <= 0:
            yield Finding("frequencies.txt", row, "headway_secs", text)


def suspicious_headway(feed: RawFeed) -> Iterator[Finding]:
    """An interval of less than a minute: minutes written where seconds are meant."""
    for row, text in _headways(feed):
        number = parse_integer(text)
        if number is not None and 0 < number < _MINUTE:
            yield Finding("frequencies.txt", row, "headway_secs", text)


def overlapping_frequency(feed: RawFeed) -> Iterator[Finding]:
    """Two intervals of one trip at the same hour."""
    table = feed.table("frequencies.txt")
    windows: dict[str, list[tuple[int, int, int, str]]] = {}
    columns = (table.column(name) for name in ("trip_id", "start_time", "end_time"))
    for row, trip, start, end in zip(table.rows, *columns, strict=True):
        begin, stop = parse_time(start), parse_time(end)
        if begin is not None and stop is not None:
            windows.setdefault(trip, []).append((begin, stop, row, start))
    for trip, found in windows.items():
        for earlier, later in pairwise(sorted(found)):
            if later[0] < earlier[1]:
                yield Finding(table.name, later[2], "start_time", trip, later[3])


def too_many_departures(feed: RawFeed) -> Iterator[Finding]:
    """Intervals that stand for more departures, over all stops of their trips, than can be shown."""
    table = feed.table("frequencies.txt")
    names = ("trip_id", "start_time", "end_time", "headway_secs", "exact_times")
    total = 0
    for row, trip, *texts, exact in zip(table.rows, *map(table.column, names), strict=True):
        start, end, headway = parse_time(texts[0]), parse_time(texts[1]), parse_integer(texts[2])
        if start is not None and end is not None and headway is not None and headway > 0:
            total += max(1, count_exact(start, end, headway, exact)) * len(feed.calls.get(trip, ()))
        if total > MOST_DEPARTURES:
            yield Finding(table.name, row, "headway_secs", other=f"{MOST_DEPARTURES:,}".replace(",", "."))
            return


def _headways(feed: RawFeed) -> Iterator[tuple[int, str]]:
    table = feed.table("frequencies.txt")
    return zip(table.rows, table.column("headway_secs"), strict=True)


RULES = (
    inconsistent_agency_timezone,
    start_and_end_range_out_of_order,
    service_without_days,
    invalid_headway,
    suspicious_headway,
    overlapping_frequency,
    too_many_departures,
)
RULES_ON_DAY = (expired_calendar, no_future_service, line_that_ended)
"""Rules that also need to know today's date."""
