"""What a small feed is made of: an agency, kinds of day, fares, stops and lines, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Agency:
    """One row of agency.txt."""

    id: str
    name: str
    url: str
    time_zone: str
    phone: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class Stop:
    """One place to board; degrees WGS 84, as in stops.txt."""

    id: str
    name: str
    latitude: float
    longitude: float
    description: str = ""


@dataclass(frozen=True, slots=True)
class Service:
    """A kind of day: ISO weekdays (1 is Monday), and whether it runs on the network's holidays.

    A service without `holidays` stands still on a holiday whatever its weekday; one with it always runs.
    """

    id: str
    weekdays: tuple[int, ...]
    holidays: bool


@dataclass(frozen=True, slots=True)
class Fare:
    """One price, in integer cents of real."""

    id: str
    cents: int


@dataclass(frozen=True, slots=True)
class Call:
    """A stop on the way; `minute` counts from the trip's start and is None where no time is published."""

    stop: Stop
    minute: int | None


@dataclass(frozen=True, slots=True)
class Headway:
    """A vehicle every `every` minutes; `start` and `end` in minutes after midnight, which may exceed 24 h."""

    start: int
    end: int
    every: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """One course of a line: `key` is `ida`, `volta` or `circular`; a circular one has no direction.

    `departures` (minutes after midnight, ascending) and `headways` (ascending) are by service id.
    """

    key: str
    direction: int | None
    headsign: str
    calls: tuple[Call, ...]
    departures: Mapping[str, tuple[int, ...]]
    headways: Mapping[str, tuple[Headway, ...]]


@dataclass(frozen=True, slots=True)
class Line:
    """One route; without patterns while its times are still to be published. Colours are RRGGBB or blank."""

    id: str
    number: str
    name: str
    description: str
    patterns: tuple[Pattern, ...]
    fare: Fare | None = None
    colour: str = ""
    text_colour: str = ""


@dataclass(frozen=True, slots=True)
class Network:
    """Everything a feed is built from; `first_day` and `last_day` are inclusive.

    With `with_paths` the feed has shapes of straight lines from stop to stop; without, none at all.
    """

    publisher: str
    version: str
    first_day: date
    last_day: date
    agency: Agency
    holidays: tuple[date, ...]
    services: tuple[Service, ...]
    fares: tuple[Fare, ...]
    stops: tuple[Stop, ...]
    lines: tuple[Line, ...]
    with_paths: bool = False
