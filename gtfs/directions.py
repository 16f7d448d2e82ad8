"""Which patterns of a line run the same way, and what that way is called."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from gtfs.compiled import Direction
from gtfs.folding import fold
from gtfs.patterns import Gathering

_SHARED = 0.4
"""Part of the shorter pattern's stops that two patterns of one direction have in common, at least."""

_MOST_GROUPS = 12


def find_directions(
    patterns: Sequence[Gathering], stop_names: Sequence[str], lengths: dict[str, float]
) -> tuple[Direction, ...]:
    """The ways of one line, each with its patterns; `lengths` gives km by shape_id.

    The feed's direction_id decides; where a pattern has none, the order of the stops it shares with others does.
    """
    groups = _group(sorted(patterns, key=lambda pattern: -pattern.weight))
    directions = [_name(group, stop_names, lengths) for group in groups]
    seen = Counter(direction.label for direction in directions)
    return tuple(
        _tell_apart(direction, stop_names) if seen[direction.label] > 1 else direction for direction in directions
    )


def destination(pattern: Gathering, stop_names: Sequence[str], index: int = 0) -> str:
    """What the vehicle shows at a stop of the pattern: its sign there, its headsign, or the last stop's name."""
    sign = pattern.signs[index] if pattern.signs else ""
    return sign or pattern.headsign or stop_names[pattern.stops[-1]]


def _group(patterns: list[Gathering]) -> list[list[Gathering]]:
    """Patterns come with the most frequent first, and so do the groups within one direction_id."""
    groups: list[list[Gathering]] = []
    for pattern in patterns:
        group = _find_group(pattern, groups)
        if group is None:
            groups.append([pattern])
        else:
            group.append(pattern)
    return sorted(groups, key=lambda group: group[0].direction)


def _find_group(pattern: Gathering, groups: list[list[Gathering]]) -> list[Gathering] | None:
    if pattern.direction:
        same = [group for group in groups if group[0].direction == pattern.direction]
        return same[0] if same else None
    alike = [group for group in groups if _run_alike(pattern, group[0])]
    if alike or len(groups) < _MOST_GROUPS:
        return alike[0] if alike else None
    return groups[-1]


def _run_alike(one: Gathering, other: Gathering) -> bool:
    """Whether two patterns share enough stops, more of them forward than backward."""
    place = {stop: index for index, stop in reversed(list(enumerate(other.stops)))}
    shared = [place[stop] for stop in one.stops if stop in place]
    if len(shared) < max(2.0, _SHARED * min(len(one.stops), len(other.stops))):
        return False
    forward = sum(before < after for before, after in pairwise(shared))
    return forward * 2 > len(shared) - 1


def _name(group: list[Gathering], stop_names: Sequence[str], lengths: dict[str, float]) -> Direction:
    main = group[0]
    signs: Counter[str] = Counter()
    shapes: Counter[str] = Counter()
    for pattern in group:
        signs[destination(pattern, stop_names)] += 1 + round(pattern.weight)
        shapes.update({shape: count for shape, count in pattern.shapes.items() if shape in lengths})
    circular = fold(stop_names[main.stops[0]]) == fold(stop_names[main.stops[-1]])
    km = lengths[shapes.most_common(1)[0][0]] if shapes else None
    label = signs.most_common(1)[0][0]
    return Direction(label, circular, km, tuple(pattern.finish() for pattern in group))


def _tell_apart(direction: Direction, stop_names: Sequence[str]) -> Direction:
    """Two ways to one place are told apart by where they start."""
    origin = stop_names[direction.patterns[0].stops[0]]
    label = f"{direction.label}, saindo de {origin}"
    return Direction(label, direction.circular, direction.km, direction.patterns)
