"""How people find a vehicle, and what anybody may know of it."""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from sqlalchemy import ColumnElement, String, func, or_
from sqlmodel import Session, col, select

from complaints.enforcement.tables import Inspection
from complaints.registry.plates import find_plate, plate_start
from complaints.registry.seal_code import BadSealCode, check_code, squeeze
from complaints.registry.seals import SealState, find_by_own_number, find_seal, newest_seals, seal_state
from complaints.registry.tables import Seal, Vehicle
from complaints.registry.vehicles import fleet_number_spellings

MAX_FOUND = 20
"""A search answers no more vehicles than this."""

_MIN_START = 3
_INSPECTED = ("approved", "approved_with_reservation", "rejected")


@dataclass(frozen=True)
class VehicleView:
    """What anybody may know of a vehicle. Holder, driver and debts are not here and must never be.

    `seal_state` is that of the newest seal, `none` without one; the plate is canonical; instants are UTC.
    """

    public_id: str
    plate: str
    fleet_number: str | None
    kind: str
    colour: str | None
    model: str | None
    service: str
    line_id: str | None
    line_name: str | None
    withdrawn_on: dt.date | None
    seal_state: SealState | Literal["none"]
    seal_issued_at: dt.datetime | None
    seal_valid_until: dt.date | None
    seal_revoked_at: dt.datetime | None
    last_inspected_at: dt.datetime | None


def find_vehicles(session: Session, authority_id: int, query: str, today: dt.date) -> tuple[VehicleView, ...]:
    """Find vehicles by plate, fleet number or seal; failing that, by how plate or fleet number begin.

    At most MAX_FOUND, in order of plate, withdrawn ones too. `today` is the authority's local day.
    """
    found = _find_exact(session, authority_id, query) or _find_starting(session, authority_id, query)
    return view_vehicles(session, authority_id, found[:MAX_FOUND], today)


def view_vehicles(
    session: Session, authority_id: int, vehicles: Sequence[Vehicle], today: dt.date
) -> tuple[VehicleView, ...]:
    """What anybody may know of some vehicles, in the order given."""
    ids = [vehicle.id for vehicle in vehicles]
    seals = newest_seals(session, authority_id, ids)
    inspected = _last_inspections(session, authority_id, ids)
    return tuple(_view(vehicle, seals.get(vehicle.id), inspected.get(vehicle.id), today) for vehicle in vehicles)


def _view(vehicle: Vehicle, seal: Seal | None, inspected_at: dt.datetime | None, today: dt.date) -> VehicleView:
    return VehicleView(
        public_id=vehicle.public_id,
        plate=vehicle.plate,
        fleet_number=vehicle.fleet_number,
        kind=vehicle.kind,
        colour=vehicle.colour,
        model=vehicle.model,
        service=vehicle.service,
        line_id=vehicle.line_id,
        line_name=vehicle.line_name,
        withdrawn_on=vehicle.withdrawn_on,
        seal_state=seal_state(seal, today) if seal else "none",
        seal_issued_at=seal.issued_at if seal else None,
        seal_valid_until=seal.valid_until if seal else None,
        seal_revoked_at=seal.revoked_at if seal else None,
        last_inspected_at=inspected_at,
    )


def _last_inspections(
    session: Session, authority_id: int, vehicle_ids: Collection[UUID]
) -> dict[UUID, dt.datetime]:
    """When each vehicle was last looked at; orders, absences and visits refused for debt do not count."""
    asked = (
        select(Inspection.vehicle_id, func.max(Inspection.done_at))
        .where(Inspection.authority_id == authority_id, col(Inspection.vehicle_id).in_(vehicle_ids))
        .where(Inspection.state == "done", col(Inspection.result).in_(_INSPECTED))
        .group_by(col(Inspection.vehicle_id))
    )
    return {vehicle_id: done_at for vehicle_id, done_at in session.exec(asked) if vehicle_id and done_at}


def _find_exact(session: Session, authority_id: int, query: str) -> list[Vehicle]:
    """One question for each index: a single question with OR makes SQLite walk through all vehicles."""
    spellings = fleet_number_spellings(query)
    if not spellings:
        return []
    conditions: list[ColumnElement[bool]] = [col(Vehicle.fleet_number).in_(spellings)]
    if plate := find_plate(query):
        conditions.append(col(Vehicle.plate) == plate)
    if sealed := _sealed_vehicles(session, authority_id, query):
        conditions.append(col(Vehicle.id).in_(sealed))
    asked = select(Vehicle).where(Vehicle.authority_id == authority_id).limit(MAX_FOUND)
    found = {vehicle.id: vehicle for condition in conditions for vehicle in session.exec(asked.where(condition))}
    return sorted(found.values(), key=lambda vehicle: vehicle.plate)


def _find_starting(session: Session, authority_id: int, query: str) -> list[Vehicle]:
    number = squeeze(query)
    if len(number) < _MIN_START:
        return []
    bare = func.replace(func.replace(col(Vehicle.fleet_number), " ", ""), "-", "", type_=String)
    conditions = [bare.startswith(number, autoescape=True)]
    if start := plate_start(query):
        conditions.append(col(Vehicle.plate).startswith(start, autoescape=True))
    asked = select(Vehicle).where(Vehicle.authority_id == authority_id, or_(*conditions))
    return list(session.exec(asked.order_by(col(Vehicle.plate)).limit(MAX_FOUND)))


def _sealed_vehicles(session: Session, authority_id: int, query: str) -> list[UUID]:
    """Vehicles with a seal of this code or printed number; who wears it now goes before who once did."""
    try:
        seal = find_seal(session, check_code(query))
    except BadSealCode:
        seal = None
    seals = find_by_own_number(session, authority_id, query)
    if seal and seal.authority_id == authority_id:
        seals = (seal, *seals)
    newest = newest_seals(session, authority_id, [seal.vehicle_id for seal in seals])
    worn = [seal.vehicle_id for seal in seals if newest[seal.vehicle_id].id == seal.id]
    return worn or [seal.vehicle_id for seal in seals]
