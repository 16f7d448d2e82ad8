"""What changed in a town's lines and stops, and what will change, by day."""

from datetime import date
from functools import partial

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.tables import Authority
from gtfs.departed import list_slugs
from gtfs.planning import list_plans
from gtfs.published import PublishedFeed, find_published
from gtfs.version_rows import AddressKind
from web.caching import MAX_AGE, cached
from web.formats import local_time
from web.forms import query_text
from web.rider.change_sheet import list_told, name_comparisons, show_one, show_succession
from web.rider.town import get_town
from web.rider.town_feed import get_feed
from web.services import Services
from web.templating import render

MAX_SLUG = 80


def show_changes(request: Request) -> Response:
    """What is planned, with its day, then what changed; `?linha=` or `?parada=` for one line or stop."""
    town = get_town(request)
    services: Services = request.app.state.services
    today = local_time(services.clock(), town).date()
    with services.database.read() as session:
        feed = find_published(session, town.id or 0) if town.has_lines else get_feed(session, town)
        compared = name_comparisons(request, session, town.id or 0)
        build = partial(_page, request, session, town, feed, today)
        return cached(request, repr((town, feed, compared, today)), MAX_AGE, build, reads=("linha", "parada"))


def _page(
    request: Request, session: Session, town: Authority, feed: PublishedFeed | None, today: date
) -> Response:
    told = list_told(session, town.id or 0, today)
    kind, slug = _read_one(request)
    context = {
        "sheets": tuple(
            show_one(session, one, kind, slug) if slug else show_succession(session, one) for one in told
        ),
        "chosen": {"kind": kind, "slug": slug},
        "line_slugs": list_slugs(session, feed, "line") if feed else frozenset(),
        "stop_slugs": list_slugs(session, feed, "stop") if feed else frozenset(),
        "first_plan": None if feed else next(iter(list_plans(session, town.id or 0)), None),
        "feed": feed,
    }
    return render(request, "lines/changes.html", context)


def _read_one(request: Request) -> tuple[AddressKind, str]:
    """The line or stop asked for; a blank address for all."""
    line = query_text(request, "linha", MAX_SLUG)
    return ("line", line) if line else ("stop", query_text(request, "parada", MAX_SLUG))


routes: list[BaseRoute] = [Route("/{a:town}/o-que-mudou", show_changes, name="changes")]
