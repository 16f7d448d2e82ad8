"""A day at the desk on a wide screen: the queue, a caller on the phone, messages, and the way out."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import DESK
from tests.browser.demonstration import Demonstration
from tests.browser.running import running
from tests.browser.watching import Watched
from tests.journeys import people
from tests.journeys.people import Receipt, browsing

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TOWN = "marica"
TOLD = "Dona Maria ligou: o elevador do ônibus não funciona e ela ficou no ponto."


@pytest.mark.parametrize("scripts", [True, False], ids=["js", "no-js"])
def test_attendant_files_for_a_caller_and_finds_the_case_and_its_messages(
    chromium: Browser, new_demonstration: Callable[[str], Demonstration], scripts: bool
) -> None:
    demonstration = new_demonstration("sqlite")
    with running(demonstration) as product, browsing(chromium, product.address, scripts, DESK) as attendant:
        come_in(attendant, *demonstration.log_in(TOWN, "attendant"))
        narrow_the_queue(attendant)
        receipt = file_for_caller(attendant, demonstration)
        find_by_protocol(attendant, receipt)
        see_who_complained(attendant)
        text_as_a_rider(attendant, receipt)
        for page in ("Vistorias", "Veículos", "Minha senha"):
            attendant.follow(page)
        attendant.press("Sair")
        attendant.open("/equipe/casos")
        assert attendant.page.url.endswith("/equipe/entrar?volta=/equipe/casos")


def come_in(attendant: Watched, email: str, password: str) -> None:
    """A mistyped password first."""
    attendant.open("/equipe/entrar")
    attendant.page.get_by_label("E-mail").fill(email)
    attendant.page.get_by_label("Senha").fill(password[:-1])
    attendant.press("Entrar", 422)
    assert "O e-mail ou a senha não confere" in attendant.text()
    people.sign_in(attendant, email, password)
    assert attendant.page.locator("h1").inner_text() == "Fila de casos"


def narrow_the_queue(attendant: Watched) -> None:
    """Only closed cases: with JavaScript the list changes by itself, and the address with it."""
    rows = attendant.page.locator("#lista tbody tr")
    everything = rows.all_inner_texts()
    attendant.page.get_by_label("Situação").select_option("closed")
    if attendant.scripts:
        attendant.page.wait_for_url("**/equipe/casos?*situacao=closed*")
        attendant.check()
    else:
        attendant.press("Filtrar")
    assert rows.count() > 0
    assert set(rows.all_inner_texts()).isdisjoint(everything)


def file_for_caller(attendant: Watched, demonstration: Demonstration) -> Receipt:
    """The form for somebody on the phone; protocol and key to read aloud."""
    attendant.follow("Registrar caso")
    attendant.page.get_by_label("O que aconteceu?").fill(TOLD)
    attendant.page.get_by_label("Placa").fill(demonstration.plate(TOWN).lower())
    attendant.page.get_by_role("textbox", name="Nome").fill(people.NAME)
    attendant.page.get_by_label("Celular").fill(people.PHONE_TYPED)
    attendant.press("Registrar")
    return Receipt(attendant.data("protocolo"), attendant.data("chave"), attendant.data("prazo"))


def find_by_protocol(attendant: Watched, receipt: Receipt) -> None:
    """Typing a protocol into the queue's search leads to the case."""
    attendant.follow("Fila")
    attendant.page.get_by_label("Protocolo, placa ou prefixo").fill(receipt.protocol)
    if attendant.scripts:
        attendant.page.keyboard.press("Enter")
        attendant.page.wait_for_url(f"**/equipe/casos/{receipt.protocol}")
        attendant.check()
    else:
        attendant.press("Filtrar")
    assert attendant.page.url.endswith(f"/equipe/casos/{receipt.protocol}")
    assert TOLD in attendant.text()


def see_who_complained(attendant: Watched) -> None:
    """The identity is shown after a reason, not before."""
    assert people.NAME not in attendant.text()
    attendant.follow("Ver quem reclamou")
    attendant.press("Ver quem reclamou", 422)
    attendant.page.get_by_label("Por que você precisa saber?").fill("Ligar para confirmar o ponto")
    attendant.press("Ver quem reclamou")
    assert people.NAME in attendant.text()


def text_as_a_rider(attendant: Watched, receipt: Receipt) -> None:
    """The demonstration's telephone asks after the case, and the reply stands among the messages."""
    attendant.follow("Mensagens")
    attendant.page.get_by_label("Telefone de quem manda").fill(people.PHONE_TYPED)
    attendant.page.get_by_label("Mensagem", exact=True).fill(receipt.protocol)
    attendant.press("Mandar")
    newest = attendant.page.locator(".list .card").first.inner_text()
    assert f"Protocolo {receipt.protocol[:4]} {receipt.protocol[4:8]} {receipt.protocol[8:]}: Recebida" in newest
