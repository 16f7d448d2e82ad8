"""The map of a line: a drawing kept small, and a page that says the same in words."""

from collections.abc import Mapping, Sequence
from functools import partial

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.tables import Authority
from gtfs.compiled import Direction
from gtfs.published import LineEntry, PublishedFeed, StopEntry, get_line_details, get_stops
from web.caching import MAX_AGE, cached
from web.rider.line_drawing import Drawing, Point, draw, measure
from web.rider.line_sheet import judge_validity, list_positions, show_way
from web.rider.lines import get_line
from web.rider.town import get_town
from web.rider.town_feed import get_feed
from web.services import Services
from web.templating import render

SVG = "image/svg+xml"


def show_map(request: Request) -> Response:
    """The drawing and the same in words: each way's ends, length and stops in order."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        feed = get_feed(session, town)
        today = services.clock().astimezone(feed.zone).date()

        def build() -> Response:
            line, directions, stops, drawing = _read(request, session, town, feed)
            context = {
                "line": line,
                "validity": judge_validity(feed, today),
                "ways": tuple(show_way(direction, stops) for direction in directions),
                "drawing": drawing,
                "size": measure(drawing) if drawing.paths or drawing.stops else None,
            }
            return render(request, "lines/map.html", context)

        return cached(request, repr((town, feed, today)), MAX_AGE, build)


def show_drawing(request: Request) -> Response:
    """The drawing alone, as SVG."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        feed = get_feed(session, town)
        build = partial(_drawing_answer, request, session, town, feed)
        return cached(request, repr((town, feed)), MAX_AGE, build)


def make_drawing(
    line: LineEntry,
    directions: Sequence[Direction],
    stops: Mapping[int, StopEntry],
    paths: Sequence[Sequence[Point]],
) -> Drawing:
    """What to draw of a line: the paths the feed gives, else straight lines from stop to stop."""
    ways = [_places(direction, stops) for direction in directions]
    ends = {name: point for way in ways[:1] for point, name in (way[-1:] + way[:1])}
    return Drawing(
        title=f"Mapa da linha {line.name}",
        paths=tuple(tuple((point[0], point[1]) for point in path) for path in paths)
        or tuple(tuple(point for point, _ in way) for way in ways if way),
        stops=tuple(dict.fromkeys(point for way in ways for point, _ in way)),
        ends=tuple((point, name) for name, point in ends.items()),
        colour=line.colour,
        straight=not paths,
    )


def _places(direction: Direction, stops: Mapping[int, StopEntry]) -> list[tuple[Point, str]]:
    """The stops of a direction's usual way that have a place, in order."""
    on_way = (stops[position] for position in direction.patterns[0].stops)
    return [
        ((stop.latitude, stop.longitude), stop.name)
        for stop in on_way
        if stop.latitude is not None and stop.longitude is not None
    ]


def _read(
    request: Request, session: Session, town: Authority, feed: PublishedFeed
) -> tuple[LineEntry, tuple[Direction, ...], dict[int, StopEntry], Drawing]:
    line, directions = get_line(request, session, feed)
    stops = get_stops(session, feed, list_positions(directions))
    paths = get_line_details(session, feed, line.position).get("paths", ())
    return line, directions, stops, make_drawing(line, directions, stops, paths)


def _drawing_answer(request: Request, session: Session, town: Authority, feed: PublishedFeed) -> Response:
    *_, drawing = _read(request, session, town, feed)
    try:
        return Response(draw(drawing), media_type=SVG)
    except ValueError:
        raise HTTPException(404) from None


routes: list[BaseRoute] = [
    Route("/{a:town}/linhas/{line}/mapa", show_map, name="line-map"),
    Route("/{a:town}/linhas/{line}/mapa.svg", show_drawing, name="line-drawing"),
]
