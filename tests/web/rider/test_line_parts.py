"""The parts of a line's and a stop's page beside times: map, vehicles, fleet, on demand, nearby stops, poster."""

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from complaints.registry.seals import issue_seal
from complaints.registry.vehicles import register_vehicle, withdraw_vehicle
from gtfs.importing import Importing, PreparedFeed, import_feed, prepare_feed
from tests.browser.markup import Markup
from tests.gtfs import small_feed as small
from tests.gtfs.compiled_feeds import TODAY, prepare_small
from tests.gtfs.conftest import Town, add_town
from tests.gtfs.test_on_demand import flex
from web.services import Services

Put = Callable[[PreparedFeed], None]
Read = Callable[[str], str]


@pytest.fixture
def town(services: Services, now: datetime) -> Town:
    return add_town(services.database, "vila", now)


@pytest.fixture
def put(services: Services, town: Town, now: datetime) -> Put:
    """Publishes a feed of the town."""

    def put(prepared: PreparedFeed) -> None:
        with services.database.write() as session:
            import_feed(session, Importing(town.id, prepared, "ana", publish=True), now)

    return put


@pytest.fixture
def read(client: TestClient) -> Read:
    """The words of a page's content."""

    def read(path: str) -> str:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert Markup(answer.text).count("h1") == 1
        content = answer.text.partition("<main")[2].partition("</main>")[0]
        return " ".join(re.sub(r"<[^>]+>", " ", content.replace("&nbsp;", " ")).split())

    return read


class TestMap:
    def test_map_is_a_picture_with_the_same_in_words(self, put: Put, read: Read, client: TestClient) -> None:
        put(prepare_small())
        words = read("/vila/linhas/1/mapa")
        assert "De Rodoviária Centro a Praia: 4 paradas, 2,2 km, nesta ordem: Rodoviária Centro Mercado" in words
        assert "Sentido Centro De Praia a Rodoviária Centro" in words
        assert "/vila/linhas/1/mapa" in Markup(client.get("/vila/linhas/1").text).links()
        svg = client.get("/vila/linhas/1/mapa.svg")
        assert svg.headers["Content-Type"] == "image/svg+xml"
        assert ElementTree.fromstring(svg.text).tag.endswith("svg")
        assert "stroke-dasharray" not in svg.text
        tag = svg.headers["ETag"]
        assert client.get("/vila/linhas/1/mapa.svg", headers={"If-None-Match": tag}).status_code == 304

    def test_line_without_a_path_is_drawn_from_stop_to_stop(
        self, put: Put, read: Read, client: TestClient
    ) -> None:
        put(prepare_small())
        assert "stroke-dasharray" in client.get("/vila/linhas/2/mapa.svg").text
        words = read("/vila/linhas/2/mapa")
        assert "os dados da rede não trazem as ruas do caminho" in words
        assert "Sai de Rodoviária Centro e volta ao mesmo lugar: 5 paradas" in words

    def test_line_without_trips_has_words_and_no_picture(self, put: Put, read: Read, client: TestClient) -> None:
        put(prepare_small())
        assert "ainda não foi publicado" in read("/vila/linhas/3/mapa")
        assert client.get("/vila/linhas/3/mapa.svg").status_code == 404

    @pytest.mark.parametrize(
        "path", ["linhas/99/mapa", "linhas/99/mapa.svg", "linhas/99/veiculos", "paradas/x/cartaz"]
    )
    def test_what_is_not_there_is_not_found(self, put: Put, client: TestClient, path: str) -> None:
        put(prepare_small())
        assert client.get(f"/vila/{path}").status_code == 404


class TestVehicles:
    def test_vehicles_of_the_line_are_listed_without_plates(
        self, put: Put, read: Read, services: Services, town: Town, now: datetime, client: TestClient
    ) -> None:
        put(prepare_small())
        with services.database.write() as session:
            good, old, gone, other = (
                register_vehicle(
                    session,
                    town.id,
                    plate,
                    kind="van",
                    service="complementary",
                    fleet_number=number,
                    line_id=line,
                )
                for plate, number, line in (
                    ("ABC1D23", "E-102", "L1"),
                    ("ABC1D24", None, "L1"),
                    ("ABC1D25", "E-103", "L1"),
                    ("ABC1D26", "E-104", "L2"),
                )
            )
            session.flush()
            issue_seal(session, good, now.date() + timedelta(days=90), None, now)
            withdraw_vehicle(session, gone, now.date())
        words = read("/vila/linhas/1/veiculos")
        assert "2 veículos autorizados nesta linha, 1 com selo válido" in words
        assert re.search(r"Prefixo E-102 Selo válido .* Sem prefixo Veículo sem selo", words)
        assert "E-103" not in words
        assert "E-104" not in words
        assert "ABC" not in words
        links = Markup(client.get("/vila/linhas/1/veiculos").text).links()
        assert {f"/vila/veiculos/{vehicle.public_id}" for vehicle in (good, old)} <= set(links)
        assert other.public_id not in "".join(links)

    def test_line_without_vehicles_says_so(self, put: Put, read: Read) -> None:
        put(prepare_small())
        assert "não tem veículos ligados a esta linha" in read("/vila/linhas/1/veiculos")


class TestAbout:
    def test_fleet_and_kilometres_stand_by_kind_of_day(self, put: Put, read: Read) -> None:
        put(prepare_small())
        words = read("/vila/linhas/1")
        assert (
            "Frota necessária Dias úteis: pelo menos 1 veículo; Domingos e feriados: pelo menos 1 veículo" in words
        )
        assert (
            "Quilômetros por dia Dias úteis: 8,8 km em 4 viagens; Domingos e feriados: 2,2 km em 1 viagem" in words
        )
        assert "pelo menos 2 veículos ao mesmo tempo (por volta das 05:20)" in read("/vila/linhas/2")

    def test_blocks_say_how_many_vehicles_there_are(self, put: Put, read: Read) -> None:
        header, *rows = small.TRIPS.splitlines()
        put(prepare_small(trips_txt="\n".join([f"{header},block_id", *(f"{row},A" for row in rows)])))
        assert "Frota necessária Dias úteis: 1 veículo; " in read("/vila/linhas/1")


class TestOnDemand:
    def test_line_on_demand_says_when_where_and_how_to_book(
        self, put: Put, read: Read, client: TestClient
    ) -> None:
        put(prepare_feed(small.zip_files(flex()), "flex.zip", TODAY))
        words = read("/vila/linhas/3")
        assert "Viagens sob demanda" in words
        assert "Dias úteis, das 08:00 às 17:00 Área: Zona rural de Espraiado" in words
        assert "Peça até 90 min antes da viagem. Diga quantas pessoas vão." in words
        assert "Telefone: (21) 3731-0000 Pedir pela internet" in words
        assert "a publicar" not in words
        assert "Não há viagens" not in words
        links = Markup(client.get("/vila/linhas/3").text).links()
        assert {"tel:+552137310000", "https://vila.example/pedir"} <= set(links)
        assert read("/vila/paradas?q=x")

    @pytest.mark.parametrize(
        ("rule", "words"),
        [
            ("liga,0,,,,,,,", "Peça na hora em que for viajar. Para saber como pedir, telefone"),
            ("liga,1,,,,,156,,", "Peça no dia."),
            ("liga,1,120,,,,156,,", "Peça até 2 h antes da viagem."),
            ("liga,2,,1,17:00:00,,156,,", "Peça na véspera até as 17:00."),
            ("liga,2,,3,,,156,,", "Peça 3 dias antes."),
        ],
    )
    def test_how_long_before_is_said_in_words(self, put: Put, read: Read, rule: str, words: str) -> None:
        files = flex()
        files["booking_rules.txt"] = f"{str(files['booking_rules.txt']).splitlines()[0]}\n{rule}\n"
        put(prepare_feed(small.zip_files(files), "flex.zip", TODAY))
        assert words in read("/vila/linhas/3")

    def test_names_in_areas_are_never_markup(self, put: Put, client: TestClient) -> None:
        feature = {"id": "zona", "properties": {"stop_name": "<script>x()</script>"}}
        put(prepare_feed(small.zip_files(flex(areas=json.dumps({"features": [feature]}))), "flex.zip", TODAY))
        assert "<script>x" not in client.get("/vila/linhas/3").text


class TestStopPlace:
    def test_stop_leads_to_the_map_and_names_stops_nearby(self, put: Put, read: Read, client: TestClient) -> None:
        put(prepare_small(stops_txt=small.STOPS.replace("-22.9250,-42.8200", "-22.9220,-42.8200")))
        words = read("/vila/paradas/mercado")
        assert "Paradas a menos de 400 m Rodoviária Centro parada 101 a 220 m 1, 2" in words
        links = Markup(client.get("/vila/paradas/rodoviaria-centro").text).links()
        assert "geo:-22.920000,-42.820000?q=-22.920000,-42.820000(Rodovi%C3%A1ria%20Centro)" in links

    def test_stop_with_nothing_around_says_nothing_of_it(self, put: Put, read: Read) -> None:
        put(prepare_small())
        assert "400 m" not in read("/vila/paradas/praia")


class TestPoster:
    def test_poster_has_times_lines_code_and_how_to_complain(
        self, put: Put, read: Read, client: TestClient
    ) -> None:
        put(prepare_small())
        words = read("/vila/paradas/rodoviaria-centro/cartaz")
        assert "Linhas 1 · Centro x Praia 2 · Circular Bairro Novo" in words
        assert "Dias úteis As horas que vêm depois das 23 são da madrugada seguinte." in words
        assert "1 → Praia Hora Minutos 06 00 07 00 01 10" in words
        assert "2 → Rodoviária Centro : a cada 20 min, das 05:00 às 09:00" in words
        assert "Domingos e feriados 1 → Praia Hora Minutos 08 00" in words
        assert "http://testserver/vila/reclamar" in words
        html = client.get("/vila/paradas/rodoviaria-centro/cartaz").text
        assert "<title>Código QR: http://testserver/vila/paradas/rodoviaria-centro</title>" in html
        assert "style=" not in html

    def test_estimates_are_marked_on_the_poster(self, put: Put, read: Read) -> None:
        put(prepare_small())
        assert "06 ≈05" in read("/vila/paradas/mercado/cartaz")

    def test_stop_without_times_has_a_poster_too(self, put: Put, read: Read) -> None:
        put(prepare_small(frequencies_txt=None, stop_times_txt=re.sub(r"\d\d:\d\d:\d\d", "", small.STOP_TIMES)))
        assert "Os horários desta parada ainda não foram publicados" in read("/vila/paradas/praia/cartaz")
