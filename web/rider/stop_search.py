"""Stops found by name, code or street, or near where the rider is; where somebody is is never kept or logged."""

from dataclasses import dataclass

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gtfs.finding import FoundStops, find_near, find_stops
from gtfs.numbers import parse_number
from gtfs.published import LineEntry, PublishedFeed, StopEntry
from gtfs.stop_lines import list_stop_lines
from web.caching import MAX_AGE, cached, no_store
from web.forms import FormErrors, query_text
from web.rider.line_sheet import judge_validity
from web.rider.town import get_town
from web.rider.town_feed import get_feed
from web.services import Services
from web.templating import render

MAX_WANTED = 80
WITHIN = 3_000
"""Metres to the farthest stop that is called near."""
MOST_NEAR = 12
MAY_ASK_FOR_PLACE = "camera=(), geolocation=(self), microphone=(), payment=(), usb=()"


@dataclass(frozen=True)
class StopHit:
    """A stop found, the lines that leave it, and how far it is in words (blank: not asked)."""

    stop: StopEntry
    lines: tuple[LineEntry, ...]
    distance: str = ""


def search_stops(request: Request) -> Response:
    """The form; with `?q=` the stops it names, with `?lat=&lon=` those nearest to that place."""
    if request.query_params.get("lat") or request.query_params.get("lon"):
        response = no_store(_near_page(request))
    else:
        response = _words_page(request)
    response.headers["Permissions-Policy"] = MAY_ASK_FOR_PLACE
    return response


def distance_in_words(metres: int) -> str:
    """`80 m`, to the next ten; `1,2 km` from a kilometre on."""
    if metres < 995:
        return f"{max(10, (metres + 5) // 10 * 10)} m"
    return f"{metres / 1000:.1f} km".replace(".", ",")


def list_near(
    session: Session, feed: PublishedFeed, place: tuple[float, float], within: float, most: int
) -> tuple[StopHit, ...]:
    """The stops near (latitude, longitude) as pages show them; `within` in metres."""
    near = find_near(session, feed, place, within, most)
    lines = list_stop_lines(session, feed, [found.stop.position for found in near])
    return tuple(StopHit(at.stop, lines[at.stop.position], distance_in_words(at.metres)) for at in near)


def _words_page(request: Request) -> Response:
    town = get_town(request)
    services: Services = request.app.state.services
    wanted = query_text(request, "q", MAX_WANTED)
    with services.database.read() as session:
        feed = get_feed(session, town)
        today = services.clock().astimezone(feed.zone).date()

        def build() -> Response:
            found = find_stops(session, feed, wanted)
            lines = list_stop_lines(session, feed, [stop.position for stop in found.stops])
            hits = tuple(StopHit(stop, lines[stop.position]) for stop in found.stops)
            return _render(request, hits, found, wanted, {"validity": judge_validity(feed, today)})

        return cached(request, repr((town, feed, today)), MAX_AGE, build, reads=("q",))


def _near_page(request: Request) -> Response:
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        feed = get_feed(session, town)
        today = services.clock().astimezone(feed.zone).date()
        place = _read_place(request)
        hits = list_near(session, feed, place, WITHIN, MOST_NEAR) if place else ()
        errors = FormErrors()
        if place is None:
            errors.add("q", "Não entendemos a sua localização. Escreva a rua, o bairro ou a parada")
        context = {"validity": judge_validity(feed, today), "near": place is not None, "errors": errors}
        return _render(request, hits, FoundStops(()), "", context, 422 if errors else 200)


def _read_place(request: Request) -> tuple[float, float] | None:
    """(latitude, longitude) of the address, None when it is not a place on earth."""
    latitude, longitude = (parse_number(query_text(request, name, 30)) for name in ("lat", "lon"))
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        return None
    return latitude, longitude


def _render(
    request: Request,
    hits: tuple[StopHit, ...],
    found: FoundStops,
    wanted: str,
    context: dict[str, object],
    status: int = 200,
) -> Response:
    full = {
        "hits": hits,
        "similar": found.similar,
        "more": found.more,
        "near": False,
        "values": {"q": wanted},
        **context,
    }
    return render(request, "lines/stops.html", full, status_code=status, block_name="results")


routes: list[BaseRoute] = [Route("/{a:town}/paradas", search_stops, name="stops")]
