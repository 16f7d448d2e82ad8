"""Reads `networks/*.toml` into networks, and names the place of the first thing that is wrong."""

import tomllib
from collections.abc import Callable, Mapping
from datetime import date
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType
from typing import TypeVar

from gtfs.authoring.network import Agency, Call, Fare, Pattern, Service, Stop
from web.demo.network import Line, Network
from web.demo.network_table import BadNetwork, Table
from web.demo.network_times import BadTimes, read_departures, read_headways

SOURCES = ("press", "invented")

T = TypeVar("T")


def list_networks() -> tuple[str, ...]:
    """The slugs of the towns that have a demonstration network, in alphabetical order."""
    names = [item.name for item in (files("web.demo") / "networks").iterdir()]
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def read_network(slug: str) -> Network:
    """The network of the town `slug`; raises BadNetwork when there is none or its file is wrong."""
    if slug not in list_networks():
        raise BadNetwork(f"{slug}.toml", f"no such network; there are {', '.join(list_networks())}")
    return parse_network(slug, (files("web.demo") / "networks" / f"{slug}.toml").read_text(encoding="utf-8"))


def parse_network(slug: str, text: str) -> Network:
    """Read the TOML text of one town; raises BadNetwork, whose `place` starts with the file's name."""
    place = f"{slug}.toml"
    try:
        top = Table(place, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadNetwork(place, f"not TOML: {error}") from error
    services = {table.key: _read_service(table) for table in top.tables("services")}
    fares = {table.key: _read_fare(table) for table in top.tables("fares")}
    stops = _read_stops(top.table("stops"))
    network = Network(
        slug=slug,
        publisher=top.text("publisher"),
        version=top.text("version"),
        first_day=top.one("first_day", date),
        last_day=top.one("last_day", date),
        agency=_read_agency(top.table("agency")),
        holidays=top.many("holidays", date),
        services=tuple(services.values()),
        fares=tuple(fares.values()),
        stops=tuple(stops.values()),
        lines=tuple(_read_line(line, services, fares, stops) for line in top.rows("lines", "number")),
    )
    top.close()
    if network.last_day < network.first_day:
        raise top.wrong("last_day", "is earlier than first_day")
    _check_whole(place, network)
    return network


def _read_agency(table: Table) -> Agency:
    agency = Agency(table.text("id"), table.text("name"), table.text("url"), table.text("time_zone"))
    table.close()
    return agency


def _read_service(table: Table) -> Service:
    service = Service(table.key, table.many("weekdays", int), table.one("holidays", bool, default=False))
    if not service.weekdays or not set(service.weekdays) <= set(range(1, 8)):
        raise table.wrong("weekdays", "must be numbers from 1 (Monday) to 7 (Sunday)")
    table.close()
    return service


def _read_fare(table: Table) -> Fare:
    fare = Fare(table.key, table.one("cents", int))
    if fare.cents < 0:
        raise table.wrong("cents", "must not be negative")
    table.close()
    return fare


def _read_stops(table: Table) -> dict[str, Stop]:
    return {key: _read_stop(table, key) for key in table}


def _read_stop(table: Table, key: str) -> Stop:
    match table.one(key, list):
        case [str(name), float(latitude), float(longitude)] if name and name == name.strip():
            if abs(latitude) <= 90 and abs(longitude) <= 180:
                return Stop(key, name, latitude, longitude)
            raise table.wrong(key, "latitude or longitude out of range")
    raise table.wrong(key, "must be [name, latitude, longitude], the last two with decimals")


def _read_line(
    table: Table, services: Mapping[str, Service], fares: Mapping[str, Fare], stops: Mapping[str, Stop]
) -> Line:
    """A line that names no fare has the first one of the file."""
    source = table.text("source")
    if source not in SOURCES:
        raise table.wrong("source", f"must be one of {', '.join(SOURCES)}")
    fare = table.text("fare", default=next(iter(fares), ""))
    if fare not in fares:
        raise table.wrong("fare", f"{fare!r} is not a fare of this network")
    line = Line(
        number=table.text("number"),
        name=table.text("name"),
        source=source,
        note=table.text("note", default=""),
        fare=fares[fare],
        patterns=_read_patterns(table, services, stops) if "stops" in table else (),
    )
    table.close()
    return line


def _read_patterns(
    table: Table, services: Mapping[str, Service], stops: Mapping[str, Stop]
) -> tuple[Pattern, ...]:
    """One circular pattern when the line goes `towards` one place, there and back when it names two."""
    towards = table.texts("towards")
    out = _read_calls(table, stops)
    if len(towards) == 1 and out[0].stop != out[-1].stop:
        raise table.wrong("stops", "of a circular line must end where they start")
    if len(towards) == 1:
        courses: tuple[tuple[str, int | None, tuple[Call, ...]], ...] = (("circular", None, out),)
    elif len(towards) == 2:
        courses = (("ida", 0, out), ("volta", 1, _turn(out)))
    else:
        raise table.wrong("towards", "must name one place (circular) or two (there and back)")
    departures = _read_times(table, "departures", services, len(courses), read_departures)
    headways = _read_times(table, "headways", services, len(courses), read_headways)
    if not departures and not headways:
        raise table.wrong("stops", "are given, but neither departures nor headways")
    return tuple(
        Pattern(
            key=key,
            direction=direction,
            headsign=towards[number],
            calls=calls,
            departures=MappingProxyType({service: by[number] for service, by in departures.items()}),
            headways=MappingProxyType({service: by[number] for service, by in headways.items()}),
        )
        for number, (key, direction, calls) in enumerate(courses)
    )


def _read_calls(table: Table, stops: Mapping[str, Stop]) -> tuple[Call, ...]:
    """Each entry is `stop` or `stop minute`."""
    calls = []
    for entry in table.texts("stops"):
        stop, _, minute = entry.partition(" ")
        if stop not in stops:
            raise table.wrong("stops", f"{stop!r} is not a stop of this network")
        if minute and not minute.isdecimal():
            raise table.wrong("stops", f"{entry!r} must be a stop and the minutes since the start")
        calls.append(Call(stops[stop], int(minute) if minute else None))
    if len(calls) < 2 or calls[0].minute != 0 or calls[-1].minute is None:
        raise table.wrong("stops", "must be two or more, the first at minute 0 and the last with a minute")
    if any(first.stop == second.stop for first, second in pairwise(calls)):
        raise table.wrong("stops", "name the same stop twice in a row")
    minutes = [call.minute for call in calls if call.minute is not None]
    if any(second <= first for first, second in pairwise(minutes)):
        raise table.wrong("stops", "must have ascending minutes")
    return tuple(calls)


def _turn(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """The way back: the same stops in the other order, with the same minutes between them."""
    total = calls[-1].minute or 0
    return tuple(Call(call.stop, None if call.minute is None else total - call.minute) for call in reversed(calls))


def _read_times(
    line: Table, key: str, services: Mapping[str, Service], courses: int, read: Callable[[str], T]
) -> dict[str, list[T]]:
    """By service id, one value per course, in the order of `towards`."""
    if key not in line:
        return {}
    table = line.table(key)
    times = {}
    for service in table:
        texts = table.texts(service)
        if service not in services:
            raise table.wrong(service, "is not a service of this network")
        if len(texts) != courses:
            raise table.wrong(service, f"must be {courses} texts, one for each place of towards")
        try:
            times[service] = [read(text) for text in texts]
        except BadTimes as error:
            raise table.wrong(service, str(error)) from error
    return times


def _check_whole(place: str, network: Network) -> None:
    """What only the whole file shows: things named twice or never used, and days outside its span."""
    numbers = [line.number for line in network.lines]
    patterns = [pattern for line in network.lines for pattern in line.patterns]
    visited = {call.stop.id for pattern in patterns for call in pattern.calls}
    running = {service for pattern in patterns for service in (*pattern.departures, *pattern.headways)}
    paid = {line.fare.id for line in network.lines}
    outside = [day for day in network.holidays if not network.first_day <= day <= network.last_day]
    for key, names, fault in (
        ("lines", {number for number in numbers if numbers.count(number) > 1}, "named twice"),
        ("stops", {stop.id for stop in network.stops} - visited, "never used"),
        ("services", {service.id for service in network.services} - running, "never used"),
        ("fares", {fare.id for fare in network.fares} - paid, "never used"),
        ("holidays", {day.isoformat() for day in outside}, "outside first_day to last_day"),
    ):
        if names:
            raise BadNetwork(f"{place}: {key}", f"{', '.join(sorted(names))} {fault}")
