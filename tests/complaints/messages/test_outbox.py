"""Writing and claiming messages, on both databases."""

from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Barrier, Thread
from uuid import UUID, uuid4

import pytest
from sqlmodel import select

from complaints.authorities.tables import Authority
from complaints.messages import claims, outbox
from complaints.messages.tables import Outbox
from complaints.sealing import CannotOpen
from tests.complaints.messages.conftest import PHONE, ReadRow, Write, key_of
from tests.conftest import StandingClock
from web.services import Services

SMS = ("sms",)


def test_the_same_key_is_written_once(write: Write, read_row: ReadRow) -> None:
    assert write("one", text="first") is True
    assert write("one", text="second") is False
    assert read_row().state == "pending"


def test_two_authorities_may_use_the_same_key(write: Write, towns: dict[str, Authority]) -> None:
    assert write("one")
    assert write("one", authority_id=towns["marechal-floriano"].id)


def test_a_message_is_written_with_the_change_or_not_at_all(
    services: Services, marica: Authority, now: datetime
) -> None:
    def fail_after_writing() -> None:
        with services.database.write() as session:
            outbox.enqueue(
                session, services.keyring, authority_id=marica.id or 0, case_id=None, channel="sms",
                purpose="receipt", dedupe_key="one", recipient=PHONE, text="text", now=now,
            )  # fmt: skip
            raise RuntimeError("change failed")

    with pytest.raises(RuntimeError, match="change failed"):
        fail_after_writing()
    with services.database.read() as session:
        assert session.exec(select(Outbox)).first() is None


def test_recipient_and_text_are_sealed_and_open_only_in_their_row(
    services: Services, write: Write, read_row: ReadRow
) -> None:
    write(text="Não conte a ninguém", subject="Segredo", sender="+5521900000009")
    row = read_row()
    assert b"conte" not in row.sealed
    assert PHONE[3:].encode() not in row.sealed
    message = outbox.open_message(services.keyring, row)
    assert (message.recipient, message.text, message.subject) == (PHONE, "Não conte a ninguém", "Segredo")
    assert message.sender == "+5521900000009"
    assert message.started_at is None
    row.id = uuid4()
    with pytest.raises(CannotOpen):
        outbox.open_message(services.keyring, row)


def test_a_claim_takes_due_messages_oldest_first_and_only_of_channels_with_a_gateway(
    services: Services, write: Write, now: datetime
) -> None:
    write("late", due_at=now + timedelta(minutes=1))
    write("second", now=now - timedelta(minutes=1))
    write("first", now=now - timedelta(minutes=2))
    write("mail", channel="email", recipient="ana@example.org")
    write("kept", parked_because="asked for no more messages")
    with services.database.write() as session:
        keys = [row.dedupe_key for row in claims.claim(session, "one", now, 10, SMS)]
    assert keys == ["first", "second"]


def test_a_claimed_message_is_nobody_elses_until_its_lease_ends(
    services: Services, write: Write, now: datetime
) -> None:
    write()
    after = now + outbox.LEASE
    for owner, at, got in (
        ("one", now, 1),
        ("two", now, 0),
        ("one", now, 0),
        ("two", after, 1),
        ("one", after, 0),
    ):
        with services.database.write() as session:
            assert len(claims.claim(session, owner, at, 10, SMS)) == got, (owner, at)


def test_workers_that_claim_together_share_the_messages(services: Services, write: Write, now: datetime) -> None:
    for number in range(12):
        write(str(number))
    start = Barrier(4)
    claimed: list[UUID] = []

    def work(owner: str) -> None:
        start.wait()
        with services.database.write() as session:
            claimed.extend(row.id for row in claims.claim(session, owner, now, 3, SMS))

    threads = [Thread(target=work, args=(f"worker {number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 12


def test_only_the_owner_of_the_claim_may_begin_to_send_and_only_once(
    services: Services, write: Write, read_row: ReadRow, now: datetime
) -> None:
    write()
    with services.database.write() as session:
        (row,) = claims.claim(session, "one", now, 1, SMS)
    for owner, may in (("two", False), ("one", True), ("one", False)):
        with services.database.write() as session:
            assert claims.mark_sending(session, key_of(row), owner, now) is may
    row = read_row()
    assert (row.state, row.attempts) == ("sending", 1)
    assert outbox.open_message(services.keyring, row).started_at == now


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("sending", "accept", "sent"),
        ("unknown", "accept", "sent"),
        ("pending", "accept", "sent"),
        ("delivered", "accept", "delivered"),
        ("failed", "accept", "failed"),
        ("sending", "refuse", "pending"),
        ("sent", "refuse", "sent"),
        ("sending", "lose", "unknown"),
        ("delivered", "lose", "delivered"),
        ("pending", "park", "parked"),
        ("unknown", "park", "unknown"),
        ("unknown", "release", "pending"),
        ("parked", "release", "pending"),
        ("failed", "release", "pending"),
        ("sent", "release", "sent"),
        ("sending", "release", "sending"),
        ("delivered", "release", "delivered"),
    ],
)
def test_each_move_leads_only_from_where_it_may(
    services: Services, write: Write, read_row: ReadRow, now: datetime, before: str, move: str, after: str
) -> None:
    write()
    with services.database.write() as session:
        row = session.exec(select(Outbox)).one()
        row.state = before
        session.add(row)
        key = key_of(row)
    moves: dict[str, Callable[..., object]] = {
        "accept": lambda session: claims.mark_accepted(session, key, "SM1", "sent", now),
        "refuse": lambda session: claims.mark_refused(session, key, "pending", "429: busy", now),
        "lose": lambda session: claims.mark_unknown(session, key, "silence", now),
        "park": lambda session: claims.park(session, key, "cannot-open"),
        "release": lambda session: claims.release(session, key, now),
    }
    with services.database.write() as session:
        moves[move](session)
    assert read_row().state == after


def test_a_message_whose_sender_died_becomes_unknown_when_its_lease_ends(
    services: Services, write: Write, read_row: ReadRow, clock: StandingClock
) -> None:
    write()
    with services.database.write() as session:
        (row,) = claims.claim(session, "one", clock(), 1, SMS)
        claims.mark_sending(session, key_of(row), "one", clock())
    with services.database.write() as session:
        assert claims.find_stranded(session, clock(), 10, SMS) == ()
    started, _ = clock(), clock.advance(outbox.LEASE)
    with services.database.write() as session:
        assert claims.find_stranded(session, clock(), 10, ("email",)) == ()
        (row,) = claims.find_stranded(session, clock(), 10, SMS)
    assert read_row().state == "unknown"
    assert outbox.open_message(services.keyring, row).started_at == started
    with services.database.write() as session:
        assert claims.find_stranded(session, clock(), 10, SMS) == (), "looked at again only after a while"
