"""The vehicles authorised on a line: prefix and whether the seal is good; holders and plates stay out of lists."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.calendar import local_date
from complaints.registry.line_vehicles import list_line_vehicles
from complaints.registry.vehicle_search import VehicleView
from web.rider.lines import get_line
from web.rider.seal import FRESH
from web.rider.town import get_town
from web.rider.town_feed import get_feed
from web.rider.vehicle_sheet import STATES, kind_in_words
from web.services import Services
from web.templating import render


@dataclass(frozen=True)
class LineVehicle:
    """A vehicle in the list: its name, what it is, and the state of its seal."""

    public_id: str
    name: str
    words: str
    tone: str
    state: str


def show_line_vehicles(request: Request) -> Response:
    """The vehicles registered for the line, each with a link to its own page."""
    town = get_town(request)
    services: Services = request.app.state.services
    today = local_date(town, services.clock())
    with services.database.read() as session:
        feed = get_feed(session, town)
        line, _ = get_line(request, session, feed)
        views = list_line_vehicles(session, feed.authority_id, line.gtfs_id, today)
    vehicles = tuple(map(_show, views))
    context = {
        "line": line,
        "vehicles": vehicles,
        "regular": sum(view.seal_state == "valid" for view in views),
    }
    return render(request, "lines/vehicles.html", context, headers=FRESH)


def _show(view: VehicleView) -> LineVehicle:
    parts = (kind_in_words(view.kind, view.service), view.model, view.colour)
    state = STATES[view.seal_state]
    name = f"Prefixo {view.fleet_number}" if view.fleet_number else "Sem prefixo"
    return LineVehicle(view.public_id, name, " · ".join(filter(None, parts)), state.tone, state.name)


routes: list[BaseRoute] = [Route("/{a:town}/linhas/{line}/veiculos", show_line_vehicles, name="line-vehicles")]
