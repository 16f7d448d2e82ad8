"""The page behind the QR code of a seal: what the vehicle is, what the seal is worth, does the plate match."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from complaints.authorities.calendar import local_date
from complaints.authorities.tables import Authority
from complaints.registry.seal_code import BadSealCode, check_code, format_code
from complaints.registry.seals import find_seal, newest_seals
from complaints.registry.tables import Vehicle
from complaints.registry.vehicle_search import view_vehicles
from web.forms import clean
from web.rider.town import list_towns
from web.rider.vehicle_sheet import Sheet, seal_sheet
from web.services import Services
from web.templating import render

MAX_TYPED = 40
FRESH = {"Cache-Control": "no-cache"}
"""A seal can be revoked at any moment."""


def show_seal(request: Request) -> Response:
    """A known seal, valid or not: 200; a code that nobody issued, or that cannot be one: 404, with a way on."""
    typed = clean(request.path_params["code"]).strip()[:MAX_TYPED]
    try:
        code = check_code(typed)
    except BadSealCode as problem:
        return _mistyped(request, typed, problem)
    found = read_seal_sheet(request, code)
    if found is None:
        context = {"code": code, "shown": format_code(code), "towns": list_towns(request)}
        return render(request, "vehicles/unknown_seal.html", context, 404, FRESH)
    authority, sheet = found
    request.state.authority = authority
    return render(request, "vehicles/seal.html", {"sheet": sheet}, headers=FRESH)


def read_seal_sheet(request: Request, code: str) -> tuple[Authority, Sheet] | None:
    """The authority and sheet of a seal by its nine characters; None when nobody issued it."""
    services: Services = request.app.state.services
    with services.database.read() as session:
        seal = find_seal(session, code)
        if seal is None:
            return None
        authority = session.get_one(Authority, seal.authority_id)
        vehicle = session.get_one(Vehicle, (seal.authority_id, seal.vehicle_id))
        today = local_date(authority, services.clock())
        (view,) = view_vehicles(session, seal.authority_id, (vehicle,), today)
        newest = newest_seals(session, seal.authority_id, [vehicle.id])[vehicle.id]
        return authority, seal_sheet(authority, view, seal, newest, today)


def _mistyped(request: Request, typed: str, problem: BadSealCode) -> Response:
    context = {
        "typed": typed,
        "problem": problem,
        "suggestion": problem.suggestion,
        "shown": format_code(problem.suggestion) if problem.suggestion else "",
        "values": {"codigo": typed},
        "towns": list_towns(request),
    }
    return render(request, "vehicles/mistyped_seal.html", context, 404, FRESH)


routes: list[BaseRoute] = [
    Route("/s/{code}", show_seal, name="seal"),
    Route("/S/{code}", show_seal, name="seal_printed"),
]
