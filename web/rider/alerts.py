"""Alerts for riders: the page with all of them, and the GTFS-Realtime feed for other software."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from gtfs.alerts import Alert, list_current
from gtfs.published import PublishedFeed, list_line_details, list_stops
from gtfs.realtime import PublishedIds, write_alerts
from web.addresses import absolute_url, town_url
from web.caching import MAX_AGE, cached
from web.forms import query_text
from web.rider.town import get_town
from web.rider.town_feed import get_feed
from web.services import Services
from web.templating import render

MEDIA_TYPE = "application/x-protobuf"


def show_alerts(request: Request) -> Response:
    """The alerts that hold now, and those to come."""
    town = get_town(request)
    services: Services = request.app.state.services
    now = services.clock()
    with services.database.read() as session:
        alerts = list_current(session, town.id, now)
    active = tuple(alert for alert in alerts if alert.is_active(now))
    coming = tuple(alert for alert in alerts if not alert.is_active(now))
    context = {"alerts": active, "coming": coming}
    build = partial(render, request, "lines/alerts_page.html", context)
    return cached(request, repr((town, active, coming)), MAX_AGE, build)


def send_alerts(request: Request) -> Response:
    """The feed of alerts, in its own format or, with `?formato=json`, to be read."""
    town = get_town(request)
    services: Services = request.app.state.services
    now = services.clock()
    with services.database.read() as session:
        feed = get_feed(session, town)
        alerts = list_current(session, town.id, now)
        ids = _published_ids(session, feed) if alerts else PublishedIds((), frozenset(), frozenset())
    page = absolute_url(services.settings.public_url, town_url(town, "avisos"))
    build = partial(_message, alerts, ids, page, now, query_text(request, "formato", 10))
    minute = now.replace(second=0, microsecond=0)
    return cached(request, repr((town, feed, alerts, minute)), MAX_AGE, build, reads=("formato",))


def _message(alerts: Sequence[Alert], ids: PublishedIds, page: str, now: datetime, wanted: str) -> Response:
    message = write_alerts(alerts, ids, lambda alert: f"{page}#aviso-{alert.number}", now)
    if wanted == "json":
        from google.protobuf.json_format import MessageToDict

        return JSONResponse(MessageToDict(message, preserving_proto_field_name=True))
    return Response(message.SerializeToString(), media_type=MEDIA_TYPE)


def _published_ids(session: Session, feed: PublishedFeed) -> PublishedIds:
    lines = list_line_details(session, feed)
    return PublishedIds(
        agencies=tuple(dict.fromkeys(line.agency for line in lines if line.agency)),
        lines=frozenset(line.gtfs_id for line in lines),
        stops=frozenset(stop.gtfs_id for stop in list_stops(session, feed)),
    )


routes: list[BaseRoute] = [
    Route("/{a:town}/avisos", show_alerts, name="alerts"),
    Route("/{a:town}/gtfs-rt/alertas.pb", send_alerts, name="alerts_feed"),
]
