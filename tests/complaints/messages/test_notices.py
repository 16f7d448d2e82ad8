"""Notices to who filed: on each channel they gave, once, and silence for who asked for it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from sqlmodel import col, select

from complaints.authorities.tables import Authority
from complaints.cases.filing import Filing, file_case
from complaints.cases.follow import case_key
from complaints.cases.tables import CaseFile
from complaints.law.rulebook import get_rulebook
from complaints.messages.addresses import lookup_of
from complaints.messages.inbox import store_pairs
from complaints.messages.notices import OPTED_OUT, notify_reporter
from complaints.messages.optouts import STARTED, STOPPED, has_stopped
from complaints.messages.outbox import Message, open_message
from complaints.messages.tables import InboundMessage, Outbox
from tests.complaints.messages.conftest import PHONE
from tests.conftest import StandingClock
from tests.fake_twilio import inbound_fields
from web.services import Services

MAIL = "ana@example.org"


class Desk:
    """Files cases and tells their reporters, in Maricá."""

    def __init__(self, services: Services, marica: Authority) -> None:
        self.services, self.marica = services, marica

    def file(self, key: str = "web:1", channel: str = "web", **fields: Any) -> CaseFile:
        filing = replace(Filing(self.marica.id or 0, channel, key, text="Passou direto."), **fields)
        with self.services.database.write() as session:
            return file_case(session, self.services.keyring, filing, self.services.clock()).case

    def tell(self, case: CaseFile, purpose: str, seq: int = 2) -> int:
        with self.services.database.write() as session:
            return notify_reporter(
                session,
                self.services.keyring,
                authority=session.get_one(Authority, self.marica.id),
                case=session.get_one(CaseFile, (case.authority_id, case.id)),
                purpose=purpose,
                seq=seq,
                now=self.services.clock(),
            )

    def messages(self) -> Sequence[tuple[Outbox, Message]]:
        with self.services.database.read() as session:
            rows = session.exec(select(Outbox).order_by(col(Outbox.id))).all()
        return [(row, open_message(self.services.keyring, row)) for row in rows]


@pytest.fixture
def desk(services: Services, marica: Authority) -> Desk:
    return Desk(services, marica)


@pytest.mark.parametrize(
    ("contact", "reached"),
    [
        ({"phone": "(21) 99999-8888"}, [("sms", PHONE)]),
        ({"email": MAIL}, [("email", MAIL)]),
        ({"phone": "(21) 99999-8888", "email": MAIL}, [("sms", PHONE), ("email", MAIL)]),
        ({"phone": "21999998888", "address": "whatsapp:+552199998888"}, [("whatsapp", "whatsapp:+552199998888")]),
        ({"address": "whatsapp:BR.1502"}, [("whatsapp", "whatsapp:BR.1502")]),
        ({"name": "Ana"}, []),
        ({"phone": "liga pro vizinho"}, []),
        ({"email": "sem arroba"}, []),
        ({}, []),
        ({"phone": "(21) 99999-8888", "email": MAIL, "confidentiality": "anonymous"}, []),
    ],
)
def test_a_notice_goes_to_every_address_given_and_to_none_of_the_anonymous(
    desk: Desk, contact: dict[str, str], reached: list[tuple[str, str]]
) -> None:
    desk.file(**contact)
    messages = desk.messages()
    assert [(row.channel, message.recipient) for row, message in messages] == reached
    assert all(row.purpose == "receipt" for row, _ in messages)


def test_a_receipt_has_protocol_key_and_the_term_with_its_law(desk: Desk, services: Services) -> None:
    case = desk.file(phone=PHONE, email=MAIL)
    for _, message in desk.messages():
        assert f"{case.protocol[:4]} {case.protocol[4:8]} {case.protocol[8:]}" in message.text
        assert case_key(services.keyring, case) in message.text
        assert f"Resposta até {case.due_on:%d/%m/%Y} (Lei federal 13.460/2017, art. 16)." in message.text


def test_a_goal_is_never_called_a_term(desk: Desk, services: Services) -> None:
    case = desk.file(phone=PHONE)
    with services.database.write() as session:
        row = session.get_one(CaseFile, (case.authority_id, case.id))
        row.clock_law_id, row.due_on = None, date(2026, 12, 10)
        session.add(row)
    desk.tell(case, "receipt", seq=9)
    assert "Meta de resposta: 10/12/2026 (não é prazo legal)." in desk.messages()[-1][1].text


def test_the_same_event_is_told_once_and_the_next_one_again(desk: Desk) -> None:
    case = desk.file(phone=PHONE, email=MAIL)
    assert [desk.tell(case, "answered", seq) for seq in (2, 2, 3)] == [2, 0, 2]


def test_an_urgent_receipt_says_the_emergency_numbers_first(desk: Desk) -> None:
    urgent = next(item.key for item in get_rulebook(desk.marica.law_id).list_subjects() if item.urgent)
    desk.file(phone=PHONE, subjects=(urgent,))
    ((row, message),) = desk.messages()
    assert row.purpose == "receipt_urgent"
    assert message.text.index("190") < message.text.index("rotocolo")


def test_a_real_authority_does_not_say_demonstration_and_a_demonstration_does(
    desk: Desk, services: Services
) -> None:
    desk.file(phone=PHONE)
    assert "DEMONSTRA" not in desk.messages()[0][1].text
    with services.database.write() as session:
        session.get_one(Authority, desk.marica.id).demo = True
    case = desk.file("web:2", phone=PHONE)
    desk.tell(case, "answered")
    assert all(message.text.startswith("DEMONSTRAÇÃO") for _, message in desk.messages()[1:])


def test_a_notice_comes_from_the_number_the_person_wrote_to(
    desk: Desk, services: Services, clock: StandingClock
) -> None:
    _heard(services, desk.marica, "complaint", clock, to="+5521900000077")
    case = desk.file(phone=PHONE)
    assert [message.sender for _, message in desk.messages()] == ["+5521900000077"]
    other = desk.file("web:2", phone="(21) 98888-7777")
    assert desk.messages()[-1][1].sender == "", "then the authority's own number is used"
    assert case.id != other.id


def test_who_stopped_is_left_in_peace_but_staff_see_what_was_not_said(
    desk: Desk, services: Services, clock: StandingClock
) -> None:
    _heard(services, desk.marica, STOPPED, clock)
    case = desk.file(phone=PHONE, email=MAIL)
    desk.tell(case, "answered")
    states = [(row.channel, row.purpose, row.state, row.error) for row, _ in desk.messages()]
    assert states == [
        ("sms", "receipt", "parked", OPTED_OUT),
        ("email", "receipt", "pending", None),
        ("sms", "answered", "parked", OPTED_OUT),
        ("email", "answered", "pending", None),
    ]


def test_the_last_word_counts(services: Services, marica: Authority, clock: StandingClock) -> None:
    lookup = lookup_of(services.keyring, "sms", PHONE)

    def stopped() -> bool:
        with services.database.read() as session:
            return has_stopped(session, marica.id or 0, lookup)

    assert not stopped()
    for word, expected in ((STOPPED, True), (STARTED, False), ("complaint", False), (STOPPED, True)):
        _heard(services, marica, word, clock)
        assert stopped() is expected


def test_who_stopped_at_the_gateway_counts_until_they_start_again(
    desk: Desk, services: Services, clock: StandingClock
) -> None:
    case = desk.file(phone=PHONE)
    with services.database.write() as session:
        row = session.exec(select(Outbox)).one()
        row.state, row.error = "parked", "21610: the person stopped us at the gateway"
        session.add(row)
    desk.tell(case, "answered")
    assert desk.messages()[-1][0].error == OPTED_OUT
    _heard(services, desk.marica, STARTED, clock)
    desk.tell(case, "archived", seq=3)
    assert desk.messages()[-1][0].state == "pending"


def _heard(
    services: Services, authority: Authority, word: str, clock: StandingClock, to: str = "+5521900000001"
) -> None:
    """A text of the rider, a minute later, already understood."""
    clock.advance(timedelta(minutes=1))
    with services.database.write() as session:
        pairs = inbound_fields(f"SM{clock():%H%M%S}", PHONE, to, word)
        row = session.get_one(InboundMessage, store_pairs(session, services.keyring, pairs, clock()))
        row.authority_id, row.understood_as = authority.id, word
