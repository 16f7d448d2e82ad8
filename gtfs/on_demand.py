"""Service on demand (GTFS-Flex): in which areas, on which services, between which hours, and how to book."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from gtfs.clock import parse_time
from gtfs.numbers import parse_integer
from gtfs.raw import RawFeed

AREAS = "locations.geojson"
"""The file of a feed with the areas as shapes; only their names are read."""

BOOKING_RULES, STOP_TIMES = "booking_rules.txt", "stop_times.txt"
REAL_TIME, SAME_DAY, DAYS_BEFORE = "0", "1", "2"
"""Codes of booking_type."""


@dataclass(frozen=True, slots=True)
class Booking:
    """How to ask for a ride: `kind` is booking_type; minutes ahead, or days ahead and until when (seconds)."""

    kind: str
    minutes: int | None = None
    days: int | None = None
    until: int | None = None
    phone: str = ""
    address: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class OnDemand:
    """Rides in `areas` (names; blank where the feed has none) from `start` to `end` seconds of a service's day."""

    areas: tuple[str, ...]
    services: frozenset[int]
    start: int
    end: int
    booking: Booking | None

    def to_json(self) -> list[Any]:
        """A plain row that `on_demand_from_json` reads."""
        booking = asdict(self.booking) if self.booking else None
        return [list(self.areas), sorted(self.services), self.start, self.end, booking]


def on_demand_from_json(row: list[Any]) -> OnDemand:
    """The service that `OnDemand.to_json` wrote."""
    areas, services, start, end, booking = row
    return OnDemand(tuple(areas), frozenset(services), start, end, Booking(**booking) if booking else None)


def read_area_names(content: bytes) -> dict[str, str]:
    """The names of areas by id; raises ValueError when it is no GeoJSON."""
    try:
        features = json.loads(content)["features"]
        return {str(feature["id"]): _name(feature) for feature in features if "id" in feature}
    except (KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise ValueError(AREAS) from fault


def read_on_demand(feed: RawFeed, services: Mapping[str, int]) -> dict[str, list[OnDemand]]:
    """What each route_id offers on demand; `services` gives positions."""
    table = feed.table(STOP_TIMES)
    if "start_pickup_drop_off_window" not in table:
        return {}
    trips = feed.table("trips.txt")
    rows = zip(*map(trips.column, ("trip_id", "route_id", "service_id")), strict=True)
    by_trip = {trip: (route, services[service]) for trip, route, service in rows if service in services}
    found: dict[str, dict[tuple[int, int, str], tuple[dict[str, None], set[int]]]] = {}
    for trip, start, end, rule, area in _read_windows(feed):
        if trip in by_trip:
            route, service = by_trip[trip]
            areas, days = found.setdefault(route, {}).setdefault((start, end, rule), ({}, set()))
            areas.setdefault(area)
            days.add(service)
    rules = _read_rules(feed)
    return {
        route: [
            OnDemand(tuple(filter(None, areas)), frozenset(days), start, end, rules.get(rule))
            for (start, end, rule), (areas, days) in offers.items()
        ]
        for route, offers in found.items()
    }


def _read_windows(feed: RawFeed) -> Iterator[tuple[str, int, int, str, str]]:
    """Trip, start, end, booking rule and name of the area of each record with a window."""
    table = feed.table(STOP_TIMES)
    names = _name_places(feed)
    columns = ("start_pickup_drop_off_window", "end_pickup_drop_off_window", "pickup_booking_rule_id")
    places = ("location_id", "location_group_id", "stop_id")
    cells = zip(table.column("trip_id"), *map(table.column, (*columns, *places)), strict=True)
    for trip, start_text, end_text, rule, *ids in cells:
        start, end = parse_time(start_text), parse_time(end_text)
        if start is not None and end is not None:
            yield trip, start, end, rule, next((names.get(id_, "") for id_ in ids if id_), "")


def _name_places(feed: RawFeed) -> dict[str, str]:
    """Areas, groups of stops and stops share one space of ids."""
    groups, stops = feed.table("location_groups.txt"), feed.table("stops.txt")
    return {
        **dict(zip(stops.column("stop_id"), stops.column("stop_name"), strict=True)),
        **dict(zip(groups.column("location_group_id"), groups.column("location_group_name"), strict=True)),
        **feed.areas,
    }


def _read_rules(feed: RawFeed) -> dict[str, Booking]:
    table = feed.table(BOOKING_RULES)
    names = (
        "booking_rule_id",
        "booking_type",
        "prior_notice_duration_min",
        "prior_notice_last_day",
        "prior_notice_last_time",
        "phone_number",
    )
    columns = [*map(table.column, names)]
    addresses = zip(table.column("booking_url"), table.column("info_url"), strict=True)
    messages = zip(table.column("message"), table.column("pickup_message"), strict=True)
    return {
        id_: Booking(
            kind=kind,
            minutes=parse_integer(minutes),
            days=parse_integer(days),
            until=parse_time(until),
            phone=phone,
            address=next(filter(_is_web, address), ""),
            message=" ".join(dict.fromkeys(filter(None, message))),
        )
        for id_, kind, minutes, days, until, phone, address, message in zip(
            *columns, addresses, messages, strict=True
        )
    }


def _is_web(address: str) -> bool:
    return address.startswith(("https://", "http://"))


def _name(feature: Mapping[str, Any]) -> str:
    properties = feature.get("properties") or {}
    return str(properties.get("stop_name") or properties.get("name") or "").strip()
