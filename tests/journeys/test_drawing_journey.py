"""A clerk without a feed draws a line on a phone: a slip corrected, the preview, the file handed over."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from tests.browser.demonstration import Demonstration
from tests.browser.running import running
from tests.browser.watching import Watched
from tests.journeys import people
from tests.journeys.people import browsing

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TOWN = "marica"
STOPS = "nome\tlatitude\tlongitude\nRodoviária\t-22,92\t-42,82\nMercado\t-22,925\t-42,82\nPraia\t-22,94\t-42,82"


@pytest.mark.parametrize("scripts", [True, False], ids=["js", "no-js"])
def test_a_clerk_draws_a_line_on_a_phone(
    chromium: Browser, new_demonstration: Callable[[str], Demonstration], scripts: bool
) -> None:
    demonstration = new_demonstration("sqlite")
    with running(demonstration) as product, browsing(chromium, product.address, scripts) as clerk:
        people.sign_in(clerk, *demonstration.log_in(TOWN, "clerk"))
        clerk.open("/equipe/linhas")
        clerk.open("/equipe/linhas/dias")
        clerk.open("/equipe/linhas/orgao")
        paste_stops(clerk)
        draw_line(clerk)
        clerk.open("/equipe/linhas/paradas")
        hand_over(clerk)


def paste_stops(clerk: Watched) -> None:
    """The table is seen before it is kept."""
    clerk.open("/equipe/linhas/colar")
    clerk.page.get_by_label("Paradas", exact=True).check()
    clerk.page.get_by_label("Células coladas").fill(STOPS.replace("-22,94", "-42,94"))
    clerk.press("Conferir", 422)
    assert "Linha 4" in clerk.text()
    clerk.page.get_by_label("Células coladas").fill(STOPS)
    clerk.press("Conferir")
    assert "Mercado" in clerk.text()
    clerk.press("Gravar no rascunho")


def draw_line(clerk: Watched) -> None:
    """A wrong time is told beside its box; then the page is the rider's."""
    clerk.follow("Nova linha")
    page = clerk.page
    page.get_by_label("Código").fill("V01")
    page.get_by_label("Nome", exact=True).fill("Centro x Praia")
    page.get_by_label("Paradas da ida, com os minutos").fill("Rodoviária\nMercado\nPraia 20")
    page.get_by_label("Ida: Dias úteis").fill("5h30 6:10 7")
    page.get_by_label("Volta: Dias úteis").fill("a cada 30 min das 6:00 às 20:00")
    clerk.press("Gravar e ver a prévia", 422)
    assert "«7» não é uma hora" in clerk.text()
    page.get_by_label("Ida: Dias úteis").fill("5h30 6:10 7h")
    clerk.press("Gravar e ver a prévia")
    for words in ("Prévia", "05:30", "07:00", "Sentido Praia", "Projeto técnico"):
        assert words in clerk.text()


def hand_over(clerk: Watched) -> None:
    """The report first, then the page of the upload."""
    clerk.open("/equipe/linhas")
    clerk.press("Conferir e gerar")
    assert "O arquivo pode ser publicado" in clerk.text()
    clerk.press("Enviar como nova versão")
    assert clerk.page.url.endswith("/equipe/horarios/envios/1")
