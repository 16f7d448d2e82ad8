"""A stop's poster: the timetable of each kind of day, the lines, how to complain, and a QR code to its page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import groupby

import segno
from markupsafe import Markup
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.tables import Authority
from gtfs.clock import DAY, write_clock
from gtfs.compiled import StopBoard, StopTimes
from gtfs.day_kinds import DayKind, find_day_kinds
from gtfs.published import LineEntry, PublishedFeed, get_lines, get_services
from gtfs.service_days import ServiceDays
from web.addresses import absolute_url, town_url
from web.caching import MAX_AGE, cached
from web.rider.intervals import interval_in_words
from web.rider.line_sheet import judge_validity
from web.rider.stop_sheet import list_lines_of
from web.rider.stops import get_stop
from web.rider.town import get_town
from web.rider.town_feed import get_feed
from web.services import Services
from web.templating import render

MOST_KINDS = 3
HOUR = 3600


@dataclass(frozen=True)
class HourRow:
    """An hour of the day as written, and the minutes of its departures, estimates marked."""

    hour: str
    minutes: tuple[str, ...]


@dataclass(frozen=True)
class PosterLine:
    """What one line to one destination does on a kind of day."""

    line: LineEntry
    destination: str
    hours: tuple[HourRow, ...]
    intervals: tuple[str, ...]


@dataclass(frozen=True)
class PosterDay:
    """A kind of day and its departures."""

    label: str
    lines: tuple[PosterLine, ...]

    late: bool = False
    """Whether some departure is after the midnight that ends the day."""

    @property
    def has_estimates(self) -> bool:
        """Whether some minute was filled in."""
        return any("≈" in minute for line in self.lines for row in line.hours for minute in row.minutes)


def show_poster(request: Request) -> Response:
    """The poster as a page made to be printed on A4."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        feed = get_feed(session, town)
        today = services.clock().astimezone(feed.zone).date()
        build = partial(_poster, request, session, town, feed, today)
        return cached(request, repr((town, feed, today)), MAX_AGE, build)


def list_poster_days(
    board: StopBoard,
    services: Sequence[ServiceDays],
    feed: PublishedFeed,
    lines: Mapping[int, LineEntry],
    today: date,
) -> tuple[PosterDay, ...]:
    """The regular kinds of day, or where there is none the first single dates; `lines` holds all of the board."""
    used = {service for entry in board.departures for service in (*entry.times, *entry.windows)}
    if feed.first_day is None or feed.last_day is None or not used:
        return ()
    kinds = [
        kind for kind in find_day_kinds(services, used, today, feed.first_day, feed.last_day) if kind.services
    ]
    regular = [kind for kind in kinds if kind.weekdays] or kinds
    return tuple(_poster_day(board, kind, lines) for kind in regular[:MOST_KINDS])


def make_qr(address: str) -> Markup:
    """A QR code as SVG to stand in a page; it names its address to those who do not see it."""
    code = segno.make_qr(address, error="m")
    svg = code.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None, title=f"Código QR: {address}")
    return Markup(svg)  # noqa: S704  segno escapes the title; the rest is geometry


def _poster_day(board: StopBoard, kind: DayKind, lines: Mapping[int, LineEntry]) -> PosterDay:
    times = (times for entry in board.departures for key, times in entry.times.items() if key in kind.services)
    late = any(found[-1][0] >= DAY for found in times)
    return PosterDay(kind.label, tuple(_list_lines(board, kind.services, lines)), late)


def _list_lines(
    board: StopBoard, services: frozenset[int], lines: Mapping[int, LineEntry]
) -> Sequence[PosterLine]:
    found = [_poster_line(entry, services, lines[entry.line]) for entry in board.departures]
    return [line for line in found if line.hours or line.intervals]


def _poster_line(entry: StopTimes, services: frozenset[int], line: LineEntry) -> PosterLine:
    times = sorted({time for service in services for time in entry.times.get(service, ())})
    windows = sorted({(w.start, w.end, w.headway) for service in services for w in entry.windows.get(service, ())})
    rows = groupby(times, key=lambda time: time[0] // HOUR)
    return PosterLine(
        line=line,
        destination=entry.destination,
        hours=tuple(HourRow(write_clock(hour * HOUR)[:2], tuple(map(_minute, found))) for hour, found in rows),
        intervals=tuple(
            interval_in_words(headway, write_clock(start), write_clock(end)) for start, end, headway in windows
        ),
    )


def _minute(time: tuple[int, bool]) -> str:
    seconds, estimated = time
    return f"{'≈' if estimated else ''}{write_clock(seconds)[3:]}"


def _poster(request: Request, session: Session, town: Authority, feed: PublishedFeed, today: date) -> Response:
    stop, board = get_stop(request, session, feed)
    services: Services = request.app.state.services
    lines = get_lines(session, feed, list_lines_of(board))
    public_url = services.settings.public_url
    address = absolute_url(public_url, town_url(town, "paradas", stop.slug))
    context = {
        "stop": stop,
        "days": list_poster_days(board, get_services(session, feed), feed, lines, today),
        "lines": sorted(lines.values(), key=lambda line: line.position),
        "validity": judge_validity(feed, today),
        "address": address,
        "complain": absolute_url(public_url, town_url(town, "reclamar")),
        "code": make_qr(address),
    }
    return render(request, "lines/poster.html", context)


routes: list[BaseRoute] = [Route("/{a:town}/paradas/{stop}/cartaz", show_poster, name="stop-poster")]
