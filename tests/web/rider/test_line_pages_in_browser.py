"""The pages of lines and stops in a real Chromium, with JavaScript on and off."""

import socket
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from threading import Thread

import pytest
import uvicorn
from playwright.sync_api import Browser, expect

from gtfs.importing import Importing, import_feed
from tests.browser.watching import Watched
from tests.conftest import StandingClock
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import prepare_small
from tests.gtfs.conftest import add_town
from tests.machine import DATABASES
from web.app import create_app
from web.services import Services

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.parametrize("database", DATABASES[:1], indirect=True),
]
TODAY = date(2026, 12, 1)


@pytest.fixture
def address(services: Services, clock: StandingClock) -> Iterator[str]:
    """A server with a town whose line 1 has a variant, on a Tuesday at six."""
    clock.now = datetime(TODAY.year, TODAY.month, TODAY.day, 9, tzinfo=UTC)
    trips = f"{small.TRIPS}L1,U,curta,Praia,0,\n"
    times = f"{small.STOP_TIMES}curta,1,M,12:00:00,12:00:00\ncurta,2,E,12:10:00,12:10:00\n"
    town = add_town(services.database, "vila", clock.now)
    with services.database.write() as session:
        prepared = prepare_small(trips_txt=trips, stop_times_txt=times)
        import_feed(session, Importing(town.id, prepared, "ana", publish=True), clock.now)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(services), log_config=None, ws="none", lifespan="off"))
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listener.close()


@pytest.fixture
def watch(chromium: Browser, address: str) -> Iterator[Callable[[bool], Watched]]:
    """Opens a watched page of that server, with or without scripts."""
    opened: list[Watched] = []

    def watch(scripts: bool) -> Watched:
        opened.append(Watched(chromium, address, scripts))
        return opened[-1]

    yield watch
    for page in opened:
        page.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_rider_finds_the_line_and_what_leaves_the_stop(watch: Callable[[bool], Watched], scripts: bool) -> None:
    seen = watch(scripts)
    seen.open("/vila/linhas")
    seen.follow("Centro x Praia")
    seen.reveal("Sentido Centro")
    seen.follow("Mercado")
    expect(seen.page.get_by_role("heading", level=1)).to_have_text("Mercado")
    expect(seen.page.get_by_role("row", name="06:05 1 Praia")).to_be_visible()
    seen.open("/vila/paradas/mercado?dia=2026-12-06")
    seen.open("/vila/linhas/1?dia=2026-12-06")
    seen.open("/vila/linhas/1?dia=nunca", status=422)
    seen.open("/vila/linhas/2")
    seen.open("/vila/linhas/3")
    seen.open("/vila/paradas/bairro-novo")


def test_filter_without_scripts_is_a_form(watch: Callable[[bool], Watched]) -> None:
    seen = watch(False)
    seen.open("/vila/linhas")
    seen.page.get_by_label("Número, nome, bairro ou parada").fill("itaipuacu")
    seen.press("Procurar")
    expect(seen.page.get_by_role("link", name="Itaipuaçu")).to_be_visible()
    expect(seen.page.get_by_role("link", name="Centro x Praia")).to_have_count(0)


def test_filter_with_scripts_answers_while_typing_and_keeps_its_address(watch: Callable[[bool], Watched]) -> None:
    seen = watch(True)
    seen.open("/vila/linhas")
    seen.page.get_by_label("Número, nome, bairro ou parada").press_sequentially("praia")
    expect(seen.page.get_by_role("link", name="Itaipuaçu")).to_have_count(0)
    expect(seen.page.get_by_role("link", name="Centro x Praia")).to_be_visible()
    seen.page.wait_for_url("**/vila/linhas?q=praia")
    assert seen.page.evaluate("document.activeElement.id") == "campo-q"
    seen.page.reload()
    expect(seen.page.get_by_role("link", name="Centro x Praia")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_map_vehicles_poster_and_search_of_stops_are_for_everybody(
    watch: Callable[[bool], Watched], scripts: bool
) -> None:
    seen = watch(scripts)
    seen.open("/vila/linhas/1")
    seen.follow("Mapa da linha")
    expect(seen.page.get_by_role("img", name="Mapa da linha 1")).to_be_visible()
    assert seen.page.evaluate("document.images[1].naturalWidth") > 400 if scripts else True
    seen.open("/vila/linhas/1/veiculos")
    seen.open("/vila/paradas?q=merkado")
    seen.follow("Mercado")
    seen.follow("Cartaz desta parada para imprimir")
    expect(seen.page.get_by_role("heading", name="Dias úteis")).to_be_visible()
    seen.open("/vila/paradas?lat=-22.9205&lon=-42.82")
    seen.open("/vila/paradas?lat=x&lon=1", status=422)


def test_stops_near_are_found_by_permission(watch: Callable[[bool], Watched]) -> None:
    seen = watch(True)
    seen.page.context.grant_permissions(["geolocation"])
    seen.page.context.set_geolocation({"latitude": -22.92049, "longitude": -42.82001})
    seen.open("/vila/paradas")
    seen.press("Ver as paradas perto de mim")
    seen.page.wait_for_url("**/vila/paradas?lat=-22.9205&lon=-42.8200")
    expect(seen.page.get_by_role("link", name="Rodoviária Centro")).to_contain_text("a 60 m")


def test_without_permission_the_page_says_what_to_do(watch: Callable[[bool], Watched]) -> None:
    seen = watch(True)
    seen.open("/vila/paradas")
    seen.page.get_by_role("button", name="Ver as paradas perto de mim").click()
    expect(seen.page.get_by_role("alert").filter(has_text="Escreva a rua")).to_be_visible()


def test_without_scripts_there_is_no_button_that_does_nothing(watch: Callable[[bool], Watched]) -> None:
    seen = watch(False)
    seen.open("/vila/paradas")
    expect(seen.page.get_by_role("button", name="Ver as paradas perto de mim")).to_have_count(0)


def test_folded_times_are_printed(watch: Callable[[bool], Watched]) -> None:
    seen = watch(True)
    seen.open("/vila/linhas/1")
    sunday = seen.page.get_by_text("08:00")
    expect(sunday).not_to_be_visible()
    seen.page.emulate_media(media="print")
    expect(sunday).to_be_visible()
