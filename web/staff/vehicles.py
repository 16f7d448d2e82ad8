"""The registered vehicles as staff look them up: plate, line, state of the seal."""

from sqlmodel import col, select
from starlette.requests import Request
from starlette.responses import Response

from complaints.registry.tables import Vehicle
from complaints.registry.vehicle_search import find_vehicles, view_vehicles
from web.forms import page_number, query_text
from web.staff.routing import Desk, StaffRoute, render_desk

PAGE_SIZE = 50


def show_vehicles(request: Request, desk: Desk) -> Response:
    """Vehicles in order of plate, or those that fit a plate, prefix or seal."""
    search, page = query_text(request, "busca", 40), page_number(request)
    with desk.services.database.read() as session:
        if search:
            found, more = find_vehicles(session, desk.authority_id, search, desk.today), False
        else:
            listed = session.exec(
                select(Vehicle)
                .where(Vehicle.authority_id == desk.authority_id)
                .order_by(col(Vehicle.plate))
                .limit(PAGE_SIZE + 1)
                .offset((page - 1) * PAGE_SIZE)
            ).all()
            more = len(listed) > PAGE_SIZE
            found = view_vehicles(session, desk.authority_id, listed[:PAGE_SIZE], desk.today)
    context = {
        "rows": found,
        "search": search,
        "values": {"busca": search},
        "previous": page - 1 if page > 1 and not search else None,
        "next": page + 1 if more else None,
    }
    return render_desk(request, desk, "staff/vehicles.html", context)


ROUTES = (StaffRoute("/veiculos", show_vehicles, "vehicle.read"),)
