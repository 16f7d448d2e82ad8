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
from gtfs.published import PublishedFeed, find_stop, get_lines, get_services, was_address
from web.caching import cached
from web.errors import Refused
from web.forms import FormErrors
from web.rider.line_sheet import judge_validity
from web.rider.stop_sheet import choose_moment, list_lines_of, show_board
from web.rider.town import get_town
from web.rider.town_feed import get_feed, read_day, read_hour
from web.services import Services
from web.templating import render

MAX_AGE = 30


def show_stop(request: Request) -> Response:
    """The next departures from now, or from `?dia=` and `?hora=`; a day alone is shown whole."""
    town = get_town(request)
    services: Services = request.app.state.services
    now = services.clock()
    with services.database.read() as session:
        feed = get_feed(session, town)
        minute = now.astimezone(feed.zone).strftime("%Y-%m-%d %H:%M")
        alerts = list_active(session, town.id, now)
        build = partial(_stop_page, request, session, town, feed, now, alerts)
        return cached(request, repr((town, feed, minute, alerts)), MAX_AGE, build, reads=("dia", "hora"))


def _stop_page(
    request: Request,
    session: Session,
    town: Authority,
    feed: PublishedFeed,
    now: datetime,
    alerts: tuple[Alert, ...],
) -> Response:
    slug = request.path_params["stop"]
    found = find_stop(session, feed, slug)
    if found is None:
        raise _missing(session, town, feed, slug)
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
        "board": show_board(board, get_services(session, feed), feed, lines, asked),
        "errors": errors,
        "values": {"dia": asked.moment.date().isoformat(), "hora": f"{hour:%H:%M}" if hour else ""},
    }
    return render(request, "lines/stop.html", context, status_code=422 if errors else 200)


def _missing(session: Session, town: Authority, feed: PublishedFeed, slug: str) -> Exception:
    """A stop that was there before is told from one that never was."""
    if not was_address(session, feed.authority_id, "stop", slug):
        return HTTPException(404)
    return Refused(
        404,
        "Esta parada não está mais nos horários",
        f"A parada deste endereço não faz parte dos horários que {town.short_name} publica agora.",
        "Abra a sua linha e escolha a parada na lista: o nome pode ter mudado.",
    )


routes: list[BaseRoute] = [Route("/{a:town}/paradas/{stop}", show_stop, name="stop")]
