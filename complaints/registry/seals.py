"""Inspection seals: issued for a vehicle, revoked with a reason, and what each is worth on a day."""

import datetime as dt
from collections.abc import Collection
from typing import Literal
from uuid import UUID

from sqlmodel import Session, col, select

from complaints.authorities.calendar import local_date
from complaints.authorities.tables import Authority
from complaints.registry.seal_code import new_code, squeeze
from complaints.registry.tables import Seal, Vehicle
from complaints.registry.validity import find_last_day

SealState = Literal["valid", "expired", "revoked"]
MAX_REASON = 300
MAX_OWN_NUMBER = 40


class CannotIssueSeal(ValueError):
    """This seal would be wrong; the message says why, in a sentence for staff."""


class VehicleWithdrawn(CannotIssueSeal):
    """The vehicle left the register on `day`."""

    def __init__(self, day: dt.date) -> None:
        super().__init__(f"O veículo saiu do cadastro em {day:%d/%m/%Y}.")
        self.day = day


class LastDayPassed(CannotIssueSeal):
    """The seal would be expired when issued."""

    def __init__(self, day: dt.date) -> None:
        super().__init__(f"O último dia de validade, {day:%d/%m/%Y}, já passou.")
        self.day = day


class NoValidityPeriod(CannotIssueSeal):
    """Neither the town's law nor the authority fix the interval between inspections."""

    def __init__(self, law_id: str) -> None:
        super().__init__("A lei não fixa o intervalo entre vistorias: informe até que dia o selo vale.")
        self.law_id = law_id


class BadOwnNumber(CannotIssueSeal):
    """The printed number is too long, or another vehicle's valid seal has it."""

    def __init__(self, own_number: str, problem: str) -> None:
        super().__init__(f"O número impresso {own_number} {problem}.")
        self.own_number = own_number


class CannotRevokeSeal(ValueError):
    """The seal was revoked before, or the reason is missing or too long; the message says which."""


def issue_seal(
    session: Session,
    vehicle: Vehicle,
    valid_until: dt.date | None,
    issued_by: UUID | None,
    now: dt.datetime,
    own_number: str | None = None,
) -> Seal:
    """Issue a seal; earlier ones of the vehicle stay as they are, and the newest decides.

    `valid_until` is the last day it is valid; None takes the interval between inspections of the town's law.
    `own_number` is the authority's own printed number. Raises CannotIssueSeal.
    """
    authority = session.get_one(Authority, vehicle.authority_id)
    today = local_date(authority, now)
    if vehicle.withdrawn_on is not None and vehicle.withdrawn_on <= today:
        raise VehicleWithdrawn(vehicle.withdrawn_on)
    last_day = valid_until or find_last_day(session, vehicle.authority_id, authority.law_id, today)
    if last_day is None:
        raise NoValidityPeriod(authority.law_id)
    if last_day < today:
        raise LastDayPassed(last_day)
    seal = Seal(
        authority_id=vehicle.authority_id,
        code=_unused_code(session),
        own_number=_check_own_number(session, vehicle, own_number, today),
        vehicle_id=vehicle.id,
        issued_at=now,
        issued_by=issued_by,
        valid_until=last_day,
    )
    session.add(seal)
    session.flush()
    return seal


def revoke_seal(session: Session, seal: Seal, reason: str, now: dt.datetime) -> None:
    """Revoke a seal for ever; the reason is for staff and is never public. Raises CannotRevokeSeal."""
    if seal.revoked_at is not None:
        raise CannotRevokeSeal("Este selo já foi cancelado.")
    reason = reason.strip()
    if not reason or len(reason) > MAX_REASON:
        raise CannotRevokeSeal(f"Escreva o motivo, em até {MAX_REASON} letras.")
    seal.revoked_at = now
    seal.revoked_reason = reason
    session.add(seal)
    session.flush()


def find_seal(session: Session, code: str) -> Seal | None:
    """Find a seal of any authority by its code, written as `check_code` returns it."""
    return session.exec(select(Seal).where(Seal.code == code)).one_or_none()


def find_by_own_number(session: Session, authority_id: int, typed: str) -> tuple[Seal, ...]:
    """The authority's seals with a printed number, newest first; case, blanks and dashes do not matter."""
    number = squeeze(typed)[: MAX_OWN_NUMBER + 1]
    if not number:
        return ()
    asked = select(Seal).where(Seal.authority_id == authority_id, Seal.own_number == number)
    return tuple(session.exec(asked.order_by(col(Seal.issued_at).desc(), col(Seal.id).desc())))


def newest_seals(session: Session, authority_id: int, vehicle_ids: Collection[UUID]) -> dict[UUID, Seal]:
    """The newest seal of each vehicle that has one, by the vehicle's row id."""
    asked = select(Seal).where(Seal.authority_id == authority_id, col(Seal.vehicle_id).in_(vehicle_ids))
    rows = session.exec(asked.order_by(col(Seal.issued_at), col(Seal.id)))
    return {seal.vehicle_id: seal for seal in rows}


def list_seals(session: Session, authority_id: int) -> tuple[tuple[Seal, Vehicle], ...]:
    """Every seal of an authority with its vehicle, the newest first."""
    joined = (Vehicle.authority_id == Seal.authority_id, Vehicle.id == Seal.vehicle_id)
    asked = select(Seal, Vehicle).where(Seal.authority_id == authority_id, *joined)
    return tuple(session.exec(asked.order_by(col(Seal.issued_at).desc(), col(Seal.id).desc())))


def seal_state(seal: Seal, today: dt.date) -> SealState:
    """What a seal is worth on a local day; its last day still counts. A revoked one stays revoked."""
    if seal.revoked_at is not None:
        return "revoked"
    return "valid" if today <= seal.valid_until else "expired"


def state_among(seal: Seal, newest: Seal, today: dt.date) -> SealState:
    """What a seal is worth when the vehicle has a newer one: an older seal is never better than the newest."""
    own = seal_state(seal, today)
    return own if own != "valid" else seal_state(newest, today)


def _unused_code(session: Session) -> str:
    code = new_code()
    while find_seal(session, code):
        code = new_code()
    return code


def _check_own_number(session: Session, vehicle: Vehicle, typed: str | None, today: dt.date) -> str | None:
    """Refuse a number that another vehicle's valid seal has; numbers begun again each year are fine."""
    number = squeeze(typed or "")
    if len(number) > MAX_OWN_NUMBER:
        raise BadOwnNumber(number, f"passa de {MAX_OWN_NUMBER} letras")
    for seal in find_by_own_number(session, vehicle.authority_id, number):
        if seal.vehicle_id != vehicle.id and seal_state(seal, today) == "valid":
            raise BadOwnNumber(number, "está no selo válido de outro veículo")
    return number or None
