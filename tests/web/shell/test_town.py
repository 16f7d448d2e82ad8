"""Finding the town of an address, on both databases."""

import pytest
from starlette.testclient import TestClient

from tests.web.shell.seeds import make_town
from web.rider.town import RESERVED
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
