"""What the published timetable promised: the departures of a line near a place around a moment, or over a day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from gtfs.compiled import Direction, StopBoard, unpack_stop
from gtfs.folding import fold
from gtfs.published import PublishedFeed, get_services, get_stops
from gtfs.tables import FeedStop
from gtfs.timetables import Departure, Interval, departures_between, intervals_between

WINDOW = timedelta(minutes=30)
"""How far before and after the moment people name it is looked: their clocks and memories differ."""

_SHORTEST_NAME = 4
"""Letters that a stop's name must have to be found inside what somebody wrote."""


@dataclass(frozen=True)
class PromisedStop:
    """One stop of the line in the time looked at; `given`: the place that was written names it."""

    name: str
    given: bool
    departures: tuple[Departure, ...]
    intervals: tuple[Interval, ...]
    untimed: bool


def find_promise(
    session: Session,
    feed: PublishedFeed,
    line: int,
    directions: Sequence[Direction],
    place: str,
    start: datetime,
    end: datetime,
) -> tuple[PromisedStop, ...]:
    """What a line (its position and directions) was to do from `start` until before `end` (aware).

    At the stops that `place` names, else where each of its directions begins.
    """
    called = {stop for direction in directions for pattern in direction.patterns for stop in pattern.stops}
    names = {position: stop.name for position, stop in get_stops(session, feed, called).items()}
    named = _named(place, names)
    chosen = named or tuple(dict.fromkeys(direction.patterns[0].stops[0] for direction in directions))
    boards = _boards(session, feed, chosen)
    services = get_services(session, feed)
    return tuple(
        PromisedStop(
            name=names[position],
            given=bool(named),
            departures=tuple(
                found
                for found in departures_between(boards[position], services, feed.zone, start, end)
                if found.line == line
            ),
            intervals=tuple(
                found
                for found in intervals_between(boards[position], services, feed.zone, start, end)
                if found.line == line
            ),
            untimed=line in boards[position].untimed,
        )
        for position in chosen
        if position in boards
    )


def _named(place: str, names: dict[int, str]) -> tuple[int, ...]:
    """Stops whose name is what was written; failing that, those whose name stands in it, the longest name."""
    written = fold(place)
    if not written:
        return ()
    folded = {position: fold(name) for position, name in names.items()}
    same = [position for position, name in folded.items() if name == written]
    if same:
        return tuple(same)
    inside = [(len(name), name) for name in folded.values() if len(name) >= _SHORTEST_NAME and name in written]
    longest = max(inside, default=(0, ""))[1]
    return tuple(position for position, name in folded.items() if longest and name == longest)


def _boards(session: Session, feed: PublishedFeed, positions: Sequence[int]) -> dict[int, StopBoard]:
    rows: Iterable[tuple[int, bytes]] = session.exec(
        select(FeedStop.position, FeedStop.content).where(
            FeedStop.authority_id == feed.authority_id,
            FeedStop.version_id == feed.version_id,
            col(FeedStop.position).in_(positions),
        )
    ).all()
    return {position: unpack_stop(content) for position, content in rows}
