"""Messages handed to the gateway, and those whose fate is unknown, on both databases and a real socket."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from sqlmodel import select

from complaints.authorities.tables import Authority
from complaints.messages.delivery import SETTLED, Delivery
from complaints.messages.delivery_status import record_status
from complaints.messages.demo_sender import DemoGateway
from complaints.messages.gateways import Trace
from complaints.messages.tables import GatewayEvent, Outbox
from complaints.messages.twilio_sender import TwilioGateway, callback_url
from complaints.sealing import Keyring
from tests.complaints.messages.conftest import PHONE, ReadRow, Write, key_of, other_worker
from tests.conftest import StandingClock
from tests.fake_twilio import ACCOUNT, FakeTwilio
from web.services import Services

MINUTE = timedelta(minutes=1)


def test_a_due_message_reaches_the_gateway_folded_from_the_authoritys_number(
    write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow
) -> None:
    write()
    assert delivery.send_due() == 1
    (taken,) = fake.taken
    assert (taken.to, taken.sender) == (PHONE, "+5521900000001")
    assert taken.body == "Ola, Joao. Veja http://testserver/marica/"
    row = read_row()
    assert (row.state, row.gateway_id, row.attempts) == ("sent", taken.sid, 1)
    assert row.sent_at is not None
    assert taken.callback == f"http://testserver/webhooks/twilio/situacao?id={row.authority_id}-{row.id.hex}"
    assert delivery.send_due() == 0


def test_whatsapp_keeps_its_accents_and_speaks_from_the_number_that_was_written_to(
    write: Write, delivery: Delivery, fake: FakeTwilio
) -> None:
    write("one", channel="whatsapp", recipient="whatsapp:BR.1502", sender="whatsapp:+5521900000009")
    write("two", channel="whatsapp", recipient=f"whatsapp:{PHONE}")
    delivery.send_due()
    assert [(item.to, item.sender) for item in fake.taken] == [
        ("whatsapp:BR.1502", "whatsapp:+5521900000009"),
        (f"whatsapp:{PHONE}", "whatsapp:+5521900000001"),
    ]
    assert fake.taken[0].body.startswith("Olá, João.")


@pytest.mark.parametrize(
    ("fault", "state", "error"),
    [
        ("21610", "parked", "21610: the person stopped us at the gateway"),
        ("21211", "failed", "21211: no valid number"),
        ("21408", "parked", "21408: sending to this region is switched off"),
        ("77777", "parked", "77777: an answer this table does not know"),
    ],
)
def test_a_refusal_that_no_repetition_cures_is_not_repeated(
    write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock,
    fault: str, state: str, error: str,
) -> None:  # fmt: skip
    fake.faults = [fault]
    write()
    delivery.send_due()
    assert (read_row().state, read_row().error) == (state, error)
    clock.advance(timedelta(days=2))
    assert delivery.send_due() == delivery.reconcile() == 0
    assert fake.attempts == 1


@pytest.mark.parametrize("fault", ["429", "20429"])
def test_a_busy_gateway_is_tried_again_later(
    write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock, fault: str
) -> None:
    fake.faults = [fault, fault]
    write()
    delivery.send_due()
    row = read_row()
    assert row.state == "pending"
    assert timedelta(seconds=12) <= row.due_at - clock() <= timedelta(seconds=18)
    assert delivery.send_due() == 0, "not before its time"
    clock.advance(timedelta(seconds=18))
    delivery.send_due()
    assert read_row().due_at - clock() >= timedelta(seconds=24), "and later each time"
    clock.advance(MINUTE)
    delivery.send_due()
    assert read_row().state == "sent"
    assert len(fake.taken) == 1


def test_a_gateway_that_cannot_be_reached_surely_took_nothing(
    services: Services, write: Write, delivery: Delivery, read_row: ReadRow, clock: StandingClock
) -> None:
    nobody = TwilioGateway(ACCOUNT, "token", "http://testserver", "http://127.0.0.1:9", timeout=1)
    write()
    replace(delivery, gateways={"sms": nobody}).send_due()
    assert (read_row().state, read_row().error) == ("pending", "unreachable: gateway cannot be reached")
    clock.advance(MINUTE)
    delivery.send_due()
    assert read_row().state == "sent"


def test_a_refused_token_makes_messages_wait_until_the_setting_is_right(
    write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock
) -> None:
    wrong = TwilioGateway(ACCOUNT, "old token", "http://testserver", fake.base_url, timeout=1)
    write()
    replace(delivery, gateways={"sms": wrong}).send_due()
    assert (read_row().state, read_row().error) == ("pending", "20003: account or token refused")
    clock.advance(10 * MINUTE)
    delivery.send_due()
    assert read_row().state == "sent"


@pytest.mark.parametrize("fault", ["hold", "lose", "500-after"])
def test_an_answer_lost_after_acceptance_is_found_in_the_list_and_never_sent_twice(
    write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock, fault: str
) -> None:
    fake.faults = [fault]
    write()
    delivery.send_due()
    assert read_row().state == "unknown"
    assert delivery.send_due() == 0, "what is unknown is not sent"
    clock.advance(timedelta(seconds=6))
    assert delivery.reconcile() == 1
    row = read_row()
    assert (row.state, row.gateway_id, row.error) == ("sent", fake.taken[0].sid, None)
    clock.advance(timedelta(hours=2))
    assert delivery.send_due() == delivery.reconcile() == 0
    assert len(fake.taken) == 1


def test_a_gateway_whose_clock_is_hours_behind_is_understood_all_the_same(
    write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock
) -> None:
    fake.clock = lambda: clock() - timedelta(hours=5)
    fake.faults = ["lose"]
    write()
    delivery.send_due()
    clock.advance(2 * MINUTE)
    delivery.reconcile()
    assert read_row().state == "sent"
    assert len(fake.taken) == 1


def test_what_the_gateway_surely_lacks_is_sent_again_but_not_before_a_minute(
    write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock
) -> None:
    fake.faults = ["500"]
    write()
    delivery.send_due()
    assert read_row().state == "unknown"
    clock.advance(timedelta(seconds=6))
    delivery.reconcile()
    assert (read_row().state, read_row().error) == ("unknown", "not listed yet")
    clock.advance(SETTLED)
    delivery.reconcile()
    assert read_row().state == "pending"
    delivery.send_due()
    assert read_row().state == "sent"
    assert len(fake.taken) == 1


def test_a_list_that_shows_the_message_late_is_waited_for(
    write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock
) -> None:
    fake.faults, fake.lag = ["lose"], True
    write()
    delivery.send_due()
    clock.advance(timedelta(seconds=6))
    delivery.reconcile()
    fake.lag = False
    clock.advance(SETTLED)
    delivery.reconcile()
    assert read_row().state == "sent"
    assert len(fake.taken) == 1


def test_while_the_gateway_cannot_say_the_message_stays_unknown(
    write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock
) -> None:
    fake.faults, fake.list_faults = ["lose"], ["500"] * 3
    write()
    delivery.send_due()
    for _ in range(3):
        clock.advance(timedelta(hours=1))
        assert delivery.reconcile() == 1
        assert read_row().state == "unknown"
        assert delivery.reconcile() == 0, "asked again only after a while"
    clock.advance(timedelta(hours=1))
    delivery.reconcile()
    assert read_row().state == "sent"


def test_two_equal_messages_to_one_person_find_two_different_traces(
    services: Services, write: Write, delivery: Delivery, fake: FakeTwilio, clock: StandingClock
) -> None:
    fake.faults = ["lose", "500", "lose"]
    for key in ("one", "two", "three"):
        write(key)
    delivery.send_due()
    clock.advance(2 * MINUTE)
    delivery.reconcile()
    with services.database.read() as session:
        rows = session.exec(select(Outbox)).all()
    assert sorted(row.state for row in rows) == ["pending", "sent", "sent"]
    assert {row.gateway_id for row in rows if row.gateway_id} == {item.sid for item in fake.taken}
    delivery.send_due()
    assert len(fake.taken) == 3


def test_a_callback_that_comes_before_the_answer_is_not_undone(
    services: Services, write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock
) -> None:
    class Hasty(TwilioGateway):
        def send(self, message: object) -> Trace:
            trace = super().send(message)  # type: ignore[arg-type]  # as the class above takes it
            with services.database.write() as session:
                record_status(
                    session, key_of(read_row()), Trace(trace.gateway_id, "delivered"), clock(), Random(1)
                )
            return trace

    hasty = Hasty(ACCOUNT, fake.token, "http://testserver", fake.base_url)
    write()
    replace(delivery, gateways={"sms": hasty}).send_due()
    assert (read_row().state, read_row().gateway_id) == ("delivered", fake.taken[0].sid)


def test_a_message_that_moved_on_while_it_was_claimed_is_not_sent(
    services: Services, write: Write, delivery: Delivery, fake: FakeTwilio, clock: StandingClock
) -> None:
    class Slow:
        """Transactions that let a lease pass before the second block."""

        blocks = 0
        read = services.database.read

        def write(self) -> object:
            self.blocks += 1
            if self.blocks == 2:
                clock.advance(MINUTE)
                other_worker(delivery).send_due()
            return services.database.write()

    write()
    replace(delivery, transactions=Slow()).send_due()  # type: ignore[arg-type]  # the block itself is the database's
    assert len(fake.taken) == 1


def test_a_message_no_key_opens_is_left_to_staff(
    services: Services, write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow
) -> None:
    write()
    stranger = Keyring((b"x" * 32,), services.settings.secret_key)
    replace(delivery, keyring=stranger).send_due()
    assert (read_row().state, read_row().error) == ("parked", "cannot-open: no data key opens the message")
    assert fake.attempts == 0


def test_an_authority_without_a_number_parks_its_messages(
    services: Services, marica: Authority, write: Write, delivery: Delivery, read_row: ReadRow
) -> None:
    with services.database.write() as session:
        session.get_one(Authority, marica.id).sms_number = None
    write()
    delivery.send_due()
    assert (read_row().state, read_row().error) == (
        "parked",
        "no-sender: the authority has no number to send from",
    )


def test_a_defect_of_ours_leaves_the_message_unknown_and_the_next_one_goes_out(
    services: Services, write: Write, delivery: Delivery, fake: FakeTwilio, clock: StandingClock
) -> None:
    class Faulty(TwilioGateway):
        broken = True

        def send(self, message: object) -> Trace:
            if self.broken:
                self.broken = False
                raise ZeroDivisionError
            return super().send(message)  # type: ignore[arg-type]  # as the class above takes it

    write("one")
    write("two")
    replace(delivery, gateways={"sms": Faulty(ACCOUNT, fake.token, "http://testserver", fake.base_url)}).send_due()
    with services.database.read() as session:
        states = {row.dedupe_key: (row.state, row.error) for row in session.exec(select(Outbox))}
    assert states == {"one": ("unknown", "defect: ZeroDivisionError"), "two": ("sent", None)}


def test_a_demonstration_delivers_to_its_own_page(
    write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock
) -> None:
    write()
    replace(delivery, gateways={"sms": DemoGateway()}).send_due()
    row = read_row()
    assert (row.state, row.delivered_at, row.gateway_id) == ("delivered", clock(), f"demo-{row.id.hex}")
    assert fake.attempts == 0


def test_without_a_gateway_messages_wait(write: Write, delivery: Delivery, read_row: ReadRow) -> None:
    write()
    assert replace(delivery, gateways={}).send_due() == 0
    assert read_row().state == "pending"


STATUSES = ("queued", "sent", "delivered")


@pytest.mark.parametrize("seed", range(8))
def test_statuses_in_any_order_and_repeated_end_delivered(
    services: Services, write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow,
    clock: StandingClock, seed: int,
) -> None:  # fmt: skip
    write()
    delivery.send_due()
    random = Random(seed)
    order = list(STATUSES) + random.choices(STATUSES, k=3)
    random.shuffle(order)
    for status in order:
        with services.database.write() as session:
            record_status(session, key_of(read_row()), Trace(fake.taken[0].sid, status), clock(), random)
    assert read_row().state == "delivered"
    assert read_row().delivered_at is not None
    with services.database.read() as session:
        assert len(session.exec(select(GatewayEvent)).all()) == len(STATUSES), "each status is kept once"


@pytest.mark.parametrize(
    ("statuses", "state"),
    [
        ((("undelivered", "30005"),), "failed"),
        ((("undelivered", "30007"),), "parked"),
        ((("failed", "21610"),), "parked"),
        ((("undelivered", "30003"),), "pending"),
        ((("undelivered", ""),), "pending"),
        ((("undelivered", "30005"), ("sent", "")), "failed"),
        ((("undelivered", "30003"), ("sent", "")), "pending"),
        ((("undelivered", "30003"), ("undelivered", "")), "pending"),
        ((("delivered", ""), ("undelivered", "30005")), "delivered"),
        ((("undelivered", "30003"), ("delivered", "")), "delivered"),
        ((("sent", ""), ("read", "")), "delivered"),
    ],
)
def test_what_the_gateway_says_later_decides(
    services: Services, write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow,
    clock: StandingClock, statuses: tuple[tuple[str, str], ...], state: str,
) -> None:  # fmt: skip
    write()
    delivery.send_due()
    for status, code in statuses:
        with services.database.write() as session:
            record_status(session, key_of(read_row()), Trace(fake.taken[0].sid, status, code), clock(), Random(1))
    assert read_row().state == state


def test_an_unreachable_handset_is_tried_three_times_over_hours_then_given_up(
    services: Services, write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock
) -> None:
    write()
    for attempt in range(3):
        assert delivery.send_due() == 1
        with services.database.write() as session:
            trace = Trace(fake.taken[attempt].sid, "undelivered", "30003")
            record_status(session, key_of(read_row()), trace, clock(), Random(1))
        clock.advance(timedelta(hours=2))
    assert read_row().state == "failed"
    assert delivery.send_due() == 0


def test_a_word_about_an_earlier_attempt_does_not_touch_the_present_one(
    services: Services, write: Write, delivery: Delivery, fake: FakeTwilio, read_row: ReadRow, clock: StandingClock
) -> None:
    write()
    delivery.send_due()
    for status, code in (("undelivered", "30003"),):
        with services.database.write() as session:
            record_status(session, key_of(read_row()), Trace(fake.taken[0].sid, status, code), clock(), Random(1))
    clock.advance(timedelta(hours=2))
    fake.faults = ["lose"]
    delivery.send_due()
    clock.advance(MINUTE)
    delivery.reconcile()
    assert (read_row().state, read_row().gateway_id) == ("sent", fake.taken[1].sid), "not the failed one"
    with services.database.write() as session:
        record_status(session, key_of(read_row()), Trace(fake.taken[0].sid, "sent"), clock(), Random(1))
    assert read_row().gateway_id == fake.taken[1].sid


def test_the_address_of_the_callbacks_names_the_row(write: Write, read_row: ReadRow, services: Services) -> None:
    from complaints.messages.outbox import open_message

    write()
    message = open_message(services.keyring, read_row())
    url = callback_url("https://transporte.example", message)
    assert url == f"https://transporte.example/webhooks/twilio/situacao?id={message.authority_id}-{message.id.hex}"
