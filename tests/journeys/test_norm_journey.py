"""The administrator decides what the law leaves open; a rider asks who pays and is told what is still open."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, FilePayload

from tests.browser.demonstration import Demonstration
from tests.browser.running import running
from tests.browser.watching import Watched
from tests.journeys import people
from tests.journeys.people import browsing

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TOWN = "marica"
ACT = {"instrumento": "Portaria EPT 9/2026"}
ANNEX = "infracao,grupo,item\ninf-fumar,A,\ninf-voar,B,\n"


@pytest.mark.parametrize("scripts", [True, False], ids=["js", "no-js"])
def test_administrator_decides_and_rider_asks(
    chromium: Browser, new_demonstration: Callable[[str], Demonstration], scripts: bool
) -> None:
    demonstration = new_demonstration("sqlite")
    with running(demonstration) as product:
        with browsing(chromium, product.address, scripts) as administrator:
            people.sign_in(administrator, *demonstration.log_in(TOWN, "administrator"))
            decide_a_reading(administrator)
            send_a_wrong_annex_and_then_a_good_one(administrator)
            for page in ("unidade", "calendario", "expediente"):
                administrator.open(f"/equipe/norma/{page}")
        with browsing(chromium, product.address, scripts) as rider:
            ask_who_pays(rider)


def decide_a_reading(administrator: Watched) -> None:
    """Without an instrument the act is refused; with one it is in the history."""
    administrator.open("/equipe/norma")
    administrator.follow("Até quando a criança de colo não paga?")
    administrator.page.get_by_label("Até a véspera dos cinco anos.").check()
    administrator.press("Registrar o ato", 422)
    assert "Diga que ato decide isto" in administrator.text()
    administrator.page.get_by_label("Instrumento").fill(ACT["instrumento"])
    administrator.press("Registrar o ato")
    assert "Gravado." in administrator.text()
    administrator.follow("Até quando a criança de colo não paga?")
    assert ACT["instrumento"] in administrator.text()


def send_a_wrong_annex_and_then_a_good_one(administrator: Watched) -> None:
    """The wrong line is named; the good file is shown before it is stored."""
    administrator.open("/equipe/norma/anexo")
    administrator.page.get_by_label("Instrumento").fill(ACT["instrumento"])
    for content, status, told in (
        (ANNEX, 422, "Linha 3: não há infração 'inf-voar'"),
        (ANNEX.replace("inf-voar", "inf-som-alto"), 200, "2 de 73 linhas têm grupo"),
    ):
        file: FilePayload = {"name": "anexo.csv", "mimeType": "text/csv", "buffer": content.encode()}
        administrator.page.get_by_label("Arquivo CSV").set_input_files(file)
        administrator.press("Conferir", status)
        assert told in administrator.text()
    administrator.press("Gravar o anexo")
    assert "em vigor desde" in administrator.text()


def ask_who_pays(rider: Watched) -> None:
    """Question by question, in a town where people pay."""
    rider.open("/marechal-floriano/tarifas")
    rider.follow("Ver se uma pessoa paga")
    rider.page.get_by_label("Policial militar").check()
    rider.press("Ver quem paga")
    for question in ("Está trabalhando na hora da viagem?", "Está de uniforme?"):
        assert question in rider.text()
        rider.page.get_by_label("Sim").check()
        rider.press("Continuar")
    assert "Não paga" in rider.text()
    assert "art. 25, II" in rider.text()
    rider.follow("Consultar de novo")
