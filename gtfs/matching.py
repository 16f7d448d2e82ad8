"""Which line or stop of a later version is which one of the earlier version."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Protocol, TypeVar

from gtfs.feed_view import FeedView, LineView
from gtfs.folding import fold
from gtfs.nearness import Neighbourhood
from gtfs.published import StopEntry

SAME_PLACE = 30
"""Metres within which a stop with a new id and a new name stands where one has gone."""
SAME_NUMBER_SHARE, SAME_WAY_SHARE = 0.5, 0.9
"""Part of the steps from stop to stop that a line with a new id shares with one that has gone: when number or name
are the same, and when neither is."""


class _Addressed(Protocol):
    @property
    def position(self) -> int: ...

    @property
    def slug(self) -> str: ...

    @property
    def gtfs_id(self) -> str: ...


_Item = TypeVar("_Item", bound=_Addressed)


def match_stops(before: FeedView, after: FeedView) -> dict[int, int]:
    """Positions of stops, earlier -> later: by address, by id, then by being each other's nearest at one place."""
    pairs = dict(_match_addresses(before.stops, after.stops))
    taken = set(pairs.values())
    gone = [stop for stop in before.stops if stop.position not in pairs]
    fresh = [stop for stop in after.stops if stop.position not in taken]
    there, back = Neighbourhood(fresh), Neighbourhood(gone)
    for stop in gone:
        nearest = _nearest(there, stop)
        if nearest is not None and _nearest(back, nearest) is stop:
            pairs[stop.position] = nearest.position
    return pairs


def match_lines(before: FeedView, after: FeedView, stops: Mapping[int, int]) -> dict[int, int]:
    """Positions of lines, earlier -> later: by address, by id, then by number, name and way."""
    entries = [line.entry for line in before.lines], [line.entry for line in after.lines]
    pairs = dict(_match_addresses(*entries))
    taken = set(pairs.values())
    gone = [line for line in before.lines if line.entry.position not in pairs]
    fresh = [line for line in after.lines if line.entry.position not in taken]
    if gone and fresh:
        old = {line.entry.position: _steps(line, lambda stop: stops.get(stop, -1 - stop)) for line in gone}
        new = {line.entry.position: _steps(line, lambda stop: stop) for line in fresh}
        scores = _score(gone, fresh, old, new)
        pairs.update(_choose(scores))
    return pairs


def _match_addresses(before: Sequence[_Item], after: Sequence[_Item]) -> Iterator[tuple[int, int]]:
    """Positions, earlier -> later, of what has the same address, and of the rest what has the same id."""
    slugs = {item.slug: item.position for item in after}
    ids = {item.gtfs_id: item.position for item in after}
    taken = {slugs[item.slug] for item in before if item.slug in slugs}
    for item in before:
        if item.slug in slugs:
            yield item.position, slugs[item.slug]
        elif item.gtfs_id in ids and ids[item.gtfs_id] not in taken:
            yield item.position, ids[item.gtfs_id]


def _nearest(neighbourhood: Neighbourhood, stop: StopEntry) -> StopEntry | None:
    near = neighbourhood.find_near(stop, SAME_PLACE)
    return near[0][1] if near else None


def _steps(line: LineView, key: Callable[[int], int]) -> frozenset[tuple[int, int]]:
    patterns = (pattern for way in line.runs for pattern in way.patterns)
    return frozenset(step for pattern in patterns for step in pairwise(map(key, pattern.stops)))


def _score(
    gone: Sequence[LineView],
    fresh: Sequence[LineView],
    old: Mapping[int, frozenset[tuple[int, int]]],
    new: Mapping[int, frozenset[tuple[int, int]]],
) -> Iterator[tuple[float, int, int]]:
    """(share of common steps, earlier, later) of the pairs that may be one line."""
    for line in gone:
        for other in fresh:
            mine, theirs = old[line.entry.position], new[other.entry.position]
            either = len(mine | theirs)
            share = len(mine & theirs) / either if either else 0.0
            if share >= (SAME_NUMBER_SHARE if _is_called_alike(line, other) else SAME_WAY_SHARE):
                yield share, line.entry.position, other.entry.position


def _is_called_alike(one: LineView, other: LineView) -> bool:
    names = ((one.entry.short_name, other.entry.short_name), (one.entry.long_name, other.entry.long_name))
    return any(fold(mine) and fold(mine) == fold(theirs) for mine, theirs in names)


def _choose(scores: Iterable[tuple[float, int, int]]) -> dict[int, int]:
    """The best pairs first, each line once."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, line, other in sorted(scores, key=lambda score: (-score[0], score[1], score[2])):
        if line not in pairs and other not in taken:
            pairs[line] = other
            taken.add(other)
    return pairs
