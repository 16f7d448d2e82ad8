"""The pages of what changed and what will change, and the addresses of what ended."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest
from starlette.testclient import TestClient

from gtfs.importing import Importing, PreparedFeed, import_feed
from gtfs.planning import Planning, cancel_plan, plan
from gtfs.publishing import RollingBack, rollback
from tests.browser.markup import Markup
from tests.conftest import StandingClock
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import prepare_real, prepare_small
from tests.gtfs.conftest import Town, add_town
from tests.gtfs.test_differences import PLANTED
from tests.machine import DATABASES
from web.app import create_app
from web.feed_tasks import compare_successions, publish_planned
from web.rider import change_sheet
from web.services import Services

pytestmark = pytest.mark.parametrize("database", DATABASES[:1], indirect=True)

TODAY, DAY = date(2026, 11, 30), date(2026, 12, 15)


@pytest.fixture(autouse=True)
def _ask_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test does not wait for the second in which a process does not ask again."""
    monkeypatch.setattr(change_sheet, "MEMORY_SECONDS", 0)


@pytest.fixture
def town(services: Services, clock: StandingClock) -> Town:
    return add_town(services.database, "vila", clock())


@pytest.fixture
def put(services: Services, town: Town, clock: StandingClock) -> Callable[..., int]:
    """Imports a feed, publishes it unless told otherwise, and lets the worker compare."""

    def put(prepared: PreparedFeed, publish: bool = True, compare: bool = True) -> int:
        with services.database.write() as session:
            number = import_feed(session, Importing(town.id, prepared, "ana", publish), clock()).number
        while compare and compare_successions(services, clock()):
            pass
        return number

    return put


@pytest.fixture
def schedule(services: Services, town: Town, clock: StandingClock) -> Callable[[int], None]:
    """Plans a version for DAY and lets the worker compare."""

    def schedule(number: int) -> None:
        with services.database.write() as session:
            plan(session, Planning(town.id, number, DAY, "bia", TODAY), clock())
        while compare_successions(services, clock()):
            pass

    return schedule


Put = Callable[..., int]
Schedule = Callable[[int], None]


def page(client: TestClient, path: str, status: int = 200) -> Markup:
    answer = client.get(path, follow_redirects=False)
    assert answer.status_code == status, path
    markup = Markup(answer.text)
    assert markup.count("h1") == 1
    return markup


def planted(change: str) -> PreparedFeed:
    return prepare_small(**PLANTED[change].files)


class TestPage:
    def test_what_was_published_is_told_with_its_day(self, client: TestClient, put: Put) -> None:
        put(prepare_small())
        assert "Desde que estes horários estão aqui nada mudou." in page(client, "/vila/o-que-mudou").text()
        put(planted("one more departure"))
        words = page(client, "/vila/o-que-mudou")
        assert "Desde 30/11/2026" in words.text()
        assert "Sentido Praia, dias úteis: 4 partidas (eram 3); horários novos: 08:00." in words.text()
        assert "/vila/o-que-mudou?linha=1" in words.links()

    def test_what_is_planned_comes_first_with_its_date(
        self, client: TestClient, put: Put, schedule: Schedule
    ) -> None:
        put(prepare_small())
        put(planted("one more departure"))
        schedule(put(planted("a line that has gone"), publish=False))
        words = page(client, "/vila/o-que-mudou").text()
        assert "A partir de 15/12/2026 Ainda não vale" in words
        assert words.index("A partir de 15/12/2026") < words.index("Desde 30/11/2026")
        assert "Linha 3 · Itaipuaçu termina" in words

    def test_one_line_and_one_stop_are_told_alone(self, client: TestClient, put: Put) -> None:
        put(prepare_small())
        put(planted("a line through a new stop"))
        line = page(client, "/vila/o-que-mudou?linha=1")
        assert "passa também em Posto" in line.text()
        assert "A parada começa" not in line.text()
        assert "/vila/linhas/1" in line.links()
        stop = page(client, "/vila/o-que-mudou?parada=posto")
        assert "A parada começa." in stop.text()
        assert "passa também" not in stop.text()
        assert "Nada muda nesta linha." in page(client, "/vila/o-que-mudou?linha=2").text()

    @pytest.mark.parametrize("query", ["linha=nada", "parada=%00", "linha=%3Cb%3E", "linha=", "outra=1"])
    def test_odd_filters_are_harmless(self, client: TestClient, put: Put, query: str) -> None:
        put(prepare_small())
        put(planted("one more departure"))
        assert "<b>" not in page(client, f"/vila/o-que-mudou?{query}").html

    def test_comparison_on_its_way_is_said_and_then_shown(
        self, client: TestClient, put: Put, services: Services, clock: StandingClock
    ) -> None:
        put(prepare_small())
        put(planted("one more departure"), compare=False)
        first = client.get("/vila/o-que-mudou")
        assert "As versões estão sendo comparadas" in first.text
        assert compare_successions(services, clock()) == 1
        again = client.get("/vila/o-que-mudou", headers={"If-None-Match": first.headers["etag"]})
        assert again.status_code == 200
        assert "horários novos" in again.text

    def test_last_change_stays_and_older_ones_leave_after_a_month(
        self, client: TestClient, put: Put, clock: StandingClock
    ) -> None:
        put(prepare_small())
        put(planted("one more departure"))
        clock.advance(timedelta(days=10))
        put(planted("a line that has gone"))
        words = page(client, "/vila/o-que-mudou").text()
        assert "Desde 10/12/2026" in words
        assert "Desde 30/11/2026" in words
        clock.advance(timedelta(days=25))
        words = page(client, "/vila/o-que-mudou").text()
        assert "Desde 10/12/2026" in words
        assert "Desde 30/11/2026" not in words

    def test_town_without_versions_says_so_and_tells_what_is_planned(
        self, client: TestClient, town: Town, put: Put, schedule: Schedule
    ) -> None:
        assert "ainda não publicou" in page(client, "/vila/o-que-mudou").text()
        schedule(put(prepare_small(), publish=False))
        assert "a partir de 15/12/2026" in page(client, "/vila/o-que-mudou").text()

    def test_planned_change_becomes_the_change_of_that_day(
        self, client: TestClient, put: Put, schedule: Schedule, services: Services, clock: StandingClock
    ) -> None:
        put(prepare_small())
        schedule(put(planted("a line that is new"), publish=False))
        assert page(client, "/vila/linhas/4", 404).text().count("começa em 15 de dezembro de 2026") == 1
        clock.now = clock.now.replace(day=15, month=12, hour=2, minute=59)
        assert publish_planned(services, clock()) == 0
        assert publish_planned(services, clock.advance(timedelta(minutes=1))) == 1
        assert publish_planned(services, clock()) == 0
        assert "Desde 15/12/2026" in page(client, "/vila/o-que-mudou").text()
        assert page(client, "/vila/linhas/4")

    def test_cancelled_plan_leaves_the_page(
        self, client: TestClient, put: Put, schedule: Schedule, services: Services, town: Town
    ) -> None:
        put(prepare_small())
        schedule(put(planted("a line that has gone"), publish=False))
        assert "A partir de" in page(client, "/vila/o-que-mudou").text()
        with services.database.write() as session:
            cancel_plan(session, town.id, 2)
        assert "A partir de" not in page(client, "/vila/o-que-mudou").text()

    def test_what_a_roll_back_took_back_is_told_no_more(
        self, client: TestClient, put: Put, services: Services, town: Town, clock: StandingClock
    ) -> None:
        put(prepare_small())
        put(planted("a line that is new"))
        with services.database.write() as session:
            rollback(session, RollingBack(town.id, "ana"), clock.advance(timedelta(days=1)))
        assert compare_successions(services, clock()) == 1
        words = page(client, "/vila/o-que-mudou").text()
        assert "Desde 01/12/2026" in words
        assert "termina" in words
        assert "começa" not in words

    def test_versions_told_of_are_given_as_files(self, client: TestClient, put: Put) -> None:
        put(prepare_small())
        put(planted("one more departure"))
        assert "/vila/gtfs/2.zip" in page(client, "/vila/o-que-mudou").links()
        assert client.get("/vila/gtfs/2.zip").content == planted("one more departure").raw

    def test_page_of_a_big_change_stays_light(self, client: TestClient, put: Put) -> None:
        put(prepare_small())
        put(prepare_real("hart-tampa"))
        answer = client.get("/vila/o-que-mudou", headers={"Accept-Encoding": "gzip"})
        assert "que não cabem aqui" in answer.text
        assert int(answer.headers["content-length"]) < 15_000

    def test_pages_lead_to_it(self, client: TestClient, put: Put) -> None:
        put(prepare_small())
        for path in ("/vila/", "/vila/linhas"):
            assert "/vila/o-que-mudou" in page(client, path).links()


def test_process_asks_what_was_compared_once_a_second(
    client: TestClient, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def list_comparisons(_: object, authority_id: int) -> tuple[str, ...]:
        asked.append(authority_id)
        return ()

    put(prepare_small())
    monkeypatch.setattr(change_sheet, "list_comparisons", list_comparisons)
    monkeypatch.setattr(change_sheet, "MEMORY_SECONDS", 3600)
    for path in ("linhas/1", "linhas/2", "paradas/praia", "o-que-mudou"):
        assert page(client, f"/vila/{path}")
    assert len(asked) == 1


class TestNote:
    def test_line_and_stop_that_changed_say_so_for_thirty_days(
        self, client: TestClient, put: Put, clock: StandingClock
    ) -> None:
        put(prepare_small())
        put(planted("a line through a new stop"))
        line, stop = page(client, "/vila/linhas/1"), page(client, "/vila/paradas/posto")
        assert "Desde 30/11/2026: esta linha muda: caminho." in line.text()
        assert "/vila/o-que-mudou?linha=1" in line.links()
        assert "Desde 30/11/2026: esta parada começa." in stop.text()
        assert "/vila/o-que-mudou?parada=posto" in stop.links()
        for path in ("/vila/linhas/2", "/vila/paradas/mercado"):
            assert "o-que-mudou" not in page(client, path).html
        clock.advance(timedelta(days=30))
        assert "esta linha muda" in page(client, "/vila/linhas/1").text()
        clock.advance(timedelta(days=1))
        assert "esta linha muda" not in page(client, "/vila/linhas/1").text()

    def test_planned_change_is_announced_before_its_date(
        self, client: TestClient, put: Put, schedule: Schedule
    ) -> None:
        put(prepare_small())
        before = client.get("/vila/linhas/3").headers["etag"]
        schedule(put(planted("a line that has gone"), publish=False))
        answer = client.get("/vila/linhas/3", headers={"If-None-Match": before})
        assert "A partir de 15/12/2026: esta linha termina." in answer.text


class TestAddresses:
    def test_line_that_ended_leads_to_what_serves_instead(self, client: TestClient, put: Put) -> None:
        routes = small.ROUTES + "L9,VILA,9,Circular da Noite,3,,\n"
        trips = small.TRIPS + "L9,U,nove,,,\n"
        times = small.STOP_TIMES + "nove,1,C,20:00:00,20:00:00\nnove,2,M,,\nnove,3,Q,20:20:00,20:20:00\n"
        put(prepare_small(routes_txt=routes, trips_txt=trips, stop_times_txt=times))
        put(prepare_small())
        markup = page(client, "/vila/linhas/9", 410)
        assert "Linha 9 · Circular da Noite" in markup.text()
        assert "30 de novembro de 2026" in markup.text()
        assert {"/vila/linhas/1", "/vila/linhas/2", "/vila/linhas", "/vila/o-que-mudou"} <= set(markup.links())
        assert client.get("/vila/linhas/9").headers["cache-control"] == "no-store"

    def test_what_serves_instead_is_there_still(self, client: TestClient, put: Put) -> None:
        put(prepare_small(routes_txt=small.ROUTES + "L4,VILA,4,Ponta Negra,3,,\n"))
        put(planted("a stop that has gone"))
        assert page(client, "/vila/paradas/mercado", 410)
        put(planted("a line that has gone"))
        assert page(client, "/vila/paradas/mercado")
        markup = page(client, "/vila/linhas/3", 410)
        assert "O que serve no lugar" not in markup.text()

    @pytest.mark.parametrize(
        ("change", "old", "new"),
        [
            ("a line with another id and number on the same way", "linhas/2", "linhas/20"),
            ("a stop with another id and name at the same place", "paradas/praca", "paradas/largo"),
        ],
    )
    def test_line_or_stop_with_a_new_address_is_found_under_the_old_one(
        self, client: TestClient, put: Put, change: str, old: str, new: str
    ) -> None:
        put(prepare_small())
        put(planted(change))
        answer = client.get(f"/vila/{old}?dia=2026-12-01&authority=x", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (301, f"/vila/{new}?dia=2026-12-01")
        assert answer.headers["cache-control"] == "no-store"

    def test_rolling_back_turns_the_way_round(
        self, client: TestClient, put: Put, services: Services, town: Town, clock: StandingClock
    ) -> None:
        put(prepare_small())
        put(planted("a line with another id and number on the same way"))
        with services.database.write() as session:
            rollback(session, RollingBack(town.id, "ana"), clock())
        assert page(client, "/vila/linhas/2")
        assert page(client, "/vila/linhas/20", 410)
        assert compare_successions(services, clock()) == 1
        answer = client.get("/vila/linhas/20", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (301, "/vila/linhas/2")

    def test_draft_and_nonsense_are_not_found(self, client: TestClient, put: Put) -> None:
        put(prepare_small())
        put(planted("a line that is new"), publish=False)
        assert page(client, "/vila/linhas/4", 404)
        assert page(client, "/vila/paradas/nada", 404)


def test_published_or_rolled_back_shows_in_every_process_at_once(
    services: Services, put: Put, town: Town, clock: StandingClock
) -> None:
    """Two processes on one database; no answer may be kept for more than two seconds without asking again."""
    put(prepare_small())
    with (
        TestClient(create_app(services)) as one,
        TestClient(create_app(replace(services))) as other,
    ):
        paths = ("/vila/linhas", "/vila/linhas/1", "/vila/paradas/praia", "/vila/o-que-mudou", "/vila/gtfs.zip")
        tags = {(client, path): client.get(path).headers["etag"] for client in (one, other) for path in paths}
        put(planted("one more departure"))
        for (client, path), tag in tags.items():
            answer = client.get(path, headers={"If-None-Match": tag})
            assert answer.status_code == 200, path
            keep = answer.headers["cache-control"]
            assert keep in ("public, max-age=1", "public, max-age=2", "public, no-cache"), path
        assert all("08:00" in client.get("/vila/linhas/1?dia=2026-12-01").text for client in (one, other))
        with services.database.write() as session:
            rollback(session, RollingBack(town.id, "ana"), clock())
        for client in (one, other):
            assert "08:00" not in client.get("/vila/linhas/1?dia=2026-12-01").text
            assert client.get("/vila/gtfs.zip").content == small.small_feed()
