from dataclasses import fields
from datetime import date, datetime, timedelta
from uuid import uuid4

import pytest

from complaints.authorities.tables import Authority
from complaints.enforcement.tables import Inspection
from complaints.registry.seals import issue_seal, revoke_seal
from complaints.registry.tables import Vehicle
from complaints.registry.vehicle_search import MAX_FOUND, VehicleView, find_vehicles
from complaints.registry.vehicles import register_vehicle, withdraw_vehicle
from complaints.staff.tables import Staff
from web.db import Database

LAST_DAY = date(2027, 11, 30)
FLEET = [("ABC1D23", "E-101"), ("ABC1D24", "E-1011"), ("XYZ9K88", "101"), ("LMX0K11", None)]


@pytest.fixture
def fleet(database: Database, marica: Authority) -> int:
    """Four vehicles of Maricá; returns its id."""
    with database.write() as session:
        for plate, number in FLEET:
            register_vehicle(session, marica.id, plate, kind="van", service="complementary", fleet_number=number)
    return marica.id


@pytest.mark.parametrize(
    ("query", "plates"),
    [
        ("ABC1D23", ["ABC1D23"]),
        ("abc-1323", ["ABC1D23"]),
        ("E-101", ["ABC1D23"]),
        ("e101", ["ABC1D23"]),
        ("101", ["XYZ9K88"]),
        ("E-10", ["ABC1D23", "ABC1D24"]),
        ("e1011", ["ABC1D24"]),
        ("ABC", ["ABC1D23", "ABC1D24"]),
        ("abc-13", ["ABC1D23", "ABC1D24"]),
        ("ABC1D2", ["ABC1D23", "ABC1D24"]),
        ("lmx0", ["LMX0K11"]),
        ("AB", []),
        ("E-", []),
        ("", []),
        ("%%%", []),
        ("___", []),
        ("ABCD", []),
        ("7K2M9PXQV", []),
        ("' OR 1=1", []),
    ],
)
def test_vehicles_are_found_by_plate_fleet_number_and_their_first_letters(
    database: Database, fleet: int, today: date, query: str, plates: list[str]
) -> None:
    with database.read() as session:
        assert [view.plate for view in find_vehicles(session, fleet, query, today)] == plates


def test_a_search_stays_within_its_town_and_its_limit(
    database: Database, fleet: int, other_town: Authority, today: date
) -> None:
    with database.write() as session:
        for number in range(30):
            register_vehicle(session, fleet, f"QQQ1A{number:02d}", kind="van", service="complementary")
    with database.read() as session:
        assert len(find_vehicles(session, fleet, "QQQ", today)) == MAX_FOUND
        assert find_vehicles(session, other_town.id, "QQQ", today) == ()


def test_a_seal_finds_the_vehicle_that_wears_it(
    database: Database, van: Vehicle, now: datetime, today: date, other_town: Authority
) -> None:
    with database.write() as session:
        old = issue_seal(session, van, LAST_DAY, None, now)
        issue_seal(session, van, LAST_DAY, None, now + timedelta(days=1), own_number="SV-9")
    with database.read() as session:
        for query in (old.code, old.code.lower(), "sv9"):
            assert [view.plate for view in find_vehicles(session, van.authority_id, query, today)] == ["ABC1C34"]
        assert find_vehicles(session, other_town.id, old.code, today) == ()


def test_a_printed_number_used_again_finds_who_wears_it_now(
    database: Database, van: Vehicle, marica: Authority, now: datetime, today: date
) -> None:
    with database.write() as session:
        other = register_vehicle(session, marica.id, "DEF5G67", kind="van", service="complementary")
        issue_seal(session, van, LAST_DAY, None, now - timedelta(days=400), own_number="7")
    with database.read() as session:
        assert [view.plate for view in find_vehicles(session, van.authority_id, "7", today)] == ["ABC1C34"]
    with database.write() as session:
        issue_seal(session, van, LAST_DAY, None, now - timedelta(days=30), own_number="8")
        seal = issue_seal(session, other, LAST_DAY, None, now, own_number="70")
        seal.own_number = "7"
    with database.read() as session:
        assert [view.plate for view in find_vehicles(session, van.authority_id, "7", today)] == ["DEF5G67"]


def test_a_view_shows_the_newest_seal_and_its_state(
    database: Database, van: Vehicle, now: datetime, today: date
) -> None:
    def look() -> VehicleView:
        with database.read() as session:
            (view,) = find_vehicles(session, van.authority_id, van.plate, today)
        return view

    assert (look().seal_state, look().seal_valid_until, look().seal_issued_at) == ("none", None, None)
    with database.write() as session:
        issue_seal(session, van, date(2026, 2, 1), None, now - timedelta(days=365))
    assert (look().seal_state, look().seal_valid_until) == ("expired", date(2026, 2, 1))
    with database.write() as session:
        newest = issue_seal(session, van, LAST_DAY, None, now)
    assert (look().seal_state, look().seal_valid_until, look().seal_issued_at) == ("valid", LAST_DAY, now)
    with database.write() as session:
        revoke_seal(session, newest, "Reprovado na vistoria", now)
    assert (look().seal_state, look().seal_revoked_at) == ("revoked", now)


def test_a_view_shows_the_last_real_inspection_only(
    database: Database, van: Vehicle, now: datetime, today: date
) -> None:
    inspector = _add_inspector(database, van.authority_id, now)
    done = [("approved", 40), ("rejected", 30), ("no_show", 5), ("blocked_by_debt", 3), (None, 0)]
    with database.write() as session:
        session.add_all(_inspection(van, inspector, now, result, days) for result, days in done)
    with database.read() as session:
        (view,) = find_vehicles(session, van.authority_id, van.plate, today)
    assert view.last_inspected_at == now - timedelta(days=30)


def test_a_withdrawn_vehicle_is_found_as_withdrawn(database: Database, van: Vehicle, today: date) -> None:
    with database.write() as session:
        withdraw_vehicle(session, session.get_one(Vehicle, (van.authority_id, van.id)), today)
    with database.read() as session:
        (view,) = find_vehicles(session, van.authority_id, "E-014", today)
    assert view.withdrawn_on == today


def test_nobody_can_learn_holder_driver_or_debts_from_a_view() -> None:
    public = {field.name for field in fields(VehicleView)}
    assert public == {
        "public_id",
        "plate",
        "fleet_number",
        "kind",
        "colour",
        "model",
        "service",
        "line_id",
        "line_name",
        "withdrawn_on",
        "seal_state",
        "seal_issued_at",
        "seal_valid_until",
        "seal_revoked_at",
        "last_inspected_at",
    }


def _add_inspector(database: Database, authority_id: int, now: datetime) -> Staff:
    with database.write() as session:
        staff = Staff(
            authority_id=authority_id,
            id=uuid4(),
            email="fiscal@exemplo.invalid",
            name="Fiscal",
            password_hash="none",
            created_at=now,
        )
        session.add(staff)
    return staff


def _inspection(van: Vehicle, inspector: Staff, now: datetime, result: str | None, days_ago: int) -> Inspection:
    return Inspection(
        authority_id=van.authority_id,
        vehicle_id=van.id,
        state="done" if result else "ordered",
        reason="teste",
        legal_basis="art. 27",
        ordered_by=inspector.id,
        ordered_at=now - timedelta(days=50),
        due_on=now.date(),
        done_at=now - timedelta(days=days_ago) if result else None,
        result=result,
    )
