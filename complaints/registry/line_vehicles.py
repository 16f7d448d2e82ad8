"""The vehicles that may run on a line, as anybody may know them."""

import datetime as dt

from sqlmodel import Session, col, select

from complaints.registry.tables import Vehicle
from complaints.registry.vehicle_search import VehicleView, view_vehicles

MOST = 200
"""A line has no more vehicles than this on its page."""


def list_line_vehicles(
    session: Session, authority_id: int, line_id: str, today: dt.date
) -> tuple[VehicleView, ...]:
    """Vehicles registered for a line (by its id in the feed) and not withdrawn, in order of fleet number."""
    found = session.exec(
        select(Vehicle)
        .where(Vehicle.authority_id == authority_id, Vehicle.line_id == line_id)
        .where(col(Vehicle.withdrawn_on).is_(None))
        .limit(MOST)
    ).all()
    ordered = sorted(found, key=lambda one: (one.fleet_number is None, one.fleet_number, one.public_id))
    return view_vehicles(session, authority_id, ordered, today)
