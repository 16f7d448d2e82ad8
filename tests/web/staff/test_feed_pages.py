"""The clerk's pages on feeds: sent, read, shown, planned, taken back, changed in part, compared with the buses."""

import csv
import io
import json
import zipfile
from datetime import timedelta

import httpx2
import pytest

from gtfs.uploads import KEPT_OPEN
from tests.conftest import StandingClock
from tests.desk_seeds import CANAA, add_member, add_town
from tests.gtfs import small_feed as small
from tests.web.staff.conftest import Browser, Town
from web.feed_work import work_uploads
from web.formats import day_in_words

FEEDS = "/equipe/horarios"
OTHER = small.small_feed(stop_times_txt=small.STOP_TIMES.replace("C,06:00:00,06:00:00", "C,05:50:00,05:50:00"))
CHANGED_STOPS = small.STOPS.replace("Mercado", "Feira")


@pytest.fixture
def browser(town: Town) -> Browser:
    browser = town.browser("clerk")
    browser.see(FEEDS)
    return browser


def send(
    browser: Browser, content: bytes, at: str = f"{FEEDS}/enviar", name: str = "rede.zip", **fields: str
) -> httpx2.Response:
    return browser.post(at, data={"csrf": browser.token, **fields}, files={"arquivo": (name, content)})


def import_version(town: Town, browser: Browser, content: bytes) -> None:
    assert send(browser, content).status_code == 303
    assert work_uploads(town.services) == 1


def publish(browser: Browser, number: int, expected: int = 0, **fields: str) -> httpx2.Response:
    return browser.submit(f"{FEEDS}/{number}/publicar", **{"esperada": str(expected), "quando": "agora", **fields})


def published(town: Town, browser: Browser) -> str:
    return browser.see(f"/{town.authority.slug}/linhas/1")


def test_a_file_is_followed_from_the_queue_to_the_page_of_riders(town: Town, browser: Browser) -> None:
    answer = send(browser, small.small_feed())
    assert answer.headers["location"] == f"{FEEDS}/envios/1"
    waiting = browser.see(f"{FEEDS}/envios/1")
    assert "na fila" in waiting
    assert "hx-get" in waiting
    assert "rede.zip" in browser.see(FEEDS)
    assert work_uploads(town.services) == 1
    ended = browser.see(f"{FEEDS}/envios/1")
    assert "É agora a versão 1" in ended
    assert "hx-get" not in ended
    version = browser.see(f"{FEEDS}/1")
    for words in ("rascunho", "É a primeira versão", "Nada impede a publicação"):
        assert words in version
    assert browser.get(f"/{town.authority.slug}/linhas/1").status_code == 404
    assert "Nada está publicado ainda" in browser.see(f"{FEEDS}/1/publicar")
    assert publish(browser, 1).headers["location"] == f"{FEEDS}?feito=publicada"
    assert "06:00" in published(town, browser)
    assert "Publicada por" in browser.see(FEEDS)


def test_progress_alone_is_sent_to_a_script_that_asks(browser: Browser) -> None:
    send(browser, small.small_feed())
    asked = browser.get(f"{FEEDS}/envios/1", headers={"HX-Request": "true"})
    assert asked.status_code == 200
    assert "<html" not in asked.text
    assert "na fila" in asked.text


def test_an_upload_that_nobody_takes_says_what_to_look_at(browser: Browser, clock: StandingClock) -> None:
    send(browser, small.small_feed())
    assert "selo worker" not in browser.see(f"{FEEDS}/envios/1")
    clock.advance(timedelta(minutes=2))
    assert "selo worker" in browser.see(f"{FEEDS}/envios/1")


def test_a_broken_file_is_refused_with_file_row_and_value_in_every_form(town: Town, browser: Browser) -> None:
    send(browser, small.small_feed(stop_times_txt=small.STOP_TIMES.replace("ida-0600,2,M", "ida-0600,2,NADA")))
    for end in ("json", "csv"):
        early = browser.get(f"{FEEDS}/envios/1/relatorio.{end}")
        assert (early.status_code, end) in ((200, "json"), (404, "csv"))
    work_uploads(town.services)
    page = browser.see(f"{FEEDS}/envios/1")
    for words in ("O arquivo foi recusado", "stop_times.txt, linha 3", "NADA"):
        assert words in page
    told = browser.get(f"{FEEDS}/envios/1/relatorio.json").json()
    assert told["state"] == "refused"
    assert told["report"]["errors"]
    rows = list(csv.DictReader(io.StringIO(browser.get(f"{FEEDS}/envios/1/relatorio.csv").text.lstrip("\ufeff"))))
    assert any("NADA" in " ".join(map(str, row.values())) for row in rows)
    assert browser.get(f"{FEEDS}/1").status_code == 404
    assert "Recusados há pouco" in browser.see(FEEDS)


@pytest.mark.parametrize(
    ("files", "told"), [({}, "Escolha o arquivo .zip"), ({"arquivo": ("a.zip", b"")}, "Escolha o arquivo .zip")]
)
def test_no_file_is_told_beside_the_field(
    browser: Browser, files: dict[str, tuple[str, bytes]], told: str
) -> None:
    for at in (f"{FEEDS}/enviar", f"{FEEDS}/comparacao/enviar"):
        answer = browser.post(at, data={"csrf": browser.token}, files=files)
        assert answer.status_code == 422
        assert told in answer.text


def test_too_many_waiting_files_are_told_and_none_is_lost(town: Town, browser: Browser) -> None:
    for number in range(KEPT_OPEN):
        assert send(browser, b"x", name=f"rede-{number}.zip").status_code == 303
    answer = send(browser, b"x")
    assert answer.status_code == 422
    assert "Há arquivos demais na fila" in answer.text
    assert work_uploads(town.services) == KEPT_OPEN


def test_two_clerks_do_not_publish_over_each_other_unseen(town: Town, browser: Browser) -> None:
    import_version(town, browser, small.small_feed())
    import_version(town, browser, OTHER)
    second = town.browser("clerk", "auditor")
    second.see(f"{FEEDS}/2/publicar")
    assert publish(browser, 1).status_code == 303
    stale = publish(second, 2)
    assert stale.status_code == 409
    assert "Outra pessoa publicou" in stale.text
    assert "05:50" in stale.text
    assert "06:00" in published(town, browser)
    second.see(f"{FEEDS}/2/publicar")
    assert publish(second, 2, expected=1).status_code == 303
    assert "05:50" in published(town, browser)
    assert "no lugar da 1" in browser.see(FEEDS)


def test_an_earlier_version_comes_back(town: Town, browser: Browser) -> None:
    for number, content in enumerate((small.small_feed(), OTHER)):
        import_version(town, browser, content)
        publish(browser, number + 1, number)
    assert "Versões anteriores" in browser.see(FEEDS)
    assert "Voltar a mostrar" in browser.see(f"{FEEDS}/1/publicar")
    assert publish(browser, 1, 2).status_code == 303
    assert "06:00" in published(town, browser)
    assert "voltou para a versão 1" in " ".join(browser.see(FEEDS).split())


def test_a_version_waits_for_its_day_and_may_be_called_back(
    town: Town, browser: Browser, clock: StandingClock
) -> None:
    import_version(town, browser, small.small_feed())
    publish(browser, 1)
    import_version(town, browser, OTHER)
    day = clock().date() + timedelta(days=3)
    for wrong in ("", "2026-02-30", clock().date().isoformat(), "2099-01-01"):
        answer = publish(browser, 2, 1, quando="dia", dia=wrong)
        assert answer.status_code == 422, wrong
        assert 'href="#campo-dia"' in answer.text
    assert publish(browser, 2, 1, quando="dia", dia=day.isoformat()).status_code == 303
    assert f"Será publicada em {day_in_words(day)}" in browser.see(FEEDS)
    assert "06:00" in published(town, browser)
    assert "05:50" in browser.see(f"/{town.authority.slug}/o-que-mudou")
    assert browser.submit(f"{FEEDS}/2/desmarcar").headers["location"] == f"{FEEDS}?feito=desmarcada"
    assert "Será publicada em" not in browser.see(FEEDS)


def test_what_is_published_is_not_published_again(town: Town, browser: Browser) -> None:
    import_version(town, browser, small.small_feed())
    publish(browser, 1)
    assert "já é a que os passageiros veem" in browser.see(f"{FEEDS}/1/publicar")
    publish(browser, 1, 1)
    assert browser.see(FEEDS).count("publicou a versão") == 1


def test_the_draft_is_walked_through_as_riders_will_see_it(town: Town, browser: Browser) -> None:
    import_version(town, browser, small.small_feed())
    preview = f"{FEEDS}/1/previa"
    lines = browser.see(f"{preview}/linhas")
    assert "RASCUNHO" in lines
    assert f'href="{preview}/linhas/1"' in lines
    line = browser.see(f"{preview}/linhas/1")
    assert "06:00" in line
    assert f'href="{preview}/paradas/mercado"' in line
    stop = browser.see(f"{preview}/paradas/mercado")
    assert "RASCUNHO" in stop
    assert f"/{town.authority.slug}/linhas/1" not in stop.replace(preview, "")
    for nowhere in ("linhas/99", "paradas/nada"):
        assert browser.get(f"{preview}/{nowhere}").status_code == 404
    answer = browser.get(f"{preview}/linhas/1")
    assert answer.headers["cache-control"] == "no-store"


def test_one_file_is_replaced_after_a_look_at_what_it_changes(town: Town, browser: Browser) -> None:
    import_version(town, browser, small.small_feed())
    at = f"{FEEDS}/1/arquivos"
    assert "stops.txt" in browser.see(at)
    assert send(browser, CHANGED_STOPS.encode(), at, "stops.txt", nome="stops.txt").status_code == 303
    work_uploads(town.services)
    seen = browser.see(f"{FEEDS}/envios/2")
    assert "1 mudado" in seen
    assert "stop_name de “Mercado” para “Feira”" in seen
    assert browser.get(f"{FEEDS}/2").status_code == 404
    assert browser.submit(f"{FEEDS}/envios/2/decidir", trocar="sim").status_code == 303
    work_uploads(town.services)
    assert "É agora a versão 2" in browser.see(f"{FEEDS}/envios/2")
    with zipfile.ZipFile(io.BytesIO(browser.get(f"{FEEDS}/2/gtfs.zip").content)) as opened:
        assert "Feira" in opened.read("stops.txt").decode()
        assert opened.read("trips.txt").decode() == small.TRIPS
    assert browser.submit(f"{FEEDS}/envios/2/decidir", trocar="nao").status_code == 303
    assert "É agora a versão 2" in browser.see(f"{FEEDS}/envios/2")


def test_a_replacement_that_is_not_wanted_changes_nothing(town: Town, browser: Browser) -> None:
    import_version(town, browser, small.small_feed())
    send(browser, CHANGED_STOPS.encode(), f"{FEEDS}/1/arquivos", "stops.txt", nome="stops.txt")
    work_uploads(town.services)
    browser.submit(f"{FEEDS}/envios/2/decidir", trocar="nao")
    assert work_uploads(town.services) == 0
    assert "A troca foi deixada de lado" in browser.see(f"{FEEDS}/envios/2")
    assert browser.get(f"{FEEDS}/2").status_code == 404


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("stops.txt", b"", "Escolha o arquivo novo"),
        ("stops.txt", small.small_feed(), "Este é um .zip"),
        ("../../etc/passwd", b"x", "Escolha qual arquivo"),
        ("", b"x", "Escolha qual arquivo"),
    ],
)
def test_a_wrong_replacement_is_told_beside_its_field(
    town: Town, browser: Browser, name: str, content: bytes, told: str
) -> None:
    import_version(town, browser, small.small_feed())
    answer = send(browser, content, f"{FEEDS}/1/arquivos", "x.txt", nome=name)
    assert answer.status_code == 422
    assert told in answer.text


def test_a_replacement_that_breaks_the_feed_is_refused(town: Town, browser: Browser) -> None:
    import_version(town, browser, small.small_feed())
    broken = small.STOPS.replace("M,102", "X,102").encode()
    send(browser, broken, f"{FEEDS}/1/arquivos", "stops.txt", nome="stops.txt")
    work_uploads(town.services)
    assert "O arquivo foi recusado" in browser.see(f"{FEEDS}/envios/2")


def test_the_zip_is_the_one_sent_and_fares_are_added_where_asked(town: Town, browser: Browser) -> None:
    sent = small.small_feed()
    import_version(town, browser, sent)
    assert browser.get(f"{FEEDS}/1/gtfs.zip").content == sent
    publish(browser, 1)
    public = f"/{town.authority.slug}/gtfs.zip"
    assert browser.get(public).content == sent
    browser.submit(
        "/equipe/tarifas/nova",
        gratis="sim",
        confirmar="sim",
        instrumento="Decreto 9/2026",
        vigencia=town.services.clock().date().isoformat(),
    )
    assert browser.submit(f"{FEEDS}/1/tarifas", tarifas="sim").status_code == 303
    with zipfile.ZipFile(io.BytesIO(browser.get(public).content)) as opened:
        assert "fare_products.txt" in opened.namelist()
    assert "A ele se juntam as tarifas" in browser.see(f"{FEEDS}/1")
    browser.submit(f"{FEEDS}/1/tarifas", tarifas="nao")
    assert browser.get(public).content == sent


def test_reports_of_a_version_are_one_page_one_spreadsheet_and_one_json(town: Town, browser: Browser) -> None:
    import_version(town, browser, small.small_feed())
    told = browser.get(f"{FEEDS}/1/relatorio.json").json()
    assert told["accepted"]
    rows = list(csv.reader(io.StringIO(browser.get(f"{FEEDS}/1/relatorio.csv").text)))
    assert len(rows) == 1 + sum(notice["total"] for notice in told["notices"])


def test_departures_near_those_of_the_buses_are_a_warning_of_the_version(town: Town, browser: Browser) -> None:
    import_version(town, browser, small.small_feed())
    assert "Falta a rede de comparação" in browser.see(f"{FEEDS}/1/comparacao")
    assert browser.get(f"{FEEDS}/1/comparacao.csv").status_code == 404
    assert "pelo menos 15 minutos" in browser.see(f"{FEEDS}/comparacao")
    assert send(browser, OTHER, f"{FEEDS}/comparacao/enviar", "onibus.zip").status_code == 303
    work_uploads(town.services)
    assert "A rede de comparação foi guardada" in browser.see(f"{FEEDS}/envios/2")
    page = browser.see(f"{FEEDS}/1/comparacao")
    assert "Partidas próximas demais" in page
    assert "art. 4" in page
    told = browser.get(f"{FEEDS}/1/comparacao.json").json()
    assert told["warnings"]
    assert len(browser.get(f"{FEEDS}/1/comparacao.csv").text.splitlines()) > 1
    browser.see(f"{FEEDS}/comparacao")
    assert browser.submit(f"{FEEDS}/comparacao/retirar", numero="1").status_code == 303
    assert "retirada por" in browser.see(f"{FEEDS}/comparacao")
    assert browser.submit(f"{FEEDS}/comparacao/retirar", numero="9").status_code == 404
    assert "Falta a rede de comparação" in browser.see(f"{FEEDS}/1/comparacao")


def test_a_town_whose_law_sets_no_minutes_is_told_so(town: Town) -> None:
    other = add_town(town.services.database, "canaa", CANAA)
    browser = Browser(town.app)
    browser.sign_in(add_member(town.services.database, other, "clerk"))
    browser.see(FEEDS)
    import_version(town, browser, small.small_feed())
    assert "A lei deste município não diz" in browser.see(f"{FEEDS}/1/comparacao")
    assert "A lei deste município não diz" in browser.see(f"{FEEDS}/comparacao")


def test_versions_of_another_town_do_not_exist_here(town: Town, browser: Browser) -> None:
    import_version(town, browser, small.small_feed())
    other = add_town(town.services.database, "canaa", CANAA)
    theirs = Browser(town.app)
    theirs.sign_in(add_member(town.services.database, other, "clerk"))
    theirs.see(FEEDS)
    for path in (
        "1",
        "1/publicar",
        "1/gtfs.zip",
        "1/relatorio.json",
        "1/previa/linhas",
        "envios/1",
        "1/comparacao",
    ):
        assert theirs.get(f"{FEEDS}/{path}").status_code == 404, path
    for path in ("1/publicar", "1/desmarcar", "1/tarifas", "envios/1/decidir"):
        assert theirs.submit(f"{FEEDS}/{path}", tarifas="sim", quando="agora").status_code == 404, path
    assert json.loads(browser.get(f"{FEEDS}/1/relatorio.json").text)["accepted"]
