"""The queue: order, filters, search, pages, words for time, and the part that htmx asks for."""

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from complaints.cases.handling import load_for_change
from complaints.cases.tables import CaseFile
from tests.conftest import StandingClock
from tests.desk_seeds import add_van
from tests.web.staff.conftest import Town
from web.staff.queue import PAGE_SIZE

PROTOCOL = re.compile(r'href="/equipe/casos/(\d{12})"')
FRAGMENT = {"HX-Request": "true", "HX-Request-Type": "partial"}


def protocols(html: str) -> list[str]:
    return PROTOCOL.findall(html)


def change(town: Town, case: CaseFile, **values: object) -> CaseFile:
    with town.services.database.write() as session:
        loaded = load_for_change(session, case.authority_id, case.protocol)
        loaded.sqlmodel_update(values)
        session.add(loaded)
        return loaded


def test_urgent_cases_come_first_then_by_term(town: Town, clock: StandingClock) -> None:
    clock.advance(timedelta(days=1))
    later = town.file(text="Depois")
    clock.advance(timedelta(days=1))
    urgent = town.file(text="Motorista bêbado", subjects=("violencia",))
    html = town.browser("triager").see("/equipe/casos")
    assert protocols(html) == [urgent.protocol, town.case.protocol, later.protocol]
    assert html.count('<span class="tag bad">Urgente</span>') == 1


def test_late_cases_say_so_in_words_and_can_be_asked_for_alone(town: Town, clock: StandingClock) -> None:
    clock.advance(timedelta(days=31))
    fresh = town.file(text="Novo")
    browser = town.browser("triager")
    html = browser.see("/equipe/casos")
    assert '<span class="tag bad">atrasado há 1 dia</span>' in html
    assert protocols(html) == [town.case.protocol, fresh.protocol]
    assert protocols(browser.see("/equipe/casos?atrasados=1")) == [town.case.protocol]


def test_the_last_day_itself_is_not_late(town: Town, clock: StandingClock) -> None:
    clock.advance(timedelta(days=30))
    browser = town.browser("triager")
    assert "vence hoje" in browser.see("/equipe/casos")
    assert protocols(browser.see("/equipe/casos?atrasados=1")) == []


def test_cases_are_filtered_by_state_and_subject(town: Town) -> None:
    full = town.file(text="Lotada", subjects=("inf-excesso-de-lotacao",))
    closed = change(town, town.file(text="Fim"), status="archived", queue_rank=None)
    browser = town.browser("triager")
    assert set(protocols(browser.see("/equipe/casos"))) == {town.case.protocol, full.protocol}
    assert protocols(browser.see("/equipe/casos?assunto=inf-excesso-de-lotacao")) == [full.protocol]
    assert protocols(browser.see("/equipe/casos?situacao=in_triage")) == []
    assert protocols(browser.see("/equipe/casos?situacao=archived")) == [closed.protocol]
    assert protocols(browser.see("/equipe/casos?situacao=closed")) == [closed.protocol]
    page = browser.see("/equipe/casos?situacao=archived&assunto=ass-selo")
    assert '<option value="archived" selected>' in page
    assert '<option value="ass-selo" selected>' in page
    assert "Nenhum caso aqui" in page


@pytest.mark.parametrize("spelling", ["{0}", "{1}", " {1} "])
def test_a_protocol_in_any_spelling_opens_its_case(small_town: Town, spelling: str) -> None:
    plain = small_town.case.protocol
    typed = spelling.format(plain, f"{plain[:4]} {plain[4:8]}-{plain[8:]}")
    answer = small_town.browser("triager").get("/equipe/casos", params={"busca": typed})
    assert (answer.status_code, answer.headers["location"]) == (303, small_town.case_address)


@pytest.mark.parametrize("typed", ["ABC1D23", "abc-1323", "E-23", "e 23"])
def test_a_plate_in_both_forms_or_a_prefix_finds_the_cases_of_that_vehicle(small_town: Town, typed: str) -> None:
    small_town.file(text="Sem placa")
    add_van(small_town.services.database, small_town.authority, "XYZ9Z99")
    small_town.file(text="Outra van", plate="XYZ9Z99")
    page = small_town.browser("triager").get("/equipe/casos", params={"busca": typed}).text
    assert protocols(page) == [small_town.case.protocol]
    assert "Casos do veículo ABC1D23" in page


@pytest.mark.parametrize("typed", ["ZZZ9Z99", "123456789012", "nada", "'; drop table", "%"])
def test_a_search_without_result_says_so(small_town: Town, typed: str) -> None:
    page = small_town.browser("triager").get("/equipe/casos", params={"busca": typed})
    assert page.status_code == 200
    assert "Nenhum caso com este protocolo" in page.text
    assert protocols(page.text) == []


def test_long_queues_come_in_pages_that_keep_the_filters(small_town: Town) -> None:
    for number in range(PAGE_SIZE + 2):
        small_town.file(text=f"Caso {number}", subjects=("ass-selo",))
    browser = small_town.browser("triager")
    first = browser.see("/equipe/casos?assunto=ass-selo")
    assert len(protocols(first)) == PAGE_SIZE
    assert 'href="/equipe/casos?assunto=ass-selo&amp;pagina=2"' in first
    second = browser.see("/equipe/casos?assunto=ass-selo&pagina=2")
    assert len(protocols(second)) == 2
    assert not set(protocols(first)) & set(protocols(second))
    assert 'href="/equipe/casos?assunto=ass-selo"' in second
    assert "Próximos" not in second


@pytest.mark.parametrize(
    "query", ["pagina=0", "pagina=x", "pagina=-1", "pagina=999999", "situacao=zzz", "assunto=zzz"]
)
def test_a_strange_address_is_still_a_page(small_town: Town, query: str) -> None:
    small_town.browser("triager").see(f"/equipe/casos?{query}")


def test_htmx_gets_the_list_alone_and_a_reload_gets_the_page(small_town: Town) -> None:
    browser = small_town.browser("triager")
    part = browser.get("/equipe/casos", headers=FRAGMENT)
    assert protocols(part.text) == [small_town.case.protocol]
    assert "<html" not in part.text
    assert "HX-Request" in part.headers["vary"]
    assert part.headers["cache-control"] == "no-store"
    assert "<html" in browser.get("/equipe/casos", headers={**FRAGMENT, "HX-Request-Type": "full"}).text


def test_a_case_without_a_term_is_listed_after_the_others(town: Town) -> None:
    nothing = change(town, town.file(text="Sem prazo"), due_on=None)
    with town.services.database.read() as session:
        assert len(session.exec(select(CaseFile)).all()) == 2
    html = town.browser("triager").see("/equipe/casos")
    assert set(protocols(html)) == {town.case.protocol, nothing.protocol}
    assert "sem prazo" in html


def test_protocol_or_ended_session_takes_htmx_to_the_whole_page_instead_of_into_the_list(town: Town) -> None:
    browser = town.browser("triager")
    wanted = f"/equipe/casos?busca={town.case.protocol}"
    found = browser.get(wanted, headers=FRAGMENT)
    assert (found.status_code, found.headers["hx-redirect"]) == (204, f"/equipe/casos/{town.case.protocol}")
    assert browser.get(wanted).headers["location"] == f"/equipe/casos/{town.case.protocol}"
    browser.cookies.clear()
    out = browser.get("/equipe/casos", headers=FRAGMENT)
    assert (out.status_code, out.headers["hx-redirect"]) == (204, "/equipe/entrar?volta=/equipe/casos")
