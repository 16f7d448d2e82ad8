from datetime import date, datetime, timedelta

import pytest

from complaints.authorities.tables import Authority
from complaints.cases import wordings
from complaints.registry.plates import BadPlate
from complaints.registry.seals import issue_seal, revoke_seal
from complaints.registry.tables import Seal, Vehicle
from complaints.registry.vehicles import (
    FINDINGS,
    BadVehicle,
    PlateTaken,
    find_by_fleet_number,
    find_by_plate,
    find_vehicle,
    identify,
    register_vehicle,
    withdraw_vehicle,
)
from web.db import Database

LAST_DAY = date(2027, 11, 30)


@pytest.fixture
def seal(database: Database, van: Vehicle, now: datetime) -> Seal:
    """A valid seal of the van."""
    with database.write() as session:
        return issue_seal(session, van, LAST_DAY, None, now, own_number="SV-77")


@pytest.fixture
def second_van(database: Database, marica: Authority) -> Vehicle:
    """Another van of the same town."""
    with database.write() as session:
        return register_vehicle(
            session, marica.id, "DEF5G67", kind="van", service="complementary", fleet_number="E-015"
        )


def test_a_vehicle_is_registered_under_its_canonical_plate(
    database: Database, van: Vehicle, marica: Authority
) -> None:
    assert (van.plate, van.fleet_number, van.withdrawn_on) == ("ABC1C34", "E-014", None)
    with database.read() as session:
        for typed in ("ABC-1234", "abc1c34"):
            found = find_by_plate(session, marica.id, typed)
            assert found is not None
            assert found.id == van.id
        by_page = find_vehicle(session, marica.id, van.public_id)
        assert by_page is not None
        assert by_page.id == van.id


def test_vehicles_of_other_towns_are_not_found(database: Database, van: Vehicle, other_town: Authority) -> None:
    with database.read() as session:
        assert find_by_plate(session, other_town.id, van.plate) is None
        assert find_vehicle(session, other_town.id, van.public_id) is None
        assert find_by_fleet_number(session, other_town.id, "E-014") is None


def test_the_same_plate_is_registered_once_in_either_form(
    database: Database, van: Vehicle, marica: Authority
) -> None:
    with database.write() as session, pytest.raises(PlateTaken) as caught:
        register_vehicle(session, marica.id, "abc1c34", kind="van", service="complementary")
    assert caught.value.plate == "ABC1C34"


def test_a_withdrawn_vehicle_comes_back_as_the_same_one_with_new_data(
    database: Database, van: Vehicle, marica: Authority, today: date
) -> None:
    with database.write() as session:
        withdraw_vehicle(session, session.get_one(Vehicle, (van.authority_id, van.id)), today)
    with database.write() as session:
        back = register_vehicle(session, marica.id, "ABC1234", kind="van", service="complementary", colour="prata")
    assert (back.id, back.public_id) == (van.id, van.public_id)
    assert (back.withdrawn_on, back.colour, back.line_name) == (None, "prata", None)


def test_a_plate_that_is_none_is_refused(database: Database, marica: Authority) -> None:
    with database.write() as session, pytest.raises(BadPlate):
        register_vehicle(session, marica.id, "CARRO", kind="van", service="complementary")


def test_values_that_do_not_fit_are_named_together(database: Database, marica: Authority) -> None:
    with database.write() as session, pytest.raises(BadVehicle) as caught:
        register_vehicle(session, marica.id, "ABC1D23", kind="k" * 21, service="s" * 41, colour="branca")
    assert caught.value.fields == ("kind", "service")


@pytest.mark.parametrize("typed", ["E-014", "e014", "E 014", " e–014 "])
def test_a_fleet_number_finds_its_vehicle_however_typed(
    database: Database, van: Vehicle, marica: Authority, typed: str
) -> None:
    with database.read() as session:
        found = find_by_fleet_number(session, marica.id, typed)
        assert found is not None
        assert found.id == van.id


def test_a_fleet_number_of_two_vehicles_or_of_none_finds_none(
    database: Database, van: Vehicle, second_van: Vehicle, marica: Authority, today: date
) -> None:
    with database.write() as session:
        register_vehicle(session, marica.id, "GHI1A11", kind="van", service="complementary", fleet_number="E 014")
    with database.read() as session:
        assert find_by_fleet_number(session, marica.id, "E-014") is None
        assert find_by_fleet_number(session, marica.id, "") is None
        assert find_by_fleet_number(session, marica.id, "E-0") is None
    with database.write() as session:
        withdraw_vehicle(session, session.get_one(Vehicle, (van.authority_id, van.id)), today)
    with database.read() as session:
        assert find_by_fleet_number(session, marica.id, "E-014") is not None


@pytest.mark.parametrize("typed", ["{code}", "sv77", "{spaced}"])
def test_a_seal_code_or_printed_number_identifies_vehicle_and_seal(
    database: Database, van: Vehicle, seal: Seal, today: date, typed: str
) -> None:
    text = typed.format(code=seal.code.lower(), spaced=" ".join(seal.code))
    with database.read() as session:
        found = identify(session, van.authority_id, text, "", "", today)
    assert found.vehicle is not None
    assert found.seal is not None
    assert (found.vehicle.id, found.seal.id, found.findings) == (van.id, seal.id, ())


@pytest.mark.parametrize(
    ("typed", "finding"), [("7K2M9PXQV", "seal_unknown"), ("7K2M9PXQW", "seal_malformed"), ("?", "seal_malformed")]
)
def test_a_wrong_seal_leaves_a_finding_and_the_plate_still_works(
    database: Database, van: Vehicle, today: date, typed: str, finding: str
) -> None:
    with database.read() as session:
        found = identify(session, van.authority_id, typed, "ABC-1234", "", today)
    assert found.seal is None
    assert found.vehicle is not None
    assert (found.vehicle.id, found.findings) == (van.id, (finding,))


def test_a_seal_of_another_town_is_no_seal_of_this_one(
    database: Database, seal: Seal, other_town: Authority, today: date
) -> None:
    with database.read() as session:
        found = identify(session, other_town.id, seal.code, "", "", today)
    assert (found.vehicle, found.seal, found.findings) == (None, None, ("seal_elsewhere",))


def test_an_expired_and_a_revoked_seal_are_found_and_named(
    database: Database, van: Vehicle, seal: Seal, now: datetime
) -> None:
    with database.read() as session:
        expired = identify(session, van.authority_id, seal.code, "", "", LAST_DAY + timedelta(days=1))
    assert expired.findings == ("seal_expired",)
    assert expired.seal is not None
    with database.write() as session:
        revoke_seal(session, session.get_one(Seal, (seal.authority_id, seal.id)), "Reprovado", now)
    with database.read() as session:
        revoked = identify(session, van.authority_id, seal.code, "", "", LAST_DAY)
    assert revoked.findings == ("seal_revoked",)


def test_an_older_seal_counts_as_revoked_when_the_newest_is(
    database: Database, van: Vehicle, seal: Seal, now: datetime, today: date
) -> None:
    with database.write() as session:
        newest = issue_seal(session, van, LAST_DAY, None, now + timedelta(hours=1))
        revoke_seal(session, newest, "Reprovado", now)
    with database.read() as session:
        assert identify(session, van.authority_id, seal.code, "", "", today).findings == ("seal_revoked",)


def test_a_seal_on_a_van_with_another_plate_is_a_finding_and_the_plate_wins(
    database: Database, seal: Seal, second_van: Vehicle, today: date
) -> None:
    with database.read() as session:
        found = identify(session, seal.authority_id, seal.code, "DEF5667", "", today)
    assert found.vehicle is not None
    assert found.seal is not None
    assert (found.vehicle.id, found.seal.id) == (second_van.id, seal.id)
    assert found.findings == ("plate_differs",)


@pytest.mark.parametrize("plate", ["XYZ9K99", "não vi direito"])
def test_an_unknown_plate_beside_a_good_seal_keeps_the_vehicle_of_the_seal(
    database: Database, van: Vehicle, seal: Seal, today: date, plate: str
) -> None:
    with database.read() as session:
        found = identify(session, van.authority_id, seal.code, plate, "", today)
    assert found.vehicle is not None
    assert found.vehicle.id == van.id
    assert found.findings == ("plate_unknown", "plate_differs")


def test_a_plate_equal_in_the_other_form_does_not_differ(
    database: Database, van: Vehicle, seal: Seal, today: date
) -> None:
    with database.read() as session:
        assert identify(session, van.authority_id, seal.code, "abc-1234", "", today).findings == ()


def test_the_fleet_number_helps_when_nothing_else_was_found(
    database: Database, van: Vehicle, marica: Authority, today: date
) -> None:
    with database.read() as session:
        found = identify(session, marica.id, "", "ZZZ9Z99", "e014", today)
        nothing = identify(session, marica.id, " ", " ", "", today)
    assert found.vehicle is not None
    assert (found.vehicle.id, found.findings) == (van.id, ("plate_unknown",))
    assert (nothing.vehicle, nothing.seal, nothing.findings) == (None, None, ())


def test_every_finding_has_words_for_people() -> None:
    assert list(wordings.FINDINGS) == list(FINDINGS)
