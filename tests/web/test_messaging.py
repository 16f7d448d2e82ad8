"""Where messages meet the settings: which way out there is, and what /saude says of it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select
from starlette.testclient import TestClient

from complaints.authorities.tables import Authority
from complaints.messages.demo_sender import DemoGateway
from complaints.messages.email_sender import EmailGateway
from complaints.messages.outbox import enqueue
from complaints.messages.tables import Outbox
from complaints.messages.twilio_sender import TwilioGateway
from web.app import create_app
from web.messaging import deliver_messages, list_ways_out, open_gateways, reconcile_messages, written_text
from web.services import Services
from web.settings import Settings

TWILIO = {"twilio_account_sid": "AC1", "twilio_auth_tokens": ("a", "b"), "twilio_base_url": "http://127.0.0.1:9"}
MAIL = {"smtp_url": "smtp://127.0.0.1:9"}


@pytest.mark.parametrize(
    ("demo", "given", "ways"),
    [
        (False, {}, {}),
        (False, MAIL, {"email": EmailGateway}),
        (False, {**TWILIO, "twilio_auth_tokens": ()}, {}),
        (False, {**TWILIO, **MAIL}, {"sms": TwilioGateway, "whatsapp": TwilioGateway, "email": EmailGateway}),
        (True, {}, {"sms": DemoGateway, "whatsapp": DemoGateway, "email": DemoGateway}),
        (True, TWILIO, {"sms": TwilioGateway, "whatsapp": TwilioGateway, "email": DemoGateway}),
    ],
)
def test_the_settings_decide_the_ways_out(
    settings: Settings, demo: bool, given: dict[str, object], ways: dict[str, type]
) -> None:
    chosen = replace(settings, demo=demo, **given)  # type: ignore[arg-type]  # fields of Settings
    assert {channel: type(gateway) for channel, gateway in open_gateways(chosen).items()} == ways
    assert list_ways_out(chosen) == ways.keys()


@pytest.fixture
def waiting(services: Services, towns: dict[str, Authority]) -> Services:
    """A production server without any gateway and one message of each channel in its outbox."""
    with services.database.write() as session:
        for channel, recipient in (("sms", "+5521999998888"), ("email", "ana@example.org")):
            enqueue(
                session, services.keyring, authority_id=towns["marica"].id or 0, case_id=None, channel=channel,
                purpose="receipt", dedupe_key=channel, recipient=recipient, text="text",
                now=services.clock() - timedelta(minutes=2),
            )  # fmt: skip
    return services


def test_in_production_without_credentials_messages_wait_and_health_can_tell(waiting: Services) -> None:
    assert deliver_messages(waiting, waiting.clock()) == reconcile_messages(waiting, waiting.clock()) == 0
    with TestClient(create_app(waiting)) as client:
        answer = client.get("/saude")
    assert answer.status_code == 200, "the pages work all the same"
    assert answer.json()["mensagens"] == {
        "na_fila": 2,
        "mais_antiga_segundos": 120,
        "sem_saida": ["email", "sms"],
        "sem_noticia": 0,
        "paradas": 0,
    }


def test_a_demonstration_without_credentials_delivers_to_its_page(waiting: Services) -> None:
    demo = replace(waiting, settings=replace(waiting.settings, demo=True))
    assert deliver_messages(demo, demo.clock()) == 2
    with demo.database.read() as session:
        assert {row.state for row in session.exec(select(Outbox))} == {"delivered"}


def test_what_waits_for_people_is_counted(waiting: Services) -> None:
    with waiting.database.write() as session:
        for row, state in zip(session.exec(select(Outbox)).all(), ("unknown", "parked"), strict=True):
            row.state = state
            session.add(row)
    with TestClient(create_app(waiting)) as client:
        report = client.get("/saude").json()["mensagens"]
    assert (report["na_fila"], report["sem_noticia"], report["paradas"]) == (0, 1, 1)


@pytest.mark.parametrize(
    ("typed", "dialled"),
    [
        ("+5521999998888", "+5521999998888"),
        ("(21) 99999-8888", "+5521999998888"),
        ("021 90000-0777", "+5521900000777"),
        ("21 90000-0777", "+5521900000777"),
        ("5521900000777", "+5521900000777"),
        ("+5521900000777", "+5521900000777"),
        ("whatsapp:+5521999998888", "whatsapp:+5521999998888"),
    ],
)
def test_a_simulated_phone_may_be_made_up(typed: str, dialled: str) -> None:
    assert dict(written_text(typed, "+5521900000001", "oi"))["From"] == dialled


def test_two_simulated_texts_are_two_messages() -> None:
    assert written_text("+5521999998888", "+55", "oi") != written_text("+5521999998888", "+55", "oi")
