"""Changing a case behind the program's back is seen, whatever was changed."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import text

from complaints.authorities.tables import Authority
from complaints.cases import chain
from complaints.cases.checkpoints import list_checkpoints, make_checkpoints
from complaints.cases.handling import Act, add_note, load_for_change, start_triage
from complaints.cases.verification import Verification, verify_authority
from tests.complaints.cases.conftest import FileCase
from web.services import Services

Verify = Callable[[], Verification]


@pytest.fixture
def protocol(services: Services, file: FileCase, marica: Authority, now: datetime) -> str:
    """A case with three events, sealed by two checkpoints, beside an untouched one."""
    file(key="web:other")
    protocol = file().case.protocol
    act = Act(services.keyring, marica, UUID(int=0), now + timedelta(minutes=1))
    with services.database.write() as session:
        assert make_checkpoints(session, now) == 1
    with services.database.write() as session:
        case = load_for_change(session, marica.id, protocol)
        start_triage(session, act, case)
        add_note(session, act, case, "ver a escala")
    with services.database.write() as session:
        assert make_checkpoints(session, now + timedelta(minutes=1)) == 1
    return protocol


@pytest.fixture
def verify(services: Services, marica: Authority) -> Verify:
    """Verifies Maricá."""

    def verify() -> Verification:
        with services.database.read() as session:
            return verify_authority(session, marica.id)

    return verify


def test_an_untouched_authority_verifies(protocol: str, verify: Verify) -> None:
    assert verify() == Verification(cases=2, events=4, checkpoints=2, faults=())


def test_no_change_makes_no_checkpoint(services: Services, protocol: str, now: datetime) -> None:
    with services.database.write() as session:
        assert make_checkpoints(session, now + timedelta(minutes=2)) == 0


def test_anybody_can_recompute_a_public_checkpoint(services: Services, protocol: str, marica: Authority) -> None:
    with services.database.read() as session:
        newest, oldest = list_checkpoints(session, marica.id)
    assert newest.previous == oldest.head
    assert oldest.previous == chain.GENESIS
    for row in (newest, oldest):
        assert row.head == chain.checkpoint_head(marica.id, row.number, row.at, row.previous, row.case_heads)


CASE = "(SELECT id FROM case_file WHERE protocol = :p)"
EVENT = f"(SELECT id FROM case_event WHERE seq = 2 AND case_id = {CASE})"
CHANGES = {
    "kind": f"UPDATE case_event SET kind = 'classified' WHERE id = {EVENT}",
    "actor": f"UPDATE case_event SET actor = 'staff:01' WHERE id = {EVENT}",
    "commitment": f"UPDATE case_event SET commitment = previous WHERE id = {EVENT}",
    "head": f"UPDATE case_event SET head = previous WHERE id = {EVENT}",
    "previous": f"UPDATE case_event SET previous = head WHERE id = {EVENT}",
    "seq": f"UPDATE case_event SET seq = 9 WHERE id = {EVENT}",
    "content": f"UPDATE event_content SET content = '{{ }}' WHERE id = {EVENT}",
    "salt": f"UPDATE event_content SET salt = NULL WHERE id = {EVENT}",
    "content row": f"DELETE FROM event_content WHERE id = {EVENT}",
    "status": "UPDATE case_file SET status = 'answered' WHERE protocol = :p",
    "channel": "UPDATE case_file SET channel = 'sms' WHERE protocol = :p",
    "event count": "UPDATE case_file SET event_count = 2 WHERE protocol = :p",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_by_hand_names_the_case(services: Services, protocol: str, verify: Verify, change: str) -> None:
    with services.database.write() as session:
        session.execute(text(CHANGES[change]), {"p": protocol})
    faults = verify().faults
    assert faults
    assert {fault.protocol for fault in faults} <= {protocol, "checkpoint 2"}
    assert any(fault.protocol == protocol for fault in faults)


def test_dropping_the_last_event_is_seen_even_when_the_head_is_mended(
    services: Services, protocol: str, verify: Verify
) -> None:
    last = f"seq = 3 AND case_id = {CASE}"
    with services.database.write() as session:
        for statement in (
            f"DELETE FROM event_content WHERE id IN (SELECT id FROM case_event WHERE {last})",
            f"UPDATE case_file SET head = (SELECT previous FROM case_event WHERE {last}) WHERE protocol = :p",
            "UPDATE case_file SET event_count = 2 WHERE protocol = :p",
            f"DELETE FROM case_event WHERE {last}",
        ):
            session.execute(text(statement), {"p": protocol})
    assert {fault.protocol for fault in verify().faults} == {protocol}


def test_dropping_a_checkpoint_is_seen(services: Services, protocol: str, verify: Verify) -> None:
    first = "(SELECT id FROM checkpoint WHERE number = 1)"
    with services.database.write() as session:
        session.execute(text(f"DELETE FROM checkpoint_entry WHERE checkpoint_id = {first}"))
        session.execute(text("DELETE FROM checkpoint WHERE number = 1"))
    assert "checkpoint 2" in {fault.protocol for fault in verify().faults}


def test_an_erased_content_on_record_still_verifies(
    services: Services, protocol: str, verify: Verify, now: datetime
) -> None:
    erase = f"UPDATE event_content SET content = NULL, salt = NULL, erased_at = :at WHERE id = {EVENT}"
    with services.database.write() as session:
        session.execute(text(erase), {"p": protocol, "at": now})
    assert verify().faults == ()
