"""What a stop's page says: the next departures by day, lines that run at intervals, lines without times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby

from gtfs.compiled import StopBoard
from gtfs.line_times import SEAM
from gtfs.published import LineEntry, PublishedFeed
from gtfs.service_days import ServiceDays
from gtfs.timetables import ONE_DAY, Departure, Interval, departures_between, intervals_between, next_departures
from web.rider.intervals import interval_in_words

SHOWN = 20
SOON = timedelta(hours=3)
"""Intervals that begin later than this are left for then."""
SHOWN_OF_A_DAY = 300


@dataclass(frozen=True)
class Asked:
    """The moment asked about; `whole_day`: a day without an hour, of which everything is shown."""

    moment: datetime
    whole_day: bool


@dataclass(frozen=True)
class DepartureSheet:
    """One departure: local instant, line, destination, whether the time is an estimate."""

    at: datetime
    line: LineEntry
    destination: str
    estimated: bool


@dataclass(frozen=True)
class IntervalSheet:
    """A line that passes at intervals; `words` has one text for each interval."""

    line: LineEntry
    destination: str
    words: tuple[str, ...]
    estimated: bool


@dataclass(frozen=True)
class BoardSheet:
    """A stop's page: departures by local day, intervals, lines without published times, all lines."""

    days: tuple[tuple[date, tuple[DepartureSheet, ...]], ...]
    intervals: tuple[IntervalSheet, ...]
    untimed: tuple[LineEntry, ...]
    lines: tuple[LineEntry, ...]

    @property
    def has_estimates(self) -> bool:
        """Whether some departure's time was filled in."""
        return any(sheet.estimated for _, found in self.days for sheet in found)


def choose_moment(feed: PublishedFeed, now: datetime, day: date | None, hour: time | None) -> Asked:
    """The minute to show from: what was asked, else now; a day alone counts from its midnight."""
    local = now.astimezone(feed.zone).replace(second=0, microsecond=0)
    if day is None and hour is None:
        return Asked(local, whole_day=False)
    moment = datetime.combine(day or local.date(), hour or time(), tzinfo=feed.zone)
    return Asked(moment, whole_day=hour is None)


def show_board(
    board: StopBoard,
    services: Sequence[ServiceDays],
    feed: PublishedFeed,
    lines: Mapping[int, LineEntry],
    asked: Asked,
) -> BoardSheet:
    """The page's content; `lines` holds every line the board names."""
    start = asked.moment.astimezone(UTC)
    end = _next_midnight(asked.moment) if asked.whole_day else start + ONE_DAY
    if asked.whole_day:
        departures = departures_between(board, services, feed.zone, start, end)[:SHOWN_OF_A_DAY]
    else:
        departures = next_departures(board, services, feed.zone, start, SHOWN)
    sheets = [_departure_sheet(departure, feed, lines) for departure in departures]
    spans = _join(intervals_between(board, services, feed.zone, start, end))
    soon = [span for span in spans if asked.whole_day or span.starts < start + SOON]
    return BoardSheet(
        days=tuple((day, tuple(found)) for day, found in groupby(sheets, key=lambda sheet: sheet.at.date())),
        intervals=_group_intervals(soon if soon or departures else spans, feed, lines),
        untimed=tuple(lines[position] for position in board.untimed),
        lines=tuple(sorted(lines.values(), key=lambda line: line.position)),
    )


def list_lines_of(board: StopBoard) -> set[int]:
    """The positions of all lines a board names."""
    return {*(entry.line for entry in board.departures), *board.untimed}


def _departure_sheet(departure: Departure, feed: PublishedFeed, lines: Mapping[int, LineEntry]) -> DepartureSheet:
    at = departure.at.astimezone(feed.zone)
    return DepartureSheet(at, lines[departure.line], departure.destination, departure.estimated)


def _join(spans: Sequence[Interval]) -> list[Interval]:
    """Intervals of one line and destination that go on at the same pace become one."""
    joined: list[Interval] = []
    latest: dict[tuple[int, str], int] = {}
    for span in spans:
        key = span.line, span.destination
        before = joined[latest[key]] if key in latest else None
        gap = (span.starts - before.ends).total_seconds() if before else -1
        if before and 0 <= gap <= SEAM and before.headway == span.headway:
            joined[latest[key]] = replace(before, ends=span.ends)
        else:
            latest[key] = len(joined)
            joined.append(span)
    return joined


def _group_intervals(
    spans: Sequence[Interval], feed: PublishedFeed, lines: Mapping[int, LineEntry]
) -> tuple[IntervalSheet, ...]:
    """One entry for each line and destination, its intervals in order."""
    groups: dict[tuple[int, str], list[Interval]] = {}
    for span in spans:
        groups.setdefault((span.line, span.destination), []).append(span)
    return tuple(
        IntervalSheet(
            line=lines[line],
            destination=destination,
            words=tuple(dict.fromkeys(_interval_in_words(span, feed) for span in found)),
            estimated=any(span.estimated for span in found),
        )
        for (line, destination), found in groups.items()
    )


def _interval_in_words(span: Interval, feed: PublishedFeed) -> str:
    return interval_in_words(span.headway, _clock(span.starts, feed), _clock(span.ends, feed))


def _next_midnight(moment: datetime) -> datetime:
    """The end of the local day, in UTC, whatever its length."""
    following = moment.date() + timedelta(days=1)
    return datetime.combine(following, time(), tzinfo=moment.tzinfo).astimezone(UTC)


def _clock(instant: datetime, feed: PublishedFeed) -> str:
    return f"{instant.astimezone(feed.zone):%H:%M}"
