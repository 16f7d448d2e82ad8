"""Finding the town of an address, on both databases."""

import pytest
from sqlalchemy import inspect
from sqlmodel import select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

from complaints.authorities.tables import Authority
from tests.web.shell.seeds import make_town
from web.rider.town import RESERVED, find_town
from web.services import Services


def test_town_is_found_by_its_slug(client: TestClient, services: Services) -> None:
    with services.database.write() as session:
        session.add(make_town("marica", "Maricá"))
    assert "Transporte em Maricá" in client.get("/marica/").text
    assert client.get("/rio-das-ostras/").status_code == 404


@pytest.mark.parametrize("slug", RESERVED)
def test_reserved_word_never_shows_a_town(shell: TestClient, shell_services: Services, slug: str) -> None:
    with shell_services.database.write() as session:
        session.add(make_town(slug, "Cidade Impossível"))
    assert "Transporte em Cidade Impossível" not in shell.get(f"/{slug}/").text


def test_town_is_remembered_briefly_but_its_absence_is_not(
    client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/marica/").status_code == 404
    with services.database.write() as session:
        session.add(make_town("marica", "Maricá"))
    assert "Transporte em Maricá" in client.get("/marica/").text
    with services.database.write() as session:
        session.exec(select(Authority)).one().town = "Outro Nome"
    assert "Transporte em Maricá" in client.get("/marica/").text
    monkeypatch.setattr("web.rider.town.MEMORY_SECONDS", -1)
    assert "Transporte em Outro Nome" in client.get("/marica/").text


def test_each_request_has_its_own_row(shell_app: Starlette) -> None:
    requests = [Request({"type": "http", "app": shell_app, "headers": []}) for _ in range(2)]
    first, second = (find_town(request, "marica") for request in requests)
    assert first is not None
    assert first == second
    assert first is not second
    assert inspect(first).transient
    assert requests[0].state.authority is first
