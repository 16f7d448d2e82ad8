"""What serves instead of a stop or a line that ends."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from gtfs.difference_values import Named, NearStop, OtherLine
from gtfs.feed_view import FeedView, LineView
from gtfs.nearness import Neighbourhood
from gtfs.published import StopEntry

NEAR = 500
"""Metres that somebody may be asked to walk to another stop."""
_MOST_STOPS = 3
_MOST_LINES = 3
_ENOUGH = 0.8
"""Part of a line's stops that its substitutes serve together before no more of them are named."""


@dataclass
class Substitutes:
    """Finds what the later version offers in place of what ends."""

    after: FeedView
    _neighbourhood: Neighbourhood = field(init=False)

    def __post_init__(self) -> None:
        self._neighbourhood = Neighbourhood(self.after.stops[position] for position in self.after.lines_at)

    def find_stops(self, stop: StopEntry) -> tuple[NearStop, ...]:
        """The nearest stops with service within NEAR metres of a stop of either version, and their lines."""
        near = self._neighbourhood.find_near(stop, NEAR)[:_MOST_STOPS]
        return tuple(
            NearStop(Named(found.slug, found.name), round(metres), self._lines_at(found.position))
            for metres, found in near
        )

    def find_lines(self, places: Iterable[tuple[int, StopEntry]], without: int | None) -> tuple[OtherLine, ...]:
        """The lines that together serve most of some stops, at most three, the one that serves most first.

        `places`: (key, stop) with the stop's position in the later version as key, negative if it is gone;
        a stop that is gone or abandoned counts as served by the lines of the nearest stop. `without` is left out.
        """
        calling = {key: self._serving(key, stop, without) for key, stop in places}
        total, left, found = len(calling), set(calling), list[OtherLine]()
        while left and len(found) < _MOST_LINES and len(left) > total * (1 - _ENOUGH):
            covered: dict[int, set[int]] = {}
            for key in left:
                for line in calling[key]:
                    covered.setdefault(line, set()).add(key)
            if not covered:
                break
            best = min(covered, key=lambda line: (-len(covered[line]), line))
            served = sum(best in lines for lines in calling.values())
            found.append(OtherLine(name_line(self.after.by_position[best]), served, total))
            left -= covered[best]
        return tuple(found)

    def _serving(self, key: int, stop: StopEntry, without: int | None) -> frozenset[int]:
        here = self._positions(key, without)
        if here:
            return here
        for _, near in self._neighbourhood.find_near(stop, NEAR):
            there = self._positions(near.position, without)
            if there:
                return there
        return frozenset()

    def _positions(self, stop: int, without: int | None) -> frozenset[int]:
        calling = self.after.lines_at.get(stop, ())
        return frozenset(line.entry.position for line in calling if line.entry.position != without)

    def _lines_at(self, stop: int) -> tuple[Named, ...]:
        return tuple(name_line(line) for line in self.after.lines_at.get(stop, ()))


def name_line(line: LineView) -> Named:
    """The line's address and name."""
    return Named(line.entry.slug, line.entry.name)
