"""Fills one town of the demonstration: the authority, its feed, its vehicles and seals, its staff."""

import tomllib
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from importlib.resources import files
from typing import Any

from sqlmodel import Session, col, select

from complaints.authorities.adding import add_authority
from complaints.authorities.calendar import local_date
from complaints.authorities.choices import add_choice, find_choice
from complaints.authorities.tables import Authority
from complaints.authorities.town_file import Town
from complaints.registry.seals import issue_seal, revoke_seal
from complaints.registry.tables import Holder, Permit, Seal, Vehicle
from complaints.registry.vehicles import find_by_plate, register_vehicle
from complaints.staff.accounts import add_staff, find_account
from complaints.staff.passwords import hash_password
from web.demo.passwords import DemoPasswords
from web.services import Services

Lines = dict[str, tuple[str, str]]
"""Number of a line -> (its id in the feed, its printed name)."""

ROLES = ("triager", "inspector", "clerk", "administrator")
ALL_ROLES = (*ROLES, "attendant", "transport_head", "president", "mayor", "board", "registrar", "auditor")
INVENTED_FARE_CENTS = 500
INVENTED = "DEMONSTRAÇÃO: valor inventado, decreto não localizado"
A_YEAR_AND_MORE = timedelta(days=400)


@dataclass(frozen=True)
class LogIn:
    """An account of the demonstration."""

    town: str
    email: str
    role: str
    password: str


def read_demo_file(name: str) -> dict[str, Any]:
    """One of the TOML files beside this module."""
    return tomllib.loads((files("web.demo") / name).read_text("utf-8"))


def seed_authority(services: Services, town: Town) -> Authority:
    """The authority of a town, added when it is not there."""
    now = services.clock()
    with services.database.write() as session:
        found = session.exec(select(Authority).where(Authority.slug == town.slug)).first()
        authority = found or add_authority(session, town, now, demo=True)
        today = local_date(authority, now)
        if authority.has_lines and not find_choice(session, authority.id, "fare", "all", today):
            add_choice(
                session,
                authority.id,
                "fare",
                "all",
                {"cents": INVENTED_FARE_CENTS, "everyone": False},
                instrument=INVENTED,
                effective_from=today,
                today=today,
                now=now,
            )
    return authority


def seed_vehicles(
    session: Session, authority: Authority, lines: dict[str, tuple[str, str]], now: datetime
) -> None:
    """Register the vehicles that are missing, each with its permit and seal."""
    wanted = read_demo_file("registry.toml")[authority.slug]
    for number, row in enumerate(wanted["vehicles"], start=1):
        if find_by_plate(session, authority.id, row["plate"]):
            continue
        line_id, line_name = lines.get(row.get("line", ""), (None, None))
        vehicle = register_vehicle(
            session,
            authority.id,
            row["plate"],
            service=wanted["service"],
            permit_id=_permit(session, authority, number).id,
            line_id=line_id,
            line_name=line_name,
            **{name: row[name] for name in ("fleet_number", "kind", "colour", "model", "made_year", "capacity")},
        )
        _seal(session, vehicle, row["seal"], now)


def seed_staff(services: Services, authority: Authority, passwords: DemoPasswords) -> tuple[LogIn, ...]:
    """The accounts of a town, each with its password; the missing ones are made."""
    roles = ALL_ROLES if authority.slug == "marica" else ROLES
    accounts = [(role, f"{role.replace('_', '-')}@{authority.slug}.exemplo.invalid") for role in roles]
    with services.database.read() as session:
        missing = [email for _, email in accounts if find_account(session, email) is None]
    hashes = {email: hash_password(made, email) for email, made in passwords.make(missing).items()}
    with services.database.write() as session:
        for role, email in accounts:
            if email in hashes:
                name = f"{role.replace('_', ' ').capitalize()} (demonstração)"
                add_staff(session, authority.id, email, name, (role,), hashes[email], services.clock())
    return tuple(LogIn(authority.slug, email, role, passwords.find(email)) for role, email in accounts)


def seals_by_state(session: Session, authority: Authority, today: date) -> dict[str, str]:
    """One valid, one expired and one revoked seal code of a town."""
    found: dict[str, str] = {}
    query = select(Seal).where(Seal.authority_id == authority.id).order_by(col(Seal.id))
    for seal in session.exec(query).all():
        state = "revoked" if seal.revoked_at else "expired" if seal.valid_until < today else "valid"
        found.setdefault(state, seal.code)
    return found


def _permit(session: Session, authority: Authority, number: int) -> Permit:
    label = f"DEMO-{number:03d}"
    found = session.exec(select(Permit).where(Permit.authority_id == authority.id, Permit.number == label)).first()
    if found:
        return found
    holder = Holder(authority_id=authority.id, name=f"Permissionário de demonstração {number}")
    session.add(holder)
    session.flush()
    permit = Permit(
        authority_id=authority.id,
        number=label,
        holder_id=holder.id,
        act="Termo de demonstração, inventado",
        starts_on=date(2024, 1, 2),
    )
    session.add(permit)
    session.flush()
    return permit


def _seal(session: Session, vehicle: Vehicle, state: str, now: datetime) -> None:
    if state == "none":
        return
    issued = now - (A_YEAR_AND_MORE if state == "expired" else timedelta(days=60))
    valid_until = (issued + timedelta(days=365)).date()
    seal = issue_seal(session, vehicle, valid_until, None, issued)
    if state == "revoked":
        revoke_seal(session, seal, "Demonstração: o veículo precisa voltar à vistoria.", now - timedelta(days=10))
