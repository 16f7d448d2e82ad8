"""The whole complaint, from the seal in the van to the answer on the rider's phone, with real processes."""

import re
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser
from sqlmodel import col, select

from complaints.messages.gsm7 import fold
from complaints.messages.tables import Outbox
from tests.browser.demonstration import Demonstration
from tests.browser.running import Running
from tests.browser.watching import Watched
from tests.child_processes import wait_until
from tests.fake_twilio import FakeTwilio, Taken
from tests.journeys import people
from tests.journeys.people import Receipt, browsing

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TOWN = "marica"
ANSWER = "Vistoriamos o veículo no dia seguinte. A porta não fechava direito e a van saiu de circulação."
MEASURE = "O selo foi cancelado até o conserto da porta."
ORDER = "Conferir porta, lotação e selo."
FOUND = "A porta do lado direito não trava."


@pytest.mark.parametrize("scripts", [True, False], ids=["js", "no-js"])
def test_complaint_from_the_seal_to_the_answer_and_the_message(
    chromium: Browser, demonstration: Demonstration, twilio: FakeTwilio, scripts: bool
) -> None:
    with Running(demonstration, twilio) as product:
        product.serve("--with-worker")
        with browsing(chromium, product.address, scripts) as rider:
            receipt = scan_and_complain(rider, demonstration)
            case_is_there(rider, receipt)
            assert wait_until(lambda: find_message(twilio, receipt.key)).to == people.PHONE_NUMBER
            with browsing(chromium, product.address, scripts) as triager:
                classify_and_order(triager, demonstration, receipt)
                with browsing(chromium, product.address, scripts) as inspector:
                    record_result(inspector, demonstration)
                assert people.open_case(rider, receipt, TOWN) == "in_verification"
                answer(triager, receipt)
            read_answer(rider, demonstration, receipt)
        last = wait_until(lambda: find_message(twilio, f"{shown(receipt)}: sua manifestação foi RESPONDIDA"))
        wait_until(lambda: states_of(product, last) == ["sent"])
        assert twilio.report(last, "delivered") == 200
        assert states_of(product, last) == ["delivered"]
        assert demonstration.run("case", "verify", TOWN).returncode == 0


def scan_and_complain(rider: Watched, demonstration: Demonstration) -> Receipt:
    """Town, seal, form, receipt."""
    rider.open(f"/{TOWN}/")
    assert "DEMONSTRAÇÃO" in rider.page.locator(".demo").inner_text()
    rider.open(f"/S/{demonstration.seal(TOWN, 'valid')}")
    assert rider.data("situacao-do-selo") == "valid"
    plate = rider.page.locator(".plate").inner_text()
    rider.follow("Reclamar deste veículo")
    assert plate.replace("-", "") in rider.text().replace("-", "")
    receipt = people.complain(rider)
    assert re.fullmatch(r"\d{12}", receipt.protocol)
    assert re.fullmatch(r"[2-9A-Z]{8}", receipt.key)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", receipt.term)
    assert "13.460/2017" in rider.text()
    return receipt


def case_is_there(rider: Watched, receipt: Receipt) -> None:
    """The receipt leads to the case, which needs the key."""
    rider.follow("Acompanhar este caso")
    assert receipt.key not in rider.page.url
    people.mistype_key(rider, receipt)
    assert people.open_case(rider, receipt, TOWN) == "received"


def classify_and_order(triager: Watched, demonstration: Demonstration, receipt: Receipt) -> None:
    """Log-in, queue, case, triage, classification, order of an inspection."""
    people.sign_in(triager, *demonstration.log_in(TOWN, "triager"))
    triager.follow(shown(receipt))
    for said in (people.TOLD, people.WHEN, people.WHERE):
        assert said in triager.text()
    assert people.NAME not in triager.text()
    picture = triager.page.locator('img[src^="/equipe/evidencia/"]')
    shot = triager.page.request.get(triager.address + (picture.get_attribute("src") or ""))
    assert dict(Image.open(BytesIO(shot.body())).getexif()) == {}
    people.act(triager, "Começar a análise", "Começar a análise", {})
    assert triager.data("situacao") == "in_triage"
    people.act(triager, "Conferir o assunto", "Gravar o assunto", {"observacao": "Confere com o relato."})
    people.act(triager, "Determinar vistoria", "Determinar vistoria", {"verificar": ORDER})
    assert triager.data("situacao") == "in_verification"


def record_result(inspector: Watched, demonstration: Demonstration) -> None:
    """In the street: the agenda, the inspection, its result, the seal withdrawn."""
    people.sign_in(inspector, *demonstration.log_in(TOWN, "inspector"))
    inspector.follow(re.compile(re.escape(ORDER)))
    inspector.page.locator('input[name=resultado][value="rejected"]').check()
    inspector.page.get_by_label("O que foi encontrado").fill(FOUND)
    inspector.page.locator("input[name=cancelar_selo]").check()
    inspector.press("Gravar o resultado")
    assert "Reprovado" in inspector.text()


def answer(triager: Watched, receipt: Receipt) -> None:
    """The page that was open is stale by now and keeps what was typed; then it is sent again."""
    typed = {"resposta": ANSWER, "providencia": MEASURE, "desfecho": "inspected"}
    people.act(triager, "Responder", "Responder e avisar", typed, 409)
    assert ANSWER in triager.text()
    triager.open(f"/equipe/casos/{receipt.protocol}")
    people.act(triager, "Responder", "Responder e avisar", typed)
    assert triager.data("situacao") == "answered"


def read_answer(rider: Watched, demonstration: Demonstration, receipt: Receipt) -> None:
    """What was done stands on the rider's page, and the seal's page has changed with it."""
    assert people.open_case(rider, receipt, TOWN) == "answered"
    for said in (ANSWER, MEASURE, "O veículo foi vistoriado e reprovado"):
        assert said in rider.text()
    assert FOUND not in rider.text()
    rider.open(f"/s/{demonstration.seal(TOWN, 'valid').lower()}")
    assert rider.data("situacao-do-selo") == "revoked"


def shown(receipt: Receipt) -> str:
    """The protocol as people read it."""
    return f"{receipt.protocol[:4]} {receipt.protocol[4:8]} {receipt.protocol[8:]}"


def find_message(twilio: FakeTwilio, words: str) -> Taken | None:
    """The message with these words, once the gateway has it."""
    return next((message for message in list(twilio.taken) if fold(words) in fold(message.body)), None)


def states_of(product: Running, message: Taken) -> list[str]:
    """The state of the rows of the outbox that the gateway knows by this id."""
    with product.database.read() as session:
        return list(session.exec(select(Outbox.state).where(col(Outbox.gateway_id) == message.sid)).all())
