from datetime import date, datetime, timedelta
from uuid import uuid4

import pytest

from complaints.authorities.tables import Authority
from complaints.registry.seal_code import check_code
from complaints.registry.seals import (
    BadOwnNumber,
    CannotIssueSeal,
    CannotRevokeSeal,
    LastDayPassed,
    NoValidityPeriod,
    VehicleWithdrawn,
    find_by_own_number,
    find_seal,
    issue_seal,
    list_seals,
    newest_seals,
    revoke_seal,
    seal_state,
    state_among,
)
from complaints.registry.tables import Seal, Vehicle
from complaints.registry.vehicles import register_vehicle, withdraw_vehicle
from web.db import Database

YEAR = timedelta(days=365)
LAST_DAY = date(2027, 11, 30)


def test_a_seal_is_issued_with_a_valid_code_and_found_by_it(
    database: Database, van: Vehicle, now: datetime
) -> None:
    with database.write() as session:
        seal = issue_seal(session, van, date(2027, 5, 31), None, now)
    assert check_code(seal.code) == seal.code
    with database.read() as session:
        found = find_seal(session, seal.code)
        assert found is not None
        assert (found.vehicle_id, found.valid_until, found.issued_at) == (van.id, date(2027, 5, 31), now)
        assert find_seal(session, "7K2M9PXQV") is None


def test_without_a_last_day_a_seal_of_marica_is_valid_for_twelve_months(
    database: Database, van: Vehicle, now: datetime
) -> None:
    with database.write() as session:
        assert issue_seal(session, van, None, None, now).valid_until == date(2027, 11, 30)


def test_the_day_of_issue_is_the_day_on_the_authoritys_clocks(database: Database, van: Vehicle) -> None:
    late_evening = datetime.fromisoformat("2026-12-01T01:30:00+00:00")
    with database.write() as session:
        assert issue_seal(session, van, None, None, late_evening).valid_until == date(2027, 11, 30)


def test_where_the_law_fixes_no_interval_the_last_day_must_be_said(
    database: Database, other_town: Authority, now: datetime
) -> None:
    with database.write() as session:
        bus = register_vehicle(session, other_town.id, "XYZ1A23", kind="onibus", service="regular")
        with pytest.raises(NoValidityPeriod, match="informe até que dia"):
            issue_seal(session, bus, None, None, now)
        assert issue_seal(session, bus, date(2026, 12, 31), None, now).valid_until == date(2026, 12, 31)


def test_a_seal_that_would_be_expired_is_not_issued(database: Database, van: Vehicle, now: datetime) -> None:
    with database.write() as session:
        with pytest.raises(LastDayPassed, match="29/11/2026"):
            issue_seal(session, van, date(2026, 11, 29), None, now)
        issue_seal(session, van, date(2026, 11, 30), None, now)


def test_a_withdrawn_vehicle_gets_no_seal(database: Database, van: Vehicle, now: datetime, today: date) -> None:
    with database.write() as session:
        withdraw_vehicle(session, van, today)
        with pytest.raises(VehicleWithdrawn, match="30/11/2026"):
            issue_seal(session, van, LAST_DAY, None, now)


def test_the_newest_seal_of_a_vehicle_decides_and_earlier_ones_stay(
    database: Database, van: Vehicle, now: datetime, marica: Authority
) -> None:
    with database.write() as session:
        old = issue_seal(session, van, LAST_DAY, None, now - YEAR)
        new = issue_seal(session, van, LAST_DAY, None, now)
    with database.read() as session:
        assert newest_seals(session, marica.id, [van.id, uuid4()])[van.id].code == new.code
        assert find_seal(session, old.code) is not None
        assert [seal.code for seal, _ in list_seals(session, marica.id)] == [new.code, old.code]


def test_a_seal_is_revoked_once_with_a_reason(database: Database, van: Vehicle, now: datetime) -> None:
    with database.write() as session:
        seal = issue_seal(session, van, LAST_DAY, None, now)
        for reason in ("", "   ", "x" * 301):
            with pytest.raises(CannotRevokeSeal, match="motivo"):
                revoke_seal(session, seal, reason, now)
        revoke_seal(session, seal, " Selo descolado ", now)
        with pytest.raises(CannotRevokeSeal, match="já foi cancelado"):
            revoke_seal(session, seal, "De novo", now)
    with database.read() as session:
        stored = find_seal(session, seal.code)
        assert stored is not None
        assert (stored.revoked_at, stored.revoked_reason) == (now, "Selo descolado")


STATES = [
    (None, date(2026, 11, 29), "valid"),
    (None, date(2026, 11, 30), "valid"),
    (None, date(2026, 12, 1), "expired"),
    ("2026-11-01T12:00:00+00:00", date(2026, 11, 30), "revoked"),
    ("2026-11-01T12:00:00+00:00", date(2026, 12, 1), "revoked"),
]


@pytest.mark.parametrize(("revoked_at", "day", "expected"), STATES)
def test_a_seal_is_valid_through_its_last_day_unless_revoked(
    revoked_at: str | None, day: date, expected: str
) -> None:
    assert seal_state(_seal(date(2026, 11, 30), revoked_at), day) == expected


@pytest.mark.parametrize(
    ("own", "newest", "expected"),
    [
        ("valid", "valid", "valid"),
        ("valid", "expired", "expired"),
        ("valid", "revoked", "revoked"),
        ("expired", "valid", "expired"),
        ("revoked", "valid", "revoked"),
    ],
)
def test_an_older_seal_is_never_better_than_the_newest(own: str, newest: str, expected: str) -> None:
    today = date(2026, 11, 30)
    made = {
        "valid": _seal(date(2027, 1, 1)),
        "expired": _seal(date(2026, 1, 1)),
        "revoked": _seal(date(2027, 1, 1), "2026-11-01T12:00:00+00:00"),
    }
    assert state_among(made[own], made[newest], today) == expected


def test_a_printed_number_finds_its_seal_however_typed(
    database: Database, van: Vehicle, now: datetime, marica: Authority, other_town: Authority
) -> None:
    with database.write() as session:
        seal = issue_seal(session, van, LAST_DAY, None, now, own_number="sv 2026-0123")
    with database.read() as session:
        for typed in ("SV 2026-0123", "sv20260123", "SV-2026 0123"):
            assert [found.code for found in find_by_own_number(session, marica.id, typed)] == [seal.code]
        assert find_by_own_number(session, other_town.id, "SV20260123") == ()
        assert find_by_own_number(session, marica.id, " - ") == ()
        assert find_by_own_number(session, marica.id, "9" * 500) == ()


def test_a_printed_number_in_use_on_another_vehicle_is_refused(
    database: Database, van: Vehicle, now: datetime, marica: Authority
) -> None:
    with database.write() as session:
        other = register_vehicle(session, marica.id, "DEF5G67", kind="van", service="complementary")
        issue_seal(session, van, LAST_DAY, None, now, own_number="123")
        with pytest.raises(BadOwnNumber, match="outro veículo"):
            issue_seal(session, other, LAST_DAY, None, now, own_number="1-2-3")
        issue_seal(session, van, LAST_DAY, None, now, own_number="123")
        issue_seal(session, other, LAST_DAY + 2 * YEAR, None, now + 2 * YEAR, own_number="123")
        with pytest.raises(CannotIssueSeal, match="40 letras"):
            issue_seal(session, other, LAST_DAY, None, now, own_number="1" * 41)


def _seal(valid_until: date, revoked_at: str | None = None) -> Seal:
    return Seal(
        authority_id=1,
        code="7K2M9PXQV",
        vehicle_id=uuid4(),
        issued_at=datetime.fromisoformat("2026-01-01T12:00:00+00:00"),
        valid_until=valid_until,
        revoked_at=datetime.fromisoformat(revoked_at) if revoked_at else None,
    )
