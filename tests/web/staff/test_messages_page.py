"""The page of messages at the desk."""

from dataclasses import replace

import pytest
from sqlmodel import select

from complaints.authorities.tables import Authority
from complaints.cases.tables import CaseFile
from complaints.messages.outbox import enqueue
from complaints.messages.tables import InboundMessage, Outbox
from complaints.messages.wording import get_words
from tests.desk_seeds import CANAA, add_town
from tests.web.staff.conftest import Browser, Town
from web.app import create_app
from web.staff.messages import PURPOSES, STATES

PHONE, NUMBER = "+5521999998888", "+5521900000001"
PAGE = "/equipe/mensagens"


@pytest.fixture
def town_with_number(small_town: Town) -> Town:
    """The town takes texts and has one message in its outbox."""
    services = small_town.services
    with services.database.write() as session:
        session.get_one(Authority, small_town.authority.id).sms_number = NUMBER
        enqueue(
            session, services.keyring, authority_id=small_town.authority.id or 0, case_id=small_town.case.id,
            channel="sms", purpose="answered", dedupe_key="one", recipient=PHONE,
            text="Segredo & <b>{site}</b>", now=services.clock(),
        )  # fmt: skip
    return small_town


@pytest.fixture
def demo_town(town_with_number: Town) -> Town:
    """The same town in a demonstration."""
    services = town_with_number.services
    demo = replace(services, settings=replace(services.settings, demo=True))
    return replace(town_with_number, services=demo, app=create_app(demo))


def test_outside_a_demonstration_only_the_fate_of_messages_is_shown(town_with_number: Town) -> None:
    browser = town_with_number.browser("attendant")
    html = browser.see(PAGE)
    assert "Aviso de resposta" in html
    assert "Na fila" in html
    assert f"/equipe/casos/{town_with_number.case.protocol}" in html
    assert "Segredo" not in html
    assert PHONE not in html
    assert "Mandar um SMS" not in html
    assert browser.submit(PAGE, telefone=PHONE, texto="oi").status_code == 404


def test_a_demonstration_shows_texts_as_they_go_out(demo_town: Town) -> None:
    html = demo_town.browser("triager").see(PAGE)
    assert PHONE in html
    assert "Segredo &amp; &lt;b&gt;http" in html


def test_a_demonstrations_phone_takes_the_way_of_a_real_one(demo_town: Town) -> None:
    browser = demo_town.browser("triager")
    browser.see(PAGE)
    answer = browser.submit(PAGE, telefone="(21) 90000-0777", texto="a van passou direto no ponto da padaria")
    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    with demo_town.services.database.read() as session:
        text = session.exec(select(InboundMessage)).one()
        case = session.get_one(CaseFile, (text.authority_id, text.case_id))
    assert (text.understood_as, case.channel) == ("complaint", "sms")
    html = browser.see(PAGE)
    assert f"{case.protocol[:4]} {case.protocol[4:8]} {case.protocol[8:]}" in html
    assert "+5521900000777" in html


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"telefone": "", "texto": "oi"}, "Escreva o telefone com DDD"),
        ({"telefone": "21 90000-0777", "texto": ""}, "Escreva a mensagem"),
    ],
)
def test_what_is_missing_is_said_and_what_was_typed_is_kept(
    demo_town: Town, fields: dict[str, str], said: str
) -> None:
    browser = demo_town.browser("triager")
    browser.see(PAGE)
    answer = browser.submit(PAGE, **fields)
    assert answer.status_code == 422
    assert answer.text.count(said) == 2, "in the summary and beside the field"
    assert (fields["telefone"] or fields["texto"]) in answer.text


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("21610: the person stopped us at the gateway", "a pessoa bloqueou nossas mensagens no serviço (21610)"),
        ("77777: an answer this table does not know", "resposta desconhecida do serviço (77777)"),
        ("asked for no more messages", "a pessoa pediu para não receber mais avisos"),
        ("no readable answer: ReadTimeout", "o serviço ainda não disse se recebeu"),
    ],
)
def test_why_a_message_stays_is_said_in_portuguese(town_with_number: Town, error: str, said: str) -> None:
    with town_with_number.services.database.write() as session:
        row = session.exec(select(Outbox).where(Outbox.dedupe_key == "one")).one()
        row.state, row.error = "parked", error
        session.add(row)
    html = town_with_number.browser("attendant").see(PAGE)
    assert said in html
    assert "Parada" in html


def test_only_who_may_read_messages_sees_them(demo_town: Town) -> None:
    assert demo_town.browser("clerk").get(PAGE).status_code == 403
    assert Browser(demo_town.app).get(PAGE).status_code == 303


def test_messages_of_another_authority_are_not_shown(demo_town: Town) -> None:
    services = demo_town.services
    other = add_town(services.database, "canaa", CANAA)
    with services.database.write() as session:
        enqueue(
            session, services.keyring, authority_id=other.id or 0, case_id=None, channel="sms", purpose="answered",
            dedupe_key="theirs", recipient="+5594999990000", text="De outro lugar", now=services.clock(),
        )  # fmt: skip
    html = demo_town.browser("triager").see(PAGE)
    assert "Segredo" in html
    assert "De outro lugar" not in html


def test_every_state_and_notice_has_words() -> None:
    assert set(STATES) == {"pending", "sending", "sent", "delivered", "unknown", "failed", "parked"}
    notices = {name for name in get_words().purposes if not name.startswith("reply_")}
    assert set(PURPOSES) == notices
