"""The difference between two versions of a feed, from what was compiled of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from gtfs.difference_values import Differences, LineChange, Named, OtherLine, StopChange
from gtfs.feed_view import FeedView, LineView
from gtfs.matching import match_lines, match_stops
from gtfs.nearness import metres_between
from gtfs.published import StopEntry
from gtfs.substitutes import Substitutes, name_line
from gtfs.time_differences import Calendars, find_time_changes, join_calendars
from gtfs.way_differences import StopKeys, find_way_changes, pair_directions

MOVED = 30
"""Metres that a stop may shift by without having moved for a rider."""


def find_differences(before: FeedView, after: FeedView, from_day: date) -> Differences:
    """What riders will find changed when `after` follows `before` on the local day `from_day`.

    Lines and stops are the same when they have the same address, the same id, or stand or run at the same place
    (`gtfs.matching`). Times are compared to the minute, on the days that both versions have from `from_day` on,
    or by days of the week when they have hardly any in common. A station has no lines of its own here.
    """
    return Differences(*_Comparison.open(before, after, from_day).run())


@dataclass(frozen=True)
class _Comparison:
    """Two versions, and which line, stop and day of one is which of the other."""

    before: FeedView
    after: FeedView
    keys: StopKeys
    lines: dict[int, int]
    calendars: Calendars | None
    substitutes: Substitutes

    @classmethod
    def open(cls, before: FeedView, after: FeedView, from_day: date) -> "_Comparison":
        keys = StopKeys(before, after, match_stops(before, after))
        calendars = join_calendars(before, after, from_day)
        lines = match_lines(before, after, keys.pairs)
        return cls(before, after, keys, lines, calendars, Substitutes(after))

    def run(self) -> tuple[tuple[LineChange, ...], tuple[StopChange, ...]]:
        return tuple(self._compare_lines()), tuple(self._compare_stops())

    def _compare_lines(self) -> Iterator[LineChange]:
        earlier = {new: old for old, new in self.lines.items()}
        for line in self.after.lines:
            old = earlier.get(line.entry.position)
            change = self._begin(line) if old is None else self._compare(self.before.by_position[old], line)
            if change is not None:
                yield change
        for line in self.before.lines:
            if line.entry.position not in self.lines:
                slug, name = line.entry.slug, line.entry.name
                yield LineChange(slug, name, "ends", instead=self._instead_of(line, None))

    def _begin(self, line: LineView) -> LineChange:
        pairs = tuple((None, way) for way in line.runs)
        times = tuple(find_time_changes(pairs, self.calendars)) if self.calendars else ()
        ways = tuple(find_way_changes(pairs, self.keys))
        return LineChange(line.entry.slug, line.entry.name, "begins", ways=ways, times=times)

    def _compare(self, before: LineView, after: LineView) -> LineChange | None:
        old, new = before.entry, after.entry
        pairs = pair_directions(before, after, self.keys)
        stopped = bool(before.runs) and not after.runs
        change = LineChange(
            slug=new.slug,
            name=new.name,
            old_slug=old.slug if old.slug != new.slug else "",
            renamed=(old.name, new.name) if old.name != new.name else None,
            kind=(old.kind, new.kind) if old.kind != new.kind else None,
            ways=tuple(find_way_changes(pairs, self.keys)),
            times=tuple(find_time_changes(pairs, self.calendars)) if self.calendars else (),
            instead=self._instead_of(before, new.position) if stopped else (),
        )
        return change if change != LineChange(new.slug, new.name) else None

    def _instead_of(self, line: LineView, without: int | None) -> tuple[OtherLine, ...]:
        keys = sorted(self.keys.key(stop) for stop in line.stops)
        return self.substitutes.find_lines(((key, self.keys.stop(key)) for key in keys), without)

    def _compare_stops(self) -> Iterator[StopChange]:
        earlier = {new: old for old, new in self.keys.pairs.items()}
        for stop in self.after.stops:
            old = earlier.get(stop.position)
            change = self._begin_stop(stop) if old is None else self._compare_stop(self.before.stops[old], stop)
            if change is not None:
                yield change
        for stop in self.before.stops:
            if stop.position not in self.keys.pairs:
                yield self._end_stop(stop)

    def _begin_stop(self, stop: StopEntry) -> StopChange:
        lines = tuple(name_line(line) for line in self.after.lines_at.get(stop.position, ()))
        return StopChange(stop.slug, stop.name, "begins", gained=lines)

    def _end_stop(self, stop: StopEntry) -> StopChange:
        lost = self._name_before(self.before.lines_at.get(stop.position, ()))
        return StopChange(stop.slug, stop.name, "ends", lost=lost, instead=self.substitutes.find_stops(stop))

    def _compare_stop(self, old: StopEntry, new: StopEntry) -> StopChange | None:
        calling = {line.entry.position: line for line in self.before.lines_at.get(old.position, ())}
        calls = {line.entry.position: line for line in self.after.lines_at.get(new.position, ())}
        stayed = {self.lines[line] for line in calling if line in self.lines}
        metres = metres_between(old, new) or 0
        change = StopChange(
            slug=new.slug,
            name=new.name,
            old_slug=old.slug if old.slug != new.slug else "",
            renamed=(old.name, new.name) if old.name != new.name else None,
            code=(old.code, new.code) if old.code != new.code else None,
            moved=round(metres) if metres > MOVED else 0,
            gained=tuple(name_line(line) for position, line in calls.items() if position not in stayed),
            lost=self._name_before(
                line for position, line in calling.items() if self.lines.get(position) not in calls
            ),
        )
        if calling and not calls:
            change = replace(change, abandoned=True, instead=self.substitutes.find_stops(new))
        return change if change != StopChange(new.slug, new.name) else None

    def _name_before(self, lines: Iterable[LineView]) -> tuple[Named, ...]:
        """Lines of the earlier version under the address they have in the later one, if they are there."""
        later = self.after.by_position
        found = (later.get(self.lines.get(line.entry.position, -1), line) for line in lines)
        return tuple(map(name_line, found))
