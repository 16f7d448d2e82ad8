"""What tests of the desk start from: a town, its staff, a van with a seal, a case."""

from collections.abc import Mapping
from datetime import UTC, date, datetime

from complaints.authorities.tables import Authority
from complaints.cases.filing import Filed, Filing, file_case
from complaints.registry.seals import issue_seal
from complaints.registry.tables import Seal, Vehicle
from complaints.registry.vehicles import register_vehicle
from complaints.sealing import Keyring
from complaints.staff.accounts import StaffMember, add_staff
from complaints.staff.passwords import hash_password
from web.db import Database

MARICA, CANAA = "marica-2627-2015", "canaa-dos-carajas-46-2003"
PASSWORD = "uma frase comprida"
URGENT_SUBJECT = "motorista-embriagado"
PASSWORD_HASH = hash_password(PASSWORD, "ana@marica.example")
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


def add_town(database: Database, slug: str = "marica", law_id: str = MARICA) -> Authority:
    """A town with the federal clock and no calendar days."""
    authority = Authority(
        slug=slug,
        name=f"Transportes de {slug}",
        short_name=slug,
        town=slug.capitalize(),
        uf="RJ",
        law_id=law_id,
        clock_law_id="br-13460-2017",
        time_zone="America/Sao_Paulo",
        phone="+552137310000",
        created_at=BEGINNING,
    )
    with database.write() as session:
        session.add(authority)
    return authority


def add_member(database: Database, authority: Authority, *roles: str, email: str = "") -> StaffMember:
    """A person with these roles; the password is PASSWORD."""
    email = email or f"{'-'.join(roles)}@{authority.slug}.example"
    with database.write() as session:
        return add_staff(session, authority.id or 0, email, "", roles, PASSWORD_HASH, BEGINNING)


def add_van(
    database: Database, authority: Authority, plate: str = "ABC1D23", valid_until: date = date(2027, 6, 30)
) -> tuple[Vehicle, Seal]:
    """A van of the register with a valid seal."""
    with database.write() as session:
        van = register_vehicle(
            session,
            authority.id or 0,
            plate,
            kind="van",
            service="complementary",
            fleet_number=f"E-{plate[-2:]}",
            colour="branca",
            line_id="r01",
            line_name="E01 Centro x Itaipuaçu",
        )
        return van, issue_seal(session, van, valid_until, None, BEGINNING)


def file(
    database: Database,
    keyring: Keyring,
    authority: Authority,
    now: datetime,
    *,
    text: str = "A van passou direto no ponto da padaria",
    subjects: tuple[str, ...] = (),
    plate: str = "",
    seal: str = "",
    fleet_number: str = "",
    line_name: str | None = None,
    name: str = "",
    phone: str = "",
    confidentiality: str = "",
    key: str = "",
    timetable: Mapping[str, object] | None = None,
) -> Filed:
    """A case filed by web; each call another one unless `key` says otherwise."""
    with database.write() as session:
        filing = Filing(
            authority_id=authority.id or 0,
            channel="web",
            key=key or f"test:{now.isoformat()}:{hash((text, plate, name, subjects, confidentiality))}",
            text=text,
            subjects=subjects,
            plate=plate,
            seal=seal,
            fleet_number=fleet_number,
            line_name=line_name,
            name=name,
            phone=phone,
            confidentiality=confidentiality,
            timetable=timetable,
        )
        return file_case(session, keyring, filing, now)
