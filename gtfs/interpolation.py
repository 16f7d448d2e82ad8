"""Times for the stops that a feed leaves blank, from the timed stops around them."""

from collections.abc import Sequence
from itertools import pairwise
from math import asin, cos, radians, sin, sqrt

EARTH_RADIUS_KM = 6371.0088

Measure = Sequence[float | None]
"""How far along the trip each stop is, in any unit; None where unknown."""


def fill_times(
    arrivals: Sequence[int | None], departures: Sequence[int | None], measures: Sequence[Measure]
) -> tuple[list[int | None], list[bool]]:
    """The time of each stop in seconds, and whether it is an estimate.

    A stop's time is its departure, else its arrival. A blank one lies between the departure of the timed stop
    before and the arrival of the one after, in proportion to the first of `measures` that is known and never
    goes back between the two, else evenly. Before the first and after the last timed stop there is no time,
    nor between two where the later time is the smaller.
    """
    times = [
        departure if departure is not None else arrival
        for arrival, departure in zip(arrivals, departures, strict=True)
    ]
    estimated = [False] * len(times)
    timed = [index for index, time in enumerate(times) if time is not None]
    for before, after in pairwise(timed):
        if after - before == 1:
            continue
        start = _first_known(departures[before], arrivals[before])
        end = _first_known(arrivals[after], departures[after])
        if end < start:
            continue
        shares = _share_out(before, after, measures)
        for index, share in zip(range(before + 1, after), shares, strict=True):
            times[index] = round(start + share * (end - start))
            estimated[index] = True
    return times, estimated


def measure_stops(places: Sequence[tuple[float, float] | None]) -> list[float | None]:
    """Cumulative straight-line distance in km over (latitude, longitude); None from the first unknown place on."""
    total: float | None = 0.0 if places and places[0] is not None else None
    measured = [total]
    for earlier, later in pairwise(places):
        total = total + distance_km(earlier, later) if total is not None and earlier and later else None
        measured.append(total)
    return measured[: len(places)]


def distance_km(first: tuple[float, float], second: tuple[float, float]) -> float:
    """Great-circle distance between two (latitude, longitude) in degrees."""
    south, north = radians(first[0]), radians(second[0])
    width = radians(second[1] - first[1])
    half = sin((north - south) / 2) ** 2 + cos(south) * cos(north) * sin(width / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(min(1.0, sqrt(half)))


def _share_out(before: int, after: int, measures: Sequence[Measure]) -> list[float]:
    """The part of the way done, between 0 and 1, at each stop between two."""
    for measure in measures:
        span = _known(measure[before : after + 1])
        if span and span[-1] > span[0] and all(x <= y for x, y in pairwise(span)):
            return [(value - span[0]) / (span[-1] - span[0]) for value in span[1:-1]]
    return [step / (after - before) for step in range(1, after - before)]


def _known(values: Measure) -> list[float]:
    """The values, or nothing when one is unknown."""
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else []


def _first_known(first: int | None, second: int | None) -> int:
    """One of the two is known: they belong to a timed stop."""
    return first if first is not None else second or 0
