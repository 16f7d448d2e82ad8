from datetime import UTC, date, datetime

import pytest

from complaints.authorities.tables import Authority
from complaints.registry.tables import Vehicle
from complaints.registry.vehicles import register_vehicle
from web.db import Database

TODAY = date(2026, 11, 30)


@pytest.fixture
def today() -> date:
    """The day of `now` in Maricá."""
    return TODAY


@pytest.fixture
def marica(database: Database) -> Authority:
    """The town of the example vehicle."""
    return _add(database, "marica", "marica-2627-2015")


@pytest.fixture
def other_town(database: Database) -> Authority:
    """A town in another time zone, whose law fixes no interval between inspections."""
    return _add(database, "canaa-dos-carajas", "canaa-dos-carajas-46-2003", "America/Manaus")


@pytest.fixture
def van(database: Database, marica: Authority) -> Vehicle:
    """A van of Maricá with all its data."""
    with database.write() as session:
        return register_vehicle(
            session,
            marica.id,
            "ABC-1234",
            kind="van",
            service="complementary",
            fleet_number="E-014",
            colour="branca",
            model="Sprinter",
            made_year=2022,
            capacity=16,
            line_id="r01",
            line_name="E01 Centro x Itaipuaçu",
        )


def _add(database: Database, slug: str, law_id: str, time_zone: str = "America/Sao_Paulo") -> Authority:
    authority = Authority(
        slug=slug,
        name=f"Transportes de {slug}",
        short_name=slug,
        town=slug,
        uf="RJ",
        law_id=law_id,
        time_zone=time_zone,
        phone="+552137310000",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    with database.write() as session:
        session.add(authority)
    return authority
