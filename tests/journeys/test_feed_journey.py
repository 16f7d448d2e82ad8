"""A feed from the clerk's file to the rider's stop; a broken one refused; a second one published, rolled back."""

from datetime import date, timedelta
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser
from sqlmodel import func, select

from gtfs.tables import FeedVersion
from tests.browser.demonstration import Demonstration
from tests.browser.running import Running, running
from tests.browser.watching import Watched
from tests.gtfs.small_feed import CALENDAR, ROUTES, STOP_TIMES, small_feed
from tests.journeys.people import browsing

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TOWN = "marica"
LINE = f"/{TOWN}/linhas/1"
TODAY = date.today()
NEXT_MONDAY = TODAY + timedelta(days=7 - TODAY.weekday())
DAYS = CALENDAR.replace(
    "20260101,20271231", f"{TODAY - timedelta(days=30):%Y%m%d},{TODAY + timedelta(days=90):%Y%m%d}"
)
FIRST = small_feed(calendar_txt=DAYS, calendar_dates_txt=None)
SECOND = small_feed(
    calendar_txt=DAYS,
    calendar_dates_txt=None,
    routes_txt=ROUTES.replace("Centro x Praia", "Centro x Praia Nova"),
    stop_times_txt=STOP_TIMES.replace("C,06:00:00,06:00:00", "C,05:50:00,05:50:00"),
)
BROKEN = small_feed(stop_times_txt=STOP_TIMES.replace("ida-0600,2,M", "ida-0600,2,NADA"))


def test_feed_from_the_file_to_the_stop_and_back_again(
    chromium: Browser, demonstration: Demonstration, tmp_path: Path
) -> None:
    with running(demonstration) as product:
        publish(demonstration, tmp_path, "primeira.zip", FIRST)
        for scripts in (True, False):
            with browsing(chromium, product.address, scripts) as rider:
                find_line(rider)
                find_stop(rider)
        shows(chromium, product, FIRST, "Centro x Praia", "06:00")
        refuse_broken(product, tmp_path)
        shows(chromium, product, FIRST, "Centro x Praia", "06:00")
        publish(demonstration, tmp_path, "segunda.zip", SECOND)
        shows(chromium, product, SECOND, "Centro x Praia Nova", "05:50")
        assert demonstration.run("feed", "rollback", TOWN).returncode == 0
        shows(chromium, product, FIRST, "Centro x Praia", "06:00")


def publish(demonstration: Demonstration, folder: Path, name: str, feed: bytes) -> None:
    """Import a feed and show it to riders at once."""
    (folder / name).write_bytes(feed)
    done = demonstration.run("feed", "import", TOWN, str(folder / name), "--publish")
    assert done.returncode == 0, done.stdout + done.stderr


def refuse_broken(product: Running, folder: Path) -> None:
    """A feed with an unknown stop: exit code 2, one line, a report with file, row and fault, no version stored."""
    before = count_versions(product)
    (folder / "quebrada.zip").write_bytes(BROKEN)
    done = product.demonstration.run("feed", "import", TOWN, str(folder / "quebrada.zip"), "--publish")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "stop_times.txt, linha 3" in done.stdout
    assert "NADA" in done.stdout
    assert count_versions(product) == before


def count_versions(product: Running) -> int:
    """The versions of feeds that are stored."""
    with product.database.read() as session:
        return session.exec(select(func.count()).select_from(FeedVersion)).one()


def find_line(rider: Watched) -> None:
    """From the town to its lines, by searching, to the line."""
    rider.open(f"/{TOWN}/")
    rider.follow("Linhas")
    rider.page.get_by_label("Número, nome, bairro ou parada").fill("praia")
    if rider.scripts:
        rider.page.get_by_text("1 linha com “praia”").wait_for()
        rider.check()
    else:
        rider.press("Procurar")
    rider.follow("Centro x Praia")
    assert rider.page.url.endswith(LINE)


def find_stop(rider: Watched) -> None:
    """From the line to a stop: what leaves next, and what leaves on Monday morning, estimated times marked."""
    rider.follow("Mercado")
    assert rider.page.locator("table time").count() > 0
    rider.page.get_by_label("Dia").fill(NEXT_MONDAY.isoformat())
    rider.page.get_by_label("Hora").fill("05:45")
    rider.press("Ver")
    assert rider.page.locator("table").first.locator("tbody tr").first.inner_text().split() == [
        "≈",
        "06:05",
        "1",
        "Praia",
    ]


def shows(chromium: Browser, product: Running, feed: bytes, name: str, leaves: str) -> None:
    """Somebody who comes for the first time sees this feed, and other software gets its very bytes."""
    with browsing(chromium, product.address, scripts=False) as rider:
        rider.open(LINE)
        assert rider.page.locator("h1").inner_text().strip() == f"Linha 1 · {name}"
        assert leaves in rider.text()
    answer = httpx2.get(f"{product.address}/{TOWN}/gtfs.zip", timeout=30)
    assert answer.status_code == 200
    assert answer.content == feed
