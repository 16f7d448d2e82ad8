"""The desk's pages on fares: an act seen before it is made, then shown to riders from its day on."""

from datetime import timedelta

import pytest

from gtfs.importing import Importing, import_feed, prepare_feed
from gtfs.published import find_published, list_lines
from tests.conftest import StandingClock
from tests.web.demo_feeds import feed as demo_feed
from tests.web.staff.conftest import Browser, Town

FARES = "/equipe/tarifas"
NEW = f"{FARES}/nova"


@pytest.fixture
def browser(town: Town, clock: StandingClock) -> Browser:
    today = clock().date()
    prepared = prepare_feed(demo_feed("canaa-dos-carajas"), "rede.zip", today)
    with town.services.database.write() as session:
        import_feed(session, Importing(town.authority.id, prepared, "ana", publish=True), clock())
    browser = town.browser("clerk")
    browser.see(NEW)
    return browser


def act(town: Town, days: int = 0, **fields: str) -> dict[str, str]:
    day = town.services.clock().date() + timedelta(days=days)
    return {"instrumento": "Decreto 7/2026", "vigencia": day.isoformat(), **fields}


def _slugs(town: Town) -> list[str]:
    with town.services.database.read() as session:
        feed = find_published(session, town.authority.id)
        assert feed
        return [line.slug for line in list_lines(session, feed)]


def test_an_act_is_shown_with_what_each_pays_and_made_only_when_confirmed(town: Town, browser: Browser) -> None:
    seen = browser.submit(NEW, valor="5,00", **act(town)).text
    assert "Confira antes de registrar" in seen
    assert "art. " in seen
    assert "Nenhum ato de tarifa" in browser.see(FARES)
    made = browser.submit(NEW, valor="5,00", confirmar="sim", especie="comum", orgaos="Prefeitura", **act(town))
    assert made.status_code == 303
    page = browser.see(FARES)
    assert "R$ 5,00" in page.replace("\xa0", " ")
    assert "Decreto 7/2026" in page


def test_riders_see_the_price_of_the_line_from_its_day_on(
    town: Town, browser: Browser, clock: StandingClock
) -> None:
    slug, other = _slugs(town)[:2]
    browser.submit(NEW, valor="5,00", confirmar="sim", **act(town))
    browser.submit(NEW, valor="7,50", linha=slug, confirmar="sim", **act(town, days=2))
    line = f"/{town.authority.slug}/linhas/{slug}"
    assert "R$ 5,00" in browser.see(line).replace("\xa0", " ")
    clock.advance(timedelta(days=2))
    assert "R$ 7,50" in browser.see(line).replace("\xa0", " ")
    assert "R$ 5,00" in browser.see(f"/{town.authority.slug}/linhas/{other}").replace("\xa0", " ")
    assert "Linhas com outro preço" in browser.see(f"/{town.authority.slug}/tarifas")


def test_zero_for_all_is_a_fare(town: Town, browser: Browser) -> None:
    browser.submit(NEW, gratis="sim", confirmar="sim", **act(town))
    page = browser.see(f"/{town.authority.slug}/linhas/{_slugs(town)[0]}")
    assert "Ninguém paga" in page


BAD = {
    "no price": ({}, "Escreva o valor em reais"),
    "zero typed": ({"valor": "0,00"}, "marque que ninguém paga"),
    "letters": ({"valor": "cinco"}, "Escreva o valor em reais"),
    "unknown line": ({"valor": "5,00", "linha": "nenhuma"}, "Escolha uma linha da lista"),
    "no act": ({"valor": "5,00", "instrumento": ""}, "Diga que ato decide isto"),
    "yesterday": ({"valor": "5,00", "vigencia": "2020-01-01"}, "Um ato não vale para trás"),
    "long words": ({"valor": "5,00", "especie": "x" * 121}, "Use até 120 letras"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_act_is_refused_with_what_to_do_and_keeps_what_was_typed(
    town: Town, browser: Browser, case: str
) -> None:
    fields, message = BAD[case]
    answer = browser.submit(NEW, confirmar="sim", **{**act(town), **fields})
    assert answer.status_code == 422
    assert message in answer.text
    assert "Nenhum ato de tarifa" in browser.see(FARES)
