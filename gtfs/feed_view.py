"""A whole version as it is compared with another one: lines with their directions, stops, services."""

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from gtfs.compiled import Direction
from gtfs.published import LineEntry, StopEntry
from gtfs.service_days import ServiceDays


@dataclass(frozen=True)
class LineView:
    """A line and its directions; stops and services are named by their position in the version."""

    entry: LineEntry
    directions: tuple[Direction, ...] = field(repr=False)

    @cached_property
    def runs(self) -> tuple[Direction, ...]:
        """The directions that have trips, whether or not their times are known."""
        return tuple(way for way in self.directions if any(pattern.services for pattern in way.patterns))

    @cached_property
    def stops(self) -> frozenset[int]:
        """Where it calls."""
        return frozenset(stop for way in self.runs for pattern in way.patterns for stop in pattern.stops)

    @cached_property
    def services(self) -> frozenset[int]:
        """The services it runs on."""
        return frozenset(one for way in self.runs for pattern in way.patterns for one in pattern.services)


@dataclass(frozen=True)
class FeedView:
    """A version: lines in the order of lists, stops and services by position; days local, both included."""

    lines: tuple[LineView, ...]
    stops: tuple[StopEntry, ...]
    services: tuple[ServiceDays, ...]
    first_day: date | None
    last_day: date | None

    @cached_property
    def by_position(self) -> dict[int, LineView]:
        """The lines by their position."""
        return {line.entry.position: line for line in self.lines}

    @cached_property
    def lines_at(self) -> dict[int, tuple[LineView, ...]]:
        """The lines that call at each stop, by the stop's position."""
        found: dict[int, list[LineView]] = {}
        for line in self.lines:
            for stop in line.stops:
                found.setdefault(stop, []).append(line)
        return {stop: tuple(calling) for stop, calling in found.items()}
