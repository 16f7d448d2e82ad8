"""A feed ready to be stored: for each line and stop the columns of lists and the packed content of its page."""

from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True)
class CompiledLine:
    """One row of routes.txt: columns for lists, and `content` for its page (`pack_line`).

    `kind` is the route_type; colours are six hexadecimal digits or blank; `search` is folded text: names,
    destinations and stops, divided by FIELD_END; `details` has the parts of `pack_details`: `fares`
    (`fares_to_json`), `network` (network_id), `paths` (the courses of its usual paths, as [latitude, longitude]).
    """

    gtfs_id: str
    short_name: str
    long_name: str
    description: str
    kind: int
    colour: str
    text_colour: str
    sort_key: str
    search: str
    has_times: bool
    content: bytes = field(repr=False)
    details: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class CompiledStop:
    """One stop or station: columns for lists, `content` for its page (`pack_stop`), `search` as folded text."""

    gtfs_id: str
    code: str
    name: str
    latitude: float | None
    longitude: float | None
    content: bytes = field(repr=False)
    search: str = ""


@dataclass(frozen=True, slots=True)
class CompiledFeed:
    """A feed as pages need it. Lines, stops and services are named by their position in these tuples.

    `first_day` and `last_day` bound the days with trips, narrowed by feed_info.txt; `zone` is a tz name.
    """

    zone: str
    first_day: date | None
    last_day: date | None
    publisher: str
    feed_version: str
    lines: tuple[CompiledLine, ...]
    stops: tuple[CompiledStop, ...]
    services: bytes = field(repr=False)
