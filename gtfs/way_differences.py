"""How the ways of one line differ between two versions: directions that begin or end, stops, ends, names."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from gtfs.compiled import Direction
from gtfs.difference_values import Named, Pair, WayChange
from gtfs.feed_view import FeedView, LineView
from gtfs.published import StopEntry

DirectionPair = tuple[Direction | None, Direction | None]
"""A direction in the earlier and in the later version; their stops are keys of StopKeys."""


@dataclass(frozen=True)
class StopKeys:
    """One name for a stop in both versions: its position in the later one, or -1 - position if it is gone."""

    before: FeedView
    after: FeedView
    pairs: Mapping[int, int]

    @cached_property
    def earlier(self) -> dict[int, int]:
        """Positions of the stops of both versions, later -> earlier."""
        return {new: old for old, new in self.pairs.items()}

    def key(self, position: int) -> int:
        """The key of a stop of the earlier version."""
        return self.pairs.get(position, -1 - position)

    def stop(self, key: int) -> StopEntry:
        """The stop of a key, as the later version has it if it is there."""
        return self.after.stops[key] if key >= 0 else self.before.stops[-1 - key]

    def named(self, keys: Iterable[int]) -> tuple[Named, ...]:
        """Addresses and names in the order given."""
        return tuple(Named(self.stop(key).slug, self.stop(key).name) for key in keys)


def pair_directions(before: LineView, after: LineView, keys: StopKeys) -> tuple[DirectionPair, ...]:
    """The directions of both versions, those that belong together in pairs: by label, then by common stops."""
    old = [_translate(way, keys.key) for way in before.runs]
    new = list(after.runs)
    pairs: list[DirectionPair] = []
    for way in after.runs:
        same = next((one for one in old if one.label == way.label and _share(one, way) > 0), None)
        if same is not None:
            pairs.append((same, way))
            old.remove(same)
            new.remove(way)
    while old and new:
        share, mine, theirs = max(
            ((_share(one, other), one, other) for one in old for other in new), key=lambda found: found[0]
        )
        if not share:
            break
        pairs.append((mine, theirs))
        old.remove(mine)
        new.remove(theirs)
    return (*pairs, *((one, None) for one in old), *((None, other) for other in new))


def find_way_changes(pairs: Sequence[DirectionPair], keys: StopKeys) -> Iterator[WayChange]:
    """What changes on the ways of a line; nothing for directions that stay as they are."""
    for before, after in pairs:
        if before is None and after is not None:
            yield WayChange(after.label, "begins", added=keys.named(_stops(after)))
        elif after is None and before is not None:
            yield WayChange(before.label, "ends", removed=keys.named(_stops(before)))
        elif before is not None and after is not None:
            change = _compare(before, after, keys)
            if change != WayChange(after.label):
                yield change


def has_same_ways(before: Direction, after: Direction) -> bool:
    """Whether the trips of both take the same ways."""
    return _sequences(before) == _sequences(after)


def _compare(before: Direction, after: Direction, keys: StopKeys) -> WayChange:
    old, new = _stops(before), _stops(after)
    change = WayChange(after.label, renamed=_rename(before, after, keys))
    closed_before, closed_after = _closed(before), _closed(after)
    change = replace(
        change,
        opened=keys.named(stop for stop in new if stop in closed_before - closed_after),
        closed=keys.named(stop for stop in new if stop in closed_after - closed_before and stop in old),
    )
    if has_same_ways(before, after):
        return change
    added = [stop for stop in new if stop not in old]
    removed = [stop for stop in old if stop not in new]
    start, end = _moved_end(before, after, keys, 0), _moved_end(before, after, keys, -1)
    return replace(
        change,
        added=keys.named(added),
        removed=keys.named(removed),
        start=start,
        end=end,
        reordered=not (added or removed or start or end),
    )


def _moved_end(before: Direction, after: Direction, keys: StopKeys, index: int) -> Pair | None:
    """The names of the first or last stop of the usual way, when it is another one than on all ways before."""
    known = {sequence[index] for sequence in _sequences(before)}
    old, new = before.patterns[0].stops[index], after.patterns[0].stops[index]
    return None if new in known else (keys.stop(old).name, keys.stop(new).name)


def _rename(before: Direction, after: Direction, keys: StopKeys) -> Pair | None:
    """Both labels when they differ by more than the names of the stops they are made of."""
    if before.label == after.label:
        return None
    label = before.label
    for key in dict.fromkeys((before.patterns[0].stops[-1], before.patterns[0].stops[0])):
        old = keys.earlier.get(key)
        label = label if old is None else label.replace(keys.before.stops[old].name, keys.stop(key).name)
    ended = before.patterns[0].stops[-1] != after.patterns[0].stops[-1]
    told = ended and after.label == keys.stop(after.patterns[0].stops[-1]).name
    return None if told or label == after.label else (before.label, after.label)


def _translate(way: Direction, key: Callable[[int], int]) -> Direction:
    patterns = (replace(pattern, stops=tuple(map(key, pattern.stops))) for pattern in way.patterns)
    return replace(way, patterns=tuple(patterns))


def _sequences(way: Direction) -> frozenset[tuple[int, ...]]:
    return frozenset(pattern.stops for pattern in way.patterns)


def _stops(way: Direction) -> dict[int, None]:
    """All stops in the order of the ways, the usual one first."""
    return dict.fromkeys(stop for pattern in way.patterns for stop in pattern.stops)


def _closed(way: Direction) -> frozenset[int]:
    """Stops where nobody may board, at whatever place of whatever way; the last stop of a way says nothing."""
    open_: set[int] = set()
    closed: set[int] = set()
    for pattern in way.patterns:
        for index, stop in enumerate(pattern.stops[:-1]):
            (closed if index in pattern.closed else open_).add(stop)
    return frozenset(closed - open_)


def _share(one: Direction, other: Direction) -> float:
    """What two directions have in common: steps from stop to stop, else stops in the same order; 0 for none."""
    steps, others = _steps(one), _steps(other)
    if steps & others:
        return len(steps & others) / len(steps | others)
    mine, theirs = list(_stops(one)), {stop: index for index, stop in enumerate(_stops(other))}
    shared = [theirs[stop] for stop in mine if stop in theirs]
    forward = sum(before < after for before, after in pairwise(shared))
    return 0.001 * len(shared) / (len(mine) + len(theirs)) if forward * 2 >= len(shared) - 1 else 0.0


def _steps(way: Direction) -> set[tuple[int, int]]:
    return {step for pattern in way.patterns for step in pairwise(pattern.stops)}
