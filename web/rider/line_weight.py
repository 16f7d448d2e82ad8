"""What a line's page writes out and what it only links to, so that no line makes it heavy for a cheap phone."""

from collections.abc import Sequence
from dataclasses import replace

from web.rider.line_sheet import DaySheet, StopSheet, WaySheet

MOST_BYTES = 23_500
"""Of markup for departures and stops together; the rest of the page takes some five thousand."""
CLOCK, INTERVAL, STOP, ESTIMATE = 15, 50, 45, 9
"""Bytes of markup that a departure, an interval, a stop and the mark of an estimate take, beside names."""
FEWEST_STOPS = 10
"""Of the first way, however much else there is."""


def lighten(
    days: Sequence[DaySheet], ways: Sequence[WaySheet], town_slug: str
) -> tuple[tuple[DaySheet, ...], tuple[WaySheet, ...]]:
    """Keep what fits, first the open kind of day, then the ways, then other kinds; the rest has `is_listed` False.

    A kind of day without any day to show it on stays, and so do the first stops of the first way.
    """
    fixed = [day.is_open or day.example is None for day in days]
    left = MOST_BYTES - sum(_weigh_day(day) for day, stays in zip(days, fixed, strict=True) if stays)
    kept_ways: list[WaySheet] = []
    for listed in ways:
        way = listed if kept_ways else _shorten(listed, left, town_slug)
        weight = _weigh_way(way, town_slug)
        kept_ways.append(replace(way, is_listed=weight <= left or not kept_ways))
        left -= weight if weight <= left else 0
    kept_days = []
    for day, stays in zip(days, fixed, strict=True):
        weight = 0 if stays else _weigh_day(day)
        kept_days.append(replace(day, is_listed=stays or weight <= left))
        left -= weight if weight <= left else 0
    return tuple(kept_days), tuple(kept_ways)


def _shorten(way: WaySheet, room: int, town_slug: str) -> WaySheet:
    """As many of the first stops as there is room for, FEWEST_STOPS at least."""
    fitting = 0
    for stop in way.stops:
        room -= _weigh_stop(stop, town_slug)
        if room < 0:
            break
        fitting += 1
    fitting = max(FEWEST_STOPS, fitting)
    return replace(way, stops=way.stops[:fitting], more=max(0, len(way.stops) - fitting))


def _weigh_day(day: DaySheet) -> int:
    clocks = sum(len(way.clocks) + len(way.after_midnight) for way in day.leaving)
    return CLOCK * clocks + INTERVAL * sum(len(way.intervals) for way in day.leaving)


def _weigh_way(way: WaySheet, town_slug: str) -> int:
    stops = sum(_weigh_stop(stop, town_slug) for stop in way.stops)
    return stops + sum(len(variant.text.encode()) + 40 for variant in way.variants)


def _weigh_stop(stop: StopSheet, town_slug: str) -> int:
    return STOP + len(stop.slug) + len(stop.name.encode()) + len(town_slug) + ESTIMATE * stop.estimated
