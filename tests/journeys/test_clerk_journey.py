"""A clerk with a keyboard: a file sent and followed, its draft walked through, planned, shown, changed in part."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import DESK, PHONE
from tests.browser.demonstration import Demonstration
from tests.browser.running import Running
from tests.browser.watching import Watched
from tests.gtfs.small_feed import STOP_TIMES, STOPS, small_feed
from tests.journeys import people
from tests.journeys.people import browsing

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TOWN = "marica"
FEEDS = "/equipe/horarios"
MOST_TABS = 120


@pytest.mark.parametrize(("scripts", "device"), [(True, DESK), (False, PHONE)], ids=["js", "no-js"])
def test_a_clerk_brings_in_a_feed_by_keyboard(
    chromium: Browser,
    new_demonstration: Callable[[str], Demonstration],
    tmp_path: Path,
    scripts: bool,
    device: dict[str, Any],
) -> None:
    demonstration = new_demonstration("sqlite")
    with Running(demonstration) as product:
        product.serve("--with-worker")
        with browsing(chromium, product.address, scripts, device) as clerk:
            people.sign_in(clerk, *demonstration.log_in(TOWN, "clerk"))
            broken = small_feed(stop_times_txt=STOP_TIMES.replace("ida-0600,2,M", "ida-0600,2,NADA"))
            refused = send(clerk, tmp_path / "quebrada.zip", broken)
            assert "O arquivo foi recusado" in refused
            assert "stop_times.txt, linha 3" in refused
            ready = send(clerk, tmp_path / "rede.zip", small_feed())
            assert "Está em rascunho" in ready
            enter(clerk, "Abrir a versão")
            number = clerk.page.url.rsplit("/", 1)[1]
            enter(clerk, "Ver como os passageiros verão")
            enter(clerk, "Centro x Praia")
            assert "06:00" in clerk.text()
            enter(clerk, f"Voltar à versão {number}")
            plan_then_show(clerk, number)
            replace_a_file(clerk, tmp_path / "stops.txt", number)
            clerk.open(FEEDS)
        with browsing(chromium, product.address, scripts, device) as rider:
            rider.open(f"/{TOWN}/linhas/1")
            assert "06:00" in rider.text()


def send(clerk: Watched, file: Path, content: bytes) -> str:
    """Choose a file, send it, and wait until the worker is done with it; the page's text."""
    file.write_bytes(content)
    clerk.open(FEEDS)
    clerk.page.get_by_label("Arquivo .zip").set_input_files(file)
    enter(clerk, "Enviar e conferir", "button")
    return wait_for_the_worker(clerk)


def wait_for_the_worker(clerk: Watched) -> str:
    """With scripts the page tells by itself; without, its link is followed."""
    for _ in range(60):
        if clerk.scripts:
            expect(clerk.page.get_by_text("Ver como está")).to_have_count(0, timeout=60_000)
        if not clerk.page.get_by_text("Ver como está").count():
            clerk.check()
            return clerk.text()
        clerk.page.wait_for_timeout(500)
        enter(clerk, "Ver como está")
    raise AssertionError("the worker never ended")


def plan_then_show(clerk: Watched, number: str) -> None:
    """A day without a date is told; a day set is taken back; then it is shown at once."""
    enter(clerk, "Publicar")
    clerk.page.get_by_label("Em um dia marcado").check()
    enter(clerk, "Publicar", "button", 422)
    assert "Escreva o dia" in clerk.text()
    clerk.page.locator("#campo-dia").fill((date.today() + timedelta(days=9)).isoformat())
    enter(clerk, "Publicar", "button")
    assert "Será publicada em" in clerk.text()
    clerk.open(f"{FEEDS}/{number}")
    enter(clerk, "Cancelar a publicação marcada", "button")
    clerk.open(f"{FEEDS}/{number}/publicar")
    enter(clerk, "Publicar", "button")
    assert "já vê esta versão" in clerk.text()


def replace_a_file(clerk: Watched, file: Path, number: str) -> None:
    """What changes is seen first, and then left as it was."""
    file.write_text(STOPS.replace("Mercado", "Feira"))
    clerk.open(f"{FEEDS}/{number}/arquivos")
    clerk.page.get_by_label("Qual arquivo").select_option("stops.txt")
    clerk.page.get_by_label("Arquivo novo").set_input_files(file)
    enter(clerk, "Ver o que muda", "button")
    assert "para “Feira”" in wait_for_the_worker(clerk)
    enter(clerk, "Deixar como está", "button")
    assert "Nada mudou" in clerk.text()


def enter(clerk: Watched, name: str, role: str = "link", status: int = 200) -> None:
    """Tab to the first link or button with this name, as somebody without a mouse, and press Enter."""
    target = clerk.page.get_by_role("button" if role == "button" else "link", name=name).first
    wanted = target.element_handle()
    for _ in range(MOST_TABS):
        clerk.page.keyboard.press("Tab")
        if clerk.page.evaluate("wanted => document.activeElement === wanted", wanted):
            with clerk.page.expect_navigation() as navigation:
                clerk.page.keyboard.press("Enter")
            answer = navigation.value
            assert answer is not None
            assert answer.status == status, f"{answer.url} answered {answer.status}: {clerk.text()[:400]}"
            clerk.check(status)
            return
    raise AssertionError(f"{name!r} is not reached by keyboard on {clerk.page.url}")
