"""The trips of each line gathered by the stops they call at: trips.txt, stop_times.txt and frequencies.txt."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gtfs.clock import parse_time
from gtfs.compiled import Pattern, Profile, Window
from gtfs.interpolation import fill_times, measure_stops
from gtfs.numbers import parse_integer, parse_number
from gtfs.raw import RawFeed

NO_BOARDING = "1"
ON_DEMAND = "start_pickup_drop_off_window"
"""The column that says a stop is served on demand, not at a time."""
EXACT = "1"

_MOST_DEPARTURES = 1_500
"""Exact intervals are written out as departures unless they make more than one a minute in a day."""

_PACE = 60
"""Seconds between vehicles below which an interval is taken for a slip when vehicles are counted."""

Place = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Calls:
    """One trip at its stops: positions of the stops, where nobody may board, the sign shown at each.

    `start` is the time at the first stop that has one, whose index is `first_timed`.
    """

    stops: tuple[int, ...]
    closed: frozenset[int]
    signs: tuple[str, ...]
    first_timed: int
    start: int | None
    profile: Profile


@dataclass(frozen=True, slots=True)
class Run:
    """One vehicle's way along a line: service, start and end in seconds of the service day, shape, block."""

    service: int
    start: int
    end: int
    shape: str
    block: str


@dataclass(slots=True)
class Gathering:
    """A pattern that is still gathering trips; `signs` is empty or has a text for each stop."""

    direction: str
    headsign: str
    stops: tuple[int, ...]
    closed: frozenset[int]
    signs: tuple[str, ...]
    first_timed: int = 0
    profiles: dict[Profile, int] = field(default_factory=dict)
    trips: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    windows: dict[int, list[Window]] = field(default_factory=dict)
    untimed: set[int] = field(default_factory=set)
    shapes: Counter[str] = field(default_factory=Counter)
    runs: list[Run] = field(default_factory=list)
    weight: float = 0
    """How many departures it has, counting each service once."""

    def add(self, calls: Calls, service: int, windows: Sequence[Window], exact: Sequence[int]) -> None:
        """Take a trip in; with `windows` or `exact` departures its own times only say how long it takes."""
        profile = self.profiles.setdefault(calls.profile, len(self.profiles))
        starts = exact or ([] if windows or calls.start is None else [calls.start])
        if starts:
            self.trips.setdefault(service, []).extend((start, profile) for start in starts)
        for window in windows:
            placed = Window(window.start, window.end, window.headway, profile)
            self.windows.setdefault(service, []).append(placed)
        if not starts and not windows:
            self.untimed.add(service)
        self.weight += len(starts) + sum((window.end - window.start) / window.headway for window in windows)

    def finish(self) -> Pattern:
        """The pattern with its trips in the order they start."""
        return Pattern(
            stops=self.stops,
            headsign=self.headsign,
            closed=self.closed,
            profiles=tuple(self.profiles),
            trips={service: tuple(sorted(trips)) for service, trips in sorted(self.trips.items())},
            windows={
                service: tuple(sorted(windows, key=lambda window: (window.start, window.end)))
                for service, windows in sorted(self.windows.items())
            },
            untimed=frozenset(self.untimed),
        )


def gather_patterns(
    feed: RawFeed, services: Mapping[str, int], stops: Mapping[str, int], places: Sequence[Place]
) -> dict[str, list[Gathering]]:
    """The patterns of each route_id; `services` and `stops` give positions, `places` those of the stops.

    Trips that name no known route, or call at fewer than two known stops, are left out.
    """
    reader = CallReader(feed, stops, places)
    intervals = read_intervals(feed)
    trips = feed.table("trips.txt")
    names = ("trip_id", "route_id", "service_id", "direction_id", "trip_headsign", "shape_id", "block_id")
    routes: dict[str, dict[object, Gathering]] = {}
    for trip, route, service, direction, headsign, shape, block in zip(*map(trips.column, names), strict=True):
        calls = reader.read(trip)
        if calls is None or service not in services or not route:
            continue
        key = (direction, headsign, calls.stops, calls.closed, calls.signs, calls.first_timed)
        pattern = routes.setdefault(route, {}).setdefault(key, Gathering(*key))
        windows, exact = intervals.get(trip, ((), ()))
        if trip in intervals and not windows and not exact:
            pattern.untimed.add(services[service])
        else:
            pattern.add(calls, services[service], windows, exact)
            pattern.runs.extend(_list_runs(calls, services[service], windows, exact, (shape, block)))
        pattern.shapes[shape] += 1
    return {route: list(patterns.values()) for route, patterns in routes.items()}


def _list_runs(
    calls: Calls, service: int, windows: Sequence[Window], exact: Sequence[int], ids: tuple[str, str]
) -> Iterator[Run]:
    """Each time a trip is run; one at intervals as if it kept to them."""
    paced = [start for window in windows for start in range(window.start, window.end, max(window.headway, _PACE))]
    lasts = max((offset for offset in calls.profile.offsets if offset is not None), default=0)
    for start in exact or paced or ([] if calls.start is None else [calls.start]):
        yield Run(service, start, start + lasts, *ids)


class CallReader:
    """Reads trips from stop_times.txt; blank times between timed stops are filled in, stops on demand left out."""

    def __init__(self, feed: RawFeed, stops: Mapping[str, int], places: Sequence[Place]) -> None:
        table = feed.table("stop_times.txt")
        arrivals, departures = table.column("arrival_time"), table.column("departure_time")
        self._seconds = feed.seconds
        self._arrivals, self._departures = arrivals, departures
        self._stops = [stops.get(id_) for id_ in table.column("stop_id")]
        for call, window in enumerate(table.column(ON_DEMAND) if ON_DEMAND in table else ()):
            if window:
                self._stops[call] = None
        self._pickups = table.column("pickup_type")
        self._signs = table.column("stop_headsign") if "stop_headsign" in table else None
        self._distances = table.column("shape_dist_traveled") if "shape_dist_traveled" in table else None
        self._calls = feed.calls
        self._places = places
        self._measured: dict[tuple[int, ...], list[float | None]] = {}

    def read(self, trip: str) -> Calls | None:
        """The trip at its known stops; None when there are fewer than two."""
        found = [(call, stop) for call in self._calls.get(trip, ()) if (stop := self._stops[call]) is not None]
        if len(found) < 2:
            return None
        calls, stops = zip(*found, strict=True)
        times, estimated = self._read_times(calls, stops)
        first = next((index for index, time in enumerate(times) if time is not None), 0)
        start = times[first]
        offsets = tuple(None if time is None or start is None else time - start for time in times)
        closed = frozenset(index for index, call in enumerate(calls) if self._pickups[call] == NO_BOARDING)
        signs = tuple(self._signs[call] for call in calls) if self._signs else ()
        profile = Profile(offsets, frozenset(index for index, mark in enumerate(estimated) if mark))
        return Calls(stops, closed, signs if any(signs) else (), first, start, profile)

    def _read_times(self, calls: tuple[int, ...], stops: tuple[int, ...]) -> tuple[list[int | None], list[bool]]:
        arrivals = [self._seconds[self._arrivals[call]] for call in calls]
        departures = [self._seconds[self._departures[call]] for call in calls]
        if None not in departures:
            return departures, [False] * len(departures)
        return fill_times(arrivals, departures, list(self._measure(calls, stops)))

    def _measure(self, calls: tuple[int, ...], stops: tuple[int, ...]) -> Iterator[list[float | None]]:
        """The distances the feed gives, then straight lines between the stops."""
        if self._distances is not None:
            yield [parse_number(self._distances[call]) for call in calls]
        if stops not in self._measured:
            self._measured[stops] = measure_stops([self._places[stop] for stop in stops])
        yield self._measured[stops]


def read_intervals(feed: RawFeed) -> dict[str, tuple[list[Window], list[int]]]:
    """By trip_id of frequencies.txt: windows of approximate departures, and exact departures written out.

    Rows without a usable interval are left out, but their trip is named.
    """
    table = feed.table("frequencies.txt")
    names = ("trip_id", "start_time", "end_time", "headway_secs", "exact_times")
    found: dict[str, tuple[list[Window], list[int]]] = {}
    for trip, start_text, end_text, headway_text, exact in zip(*map(table.column, names), strict=True):
        windows, departures = found.setdefault(trip, ([], []))
        start, end, headway = parse_time(start_text), parse_time(end_text), parse_integer(headway_text)
        if start is None or end is None or headway is None or headway <= 0 or end <= start:
            continue
        if count_exact(start, end, headway, exact):
            departures.extend(range(start, end, headway))
        else:
            windows.append(Window(start, end, headway, 0))
    return found


def count_exact(start: int, end: int, headway: int, exact: str) -> int:
    """As how many departures an interval is written out; 0 when it stays an interval. Times in seconds."""
    count = len(range(start, end, headway))
    return count if exact == EXACT and count <= _MOST_DEPARTURES else 0
