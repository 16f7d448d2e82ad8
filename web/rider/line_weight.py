"""What a line's page writes out and what it only links to, so that no line makes it heavy for a cheap phone."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from web.rider.line_sheet import DaySheet, WaySheet

MOST_BYTES = 18_000
"""Of markup for departures and stops together; the rest of the page takes some ten thousand."""
CLOCK, STOP = 16, 105
"""Bytes that a departure and a stop take, about."""
FEWEST_STOPS = 10
"""Of the first way, however much else there is."""


def lighten(
    days: Sequence[DaySheet], ways: Sequence[WaySheet]
) -> tuple[tuple[DaySheet, ...], tuple[WaySheet, ...]]:
    """Keep what fits, first the open kind of day, then the ways, then other kinds; the rest has `is_listed` False.

    A kind of day without any day to show it on stays, and so do the first stops of the first way.
    """
    left = MOST_BYTES - sum(_weigh_day(day) for day in days if day.is_open or day.example is None)
    kept_ways = []
    for way in [*map(partial(_shorten, room=left), ways[:1]), *ways[1:]]:
        weight = STOP * len(way.stops)
        fits = weight <= left or not kept_ways
        kept_ways.append(way if fits else replace(way, is_listed=False))
        left -= weight if weight <= left else 0
    kept_days = []
    for day in days:
        fixed = day.is_open or day.example is None
        weight = 0 if fixed else _weigh_day(day)
        kept_days.append(day if weight <= left or fixed else replace(day, is_listed=False))
        left -= weight if weight <= left else 0
    return tuple(kept_days), tuple(kept_ways)


def _shorten(way: WaySheet, room: int) -> WaySheet:
    fitting = max(FEWEST_STOPS, room // STOP)
    return replace(way, stops=way.stops[:fitting], more=max(0, len(way.stops) - fitting))


def _weigh_day(day: DaySheet) -> int:
    return CLOCK * sum(len(way.clocks) + len(way.after_midnight) + 3 * len(way.intervals) for way in day.leaving)
