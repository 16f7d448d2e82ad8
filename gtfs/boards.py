"""The departures at each stop, gathered from the patterns of all lines."""

from collections.abc import Mapping, Sequence

from gtfs.compiled import StopBoard, StopTimes, Window
from gtfs.directions import destination
from gtfs.patterns import Gathering


class Board:
    """What leaves one stop, still being gathered: times and windows by (line, destination) and service."""

    def __init__(self) -> None:
        self.times: dict[tuple[int, str], dict[int, list[tuple[int, bool]]]] = {}
        self.windows: dict[tuple[int, str], dict[int, list[Window]]] = {}
        self.untimed: set[int] = set()

    def finish(self) -> StopBoard:
        """The board with its times in order; a line is `untimed` only if it has no time here at all."""
        keys = sorted(self.times.keys() | self.windows.keys())
        departures = tuple(
            StopTimes(
                line=key[0],
                destination=key[1],
                times={service: tuple(sorted(times)) for service, times in self.times.get(key, {}).items()},
                windows={
                    service: tuple(sorted(windows, key=lambda window: (window.start, window.end, window.headway)))
                    for service, windows in self.windows.get(key, {}).items()
                },
            )
            for key in keys
        )
        return StopBoard(departures, tuple(sorted(self.untimed - {line for line, _ in keys})))


def gather_boards(
    lines: Sequence[Sequence[Gathering]], stop_names: Sequence[str], parents: Mapping[int, int]
) -> dict[int, StopBoard]:
    """The board of each stop where somebody may board; a station (`parents`) has those of all its stops.

    `lines` holds the patterns of each line by its position. A trip never departs from its last stop.
    """
    boards: dict[int, Board] = {}
    for line, patterns in enumerate(lines):
        for pattern in patterns:
            for index, stop in enumerate(pattern.stops[:-1]):
                if index not in pattern.closed:
                    key = (line, destination(pattern, stop_names, index))
                    for place in {stop, parents.get(stop, stop)}:
                        _add(boards.setdefault(place, Board()), key, pattern, index)
    return {stop: board.finish() for stop, board in boards.items()}


def _add(board: Board, key: tuple[int, str], pattern: Gathering, index: int) -> None:
    profiles = [(profile.offsets[index], index in profile.estimated) for profile in pattern.profiles]
    if pattern.untimed or any(offset is None for offset, _ in profiles):
        board.untimed.add(key[0])
    for service, trips in pattern.trips.items():
        found = [
            (start + offset, estimated)
            for start, profile in trips
            for offset, estimated in (profiles[profile],)
            if offset is not None
        ]
        if found:
            board.times.setdefault(key, {}).setdefault(service, []).extend(found)
    for service, windows in pattern.windows.items():
        placed = board.windows.setdefault(key, {}).setdefault(service, [])
        placed.extend(_shift(window, *profiles[window.profile]) for window in windows)


def _shift(window: Window, offset: int | None, estimated: bool) -> Window:
    """The window as seen from a stop; where the way there has no time, that of the first stop as an estimate."""
    if offset is None:
        return Window(window.start, window.end, window.headway, 1)
    return Window(window.start + offset, window.end + offset, window.headway, int(estimated))
