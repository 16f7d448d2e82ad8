"""The authority's decisions on its law: dated acts, never backwards, shown with their history."""

import csv
import io
import json
from datetime import timedelta

import pytest
from sqlmodel import select

from complaints.authorities.law_in_force import fixtures_in_force, law_on, question_for, settings_in_force
from complaints.authorities.tables import AuthorityChoice, CalendarDay
from complaints.law.asking.engine import ask
from tests.conftest import StandingClock
from tests.web.staff.conftest import Browser, Town

NORM = "/equipe/norma"
CHILD = f"{NORM}/leituras/gratuity.child_limit"
ACT = {"instrumento": "Portaria EPT 9/2026", "documento": "processo 12/2026"}


def act_today(town: Town, **fields: str) -> dict[str, str]:
    return {**ACT, "vigencia": town.services.clock().date().isoformat(), **fields}


def acts(town: Town, kind: str) -> list[AuthorityChoice]:
    with town.services.database.read() as session:
        wanted = select(AuthorityChoice).where(AuthorityChoice.kind == kind)
        return list(session.exec(wanted).all())


@pytest.fixture
def browser(town: Town) -> Browser:
    return town.browser("administrator")


def test_the_page_lists_every_open_reading_with_its_question_and_articles(town: Town, browser: Browser) -> None:
    page = browser.see(NORM)
    assert "Até quando a criança de colo não paga?" in page
    assert "art. 23, § 1º" in page
    assert "sem decisão" in page
    assert "ainda não informado; sem ele não há multa nem pontos" in page


def test_a_reading_is_decided_by_a_dated_act_and_changes_the_answer(town: Town, browser: Browser) -> None:
    assert "Até a véspera dos seis anos." in browser.see(CHILD)
    answer = browser.submit(CHILD, leitura="2", **act_today(town))
    assert (answer.status_code, answer.headers["location"]) == (303, f"{NORM}?feito=leitura")
    page = browser.see(CHILD)
    assert "Portaria EPT 9/2026" in page
    assert "processo 12/2026" in page
    today = town.services.clock().date()
    trip = {
        "service": "complementary",
        "rider": {"born": today.replace(year=today.year - 5).isoformat(), "seat": "lap"},
    }
    with town.services.database.read() as session:
        assert settings_in_force(session, town.authority, today) == {
            "gratuity.child_limit": "before_fifth_birthday"
        }
        assert ask(question_for(session, town.authority, today, "fare", trip))["outcome"] == "full"
        before = today.replace(year=today.year - 1)
        assert settings_in_force(session, town.authority, before) == {}


def test_a_later_act_takes_over_and_the_earlier_one_stays_in_the_history(
    town: Town, browser: Browser, clock: StandingClock
) -> None:
    browser.see(CHILD)
    browser.submit(CHILD, leitura="2", **act_today(town))
    clock.advance(timedelta(minutes=1))
    browser.submit(CHILD, leitura="1", **act_today(town, instrumento="Decreto 10/2026"))
    page = browser.see(CHILD)
    assert page.index("Decreto 10/2026") < page.rindex("Portaria EPT 9/2026")
    with town.services.database.read() as session:
        chosen = settings_in_force(session, town.authority, town.services.clock().date())
    assert chosen == {"gratuity.child_limit": "through_fifth_birthday"}


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"leitura": "9"}, "Escolha uma das leituras"),
        ({"leitura": "1", "instrumento": ""}, "Diga que ato decide isto"),
        ({"leitura": "1", "vigencia": "2020-01-01"}, "Um ato não vale para trás"),
        ({"leitura": "1", "vigencia": "2026-02-30"}, "Escreva a data em que passa a valer"),
        ({"leitura": "1", "instrumento": "x" * 301}, "Use até 300 letras"),
        ({}, "Escolha uma das leituras"),
    ],
)
def test_an_act_that_cannot_be_is_told_and_not_stored(
    town: Town, browser: Browser, fields: dict[str, str], told: str
) -> None:
    browser.see(CHILD)
    answer = browser.submit(CHILD, **{**act_today(town), **fields})
    assert answer.status_code == 422
    assert told in answer.text
    assert acts(town, "setting") == []


@pytest.mark.parametrize(
    ("key", "typed", "stored"),
    [
        ("registry.max_auxiliary_drivers", "2", 2),
        ("gratuity.student_scope", "municipal, state", ["municipal", "state"]),
        ("recidivism.fine_step", "1,5", "1.5"),
        ("transitional.start", "2027-02-01", "2027-02-01"),
        ("seal.id_format", "AAAA-9999", "AAAA-9999"),
    ],
)
def test_an_open_reading_takes_a_value_of_its_own_kind(
    town: Town, browser: Browser, key: str, typed: str, stored: object
) -> None:
    address = f"{NORM}/leituras/{key}"
    browser.see(address)
    assert browser.submit(address, leitura="outro", valor=typed, **act_today(town)).status_code == 303
    assert json.loads(acts(town, "setting")[0].value) == stored
    assert browser.submit(address, leitura="outro", valor="", **act_today(town)).status_code == 422


def test_a_reading_of_another_law_is_not_found(browser: Browser) -> None:
    assert browser.get(f"{NORM}/leituras/defence.days").status_code == 404


def upload(browser: Browser, content: bytes, **fields: str) -> str:
    data = {"csrf": browser.token, **fields}
    return browser.post(f"{NORM}/anexo", data=data, files={"arquivo": ("anexo.csv", content, "text/csv")}).text


def test_the_annex_is_shown_first_and_stored_when_confirmed(town: Town, browser: Browser) -> None:
    browser.see(f"{NORM}/anexo")
    rows = b"infracao;grupo;item\ninf-fumar;a;\ninf-porta-aberta;B;12\n"
    page = upload(browser, rows, **act_today(town))
    rulebook = law_on(town.authority, town.services.clock().date())
    assert f"2 de {len(rulebook.infractions) + len(rulebook.duties)} linhas têm grupo" in page
    assert acts(town, "infraction_table") == []
    answer = browser.submit(f"{NORM}/anexo", conteudo=rows.decode(), confirmar="sim", **act_today(town))
    assert answer.status_code == 303
    with town.services.database.read() as session:
        found = fixtures_in_force(session, town.authority, town.services.clock().date())
    assert found["classes"] == {"inf-fumar": "A", "inf-porta-aberta": "B"}
    assert found["annex_items"] == {"inf-porta-aberta": 12}
    assert "Portaria EPT 9/2026" in browser.see(NORM)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"chave,grupo\ninf-fumar,A\n", "Linha 1: falta a coluna infracao"),
        (b"infracao,grupo,item\ninf-voar,A,1\n", "Linha 2: não há infração"),
        (b"infracao,grupo,item\ninf-fumar,D,1\n", "Linha 2: não há grupo"),
        (b"infracao,grupo,item\ninf-fumar,A,um\n", "Linha 2: o item"),
        (b"infracao,grupo,item\ninf-fumar,A,\ninf-fumar,B,\n", "Linha 3: inf-fumar aparece mais de uma vez"),
        (b"infracao,grupo,item\ncas-documento-falso,A,\n", "não é infração nem dever"),
        (b"infracao,grupo,item\ninf-fumar,,\n", "Nenhuma linha tem grupo"),
        (b"infracao,grupo\n\xff\xfe", "não está em UTF-8"),
    ],
)
def test_a_wrong_annex_is_told_line_by_line_and_nothing_is_stored(
    town: Town, browser: Browser, content: bytes, told: str
) -> None:
    browser.see(f"{NORM}/anexo")
    assert told in upload(browser, content, confirmar="sim", **act_today(town)).replace("&#39;", "'")
    assert acts(town, "infraction_table") == []


def test_the_template_names_every_infraction_and_can_be_sent_back(town: Town, browser: Browser) -> None:
    rows = list(csv.DictReader(io.StringIO(browser.get(f"{NORM}/anexo.csv").content.decode("utf-8-sig"))))
    assert len(rows) == 73
    assert {"infracao", "grupo", "item", "dispositivo", "descricao"} == set(rows[0])


def test_the_fiscal_unit_has_a_value_by_month_or_year(town: Town, browser: Browser) -> None:
    address = f"{NORM}/unidade"
    browser.see(address)
    for period, value, cents in (("01/2027", "123,45", 12345), ("2027", "R$ 1.200,00", 120000)):
        assert browser.submit(address, periodo=period, valor=value, **act_today(town)).status_code == 303
        assert cents in [json.loads(row.value) for row in acts(town, "fiscal_unit")]
    with town.services.database.read() as session:
        units = fixtures_in_force(session, town.authority, town.services.clock().date())["fiscal_units"]
        earlier = town.services.clock().date() - timedelta(days=300)
        assert fixtures_in_force(session, town.authority, earlier)["fiscal_units"] == units
    assert units == {"UFIMA": {"2027-01": 12345, "2027": 120000}}
    wrong = browser.submit(address, periodo="13/2027", valor="doze", **act_today(town))
    assert "Escreva o mês e o ano" in wrong.text
    assert "Escreva o valor em reais" in wrong.text


def test_of_two_values_of_one_unit_the_one_stated_last_counts(
    town: Town, browser: Browser, clock: StandingClock
) -> None:
    address, today = f"{NORM}/unidade", town.services.clock().date()
    for value, days in (("120,00", 20), ("130,00", 10)):
        since = (today + timedelta(days=days)).isoformat()
        browser.see(address)
        sent = {**act_today(town), "vigencia": since}
        assert browser.submit(address, periodo="2027", valor=value, **sent).status_code == 303
        clock.advance(timedelta(minutes=1))
    with town.services.database.read() as session:
        assert fixtures_in_force(session, town.authority, today)["fiscal_units"] == {"UFIMA": {"2027": 13000}}


def test_a_municipal_day_enters_and_leaves_the_calendar_by_acts(
    town: Town, browser: Browser, clock: StandingClock
) -> None:
    address = f"{NORM}/calendario"
    browser.see(address)
    day = {"dia": "2027-03-15", "tipo": "municipal", "nome": "Padroeira"}
    assert browser.submit(address, **day, **act_today(town)).status_code == 303
    assert "Padroeira" in browser.see(address)
    assert "já está no calendário" in browser.submit(address, **day, **act_today(town)).text
    clock.advance(timedelta(minutes=1))
    gone = browser.submit(address, tirar="2027-03-15", tipo="municipal", instrumento="Decreto 5")
    assert gone.status_code == 303
    with town.services.database.read() as session:
        assert session.exec(select(CalendarDay).where(CalendarDay.name == "Padroeira")).all() == []
    assert [json.loads(row.value)["added"] for row in acts(town, "calendar_day")] == [True, False]


def test_the_engine_counts_terms_by_the_authoritys_calendar(town: Town) -> None:
    day = town.services.clock().date()
    told = {"step": "appeal", "sanction": "fine", "served": {"mode": "personal", "on": day.isoformat()}}
    with town.services.database.read() as session:
        question = question_for(session, town.authority, day, "deadline", told)
    assert ask(question)["status"] == "answered"


def test_a_day_in_the_past_or_of_the_nation_is_not_touched(town: Town, browser: Browser) -> None:
    address = f"{NORM}/calendario"
    browser.see(address)
    late = browser.submit(address, dia="2020-01-02", tipo="optional", nome="Ontem", **act_today(town))
    assert "prazos passados não mudam" in late.text
    assert browser.submit(address, tirar="2027-12-25", tipo="national", instrumento="x").status_code == 422


def test_office_hours_are_an_act_too(town: Town, browser: Browser) -> None:
    address = f"{NORM}/expediente"
    browser.see(address)
    good = browser.submit(address, dias=["mo", "fr"], abre="09:00", fecha="15:30", **act_today(town))
    assert good.status_code == 303
    assert "das 09:00 às 15:30" in browser.see(NORM)
    wrong = browser.submit(address, abre="18:00", fecha="09:00", **act_today(town))
    assert "Marque pelo menos um dia" in wrong.text
    assert "a primeira antes da segunda" in wrong.text


def test_only_those_who_may_decide_see_the_page(town: Town) -> None:
    assert town.browser("inspector").get(NORM).status_code == 403
