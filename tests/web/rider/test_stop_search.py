"""The page that finds stops by words or by place."""

import logging
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from gtfs.importing import Importing, import_feed
from tests.browser.markup import Markup
from tests.conftest import StandingClock
from tests.gtfs.compiled_feeds import prepare_small
from tests.gtfs.conftest import add_town
from web.rider.stop_search import distance_in_words
from web.services import Services

Show = Callable[[str], Markup]


@pytest.fixture
def show(client: TestClient, services: Services, clock: StandingClock) -> Show:
    """Opens `/vila/paradas` with a query, on our own small feed."""
    town = add_town(services.database, "vila", clock())
    with services.database.write() as session:
        import_feed(session, Importing(town.id, prepare_small(), "ana", publish=True), clock())

    def show(query: str) -> Markup:
        answer = client.get(f"/vila/paradas{query}")
        assert answer.status_code == 200
        return Markup(answer.text)

    return show


def stops(markup: Markup) -> list[str]:
    return [link.rpartition("/")[2] for link in markup.links() if link.startswith("/vila/paradas/")]


def test_page_asks_what_to_look_for(show: Show) -> None:
    markup = show("")
    assert stops(markup) == []
    assert "Escreva uma rua, um bairro ou um lugar" in markup.text()


@pytest.mark.parametrize(
    ("query", "found", "words"),
    [
        ("?q=mercado", ["mercado"], "1 parada com “mercado”"),
        ("?q=104", ["praia"], "1 parada com “104”"),
        ("?q=rodoviaria", ["rodoviaria-centro"], "1 parada com"),
        ("?q=merkado", ["mercado"], "Resultados parecidos com “merkado”: 1 parada."),
        ("?q=aeroporto", [], "Nenhuma parada tem essas palavras"),
        ("?lat=-22.9205&lon=-42.8201", ["rodoviaria-centro", "mercado"], "Paradas perto de você"),
        ("?lat=10&lon=10", [], "Não há paradas a menos de 3 km"),
    ],
)
def test_stops_are_found_by_words_or_place(show: Show, query: str, found: list[str], words: str) -> None:
    markup = show(query)
    assert stops(markup)[: len(found)] == found
    assert bool(stops(markup)) == bool(found)
    assert words in markup.text()
    assert markup.count("h1") == 1


def test_stop_found_says_its_lines_and_how_far_it_is(show: Show) -> None:
    words = " ".join(show("?lat=-22.9205&lon=-42.82").text().split())
    assert "Rodoviária Centro parada 101 a 60 m 1, 2" in words
    assert "Bairro Novo parada 106 a 2,5 km 2" in words


def test_place_is_kept_nowhere(
    show: Show, client: TestClient, caplog: pytest.LogCaptureFixture, services: Services
) -> None:
    show("")
    with caplog.at_level(logging.DEBUG, "selo"):
        answer = client.get("/vila/paradas?lat=-22.9205&lon=-42.8201")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "ETag" not in answer.headers
    assert "22.92" not in answer.text
    assert not [record for record in caplog.records if "22.92" in record.getMessage() + repr(record.args)]


def test_only_this_page_may_ask_the_device_where_it_is(show: Show, client: TestClient) -> None:
    show("")
    assert "geolocation=(self)" in client.get("/vila/paradas").headers["Permissions-Policy"]
    assert "geolocation=()" in client.get("/vila/linhas").headers["Permissions-Policy"]


@pytest.mark.parametrize(
    "query", ["?lat=91&lon=0", "?lat=x&lon=1", "?lat=-22.9", "?lon=3", "?lat=nan&lon=1", "?lat=٣&lon=3"]
)
def test_what_is_no_place_is_said_plainly(show: Show, client: TestClient, query: str) -> None:
    show("")
    answer = client.get(f"/vila/paradas{query}")
    assert answer.status_code == 422
    assert "Não entendemos a sua localização" in answer.text


def test_list_of_lines_leads_here_and_says_when_results_are_only_alike(show: Show, client: TestClient) -> None:
    show("")
    lines = Markup(client.get("/vila/linhas?q=itaipuasu").text)
    assert "/vila/paradas" in lines.links()
    assert "Resultados parecidos com “itaipuasu”: 1 linha." in lines.text()
    assert "parecidos" not in client.get("/vila/linhas?q=itaipuacu").text


@pytest.mark.parametrize(
    ("metres", "words"),
    [(0, "10 m"), (14, "10 m"), (15, "20 m"), (994, "990 m"), (995, "1,0 km"), (2449, "2,4 km")],
)
def test_distances_have_words(metres: int, words: str) -> None:
    assert distance_in_words(metres) == words
