"""The pages of changes in a real Chromium: read on a narrow screen, without scripts, without barriers."""

import socket
from collections.abc import Callable, Iterator
from datetime import date
from threading import Thread

import pytest
import uvicorn
from playwright.sync_api import Browser, expect

from gtfs.importing import Importing, PreparedFeed, import_feed
from gtfs.planning import Planning, plan
from tests.browser.watching import Watched
from tests.conftest import StandingClock
from tests.gtfs.compiled_feeds import prepare_small
from tests.gtfs.conftest import add_town
from tests.gtfs.test_differences import PLANTED
from tests.machine import DATABASES
from web.app import create_app
from web.feed_tasks import compare_successions
from web.services import Services

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.parametrize("database", DATABASES[:1], indirect=True),
]


@pytest.fixture
def address(services: Services, clock: StandingClock) -> Iterator[str]:
    """A server with a town where a stop has gone and a line is planned to get another number."""
    town = add_town(services.database, "vila", clock())

    def put(prepared: PreparedFeed, publish: bool) -> None:
        with services.database.write() as session:
            import_feed(session, Importing(town.id, prepared, "ana", publish), clock())

    put(prepare_small(), True)
    put(prepare_small(**PLANTED["a stop that has gone"].files), True)
    put(prepare_small(**PLANTED["a line that has gone"].files), False)
    with services.database.write() as session:
        plan(session, Planning(town.id, 3, date(2026, 12, 15), "bia", date(2026, 11, 30)), clock())
    while compare_successions(services, clock()):
        pass
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
def test_rider_reads_what_changes_and_finds_what_serves_instead(
    watch: Callable[[bool], Watched], scripts: bool
) -> None:
    seen = watch(scripts)
    seen.open("/vila/linhas/3")
    seen.follow("Ver o que muda")
    expect(seen.page.get_by_role("heading", level=2).first).to_have_text("A partir de 15/12/2026")
    seen.follow("Ver todas as mudanças")
    expect(seen.page.get_by_text("A parada termina.")).to_be_visible()
    seen.open("/vila/paradas/mercado", status=410)
    expect(seen.page.get_by_role("heading", level=1)).to_have_text("Parada Mercado")
