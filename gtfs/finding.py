"""Lines and stops found by what people type, the same on every database; a process indexes each version once."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar
from uuid import UUID

from sqlmodel import Session, col, select

from gtfs.interpolation import distance_km
from gtfs.published import LineEntry, PublishedFeed, StopEntry, list_lines
from gtfs.search_words import FIELD_END
from gtfs.searching import Searchable, SearchIndex
from gtfs.tables import FeedLine, FeedStop

MOST_STOPS = 50

Entry = TypeVar("Entry", LineEntry, StopEntry)


@dataclass(frozen=True, slots=True)
class FoundLines:
    """Lines, the best first; `similar`: only words like those typed were found."""

    lines: tuple[LineEntry, ...]
    similar: bool = False


@dataclass(frozen=True, slots=True)
class FoundStops:
    """Stops, the best first; `similar` as in `FoundLines`; `more`: there are others beyond MOST_STOPS."""

    stops: tuple[StopEntry, ...]
    similar: bool = False
    more: bool = False


@dataclass(frozen=True, slots=True)
class NearStop:
    """A stop and how far it is in a straight line."""

    stop: StopEntry
    metres: int


@dataclass(frozen=True, slots=True)
class _Known(Generic[Entry]):
    """The lines or stops of a version in the order of lists, and the index over them."""

    entries: tuple[Entry, ...]
    index: SearchIndex


class _Memory(Generic[Entry]):
    """What is known of the versions asked for last. Safe between threads."""

    def __init__(self, most: int = 6) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[int, UUID], _Known[Entry]] = OrderedDict()
        self._lock = Lock()

    def get(self, feed: PublishedFeed, build: Callable[[], _Known[Entry]]) -> _Known[Entry]:
        key = feed.authority_id, feed.version_id
        with self._lock:
            if found := self._kept.get(key):
                self._kept.move_to_end(key)
                return found
        built = build()
        with self._lock:
            self._kept[key] = built
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return built


_LINES: _Memory[LineEntry] = _Memory()
_STOPS: _Memory[StopEntry] = _Memory()


def find_lines(session: Session, feed: PublishedFeed, wanted: str) -> FoundLines:
    """All lines, or those that `wanted` names by number, name, destination, stop or street."""
    known = _LINES.get(feed, lambda: _index_lines(session, feed))
    if not wanted.strip():
        return FoundLines(known.entries)
    found = known.index.search(wanted)
    return FoundLines(tuple(known.entries[place] for place in found.places), found.similar)


def find_stops(session: Session, feed: PublishedFeed, wanted: str) -> FoundStops:
    """The stops that `wanted` names by code, name or street; none when nothing was typed."""
    known = _STOPS.get(feed, lambda: _index_stops(session, feed))
    found = known.index.search(wanted, MOST_STOPS + 1)
    stops = tuple(known.entries[place] for place in found.places[:MOST_STOPS])
    return FoundStops(stops, found.similar, len(found.places) > MOST_STOPS)


def find_near(
    session: Session, feed: PublishedFeed, place: tuple[float, float], within: float, most: int
) -> tuple[NearStop, ...]:
    """The stops within so many metres of (latitude, longitude), the nearest first, at most `most`."""
    known = _STOPS.get(feed, lambda: _index_stops(session, feed))
    near = [
        (metres, stop)
        for stop in known.entries
        if stop.latitude is not None and stop.longitude is not None
        if (metres := 1000 * distance_km(place, (stop.latitude, stop.longitude))) <= within
    ]
    near.sort(key=lambda found: (found[0], found[1].position))
    return tuple(NearStop(stop, round(metres)) for metres, stop in near[:most])


def _index_lines(session: Session, feed: PublishedFeed) -> _Known[LineEntry]:
    entries = list_lines(session, feed)
    rows = session.exec(
        select(FeedLine.position, FeedLine.search).where(
            FeedLine.authority_id == feed.authority_id, FeedLine.version_id == feed.version_id
        )
    ).all()
    texts = dict(row for row in rows)
    items = (_searchable(place, line, texts[line.position]) for place, line in enumerate(entries))
    return _Known(entries, SearchIndex(items))


def _searchable(place: int, line: LineEntry, search: str) -> Searchable:
    """A version kept before the parts were told apart has one text, which counts as that of the stops."""
    parts = search.split(FIELD_END)
    names = f"{line.short_name} {line.long_name} {line.description}"
    return Searchable(place, line.short_name, (names, *(parts[1:] or parts)))


def _index_stops(session: Session, feed: PublishedFeed) -> _Known[StopEntry]:
    columns = (
        FeedStop.position,
        FeedStop.slug,
        FeedStop.gtfs_id,
        FeedStop.code,
        FeedStop.name,
        FeedStop.latitude,
        FeedStop.longitude,
    )
    rows = session.connection().execute(
        select(*columns, FeedStop.search)  # type: ignore[call-overload]
        .where(FeedStop.authority_id == feed.authority_id, FeedStop.version_id == feed.version_id)
        .order_by(col(FeedStop.position))
    )
    entries, items = [], []
    for place, (*values, search) in enumerate(rows):
        entries.append(entry := StopEntry(*values))
        items.append(Searchable(place, entry.code, (entry.name, search or entry.code)))
    return _Known(tuple(entries), SearchIndex(items))
