"""What a demonstration network is: the parts of any small feed, and what of each line is invented."""

from dataclasses import dataclass
from datetime import date

from gtfs.authoring.network import Agency, Fare, Pattern, Service, Stop


@dataclass(frozen=True, slots=True)
class Line:
    """One route; without patterns while its times are still to be published.

    `source` is `press` when the press named the line, else `invented`; stops and times are always invented.
    """

    number: str
    name: str
    source: str
    note: str
    fare: Fare
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Network:
    """Everything a feed is built from; `first_day` and `last_day` are inclusive."""

    slug: str
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
