"""Checking a vehicle of a town: search by plate, number or seal, and the page of one vehicle."""

from dataclasses import dataclass

from sqlmodel import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.calendar import local_date
from complaints.authorities.tables import Authority
from complaints.registry.plates import find_plate
from complaints.registry.seal_code import LENGTH, BadSealCode, check_code, format_code, squeeze
from complaints.registry.seals import find_seal
from complaints.registry.vehicle_search import MAX_FOUND, VehicleView, find_vehicles, view_vehicles
from complaints.registry.vehicles import find_vehicle
from web.forms import query_text
from web.rider.seal import FRESH, MAX_TYPED, read_seal_sheet
from web.rider.town import get_town
from web.rider.vehicle_sheet import STATES, Sheet, kind_in_words, vehicle_sheet
from web.services import Services
from web.templating import render


@dataclass(frozen=True)
class Hit:
    """One of several vehicles found."""

    public_id: str
    plate: str
    words: str
    tone: str
    state: str


@dataclass(frozen=True)
class Missed:
    """Why nothing was found: a code with a slip, a seal of another town, or nothing known of it."""

    problem: str = ""
    suggestion: str = ""
    elsewhere: str = ""
    field: str = "prefixo"


def search_vehicles(request: Request) -> Response:
    """The search form, and with `?q=` its answer: one sheet, a short list, or how to go on."""
    town = get_town(request)
    query = query_text(request, "q", MAX_TYPED)
    context = {
        "values": {"q": query},
        "sheet": None,
        "hits": (),
        "missed": None,
        "limit": MAX_FOUND,
        **(_answer(request, town, query) if squeeze(query) else {}),
    }
    return render(request, "vehicles/search.html", context, headers=FRESH, block_name="results")


def show_vehicle(request: Request) -> Response:
    """One vehicle of the register, also when it was withdrawn."""
    town = get_town(request)
    services: Services = request.app.state.services
    with services.database.read() as session:
        vehicle = find_vehicle(session, town.id, request.path_params["public_id"].upper()[:MAX_TYPED])
        if vehicle is None:
            raise HTTPException(404)
        today = local_date(town, services.clock())
        (view,) = view_vehicles(session, town.id, (vehicle,), today)
    return render(request, "vehicles/vehicle.html", {"sheet": vehicle_sheet(town, view, today)}, headers=FRESH)


def _answer(request: Request, town: Authority, query: str) -> dict[str, object]:
    services: Services = request.app.state.services
    if sheet := _sheet_of_code(request, town, query):
        return {"sheet": sheet}
    today = local_date(town, services.clock())
    with services.database.read() as session:
        views = find_vehicles(session, town.id, query, today)
        if not views:
            return {"missed": _explain(session, town, query)}
    if len(views) == 1:
        return {"sheet": vehicle_sheet(town, views[0], today)}
    return {"hits": tuple(map(_hit, views))}


def _sheet_of_code(request: Request, town: Authority, query: str) -> Sheet | None:
    """The sheet of a seal of this town whose code was typed, so that it says what `/s/` says."""
    try:
        found = read_seal_sheet(request, check_code(query))
    except BadSealCode:
        return None
    return found[1] if found and found[0].id == town.id else None


def _hit(view: VehicleView) -> Hit:
    parts = (kind_in_words(view.kind, view.service), view.fleet_number, view.line_name, view.colour)
    state = STATES["withdrawn" if view.withdrawn_on else view.seal_state]
    return Hit(view.public_id, view.plate, " · ".join(part for part in parts if part), state.tone, state.name)


def _explain(session: Session, town: Authority, query: str) -> Missed:
    """What to say when nothing was found, and the field of the complaint form that takes the text."""
    if find_plate(query):
        return Missed(field="placa")
    try:
        code = check_code(query)
    except BadSealCode as problem:
        if len(squeeze(query)) != LENGTH:
            return Missed()
        return Missed(str(problem), format_code(problem.suggestion) if problem.suggestion else "", field="selo")
    seal = find_seal(session, code)
    return Missed(elsewhere=code if seal and seal.authority_id != town.id else "", field="selo")


routes: list[BaseRoute] = [
    Route("/{a}/veiculos", search_vehicles, name="vehicles"),
    Route("/{a}/veiculos/{public_id}", show_vehicle, name="vehicle"),
]
