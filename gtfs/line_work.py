"""How much a line is driven: for each kind of day its trips, kilometres and the vehicles at once at the peak.

gtfs_kit counts the same (`compute_route_stats`) from statistics of every trip, which take it a minute on a city's
feed; here the trips already gathered are counted, with gtfs_kit's lengths of the paths.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from gtfs.interpolation import distance_km
from gtfs.patterns import Gathering, Place, Run
from gtfs.service_days import ServiceDays

BREAK = 3600
"""Seconds that a block may stay away from a line before its vehicle counts as gone."""
MOST_DAYS = 800
MOST_KINDS = 24


@dataclass(frozen=True, slots=True)
class LineWork:
    """A day with these services on a line: trips, km (None: unknown), vehicles at once, and when (seconds).

    `by_blocks`: the feed says which trips one vehicle runs; otherwise `fleet` only counts trips under way.
    """

    services: frozenset[int]
    trips: int
    km: float | None
    fleet: int
    peak: int
    by_blocks: bool

    def to_json(self) -> list[Any]:
        """A plain row that `work_from_json` reads."""
        return [sorted(self.services), self.trips, self.km, self.fleet, self.peak, self.by_blocks]


def work_from_json(row: Sequence[Any]) -> LineWork:
    """The work that `LineWork.to_json` wrote."""
    services, *rest = row
    return LineWork(frozenset(services), *rest)


def list_active_sets(services: Sequence[ServiceDays], first: int, last: int) -> tuple[frozenset[int], ...]:
    """The different sets of services that run on a day from `first` to `last` (ordinals), the most usual first."""
    counts: dict[frozenset[int], int] = {}
    for ordinal in range(first, min(last, first + MOST_DAYS) + 1):
        active = frozenset(index for index, service in enumerate(services) if service.runs_on(ordinal))
        counts[active] = counts.get(active, 0) + 1
    return tuple(sorted(counts, key=lambda active: -counts[active]))


def count_work(
    patterns: Sequence[Gathering],
    active_sets: Iterable[frozenset[int]],
    lengths: Mapping[str, float],
    places: Sequence[Place],
) -> list[LineWork]:
    """The work of one line on each kind of day it runs; `lengths` has km by shape_id, `places` the stops."""
    runs = [(run, _length(pattern, run, lengths, places)) for pattern in patterns for run in pattern.runs]
    used = {run.service for run, _ in runs}
    kinds = dict.fromkeys(active & used for active in active_sets)
    return [_count(services, runs) for services in list(kinds)[:MOST_KINDS] if services]


def _count(services: frozenset[int], runs: Sequence[tuple[Run, float | None]]) -> LineWork:
    day = [(run, km) for run, km in runs if run.service in services]
    known = [km for _, km in day if km is not None]
    km = round(sum(known), 1) if len(known) == len(day) else None
    by_blocks = all(run.block for run, _ in day)
    fleet, peak = _peak(_busy([run for run, _ in day]))
    return LineWork(services, len(day), km, fleet, peak, by_blocks)


def _length(pattern: Gathering, run: Run, lengths: Mapping[str, float], places: Sequence[Place]) -> float | None:
    """Along its path; where the feed has none, straight from stop to stop."""
    if run.shape in lengths:
        return lengths[run.shape]
    known = [place for stop in pattern.stops if (place := places[stop]) is not None]
    if len(known) < len(pattern.stops):
        return None
    return sum(map(distance_km, known, known[1:]))


def _busy(runs: Iterable[Run]) -> list[tuple[int, int]]:
    """From when to when a vehicle is needed: for each trip, or for the trips that one block makes in a row."""
    spans: list[tuple[int, int]] = []
    ordered = sorted(runs, key=lambda run: (run.block, run.start, run.end))
    for block, found in groupby(ordered, key=lambda run: run.block):
        before: tuple[int, int] | None = None
        for run in found:
            if block and before and run.start - before[1] <= BREAK:
                before = spans[-1] = before[0], max(before[1], run.end)
            else:
                before = run.start, run.end
                spans.append(before)
    return spans


def _peak(spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The most spans at once, and since when; one that ends as another starts makes room for it."""
    changes = sorted([(start, 1) for start, _ in spans] + [(max(end, start + 1), -1) for start, end in spans])
    most, peak, now = 0, 0, 0
    for moment, change in changes:
        now += change
        if now > most:
            most, peak = now, moment
    return most, peak
