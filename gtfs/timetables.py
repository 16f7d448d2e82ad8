"""What leaves a stop and when, at an instant."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from gtfs.clock import DAY, start_of_service_day
from gtfs.compiled import StopBoard
from gtfs.day_kinds import active_services
from gtfs.service_days import ServiceDays

ONE_DAY = timedelta(days=1)
SEARCHED_DAYS = 14
"""How far ahead a stop's next departure is looked for when the coming 24 hours have none."""


@dataclass(frozen=True, slots=True, order=True)
class Departure:
    """One vehicle leaving a stop at `at` (aware, UTC); `line` is a position."""

    at: datetime
    line: int
    destination: str
    estimated: bool


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """Vehicles leaving a stop every `headway` seconds from `starts` until before `ends` (aware, UTC)."""

    starts: datetime
    ends: datetime
    line: int
    destination: str
    headway: int
    estimated: bool


def departures_between(
    board: StopBoard, services: Sequence[ServiceDays], zone: ZoneInfo, start: datetime, end: datetime
) -> tuple[Departure, ...]:
    """Departures at `start` or later and before `end`, in order. Both aware.

    Trips of earlier service days that run past midnight are among them. Times count from noon minus twelve
    hours of their service day, so they are right on days when clocks change.
    """
    found: list[Departure] = []
    for origin, active in _service_days(board, services, zone, start, end):
        low, high = (start - origin).total_seconds(), (end - origin).total_seconds()
        for entry in board.departures:
            for service in active & entry.times.keys():
                times = entry.times[service]
                for seconds, estimated in times[bisect_left(times, (low,)) : bisect_left(times, (high,))]:
                    at = origin + timedelta(seconds=seconds)
                    found.append(Departure(at, entry.line, entry.destination, estimated))
    return tuple(sorted(found))


def intervals_between(
    board: StopBoard, services: Sequence[ServiceDays], zone: ZoneInfo, start: datetime, end: datetime
) -> tuple[Interval, ...]:
    """Intervals that are running at `start` or begin before `end`, in order. Both aware."""
    found: list[Interval] = []
    for origin, active in _service_days(board, services, zone, start, end):
        for entry in board.departures:
            for service in active & entry.windows.keys():
                for window in entry.windows[service]:
                    starts = origin + timedelta(seconds=window.start)
                    ends = origin + timedelta(seconds=window.end)
                    if ends > start and starts < end:
                        mark = bool(window.profile)
                        found.append(Interval(starts, ends, entry.line, entry.destination, window.headway, mark))
    return tuple(sorted(found))


def next_departures(
    board: StopBoard, services: Sequence[ServiceDays], zone: ZoneInfo, moment: datetime, limit: int
) -> tuple[Departure, ...]:
    """The first `limit` departures in the 24 hours from `moment` on (aware).

    When there is none, those of the first later day that has any, up to SEARCHED_DAYS ahead.
    """
    instant = moment.astimezone(UTC)  # a local clock plus one day is 23 or 25 hours when clocks change
    for step in range(SEARCHED_DAYS):
        start = instant + step * ONE_DAY
        found = departures_between(board, services, zone, start, start + ONE_DAY)
        if found:
            return found[:limit]
    return ()


def _service_days(
    board: StopBoard, services: Sequence[ServiceDays], zone: ZoneInfo, start: datetime, end: datetime
) -> Iterator[tuple[datetime, frozenset[int]]]:
    """Start and active services of each service day that may have a departure between two instants."""
    latest = max(
        (
            *(times[-1][0] for entry in board.departures for times in entry.times.values()),
            *(window.end for entry in board.departures for found in entry.windows.values() for window in found),
            0,
        )
    )
    day = start.astimezone(zone).date() - (latest // DAY + 1) * ONE_DAY
    last = end.astimezone(zone).date() + ONE_DAY
    while day <= last:
        yield start_of_service_day(day, zone), active_services(services, day)
        day += ONE_DAY
