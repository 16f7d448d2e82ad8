"""The pages of lines and stops and the feed's zip, on our own small feed and on real ones."""

import gzip
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from io import BytesIO

import pytest
from sqlmodel import select
from starlette.testclient import TestClient

from complaints.authorities.tables import Authority
from gtfs.importing import Importing, PreparedFeed, import_feed
from tests.browser.markup import Markup
from tests.conftest import StandingClock
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import prepare_real, prepare_small
from tests.gtfs.conftest import Town, add_town
from tests.machine import DATABASES
from web.services import Services

Put = Callable[[PreparedFeed], None]

# Both databases store the same columns (tests/gtfs); for pages one is enough.
pytestmark = pytest.mark.parametrize("database", DATABASES[:1], indirect=True)


@pytest.fixture
def town(services: Services, now: datetime) -> Town:
    return add_town(services.database, "vila", now)


@pytest.fixture
def put(services: Services, town: Town, clock: StandingClock) -> Put:
    """Publishes a feed of the town."""

    def put(prepared: PreparedFeed) -> None:
        with services.database.write() as session:
            import_feed(session, Importing(town.id, prepared, "ana", publish=True), clock())

    return put


@pytest.fixture
def shown(put: Put) -> None:
    """Our own small feed, published."""
    put(prepare_small())


def page(client: TestClient, path: str, status: int = 200) -> Markup:
    response = client.get(path)
    assert response.status_code == status, path
    markup = Markup(response.text)
    assert markup.count("h1") == 1
    return markup


def text(client: TestClient, path: str) -> str:
    """The words of the page's content."""
    content = page(client, path).html.partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", content.replace("&nbsp;", " ")).split())


def item(html: str, name: str) -> str:
    """The words of the list entry of a stop."""
    found = re.search(rf"<li><a [^>]*>{name}</a>(.*?)</li>", html)
    assert found, name
    return found.group(1).replace("&nbsp;", " ").replace("\u00a0", " ").strip()


@pytest.mark.usefixtures("shown")
class TestList:
    def test_every_line_has_a_link_and_lines_without_trips_say_so(self, client: TestClient) -> None:
        markup = page(client, "/vila/linhas")
        lines = [link for link in markup.links() if link.startswith("/vila/linhas/")]
        assert lines == ["/vila/linhas/1", "/vila/linhas/2", "/vila/linhas/3"]
        assert "3 linhas" in markup.text()
        assert markup.text().count("horários a publicar") == 1

    @pytest.mark.parametrize(
        ("wanted", "found"), [("itaipuacu", 1), ("MERCADO", 1), ("centro", 2), ("9", 0), ("%", 0)]
    )
    def test_filter_works_as_a_plain_form_without_accents(
        self, client: TestClient, wanted: str, found: int
    ) -> None:
        markup = page(client, f"/vila/linhas?q={wanted}")
        assert sum(link.startswith("/vila/linhas/") for link in markup.links()) == found
        assert f'value="{wanted}"' in markup.html
        assert ("Nenhuma linha tem essas palavras" in markup.text()) == (found == 0)

    def test_htmx_gets_the_results_alone(self, client: TestClient) -> None:
        response = client.get("/vila/linhas?q=praia", headers={"HX-Request": "true", "HX-Request-Type": "partial"})
        assert response.status_code == 200
        assert "<h1" not in response.text
        assert "/vila/linhas/1" in response.text
        assert "HX-Request" in response.headers["Vary"]

    def test_typed_text_is_never_markup(self, client: TestClient) -> None:
        html = client.get("/vila/linhas", params={"q": '<script>"x"'}).text
        assert "<script>&#34;" not in html
        assert '<script>"x"' not in html


@pytest.mark.usefixtures("shown")
class TestLine:
    def test_departures_stand_by_kind_of_day_and_direction(self, client: TestClient) -> None:
        words = text(client, "/vila/linhas/1")
        assert (
            "Dias úteis (hoje) Sentido Praia 06:00 07:00 Depois da meia-noite: 01:10 Sentido Centro 06:30" in words
        )
        assert (
            "Domingos e feriados Feriados deste calendário: 25/12/2026 (sexta-feira). Sentido Praia 08:00" in words
        )
        assert "Não circula: sábados." in words
        assert "Horários válidos até 31 de dezembro de 2027" in words

    def test_kind_of_today_is_open_and_the_others_are_folded(self, client: TestClient) -> None:
        html = page(client, "/vila/linhas/1").html
        assert re.search(r"<details open>\s*<summary>Dias úteis \(hoje\)", html)
        assert re.search(r"<details>\s*<summary>Domingos e feriados</summary>", html)

    def test_stops_stand_in_order_with_minutes_and_estimates_are_marked(self, client: TestClient) -> None:
        markup = page(client, "/vila/linhas/1")
        stops = [link for link in markup.links() if link.startswith("/vila/paradas/")]
        assert stops == [
            f"/vila/paradas/{slug}"
            for slug in (
                "rodoviaria-centro",
                "mercado",
                "escola",
                "praia",
                "praia",
                "escola",
                "mercado",
                "rodoviaria-centro",
            )
        ]
        assert item(markup.html, "Mercado") == "≈ +5 min"
        assert item(markup.html, "Praia") == "+20 min"
        assert "O sinal ≈ marca um horário estimado" in markup.text()
        assert "4 paradas, 2,2 km" in markup.text()

    def test_line_by_intervals_says_every_how_many_minutes(self, client: TestClient) -> None:
        words = text(client, "/vila/linhas/2")
        assert "a cada 20 min, das 05:00 às 09:00" in words
        assert "Circular Rodoviária Centro" in words
        assert "≈" not in words

    def test_line_without_trips_has_its_page(self, client: TestClient) -> None:
        words = text(client, "/vila/linhas/3")
        assert "Linha 3 · Itaipuaçu" in words
        assert "ainda não publicou os horários desta linha" in words

    def test_complaint_knows_the_line(self, client: TestClient) -> None:
        assert "/vila/reclamar?linha=1" in page(client, "/vila/linhas/1").links()

    def test_chosen_day_shows_its_departures_alone(self, client: TestClient) -> None:
        words = text(client, "/vila/linhas/1?dia=2026-12-25")
        assert "Horários de sexta-feira, 25 de dezembro de 2026" in words
        assert "Sentido Praia 08:00" in words
        assert "06:00" not in words
        assert "A linha não circula nesse dia." in text(client, "/vila/linhas/1?dia=2026-12-26")
        assert "A linha não circula nesse dia." in text(client, "/vila/linhas/1?dia=2035-01-01")

    @pytest.mark.parametrize(
        "day",
        ["2026-13-01", "2026-02-30", "ontem", "0001-01-01", "9999-12-31", "20261230", "2026-W10-1", "<b>", "١"],
    )
    def test_bad_day_gets_a_plain_message(self, client: TestClient, day: str) -> None:
        response = client.get("/vila/linhas/1", params={"dia": day})
        assert response.status_code == 422
        assert "Escolha um dia" in response.text
        assert "Dias úteis" in response.text

    def test_unknown_line_is_not_found(self, client: TestClient) -> None:
        for path in ("/vila/linhas/99", "/vila/linhas/../x", "/vila/linhas/%00", "/vila/linhas/" + "a" * 3000):
            assert client.get(path).status_code == 404


@pytest.mark.usefixtures("shown")
class TestStop:
    def test_next_departures_name_time_line_and_destination(self, client: TestClient) -> None:
        markup = page(client, "/vila/paradas/mercado?dia=2026-12-01&hora=06:01")
        assert re.search(
            r'≈&nbsp;<time datetime="2026-12-01T06:05-03:00">06:05</time></td><td>'
            r'<a href="/vila/linhas/1">1</a></td><td>Praia</td>',
            markup.html,
        )
        assert "Partidas a partir das 6h01 de terça-feira, 1º de dezembro de 2026" in markup.text()

    def test_without_a_moment_it_shows_from_now(self, client: TestClient, clock: StandingClock) -> None:
        clock.now = datetime(2026, 12, 1, 9, 40, tzinfo=UTC)
        words = text(client, "/vila/paradas/mercado")
        assert "Próximas partidas Hoje, 1º de dezembro de 2026 Hora Linha Destino 06:46 1 Centro" in words

    def test_trip_after_midnight_is_shown_that_night(self, client: TestClient) -> None:
        words = text(client, "/vila/paradas/mercado?dia=2026-12-02&hora=00:30")
        assert words.index("01:15") < words.index("06:05")

    def test_day_alone_is_shown_whole(self, client: TestClient) -> None:
        words = text(client, "/vila/paradas/rodoviaria-centro?dia=2026-12-01")
        assert "Partidas de terça-feira, 1º de dezembro de 2026" in words
        assert re.search(r"01:10 1 Praia 06:00 1 Praia 07:00 1 Praia", words)
        assert "a cada 20 min, das 05:00 às 09:00" in words

    def test_hour_alone_counts_today(self, client: TestClient) -> None:
        assert "Partidas a partir das 6h de segunda-feira, 30 de novembro" in text(
            client, "/vila/paradas/mercado?hora=06:00"
        )

    def test_next_day_with_a_departure_is_named(self, client: TestClient) -> None:
        words = text(client, "/vila/paradas/praia?dia=2026-12-04&hora=07:00")
        assert "Segunda-feira, 7 de dezembro de 2026 Hora Linha Destino 06:30 1 Centro" in words

    def test_interval_is_shown_while_it_runs_only(self, client: TestClient) -> None:
        assert "das 05:15 às 09:15" in text(client, "/vila/paradas/bairro-novo?dia=2026-12-01&hora=08:00")
        assert "das 05:15 às 09:15" in text(client, "/vila/paradas/bairro-novo?dia=2026-12-01&hora=12:00")
        busy = text(client, "/vila/paradas/rodoviaria-centro?dia=2026-12-01&hora=12:00")
        assert "a cada 20 min" not in busy

    def test_end_of_the_line_has_no_departure_of_it(self, client: TestClient) -> None:
        words = text(client, "/vila/paradas/praia?dia=2026-12-01")
        assert "06:30 1 Centro" in words
        assert "06:20" not in words

    @pytest.mark.parametrize(
        ("query", "message"),
        [
            ({"dia": "x"}, "Escolha um dia do calendário"),
            ({"dia": "0001-01-01"}, "Escolha um dia entre os anos 2000 e 2100"),
            ({"hora": "25:00"}, "Escreva a hora e os minutos"),
            ({"hora": "6h"}, "Escreva a hora e os minutos"),
            ({"hora": "06:00:00+05:00"}, "Escreva a hora e os minutos"),
            ({"dia": "2026-12-01", "hora": "T10"}, "Escreva a hora e os minutos"),
        ],
    )
    def test_bad_moment_gets_a_plain_message(
        self, client: TestClient, query: dict[str, str], message: str
    ) -> None:
        response = client.get("/vila/paradas/mercado", params=query)
        assert response.status_code == 422
        assert message in response.text

    def test_unknown_stop_is_not_found(self, client: TestClient) -> None:
        assert client.get("/vila/paradas/nada").status_code == 404


def test_expired_feed_says_so(client: TestClient, put: Put, clock: StandingClock) -> None:
    put(prepare_small())
    clock.now = datetime(2028, 3, 1, 12, 0, tzinfo=UTC)
    assert "Horários vencidos Valiam até 31 de dezembro de 2027" in text(client, "/vila/linhas/1")
    assert "Dias úteis" in text(client, "/vila/linhas/1")
    assert "Nenhuma partida nos próximos dias." in text(client, "/vila/paradas/mercado")


def test_feed_that_has_not_begun_says_so(client: TestClient, put: Put, clock: StandingClock) -> None:
    put(prepare_small())
    clock.now = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)
    assert "Valem de 1º de janeiro de 2026 a 31 de dezembro de 2027" in text(client, "/vila/linhas")


def test_new_version_shows_at_once_and_an_old_line_says_where_it_went(client: TestClient, put: Put) -> None:
    put(prepare_small())
    tag = client.get("/vila/linhas").headers["ETag"]
    assert client.get("/vila/linhas", headers={"If-None-Match": tag}).status_code == 304
    put(prepare_small(routes_txt=small.ROUTES.replace("L3,VILA,3,Itaipuaçu,3,,\n", "")))
    assert client.get("/vila/linhas", headers={"If-None-Match": tag}).status_code == 200
    gone = client.get("/vila/linhas/3")
    assert gone.status_code == 410
    assert "A linha saiu dos horários de vila em 30 de novembro de 2026" in gone.text


def test_variant_is_told_with_its_letter(client: TestClient, put: Put) -> None:
    trips = f"{small.TRIPS}L1,U,curta,Praia,0,\n"
    times = f"{small.STOP_TIMES}curta,1,M,12:00:00,12:00:00\ncurta,2,E,12:10:00,12:10:00\n"
    put(prepare_small(trips_txt=trips, stop_times_txt=times))
    words = text(client, "/vila/linhas/1")
    assert "12:00 a" in words
    assert "a : sai de Mercado; vai até Escola." in words


def test_stop_without_boarding_is_marked(client: TestClient, put: Put) -> None:
    header, *rows = small.STOP_TIMES.splitlines()
    marked = [f"{row},{int(row.startswith('volta-0630,2'))}" for row in rows]
    put(prepare_small(stop_times_txt="\n".join([f"{header},pickup_type", *marked])))
    assert "(só desembarque)" in page(client, "/vila/linhas/1").html


def test_names_in_the_feed_are_never_markup(client: TestClient, put: Put) -> None:
    put(prepare_small(stops_txt=small.STOPS.replace("Mercado", "<script>alert(1)</script>")))
    for path in ("/vila/linhas/1", "/vila/paradas/script-alert-1-script"):
        assert "<script>alert" not in page(client, path).html


@pytest.mark.usefixtures("town")
def test_town_without_a_feed_yet_explains_itself(client: TestClient) -> None:
    for path in ("linhas", "linhas/1", "paradas/x", "gtfs.zip"):
        response = client.get(f"/vila/{path}")
        assert response.status_code == 404
        assert "ainda não publicou as linhas" in response.text


def test_town_without_lines_explains_itself(client: TestClient, services: Services, town: Town) -> None:
    with services.database.write() as session:
        row = session.exec(select(Authority)).one()
        row.has_lines = False
        session.add(row)
    for path in ("linhas", "paradas/x", "gtfs.zip"):
        response = client.get(f"/vila/{path}")
        assert response.status_code == 404
        assert "não tem linhas" in response.text


class TestZip:
    def test_zip_is_given_byte_for_byte(self, client: TestClient, put: Put) -> None:
        prepared = prepare_small()
        put(prepared)
        response = client.get("/vila/gtfs.zip", headers={"Accept-Encoding": "gzip, zstd, br"})
        assert response.content == prepared.raw
        assert "Content-Encoding" not in response.headers
        assert response.headers["Content-Type"] == "application/zip"
        assert response.headers["ETag"] == f'"{prepared.sha256}"'
        assert zipfile.ZipFile(BytesIO(response.content)).testzip() is None

    def test_head_has_the_same_headers_and_no_body(self, client: TestClient, put: Put) -> None:
        put(prepare_small())
        get, head = client.get("/vila/gtfs.zip"), client.head("/vila/gtfs.zip")
        assert (head.status_code, head.content) == (200, b"")
        for name in ("Content-Length", "ETag", "Last-Modified"):
            assert head.headers[name] == get.headers[name]

    def test_copy_of_the_client_is_not_sent_again(self, client: TestClient, put: Put, now: datetime) -> None:
        put(prepare_small())
        headers = client.get("/vila/gtfs.zip").headers
        asked = (
            ({"If-None-Match": headers["ETag"]}, 304),
            ({"If-None-Match": f'"x", W/{headers["ETag"]}'}, 304),
            ({"If-None-Match": '"x"', "If-Modified-Since": headers["Last-Modified"]}, 200),
            ({"If-Modified-Since": headers["Last-Modified"]}, 304),
            ({"If-Modified-Since": format_datetime(now - timedelta(days=1), usegmt=True)}, 200),
            ({"If-Modified-Since": "ontem"}, 200),
            ({"If-Modified-Since": "Mon, 30 Nov 2026 15:00:00"}, 200),
        )
        for sent, status in asked:
            response = client.get("/vila/gtfs.zip", headers=sent)
            assert response.status_code == status, sent
            assert bool(response.content) == (status == 200)


REAL = {
    "porto-alegre-eptc": date(2019, 5, 8),
    "fortaleza-etufor": date(2019, 7, 3),
    "kart-loops-bom": date(2025, 6, 2),
    "sao-paulo-sptrans-sample": date(2019, 10, 15),
}


@pytest.mark.parametrize("name", REAL)
def test_every_line_of_a_real_feed_has_a_light_page_with_stops_and_times(
    client: TestClient, put: Put, clock: StandingClock, name: str
) -> None:
    day = REAL[name]
    clock.now = datetime(day.year, day.month, day.day, 15, tzinfo=UTC)
    put(prepare_real(name))
    lines = [link for link in page(client, "/vila/linhas").links() if link.startswith("/vila/linhas/")]
    assert lines
    for path in lines:
        html = page(client, path).html
        assert "/vila/paradas/" in html, path
        assert re.search(r"<li>\d\d:\d\d|a cada \d+ min", html), path
        assert len(html.encode()) <= 30_000, path
        assert len(gzip.compress(html.encode())) <= 6_000, path
