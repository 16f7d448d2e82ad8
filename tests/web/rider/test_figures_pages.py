"""`/{a}/dados` and its CSV."""

import csv
import io
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from complaints.authorities.tables import Authority
from tests.conftest import StandingClock
from tests.desk_seeds import file
from tests.web.test_complaint_pages import hidden_key
from web.services import Services


@pytest.fixture
def told(services: Services, towns: dict[str, Authority], clock: StandingClock) -> None:
    """Six cases in Maricá, three days ago."""
    for number in range(6):
        file(
            services.database,
            services.keyring,
            towns["marica"],
            clock(),
            text=f"Relato {number}",
            key=f"k{number}",
        )
    clock.advance(timedelta(days=3))


@pytest.mark.usefixtures("told")
def test_page_and_csv_tell_the_same(client: TestClient) -> None:
    page = client.get("/marica/dados")
    assert (page.status_code, page.text.count("<h1")) == (200, 1)
    assert page.headers["cache-control"] == "public, max-age=3600"
    assert "Relato" not in page.text
    for address in ("dados/manifestacoes.csv", "dados/selagem"):
        assert f'href="/marica/{address}"' in page.text
        assert client.get(f"/marica/{address}").status_code == 200
    sheet = client.get("/marica/dados/manifestacoes.csv")
    rows = list(csv.DictReader(io.StringIO(sheet.content.decode("utf-8-sig"))))
    assert rows[0] == {
        "tabela": "todas",
        "grupo": "Todas",
        "recebidas": "6",
        "respondidas": "0",
        "no_prazo": "0",
        "mediana_dias": "",
        "retido": "",
    }
    assert {row["tabela"] for row in rows} == {"todas", "mes", "assunto", "linha"}


@pytest.mark.usefixtures("towns")
def test_two_cases_are_not_told_of(client: TestClient, clock: StandingClock) -> None:
    for _ in range(2):
        client.post(
            "/marica/reclamar", data={"envio": hidden_key(client), "relato": "x", "linha": "=HYPERLINK(1)"}
        )
    clock.advance(timedelta(days=2))
    sheet = client.get("/marica/dados/manifestacoes.csv").content.decode("utf-8-sig")
    assert "HYPERLINK" not in sheet
    assert {row["retido"] for row in csv.DictReader(io.StringIO(sheet))} == {"sim"}
    assert "não mostrado" in client.get("/marica/dados").text


@pytest.mark.usefixtures("towns")
def test_every_town_has_the_page(client: TestClient) -> None:
    for slug in ("marica", "rio-das-ostras"):
        assert client.get(f"/{slug}/dados").status_code == 200
        assert f'href="/{slug}/dados"' in client.get(f"/{slug}/").text
