"""The page of a stop: what leaves next."""

from datetime import datetime
from functools import partial

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.tables import Authority
from gtfs.alerts import Alert, choose_for_stop, list_active
from gtfs.compiled import StopBoard
from gtfs.published import PublishedFeed, StopEntry, find_stop, get_lines, get_services
from web.caching import MAX_AGE, cached
from web.forms import FormErrors
from web.rider.change_sheet import list_notes, name_comparisons
from web.rider.departed import answer_departed
from web.rider.line_sheet import judge_validity
from web.rider.stop_place import list_around, map_link
from web.rider.stop_sheet import choose_moment, list_lines_of, show_board
from web.rider.town import get_town
from web.rider.town_feed import get_feed, read_day, read_hour
from web.services import Services
from web.templating import render


def show_stop(request: Request) -> Response:
    """The next departures from now, or from `?dia=` and `?hora=`; a day alone is shown whole."""
    town = get_town(request)
    services: Services = request.app.state.services
    now = services.clock()
    with services.database.read() as session:
        feed = get_feed(session, town)
        minute = now.astimezone(feed.zone).strftime("%Y-%m-%d %H:%M")
        alerts = list_active(session, town.id, now)
        compared = name_comparisons(request, session, feed.authority_id)
        build = partial(stop_page, request, session, town, feed, now, alerts)
        return cached(request, repr((town, feed, minute, alerts, compared)), MAX_AGE, build, reads=("dia", "hora"))


def get_stop(request: Request, session: Session, feed: PublishedFeed) -> tuple[StopEntry, StopBoard]:
    """The stop that an address names, and its board; raises HTTPException 404."""
    found = find_stop(session, feed, request.path_params["stop"])
    if found is None:
        raise HTTPException(404)
    return found


def stop_page(
    request: Request,
    session: Session,
    town: Authority,
    feed: PublishedFeed,
    now: datetime,
    alerts: tuple[Alert, ...],
) -> Response:
    """The page of the stop that the address names, in a version of the feed."""
    slug = request.path_params["stop"]
    found = find_stop(session, feed, slug)
    if found is None:
        return answer_departed(request, session, town, feed, "stop", slug)
    stop, board = found
    errors = FormErrors()
    day, hour = read_day(request, errors), read_hour(request, errors)
    asked = choose_moment(feed, now, day, hour)
    today = now.astimezone(feed.zone).date()
    lines = get_lines(session, feed, list_lines_of(board))
    context = {
        "stop": stop,
        "alerts": choose_for_stop(alerts, stop.gtfs_id, {line.gtfs_id for line in lines.values()}),
        "asked": asked,
        "is_now": not (day or hour),
        "today": today,
        "validity": judge_validity(feed, today),
        "change_notes": list_notes(session, feed.authority_id, "stop", slug, today),
        "board": show_board(board, get_services(session, feed), feed, lines, asked),
        "around": list_around(session, feed, stop),
        "map_link": map_link(stop),
        "errors": errors,
        "values": {"dia": asked.moment.date().isoformat(), "hora": f"{hour:%H:%M}" if hour else ""},
    }
    return render(request, "lines/stop.html", context, status_code=422 if errors else 200)


routes: list[BaseRoute] = [Route("/{a:town}/paradas/{stop}", show_stop, name="stop")]
