"""The registered vehicles: entering and leaving the register, and which one a complaint means."""

import datetime as dt
import re
import unicodedata
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlmodel import Session, col, select

from complaints.registry.plates import find_plate, parse_plate
from complaints.registry.seal_code import BadSealCode, check_code, squeeze
from complaints.registry.seals import find_by_own_number, find_seal, newest_seals, state_among
from complaints.registry.tables import Seal, Vehicle

FINDINGS = (
    "seal_unknown",
    "seal_elsewhere",
    "seal_malformed",
    "seal_expired",
    "seal_revoked",
    "plate_unknown",
    "plate_differs",
)
"""What `identify` may find odd; stored with the case, never renamed."""

_BOUNDARY = re.compile(r"(?<=[^\W\d])(?=\d)|(?<=\d)(?=[^\W\d])")


class PlateTaken(ValueError):
    """A vehicle in service has this plate already."""

    def __init__(self, plate: str) -> None:
        super().__init__(f"A placa {plate} já está no cadastro.")
        self.plate = plate


class BadVehicle(ValueError):
    """A value does not fit the register. `fields`: the names of the wrong ones."""

    def __init__(self, fields: tuple[str, ...]) -> None:
        super().__init__(f"Não cabe no cadastro: {', '.join(fields)}.")
        self.fields = fields


@dataclass(frozen=True)
class Identified:
    """The vehicle and the seal a rider means, each None when not found, and what is odd (words of FINDINGS)."""

    vehicle: Vehicle | None
    seal: Seal | None
    findings: tuple[str, ...] = ()


def register_vehicle(
    session: Session,
    authority_id: int,
    plate: str,
    *,
    kind: str,
    service: str,
    fleet_number: str | None = None,
    colour: str | None = None,
    model: str | None = None,
    made_year: int | None = None,
    capacity: int | None = None,
    permit_id: UUID | None = None,
    line_id: str | None = None,
    line_name: str | None = None,
) -> Vehicle:
    """Enter a vehicle in the register; one that was withdrawn comes back as the same vehicle, with new data.

    `kind` is `van`, `microonibus` or `onibus`; `service` is a service of the town's rulebook; `capacity` counts
    everybody aboard. Raises BadPlate, PlateTaken, BadVehicle.
    """
    values: dict[str, Any] = {
        "plate": parse_plate(plate),
        "kind": kind,
        "service": service,
        "fleet_number": _tidy(fleet_number or "") or None,
        "colour": colour,
        "model": model,
        "made_year": made_year,
        "capacity": capacity,
        "permit_id": permit_id,
        "line_id": line_id,
        "line_name": line_name,
        "withdrawn_on": None,
    }
    try:
        new = Vehicle.model_validate({"authority_id": authority_id, **values})
    except ValidationError as error:
        raise BadVehicle(tuple(str(fault["loc"][0]) for fault in error.errors())) from None
    vehicle = find_by_plate(session, authority_id, new.plate) or new
    if vehicle is not new and vehicle.withdrawn_on is None:
        raise PlateTaken(new.plate)
    vehicle.sqlmodel_update(values)
    session.add(vehicle)
    session.flush()
    return vehicle


def withdraw_vehicle(session: Session, vehicle: Vehicle, day: dt.date) -> None:
    """Take a vehicle out of service from a local day on; its page, seals and cases stay."""
    vehicle.withdrawn_on = day
    session.add(vehicle)
    session.flush()


def find_vehicle(session: Session, authority_id: int, public_id: str) -> Vehicle | None:
    """Find a vehicle by the id of its page."""
    asked = select(Vehicle).where(Vehicle.authority_id == authority_id, Vehicle.public_id == public_id)
    return session.exec(asked).one_or_none()


def find_by_plate(session: Session, authority_id: int, typed: str) -> Vehicle | None:
    """Find a vehicle by its plate, in either form."""
    plate = find_plate(typed)
    asked = select(Vehicle).where(Vehicle.authority_id == authority_id, Vehicle.plate == plate)
    return session.exec(asked).one_or_none() if plate else None


def find_by_fleet_number(session: Session, authority_id: int, typed: str) -> Vehicle | None:
    """Find the one vehicle in service with a fleet number; None when two have it."""
    asked = select(Vehicle).where(
        Vehicle.authority_id == authority_id,
        col(Vehicle.fleet_number).in_(fleet_number_spellings(typed)),
        col(Vehicle.withdrawn_on).is_(None),
    )
    found = session.exec(asked.limit(2)).all()
    return found[0] if len(found) == 1 else None


def fleet_number_spellings(typed: str) -> tuple[str, ...]:
    """How a fleet number may be stored: `e014` as `E014`, `E-014` or `E 014`; none for a blank."""
    bare = squeeze(typed)
    spellings = [_tidy(typed), bare, *(_BOUNDARY.sub(mark, bare) for mark in "- ")]
    return tuple(dict.fromkeys(spellings)) if bare else ()


def identify(
    session: Session, authority_id: int, seal: str, plate: str, fleet_number: str, today: dt.date
) -> Identified:
    """Find the vehicle and seal behind what a rider typed, each text perhaps empty or wrong; refuses nothing.

    When seal and plate name different registered vehicles, the vehicle is the one with the plate: the plate is
    on the van, the seal may have been moved. `today` is the authority's local day.
    """
    found_seal, findings = _identify_seal(session, authority_id, seal, today)
    vehicle = _vehicle_of(session, found_seal) if found_seal else None
    if plate.strip():
        with_plate = find_by_plate(session, authority_id, plate)
        if with_plate is None:
            findings.append("plate_unknown")
        if vehicle and vehicle.plate != find_plate(plate):
            findings.append("plate_differs")
        vehicle = with_plate or vehicle
    if vehicle is None:
        vehicle = find_by_fleet_number(session, authority_id, fleet_number)
    return Identified(vehicle, found_seal, tuple(findings))


def _identify_seal(
    session: Session, authority_id: int, typed: str, today: dt.date
) -> tuple[Seal | None, list[str]]:
    if not typed.strip():
        return None, []
    seal = next(iter(find_by_own_number(session, authority_id, typed)), None)
    if seal is None:
        try:
            seal = find_seal(session, check_code(typed))
        except BadSealCode:
            return None, ["seal_malformed"]
    if seal is None:
        return None, ["seal_unknown"]
    if seal.authority_id != authority_id:
        return None, ["seal_elsewhere"]
    newest = newest_seals(session, authority_id, [seal.vehicle_id])[seal.vehicle_id]
    state = state_among(seal, newest, today)
    return seal, [] if state == "valid" else [f"seal_{state}"]


def _vehicle_of(session: Session, seal: Seal) -> Vehicle:
    return session.get_one(Vehicle, (seal.authority_id, seal.vehicle_id))


def _tidy(number: str) -> str:
    """Upper case, single blanks, plain dashes: how a fleet number is painted and stored."""
    plain = unicodedata.normalize("NFKC", number).upper()
    dashed = "".join("-" if unicodedata.category(character) == "Pd" else character for character in plain)
    return " ".join(dashed.split())
