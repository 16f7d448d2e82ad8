"""The desk's pages on alerts, what riders see of them, and what a complaint keeps of them."""

import re
from datetime import timedelta

import pytest
from google.transit import gtfs_realtime_pb2 as realtime

from gtfs.importing import Importing, import_feed, prepare_feed
from gtfs.published import find_published, list_lines, list_stops
from tests.conftest import StandingClock
from tests.web.demo_feeds import feed as demo_feed
from tests.web.staff.conftest import Browser, Town

ALERTS = "/equipe/avisos"
NEW = f"{ALERTS}/novo"
FORM = {
    "efeito": "NO_SERVICE",
    "causa": "STRIKE",
    "titulo": "Sem vans hoje",
    "texto": "Use a linha vizinha.",
    "inicio_dia": "2026-11-30",
    "inicio_hora": "12:00",
    "confirmar": "sim",
}


@pytest.fixture
def browser(town: Town, clock: StandingClock) -> Browser:
    prepared = prepare_feed(demo_feed("canaa-dos-carajas"), "rede.zip", clock().date())
    with town.services.database.write() as session:
        import_feed(session, Importing(town.authority.id, prepared, "ana", publish=True), clock())
    browser = town.browser("clerk")
    browser.see(NEW)
    return browser


def names(town: Town) -> tuple[list[str], list[str], list[str]]:
    """Addresses of lines, and names and addresses of stops."""
    with town.services.database.read() as session:
        feed = find_published(session, town.authority.id)
        assert feed
        stops = list_stops(session, feed)
        return (
            [line.slug for line in list_lines(session, feed)],
            [stop.name for stop in stops],
            [stop.slug for stop in stops],
        )


def page(town: Town, browser: Browser, *parts: str) -> str:
    return browser.see("/".join(("", town.authority.slug, *parts)))


def test_an_alert_is_seen_as_riders_will_see_it_before_it_is_made(town: Town, browser: Browser) -> None:
    seen = browser.submit(NEW, **{**FORM, "onde": "cidade", "confirmar": ""}).text
    assert "Como os passageiros vão ver" in seen
    assert "Sem vans hoje" not in page(town, browser, "avisos")
    assert browser.submit(NEW, **FORM, onde="cidade").status_code == 303
    for parts in (("avisos",), ("linhas",), ("",), ("linhas", names(town)[0][0]), ("paradas", names(town)[2][0])):
        assert "Sem vans hoje" in page(town, browser, *parts), parts


def test_an_alert_for_a_line_is_on_its_page_and_not_on_others(town: Town, browser: Browser) -> None:
    line, other = names(town)[0][:2]
    browser.submit(NEW, **FORM, onde="linhas", linhas=line)
    assert "Sem vans hoje" in page(town, browser, "linhas", line)
    assert "Sem vans hoje" not in page(town, browser, "linhas", other)


def test_an_alert_ends_by_itself_on_every_page(town: Town, browser: Browser, clock: StandingClock) -> None:
    line = names(town)[0][0]
    browser.submit(NEW, **FORM, onde="linhas", linhas=line, fim_dia="2026-11-30", fim_hora="13:00")
    assert "Sem vans hoje" in page(town, browser, "linhas", line)
    clock.advance(timedelta(hours=1))
    assert "Sem vans hoje" not in page(town, browser, "linhas", line)
    assert "Acabaram" in browser.see(ALERTS)


def test_a_last_day_without_an_hour_holds_to_its_end(town: Town, browser: Browser, clock: StandingClock) -> None:
    browser.submit(NEW, **FORM, onde="cidade", fim_dia="2026-11-30")
    clock.advance(timedelta(hours=11, minutes=59))
    assert "Sem vans hoje" in page(town, browser, "avisos")
    clock.advance(timedelta(minutes=1))
    assert "Sem vans hoje" not in page(town, browser, "avisos")


def test_editing_an_alert_does_not_change_which_stops_it_is_for(town: Town, browser: Browser) -> None:
    _, stops, slugs = names(town)
    browser.submit(NEW, **FORM, onde="paradas", paradas=stops[0])
    assert f">\n{slugs[0]}</textarea>" in browser.see(f"{ALERTS}/1")


def test_stops_are_named_by_their_whole_name_or_the_clerk_is_told_which(town: Town, browser: Browser) -> None:
    _, stops, slugs = names(town)
    answer = browser.submit(NEW, **FORM, onde="paradas", paradas=f"{stops[0]}\nLugar Nenhum")
    assert answer.status_code == 422
    assert "“Lugar Nenhum”: não há parada com esse nome" in answer.text
    assert browser.submit(NEW, **FORM, onde="paradas", paradas=stops[0]).status_code == 303
    assert "Sem vans hoje" in page(town, browser, "paradas", slugs[0])


BAD = {
    "no title": ({"titulo": ""}, "Escreva o aviso em uma frase"),
    "long title": ({"titulo": "x" * 161}, "Use até 160 letras"),
    "no effect": ({"efeito": "NADA"}, "Escolha o que acontece"),
    "unknown cause": ({"causa": "NADA"}, "Escolha uma causa da lista"),
    "end before start": ({"fim_dia": "2026-11-29"}, "O fim tem de ser depois do começo"),
    "no such hour": ({"inicio_hora": "25:00"}, "Escreva a hora como 07:30"),
    "year 26": ({"inicio_dia": "0026-11-30"}, "Escreva o dia"),
    "no such day": ({"inicio_dia": "31/02/2026"}, "Escreva o dia"),
    "no lines": ({"onde": "linhas"}, "Marque pelo menos uma linha"),
    "nowhere": ({"onde": ""}, "Diga onde o aviso vale"),
    "no stops": ({"onde": "paradas"}, "Escreva de uma a"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_alert_is_refused_and_what_was_typed_stays(town: Town, browser: Browser, case: str) -> None:
    fields, message = BAD[case]
    answer = browser.submit(NEW, **{**FORM, "onde": "cidade", **fields})
    assert answer.status_code == 422
    assert message in answer.text
    assert "Use a linha vizinha." in answer.text
    assert "Nenhum aviso vale agora" in page(town, browser, "avisos")


def test_two_clerks_do_not_overwrite_each_other_unseen(town: Town, browser: Browser) -> None:
    browser.submit(NEW, **FORM, onde="cidade")
    revision = re.search(r'name="revisao" value="(\d+)"', browser.see(f"{ALERTS}/1"))
    assert revision
    changed = {**FORM, "onde": "cidade", "revisao": revision[1]}
    assert browser.submit(f"{ALERTS}/1", **{**changed, "texto": "Volta às 18h."}).status_code == 303
    late = browser.submit(f"{ALERTS}/1", **{**changed, "texto": "Volta amanhã."})
    assert late.status_code == 409
    assert "Volta às 18h." in late.text
    assert "Volta amanhã." in late.text
    assert "Volta às 18h." in page(town, browser, "avisos")


def test_the_realtime_feed_has_the_alert_and_its_tag_changes_with_it(town: Town, browser: Browser) -> None:
    address = f"/{town.authority.slug}/gtfs-rt/alertas.pb"
    before = browser.get(address)
    browser.submit(NEW, **FORM, onde="cidade")
    after = browser.get(address)
    message = realtime.FeedMessage()
    message.ParseFromString(after.content)
    assert after.headers["content-type"] == "application/x-protobuf"
    assert after.headers["etag"] != before.headers["etag"]
    assert [entity.alert.header_text.translation[0].text for entity in message.entity] == ["Sem vans hoje"]
    assert browser.get(address, params={"formato": "json"}).json()["entity"][0]["id"] == "aviso-1"


def test_a_complaint_about_a_stopped_line_shows_the_alert_and_the_case_keeps_it(
    town: Town, browser: Browser
) -> None:
    line = names(town)[0][0]
    browser.submit(NEW, **FORM, onde="linhas", linhas=line)
    complain = f"/{town.authority.slug}/reclamar"
    assert "Sem vans hoje" in browser.see(f"{complain}?linha={line}")
    receipt = browser.post(complain, data={"relato": "Não passou", "linha": line}).text
    protocol = re.search(r'id="protocolo" value="(\d+)"', receipt)
    assert protocol
    browser.see(ALERTS)
    assert browser.submit(f"{ALERTS}/1/acabar", revisao="9").status_code == 409
    assert browser.submit(f"{ALERTS}/1/acabar", revisao="1").status_code == 303
    triager = town.browser("triager")
    case = triager.see(f"/equipe/casos/{protocol[1]}")
    assert "Avisos que valiam nesta linha" in case
    assert "Sem vans hoje" in case


def test_templates_begin_an_alert(town: Town, browser: Browser) -> None:
    form = browser.see(f"{NEW}?modelo=desvio")
    assert "A linha passa por outras ruas" in form
    assert '<option value="DETOUR" selected>' in form
