"""The lines of a town: the list with its filter, and the page of one line."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.tables import Authority
from gtfs.alerts import Alert, choose_for_line, list_active
from gtfs.compiled import Direction
from gtfs.finding import find_lines
from gtfs.published import LineEntry, PublishedFeed, find_line, get_line_details, get_services, get_stops
from web.caching import MAX_AGE, cached
from web.forms import FormErrors, query_text
from web.rider.change_sheet import list_notes, name_comparisons
from web.rider.departed import answer_departed
from web.rider.line_about import show_about
from web.rider.line_fares import fare_state, price_in_words, show_line_fares
from web.rider.line_sheet import judge_validity, list_days, list_positions, show_day, show_way
from web.rider.line_weight import lighten
from web.rider.town import get_town
from web.rider.town_feed import get_feed, read_day
from web.services import Services
from web.templating import render

MAX_WANTED = 80


def show_lines(request: Request) -> Response:
    """All lines, or with `?q=` those it names by number, name, destination, stop or street."""
    town = get_town(request)
    services: Services = request.app.state.services
    wanted = query_text(request, "q", MAX_WANTED)
    with services.database.read() as session:
        feed = get_feed(session, town)
        now = services.clock()
        today = now.astimezone(feed.zone).date()
        alerts = list_active(session, town.id, now)

        def build() -> Response:
            found = find_lines(session, feed, wanted)
            context = {
                "lines": found.lines,
                "similar": found.similar,
                "values": {"q": wanted},
                "validity": judge_validity(feed, today),
                "alerts": alerts,
            }
            return render(request, "lines/list.html", context, block_name="results")

        return cached(request, repr((town, feed, today, alerts)), MAX_AGE, build, reads=("q",))


def show_line(request: Request) -> Response:
    """Departures by kind of day, or those of `?dia=`, and the stops on the way."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        feed = get_feed(session, town)
        now = services.clock()
        today = now.astimezone(feed.zone).date()
        alerts = list_active(session, town.id, now)
        compared = name_comparisons(request, session, feed.authority_id)
        build = partial(line_page, request, session, town, feed, today, alerts)
        key = repr((town, feed, today, alerts, compared, fare_state(session, town, today)))
        return cached(request, key, MAX_AGE, build, reads=("dia",))


def get_line(request: Request, session: Session, feed: PublishedFeed) -> tuple[LineEntry, tuple[Direction, ...]]:
    """The line that an address names, and its directions; raises HTTPException 404."""
    found = find_line(session, feed, request.path_params["line"])
    if found is None:
        raise HTTPException(404)
    return found


def line_page(
    request: Request,
    session: Session,
    town: Authority,
    feed: PublishedFeed,
    today: date,
    alerts: tuple[Alert, ...],
    template: str = "lines/line.html",
    extra: Mapping[str, Any] | None = None,
) -> Response:
    """The page of the line that the address names, in a version of the feed.

    Another `template` that extends the usual one may show `extra` beside it.
    """
    slug = request.path_params["line"]
    found = find_line(session, feed, slug)
    if found is None:
        return answer_departed(request, session, town, feed, "line", slug)
    line, directions = found
    errors = FormErrors()
    day = read_day(request, errors)
    services = get_services(session, feed)
    stops = get_stops(session, feed, list_positions(directions))
    days, idle = list_days(directions, services, feed, today)
    about = show_about(get_line_details(session, feed, line.position), days, services, feed, today)
    days, ways = lighten(days, [show_way(direction, stops) for direction in directions], town.slug)
    context = {
        "line": line,
        "validity": judge_validity(feed, today),
        "days": days,
        "idle": idle,
        "chosen": day,
        "leaving": show_day(directions, services, day) if day else (),
        "change_notes": list_notes(session, feed.authority_id, "line", slug, today),
        "ways": ways,
        "alerts": choose_for_line(alerts, line.gtfs_id, {stop.gtfs_id for stop in stops.values()}),
        "about": about,
        "has_timetable": line.has_times and bool(ways or not about.offers),
        "fare": show_line_fares(session, town, feed, line, today),
        "price_in_words": price_in_words,
        "errors": errors,
        "values": {"dia": day.isoformat() if day else ""},
    }
    return render(request, template, {**context, **(extra or {})}, status_code=422 if errors else 200)


routes: list[BaseRoute] = [
    Route("/{a:town}/linhas", show_lines, name="lines"),
    Route("/{a:town}/linhas/{line}", show_line, name="line"),
]
