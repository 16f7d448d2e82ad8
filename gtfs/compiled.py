"""What pages are made of: a line's directions and patterns, a stop's departures, as compact stored bytes.

Stops, lines and services are named by their position in the version, so that no address is stored twice.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Profile:
    """How long a trip takes to each stop: seconds after its start (None: no time), and which are estimates."""

    offsets: tuple[int | None, ...]
    estimated: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Window:
    """Trips every `headway` seconds from `start` on, the last before `end` (seconds of the service day)."""

    start: int
    end: int
    headway: int
    profile: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """The trips of a line that call at the same stops in the same order.

    `trips` and `windows` are by service; a trip is (start in seconds of the service day, profile). `untimed`
    holds the services with trips that have no times. `closed`: indexes of stops where nobody may board.
    """

    stops: tuple[int, ...]
    headsign: str
    closed: frozenset[int] = frozenset()
    profiles: tuple[Profile, ...] = ()
    trips: Mapping[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    windows: Mapping[int, tuple[Window, ...]] = field(default_factory=dict)
    untimed: frozenset[int] = frozenset()

    @property
    def services(self) -> frozenset[int]:
        """All services its trips run on."""
        return frozenset((*self.trips, *self.windows, *self.untimed))


@dataclass(frozen=True, slots=True)
class Direction:
    """One way of a line, patterns with the most trips first; `km` is the length of its usual path."""

    label: str
    circular: bool
    km: float | None
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class StopTimes:
    """The departures of one line to one destination at a stop, by service.

    A time is (seconds of the service day, estimated); a window's profile is 1 if it is an estimate, else 0.
    """

    line: int
    destination: str
    times: Mapping[int, tuple[tuple[int, bool], ...]] = field(default_factory=dict)
    windows: Mapping[int, tuple[Window, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StopBoard:
    """Everything that leaves a stop; `untimed` lines call there without published times."""

    departures: tuple[StopTimes, ...] = ()
    untimed: tuple[int, ...] = ()


def pack(values: Any) -> bytes:
    """Plain values as compressed JSON."""
    return zlib.compress(json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode(), 6)


def unpack(content: bytes) -> Any:
    """The values that `pack` stored."""
    return json.loads(zlib.decompress(content))


def pack_line(directions: tuple[Direction, ...]) -> bytes:
    """A line's directions as stored bytes."""
    return pack(directions_to_json(directions))


def unpack_line(content: bytes) -> tuple[Direction, ...]:
    """The directions that `pack_line` stored."""
    return directions_from_json(unpack(content))


def directions_to_json(directions: tuple[Direction, ...]) -> list[Any]:
    """A line's directions as plain values."""
    return [
        [direction.label, direction.circular, direction.km, [_pattern_values(p) for p in direction.patterns]]
        for direction in directions
    ]


def directions_from_json(values: list[Any]) -> tuple[Direction, ...]:
    """The directions that `directions_to_json` gave."""
    return tuple(
        Direction(label, circular, km, tuple(map(_read_pattern, patterns)))
        for label, circular, km, patterns in values
    )


def pack_stop(board: StopBoard) -> bytes:
    """A stop's departures as stored bytes; a time is doubled, plus one if it is an estimate."""
    departures = [
        [
            entry.line,
            entry.destination,
            {service: [seconds * 2 + mark for seconds, mark in times] for service, times in entry.times.items()},
            _windows_values(entry.windows),
        ]
        for entry in board.departures
    ]
    return pack([departures, board.untimed])


def unpack_stop(content: bytes) -> StopBoard:
    """The departures that `pack_stop` stored."""
    departures, untimed = unpack(content)
    return StopBoard(
        tuple(
            StopTimes(
                line,
                destination,
                {int(key): tuple((time >> 1, bool(time & 1)) for time in value) for key, value in times.items()},
                _read_windows(windows),
            )
            for line, destination, times, windows in departures
        ),
        tuple(untimed),
    )


def unpack_lines_of(content: bytes) -> frozenset[int]:
    """The positions of the lines in what `pack_stop` stored, without unpacking the times."""
    departures, untimed = unpack(content)
    return frozenset((*(entry[0] for entry in departures), *untimed))


def _pattern_values(pattern: Pattern) -> list[Any]:
    return [
        pattern.stops,
        pattern.headsign,
        sorted(pattern.closed),
        [[profile.offsets, sorted(profile.estimated)] for profile in pattern.profiles],
        pattern.trips,
        _windows_values(pattern.windows),
        sorted(pattern.untimed),
    ]


def _read_pattern(values: list[Any]) -> Pattern:
    stops, headsign, closed, profiles, trips, windows, untimed = values
    return Pattern(
        stops=tuple(stops),
        headsign=headsign,
        closed=frozenset(closed),
        profiles=tuple(Profile(tuple(offsets), frozenset(estimated)) for offsets, estimated in profiles),
        trips={int(key): tuple((start, profile) for start, profile in value) for key, value in trips.items()},
        windows=_read_windows(windows),
        untimed=frozenset(untimed),
    )


def _windows_values(windows: Mapping[int, tuple[Window, ...]]) -> dict[int, list[list[int]]]:
    return {
        service: [[window.start, window.end, window.headway, window.profile] for window in found]
        for service, found in windows.items()
    }


def _read_windows(values: Mapping[str, list[list[int]]]) -> dict[int, tuple[Window, ...]]:
    return {int(key): tuple(Window(*numbers) for numbers in found) for key, found in values.items()}
