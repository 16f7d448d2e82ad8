"""After the receipt: a question and its answer, a file, the end, rating, review, own data; every page watched."""

import pytest
from playwright.sync_api import Browser, FilePayload

from tests.browser.demonstration import Demonstration
from tests.browser.running import Running
from tests.browser.watching import Watched
from tests.fake_twilio import FakeTwilio
from tests.journeys import people
from tests.journeys.people import Receipt, browsing

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TOWN = "marica"
VOICE: FilePayload = {"name": "voz.ogg", "mimeType": "audio/ogg", "buffer": b"OggS" + bytes(200)}


@pytest.mark.parametrize("scripts", [True, False], ids=["js", "no-js"])
def test_question_answer_review_and_erasure(
    chromium: Browser, demonstration: Demonstration, twilio: FakeTwilio, scripts: bool
) -> None:
    with Running(demonstration, twilio) as product:
        product.serve("--with-worker")
        with (
            browsing(chromium, product.address, scripts) as rider,
            browsing(chromium, product.address, scripts) as triager,
        ):
            rider.open(f"/{TOWN}/reclamar?linha=V01")
            receipt = people.complain(rider)
            people.sign_in(triager, *demonstration.log_in(TOWN, "triager"))
            ask_and_answer(rider, triager, receipt)
            handle_file(triager, receipt)
            end_and_review(rider, triager, receipt)
            erase(rider, receipt)
        assert demonstration.run("case", "verify", TOWN).returncode == 0


def ask_and_answer(rider: Watched, triager: Watched, receipt: Receipt) -> None:
    """The desk asks, the clock stops, the rider answers with a voice message."""
    triager.open(f"/equipe/casos/{receipt.protocol}")
    people.act(triager, "Pedir uma informação", "Pedir a informação", {"pergunta": "Em que ponto foi?"})
    assert triager.data("situacao") == "complement_requested"
    triager.open("/equipe/casos")
    assert "Parado até" in triager.text()
    assert people.open_case(rider, receipt, TOWN) == "complement_requested"
    assert "Em que ponto foi?" in rider.text()
    rider.page.get_by_label("O que você quer acrescentar?").fill("No ponto da praça")
    rider.page.locator("input[name=anexo]").set_input_files([VOICE])
    rider.press("Acrescentar")
    assert "áudio, 204 bytes" in rider.text()
    assert rider.data("situacao") == "in_triage"


def handle_file(triager: Watched, receipt: Receipt) -> None:
    """The recording is sealed, and can be taken from view and shown again."""
    triager.open(f"/equipe/casos/{receipt.protocol}")
    assert "guardado lacrado" in triager.text()
    link = triager.page.get_by_role("link", name="Original do anexo").last
    triager.open(link.get_attribute("href") or "")
    triager.open(f"/equipe/casos/{receipt.protocol}")
    hide = triager.page.get_by_role("link", name="Ocultar o anexo").last.get_attribute("href") or ""
    for button in ("Ocultar", "Mostrar de novo"):
        triager.open(hide)
        triager.page.get_by_label("Motivo").fill("Voz de uma criança")
        triager.press(button)
    assert "Anexo mostrado de novo" in triager.text()


def end_and_review(rider: Watched, triager: Watched, receipt: Receipt) -> None:
    """Answer, rating, a review that keeps the answer."""
    typed = {"resposta": "Vistoriamos a van.", "providencia": "Vistoria", "desfecho": "inspected"}
    people.act(triager, "Responder", "Responder e avisar", typed)
    assert people.open_case(rider, receipt, TOWN) == "answered"
    rider.page.get_by_label("Resolveu em parte").check()
    rider.press("Avaliar")
    assert "Obrigado pela avaliação" in rider.text()
    rider.page.get_by_label("O que a resposta não resolveu?").fill("A porta continua aberta")
    rider.press("Pedir revisão")
    triager.open("/equipe/casos")
    assert "Pedido de revisão" in triager.text()
    triager.open(f"/equipe/casos/{receipt.protocol}")
    people.act(triager, "Manter a resposta", "Manter a resposta", {"motivo": "A van está parada"})
    people.open_case(rider, receipt, TOWN)
    assert "A van está parada" in rider.text()


def erase(rider: Watched, receipt: Receipt) -> None:
    """The rider sees their data and erases them."""
    rider.press("Ver, corrigir ou apagar meus dados")
    assert people.NAME in rider.text()
    rider.page.locator("summary", has_text="Apagar meus dados").click()
    rider.page.get_by_label("Quero apagar nome, telefone e e-mail").check()
    rider.press("Apagar")
    assert "Não guardamos nome" in rider.text()
    rider.press("Voltar ao caso")
    assert "Você apagou seus dados" in rider.text()
