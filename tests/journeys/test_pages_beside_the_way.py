"""The pages that no journey passes, in Chromium: laws, other towns, seals that are worth nothing, mistakes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import DESK, PHONE
from tests.browser.demonstration import Demonstration
from tests.browser.running import running
from tests.journeys.people import browsing

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TOWNS = ("marechal-floriano", "conceicao-de-macabu", "canaa-dos-carajas")
PAGES = {
    "/": 200,
    "/s?codigo=": 422,
    "/s/7K2M9PXQV": 404,
    "/s/7K2M9PXQW": 404,
    "/nada": 404,
    "/marica/nada": 404,
    "/marica/veiculos": 200,
    "/marica/veiculos?q=SEL": 200,
    "/marica/veiculos?q=XYZ9999": 200,
    "/marica/linhas?q=xyz": 200,
    "/marica/linhas/nada": 404,
    "/marica/dados": 200,
    "/marica/dados/selagem": 200,
    "/rio-das-ostras/": 200,
    "/rio-das-ostras/linhas": 404,
    "/rio-das-ostras/reclamar": 200,
    "/rio-das-ostras/direitos": 200,
    **{f"/{town}/{part}": 200 for town in ("marica", *TOWNS) for part in ("tarifas", "direitos")},
}


@pytest.mark.parametrize(("device", "scripts"), [(PHONE, False), (DESK, True)], ids=["phone", "desk"])
def test_pages_beside_the_way_keep_their_promises(
    chromium: Browser, new_demonstration: Callable[[str], Demonstration], device: dict[str, object], scripts: bool
) -> None:
    demonstration = new_demonstration("sqlite")
    seals = {f"/s/{demonstration.seal('marica', state)}": 200 for state in ("expired", "revoked")}
    faults = []
    with running(demonstration) as product, browsing(chromium, product.address, scripts, device) as rider:
        for path, status in {**PAGES, **seals}.items():
            try:
                rider.open(path, status)
            except AssertionError as fault:
                faults.append(str(fault))
    assert faults == []
