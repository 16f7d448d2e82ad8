"""Drawing lines by hand: what the pages take, what they tell, and two clerks at once."""

import re

import pytest
from sqlmodel import select

from gtfs.clerk_tables import FeedSketch, FeedUpload
from gtfs.importing import Importing, import_feed, prepare_feed
from gtfs.tables import FeedVersion
from tests.desk_seeds import CANAA, add_member, add_town
from tests.web.staff.conftest import Browser, Town
from web.demo.network_feed import build_feed
from web.demo.network_reading import read_network

LINES = "/equipe/linhas"
STOPS = "nome;latitude;longitude\nRodoviária;-22,92;-42,82\nMercado;-22,925;-42,82\nPraia;-22,94;-42,82"
LINE = {
    "codigo": "V01",
    "nome": "Centro x Praia",
    "caminho": "ida-e-volta",
    "ida_paradas": "Rodoviária\nMercado\nPraia 20",
    "ida_dia_1": "05:30 6h10",
    "ida_dia_2": "igual a dias úteis",
    "volta_dia_1": "a cada 30 min das 6:00 às 20:00",
}


@pytest.fixture
def browser(small_town: Town) -> Browser:
    return small_town.browser("clerk")


def confirm(html: str) -> str:
    found = re.search(r'name="confirmar" value="([0-9a-f]+)"', html)
    assert found, html
    return found[1]


def add_stops(browser: Browser, text: str = STOPS) -> None:
    browser.see(f"{LINES}/colar")
    fields = {"o-que": "paradas", "conteudo": text}
    seen = browser.submit(f"{LINES}/colar", **fields)
    assert browser.submit(f"{LINES}/colar", **fields, confirmar=confirm(seen.text)).status_code == 303


def add_line(browser: Browser, **fields: str) -> None:
    browser.see(f"{LINES}/nova")
    assert browser.submit(f"{LINES}/nova", revisao="0", **{**LINE, **fields}).status_code == 303


def set_site(browser: Browser) -> None:
    browser.see(f"{LINES}/orgao")
    fields = {"nome": "EPT", "site": "https://www.marica.rj.gov.br", "telefone": "", "email": ""}
    assert browser.submit(f"{LINES}/orgao", revisao="0", **fields).status_code == 303


def parts(town: Town) -> dict[str, int]:
    with town.services.database.read() as session:
        return {row.part: row.revision for row in session.exec(select(FeedSketch)).all()}


def publish_demo(town: Town) -> None:
    now = town.services.clock()
    prepared = prepare_feed(build_feed(read_network("marica")), "demo.zip", now.date())
    with town.services.database.write() as session:
        import_feed(session, Importing(town.authority.id, prepared, "x", publish=True), now)


def test_an_empty_sketch_says_where_to_begin(browser: Browser) -> None:
    page = browser.see(LINES)
    assert "Por onde começar" in page
    assert "Trazer as linhas publicadas" not in page


def test_a_line_is_typed_kept_and_shown_as_riders_will_see_it(town: Town) -> None:
    browser = town.browser("clerk")
    add_stops(browser)
    browser.see(f"{LINES}/nova")
    answer = browser.submit(f"{LINES}/nova", revisao="0", **LINE)
    assert answer.headers["location"] == f"{LINES}/V01/previa"
    page = browser.see(f"{LINES}/V01/previa")
    for words in ("Linha V01 · Centro x Praia", "Sentido Praia", "05:30", "06:10", "a cada 30 min", "≈", "Prévia"):
        assert words in page
    assert "/marica/linhas/v01" in page
    assert "A linha não circula nesse dia" in browser.see(f"{LINES}/V01/previa?dia=2026-12-06")
    with town.services.database.read() as session:
        assert session.exec(select(FeedVersion)).all() == []
    assert parts(town) == {"stops": 1, "line:V01": 1}


def test_the_form_shows_the_line_as_it_was_typed(browser: Browser) -> None:
    add_stops(browser)
    add_line(browser)
    page = browser.see(f"{LINES}/V01")
    assert "Rodoviária; 0\nMercado\nPraia; 20" in page
    assert page.count("05:30 06:10") == 2
    assert "a cada 30 min das 06:00 às 20:00" in page


def test_every_fault_of_a_line_stands_beside_its_box_and_what_was_typed_stays(browser: Browser) -> None:
    add_stops(browser)
    browser.see(f"{LINES}/nova")
    wrong = {
        **LINE,
        "codigo": "V 01",
        "ida_paradas": "Rodoviária\nMercadão 5\nPraia 20",
        "ida_dia_1": "05:30 7",
        "volta_dia_1": "20:00 19:00",
    }
    answer = browser.submit(f"{LINES}/nova", revisao="0", **wrong)
    assert answer.status_code == 422
    for words in (
        "Use até 20 letras sem acento",
        "Linha 2, coluna 1: não há parada «Mercadão»: você quis dizer «Mercado»?",
        "Linha 1, coluna 7: «7» não é uma hora",
        "Linha 1, coluna 7: «19:00» vem depois de 20:00",
        "Mercadão 5",
        'href="#campo-ida_paradas"',
    ):
        assert words in answer.text, words
    assert answer.text.count("<h1>") == 1


def test_a_stop_is_picked_from_the_list_without_keeping_anything(small_town: Town, browser: Browser) -> None:
    add_stops(browser)
    browser.see(f"{LINES}/nova")
    answer = browser.submit(f"{LINES}/nova", **LINE, ida_nova_parada="mercado", acrescentar="ida")
    assert answer.status_code == 200
    assert "Praia 20\nMercado</textarea>" in answer.text
    assert "line:V01" not in parts(small_town)
    assert "Escolha a parada" in browser.submit(f"{LINES}/nova", **LINE, acrescentar="volta").text


def test_a_second_line_of_the_same_code_is_told(browser: Browser) -> None:
    add_stops(browser)
    add_line(browser)
    answer = browser.submit(f"{LINES}/nova", revisao="0", **{**LINE, "codigo": "v01"})
    assert answer.status_code == 422
    assert "Já existe a linha V01, Centro x Praia" in answer.text


def test_a_way_back_on_a_circular_line_is_told(browser: Browser) -> None:
    add_stops(browser)
    browser.see(f"{LINES}/nova")
    answer = browser.submit(f"{LINES}/nova", revisao="0", **{**LINE, "caminho": "circular"})
    assert answer.status_code == 422
    assert "esta linha não tem volta: apague a volta" in answer.text


def test_a_new_line_starts_from_another_one(browser: Browser) -> None:
    add_stops(browser)
    add_line(browser)
    page = browser.see(f"{LINES}/nova?de=V01")
    assert "Rodoviária; 0\nMercado\nPraia; 20" in page
    assert 'name="codigo" type="text" value=""' in page


def test_a_line_changes_its_code_and_keeps_its_id(small_town: Town, browser: Browser) -> None:
    add_stops(browser)
    add_line(browser)
    browser.see(f"{LINES}/V01")
    answer = browser.submit(f"{LINES}/V01", **{**LINE, "codigo": "V99"}, revisao="1")
    assert answer.headers["location"] == f"{LINES}/V99/previa"
    assert parts(small_town) == {"stops": 1, "line:V99": 1}
    with small_town.services.database.read() as session:
        row = session.exec(select(FeedSketch).where(FeedSketch.part == "line:V99")).one()
    assert '"id": "V01"' in row.content
    add_line(browser)
    with small_town.services.database.read() as session:
        row = session.exec(select(FeedSketch).where(FeedSketch.part == "line:V01")).one()
    assert '"id": "V01-2"' in row.content


def test_two_clerks_cannot_change_a_line_over_each_other_unseen(small_town: Town, browser: Browser) -> None:
    add_stops(browser)
    add_line(browser)
    other = small_town.browser("transport_head")
    for one in (browser, other):
        one.see(f"{LINES}/V01")
    assert other.submit(f"{LINES}/V01", **{**LINE, "nome": "Centro x Mar"}, revisao="1").status_code == 303
    answer = browser.submit(f"{LINES}/V01", **{**LINE, "nome": "Centro x Areia"}, revisao="1")
    assert answer.status_code == 409
    for words in ("A linha mudou enquanto você escrevia", "transport_head@", "Centro x Mar", "Centro x Areia"):
        assert words in answer.text
    assert 'name="revisao" value="2"' in answer.text
    assert browser.submit(f"{LINES}/V01", **{**LINE, "nome": "Centro x Areia"}, revisao="2").status_code == 303
    assert "Centro x Areia" in browser.see(LINES)


def test_a_line_is_taken_out_only_when_ticked_and_as_it_was_seen(small_town: Town, browser: Browser) -> None:
    add_stops(browser)
    add_line(browser)
    browser.see(f"{LINES}/V01")
    assert browser.submit(f"{LINES}/V01/apagar", revisao="1").status_code == 422
    assert browser.submit(f"{LINES}/V01/apagar", revisao="9", confirmar="sim").status_code == 409
    assert browser.submit(f"{LINES}/V01/apagar", revisao="1", confirmar="sim").status_code == 303
    assert "line:V01" not in parts(small_town)


def test_lines_of_another_authority_do_not_exist_here(small_town: Town, browser: Browser) -> None:
    add_stops(browser)
    add_line(browser)
    other = add_town(small_town.services.database, "canaa", CANAA)
    stranger = Browser(small_town.app)
    stranger.sign_in(add_member(small_town.services.database, other, "clerk"))
    for address in (f"{LINES}/V01", f"{LINES}/V01/previa"):
        assert stranger.get(address).status_code == 404
    assert stranger.submit(f"{LINES}/V01/apagar", revisao="1", confirmar="sim").status_code == 404
    assert "Centro x Praia" not in stranger.see(LINES)


def test_the_items_of_the_law_are_asked_kept_and_shown(browser: Browser) -> None:
    add_stops(browser)
    add_line(browser, projeto_aim="Ligar a rodoviária à praia", projeto_fleet="4 vans de 16 lugares")
    form = browser.see(f"{LINES}/V01")
    assert "Frota operante: número e tipo de veículos (art. 18, III, d)" in form
    page = browser.see(f"{LINES}/V01/previa")
    for words in (
        "Ligar a rodoviária à praia",
        "4 vans de 16 lugares",
        "Ida: 20 min.",
        "falta escrever",
        "art. 18, IV",
    ):
        assert words in page


def test_a_town_whose_law_lists_no_items_is_asked_for_none(small_town: Town) -> None:
    other = add_town(small_town.services.database, "canaa", CANAA)
    browser = Browser(small_town.app)
    browser.sign_in(add_member(small_town.services.database, other, "clerk"))
    assert "Projeto técnico" not in browser.see(f"{LINES}/nova")


def test_stops_are_added_corrected_and_taken_out_one_by_one(small_town: Town, browser: Browser) -> None:
    browser.see(f"{LINES}/paradas")
    place = {"nome": "Mercado", "coordenadas": "https://maps.google.com/?q=-22.925,-42.82"}
    assert browser.submit(f"{LINES}/paradas", revisao="0", **place).status_code == 303
    page = browser.see(f"{LINES}/paradas?parada=mercado")
    assert "-22.925000, -42.820000" in page
    moved = {"parada": "mercado", "nome": "Mercado Velho", "coordenadas": "-22,93; -42,82"}
    assert browser.submit(f"{LINES}/paradas", revisao="1", **moved).status_code == 303
    assert "Mercado Velho" in browser.see(f"{LINES}/paradas")
    assert browser.submit(f"{LINES}/paradas", revisao="1", **place).status_code == 409
    assert browser.submit(f"{LINES}/paradas", revisao="2", **moved, apagar="sim").status_code == 303
    assert "Mercado Velho" not in browser.see(f"{LINES}/paradas")
    assert browser.get(f"{LINES}/paradas?parada=mercado").status_code == 404


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"nome": "", "coordenadas": "-22.9, -42.8"}, "Escreva o nome da parada"),
        ({"nome": "MERCADO", "coordenadas": "-22.9, -42.8"}, "Já existe a parada Mercado"),
        ({"nome": "A", "coordenadas": "-42.8, -22.9"}, "parece que latitude e longitude estão trocadas"),
        ({"nome": "A", "coordenadas": "ali"}, "não são coordenadas"),
        ({"nome": "Praia", "parada": "praia", "apagar": "sim"}, "Passam por esta parada as linhas V01"),
        ({"nome": "A", "coordenadas": "-22.9, -42.8", "parada": "nada"}, "Esta parada não existe mais"),
    ],
)
def test_a_stop_that_cannot_be_is_told(browser: Browser, fields: dict[str, str], words: str) -> None:
    add_stops(browser)
    add_line(browser)
    browser.see(f"{LINES}/paradas")
    answer = browser.submit(f"{LINES}/paradas", revisao="1", **fields)
    assert answer.status_code == 422
    assert words in answer.text


def test_a_stop_far_from_the_others_is_pointed_out(browser: Browser) -> None:
    add_stops(browser, f"{STOPS}\nLonge;-20,9;-42,8")
    assert "Longe das outras" in browser.see(f"{LINES}/paradas")


def test_days_are_changed_with_their_holidays(small_town: Town, browser: Browser) -> None:
    page = browser.see(f"{LINES}/dias")
    assert "Domingos e feriados" in page
    fields = {
        "inicio": "2027-01-01",
        "fim": "2027-12-31",
        "tipo1_nome": "Todos os dias",
        "tipo1_dias": ["1", "2", "3", "4", "5", "6", "7"],
        "tipo1_feriados": "sim",
        "feriados": "25/12 Natal\n01/05/2027",
    }
    assert browser.submit(f"{LINES}/dias", revisao="0", **fields).status_code == 303
    page = browser.see(f"{LINES}/dias")
    assert "01/05/2027\n25/12/2027" in page
    answer = browser.submit(f"{LINES}/dias", revisao="0", **fields)
    assert answer.status_code == 409
    assert "Os dias mudaram enquanto você escrevia" in answer.text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"inicio": "x"}, "Escreva o dia, o mês e o ano"),
        ({"fim": "2026-12-31"}, "O último dia vem depois do primeiro"),
        ({"tipo1_nome": ""}, "Dê um nome de até 60 letras"),
        ({"tipo1_dias": []}, "Marque pelo menos um dia da semana"),
        ({"tipo2_nome": "UTEIS", "tipo2_dias": "6"}, "Há dois tipos de dia com este nome"),
        ({"feriados": "\nontem"}, "Linha 2, coluna 1: «ontem» não é uma data: escreva como 25/12/2026"),
        ({"feriados": "31/02/2027"}, "não é uma data"),
        ({"feriados": "01/01/2030"}, "fica fora do período"),
        ({"feriados": "01/05/2027\n1/5 de novo"}, "01/05/2027 já está na linha 1"),
    ],
)
def test_days_that_cannot_be_are_told(browser: Browser, fields: dict[str, object], words: str) -> None:
    browser.see(f"{LINES}/dias")
    good = {
        "inicio": "2027-01-01",
        "fim": "2027-12-31",
        "tipo1_nome": "Úteis",
        "tipo1_dias": ["1", "2"],
        "feriados": "",
    }
    answer = browser.submit(f"{LINES}/dias", revisao="0", **{**good, **fields})
    assert answer.status_code == 422
    assert words in answer.text


def test_a_kind_of_day_with_times_cannot_go(browser: Browser) -> None:
    add_stops(browser)
    add_line(browser)
    browser.see(f"{LINES}/dias")
    fields = {"inicio": "2027-01-01", "fim": "2027-12-31", "feriados": ""}
    kept = {"tipo2_id": "sabado", "tipo2_nome": "Sábado", "tipo2_dias": "6"}
    answer = browser.submit(f"{LINES}/dias", revisao="0", **fields, **kept, tipo1_id="dias-uteis", tipo1_nome="")
    assert answer.status_code == 422
    assert "«Dias úteis» tem horários nas linhas V01" in answer.text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"site": "http://testserver/"}, "Escreva o endereço completo do site"),
        ({"site": "marica.rj.gov.br"}, "Escreva o endereço completo do site"),
        ({"nome": ""}, "Escreva o nome do órgão"),
        ({"telefone": "vinte e um"}, "Escreva o telefone com DDD"),
        ({"email": "ept@marica"}, "Escreva o e-mail completo"),
    ],
)
def test_an_agency_that_no_application_takes_is_told(browser: Browser, fields: dict[str, str], words: str) -> None:
    browser.see(f"{LINES}/orgao")
    good = {"nome": "EPT", "site": "https://www.marica.rj.gov.br", "telefone": "", "email": ""}
    answer = browser.submit(f"{LINES}/orgao", revisao="0", **{**good, **fields})
    assert answer.status_code == 422
    assert words in answer.text


def test_a_pasted_table_with_faults_keeps_nothing_and_names_each(small_town: Town, browser: Browser) -> None:
    browser.see(f"{LINES}/colar")
    text = "nome;latitude;longitude\nA;-22.9;-42.8\n\nB;-42.8;-22.9\nC;;-42.8"
    answer = browser.submit(f"{LINES}/colar", **{"o-que": "paradas", "conteudo": text})
    assert answer.status_code == 422
    assert "Há 2 faltas na planilha" in answer.text
    assert "Linha 4, coluna coordenadas" in answer.text
    assert "Linha 5, coluna latitude: falta a latitude" in answer.text
    assert parts(small_town) == {}


def test_what_was_confirmed_is_what_was_seen(small_town: Town, browser: Browser) -> None:
    add_stops(browser)
    sheet = {
        "o-que": "linhas",
        "conteudo": "linha;nome;paradas;Dias úteis\nV01;A;Rodoviária > Praia 20;5:30\nV02;B",
    }
    browser.see(f"{LINES}/colar")
    seen = browser.submit(f"{LINES}/colar", **sheet)
    assert seen.text.count("<td>nova</td>") == 2
    add_stops(browser, "Outra;-22.93;-42.82")
    answer = browser.submit(f"{LINES}/colar", **sheet, confirmar=confirm(seen.text))
    assert answer.status_code == 409
    assert "O rascunho mudou enquanto você conferia" in answer.text
    assert browser.submit(f"{LINES}/colar", **sheet, confirmar=confirm(answer.text)).status_code == 303
    assert {"line:V01", "line:V02"} <= parts(small_town).keys()


def test_a_file_is_taken_as_well_and_a_spreadsheet_is_refused_with_what_to_do(browser: Browser) -> None:
    browser.see(f"{LINES}/colar")
    data = {"csrf": browser.token, "o-que": "paradas"}
    good = browser.post(
        f"{LINES}/colar", data=data, files={"arquivo": ("p.csv", STOPS.encode("cp1252"), "text/csv")}
    )
    assert good.status_code == 200
    assert "Rodoviária" in good.text
    bad = browser.post(f"{LINES}/colar", data=data, files={"arquivo": ("p.xlsx", b"PK\x03\x04x", "text/csv")})
    assert bad.status_code == 422
    assert "Salve-a como CSV" in bad.text
    empty = browser.submit(f"{LINES}/colar", **{"o-que": "x"})
    assert "Escolha o que a planilha traz" in empty.text
    assert "Cole as células" in empty.text


@pytest.mark.parametrize(
    ("address", "words"), [("modelo.csv", "linha;nome;"), ("modelo.csv?de=paradas", "nome;latitude;")]
)
def test_the_templates_are_files_a_spreadsheet_opens(browser: Browser, address: str, words: str) -> None:
    answer = browser.get(f"{LINES}/{address}")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert words in answer.text


def test_an_unfinished_sketch_is_not_handed_over(small_town: Town, browser: Browser) -> None:
    add_stops(browser)
    add_line(browser, ida_paradas="Rodoviária\nPraia")
    page = browser.see(LINES)
    assert "diga em quantos minutos chega à última parada" in page
    answer = browser.submit(f"{LINES}/gerar", confirmar="0" * 64)
    assert answer.status_code == 422
    assert "Linha V01, ida: diga em quantos minutos" in answer.text
    assert "o site do órgão" in answer.text
    with small_town.services.database.read() as session:
        assert session.exec(select(FeedUpload)).all() == []


def test_a_feed_is_handed_over_only_as_it_was_seen(small_town: Town, browser: Browser) -> None:
    add_stops(browser)
    set_site(browser)
    add_line(browser)
    browser.see(LINES)
    seen = browser.submit(f"{LINES}/gerar")
    assert "1 linhas, 3 paradas" in seen.text
    add_line(browser, codigo="V02", nome="Outra")
    answer = browser.submit(f"{LINES}/gerar", confirmar=confirm(seen.text))
    assert answer.status_code == 409
    sent = browser.submit(f"{LINES}/gerar", confirmar=confirm(answer.text))
    assert (sent.status_code, sent.headers["location"]) == (303, "/equipe/horarios/envios/1")
    with small_town.services.database.read() as session:
        upload = session.exec(select(FeedUpload)).one()
    assert (upload.purpose, upload.state, upload.created_by) == ("feed", "waiting", "clerk@marica.example")
    assert re.fullmatch(r"marica-2026-11-30-[0-9a-f]{8}\.zip", upload.source_name)


def test_what_is_published_is_carried_into_an_empty_sketch(small_town: Town, browser: Browser) -> None:
    publish_demo(small_town)
    assert "Trazer as linhas publicadas" in browser.see(LINES)
    seen = browser.submit(f"{LINES}/trazer")
    for words in ("O que não vem", "Os traçados do mapa", "As tarifas de fare_attributes.txt"):
        assert words in seen.text
    assert parts(small_town) == {}
    assert browser.submit(f"{LINES}/trazer", confirmar=confirm(seen.text)).status_code == 303
    assert len([part for part in parts(small_town) if part.startswith("line:")]) == 24
    assert "Centro x Marquês" in browser.see(f"{LINES}/V04/previa")
    again = browser.submit(f"{LINES}/trazer", confirmar="1")
    assert again.status_code == 409
    assert "O rascunho não está vazio" in again.text


def test_without_anything_published_there_is_nothing_to_carry(browser: Browser) -> None:
    browser.see(LINES)
    assert browser.submit(f"{LINES}/trazer").status_code == 404


def test_a_line_without_times_says_so_in_its_preview(browser: Browser) -> None:
    add_stops(browser)
    add_line(browser, ida_dia_1="", ida_dia_2="", volta_dia_1="")
    page = browser.see(f"{LINES}/V01/previa")
    assert "Horários a publicar. Passa por: Rodoviária, Mercado, Praia." in page
    assert "ainda não publicou os horários desta linha" in page


def test_only_who_may_publish_draws_lines(small_town: Town) -> None:
    assert small_town.browser("triager").get(LINES).status_code == 403
