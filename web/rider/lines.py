"""The lines of a town: the list with its filter, and the page of one line."""

from datetime import date
from functools import partial
from typing import Any

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.tables import Authority
from gtfs.published import PublishedFeed, find_line, get_services, get_stops, list_lines, was_address
from web.caching import cached
from web.errors import Refused
from web.forms import FormErrors, query_text
from web.rider.line_fares import fare_state, price_in_words, show_line_fares
from web.rider.line_sheet import judge_validity, list_days, list_positions, show_day, show_way
from web.rider.town import get_town
from web.rider.town_feed import get_feed, read_day
from web.services import Services
from web.templating import render

MAX_AGE = 300
MAX_WANTED = 80


def show_lines(request: Request) -> Response:
    """All lines, or with `?q=` those with these words in number, name, destination or a stop's name."""
    town = get_town(request)
    services: Services = request.app.state.services
    wanted = query_text(request, "q", MAX_WANTED)
    with services.database.read() as session:
        feed = get_feed(session, town)
        today = services.clock().astimezone(feed.zone).date()

        def build() -> Response:
            context = {
                "lines": list_lines(session, feed, wanted),
                "values": {"q": wanted},
                "validity": judge_validity(feed, today),
            }
            return render(request, "lines/list.html", context, block_name="results")

        return cached(request, repr((town, feed, today)), MAX_AGE, build, reads=("q",))


def show_line(request: Request) -> Response:
    """Departures by kind of day, or those of `?dia=`, and the stops on the way."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        feed = get_feed(session, town)
        today = services.clock().astimezone(feed.zone).date()
        build = partial(_line_page, request, session, town, feed, today)
        key = repr((town, feed, today, fare_state(session, town, today)))
        return cached(request, key, MAX_AGE, build, reads=("dia",))


def _line_page(request: Request, session: Session, town: Authority, feed: PublishedFeed, today: date) -> Response:
    slug = request.path_params["line"]
    context = line_context(request, session, town, feed, slug, today)
    if context is None:
        raise _missing(session, town, feed, slug)
    return render(request, "lines/line.html", context, status_code=422 if context["errors"] else 200)


def line_context(
    request: Request, session: Session, town: Authority, feed: PublishedFeed, slug: str, today: date
) -> dict[str, Any] | None:
    """All that `lines/line.html` shows of the line of an address; None when the feed has none of it."""
    found = find_line(session, feed, slug)
    if found is None:
        return None
    line, directions = found
    errors = FormErrors()
    day = read_day(request, errors)
    services = get_services(session, feed)
    stops = get_stops(session, feed, list_positions(directions))
    days, idle = list_days(directions, services, feed, today)
    return {
        "line": line,
        "validity": judge_validity(feed, today),
        "days": days,
        "idle": idle,
        "chosen": day,
        "leaving": show_day(directions, services, day) if day else (),
        "ways": tuple(show_way(direction, stops) for direction in directions),
        "fare": show_line_fares(session, town, feed, line, today),
        "price_in_words": price_in_words,
        "errors": errors,
        "values": {"dia": day.isoformat() if day else ""},
    }


def _missing(session: Session, town: Authority, feed: PublishedFeed, slug: str) -> Exception:
    """A line that was there before is told from one that never was."""
    if not was_address(session, feed.authority_id, "line", slug):
        return HTTPException(404)
    return Refused(
        404,
        "Esta linha não está mais nos horários",
        f"A linha deste endereço não faz parte dos horários que {town.short_name} publica agora.",
        f"Veja as linhas de hoje em {town.town}: o nome ou o número pode ter mudado.",
    )


routes: list[BaseRoute] = [
    Route("/{a:town}/linhas", show_lines, name="lines"),
    Route("/{a:town}/linhas/{line}", show_line, name="line"),
]
