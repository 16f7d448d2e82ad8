"""Logging in and out: the cookie, the words, the limits, the ends of a session."""

import logging
from dataclasses import replace
from datetime import timedelta

import pytest

from complaints.staff.accounts import deactivate, get_account
from tests.conftest import StandingClock
from tests.desk_seeds import PASSWORD
from tests.web.staff.conftest import Browser, Town
from web.app import create_app
from web.staff.entry import WRONG, safe_return

COOKIE = "selo_equipe"


def test_a_right_password_opens_the_desk_with_a_guarded_cookie(town: Town) -> None:
    browser = Browser(town.app)
    answer = browser.sign_in(town.hire("triager"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/equipe/")
    cookie = answer.headers["set-cookie"].lower()
    for part in ("httponly", "samesite=lax", "path=/equipe", "max-age=43200"):
        assert part in cookie
    assert "secure" not in cookie
    assert browser.get("/equipe/").headers["location"] == "/equipe/casos"


def test_the_cookie_is_secure_where_the_public_address_is(town: Town) -> None:
    settings = replace(town.services.settings, public_url="https://testserver")
    browser = Browser(create_app(replace(town.services, settings=settings)))
    answer = browser.post("/equipe/entrar", data={"email": town.hire("clerk").email, "senha": PASSWORD})
    assert "secure" in answer.headers["set-cookie"].lower()


def test_the_email_is_taken_in_any_letter_case(town: Town) -> None:
    member = town.hire("triager")
    answer = Browser(town.app).post(
        "/equipe/entrar", data={"email": f" {member.email.upper()} ", "senha": PASSWORD}
    )
    assert answer.status_code == 303


def test_a_wrong_password_and_an_unknown_email_get_the_same_answer(town: Town) -> None:
    member = town.hire("triager")
    browser = Browser(town.app)
    pages = []
    for email in (member.email, "ninguem@marica.example"):
        answer = browser.post("/equipe/entrar", data={"email": email, "senha": "uma frase errada"})
        assert answer.status_code == 422
        assert "set-cookie" not in answer.headers
        assert WRONG in answer.text
        assert "uma frase errada" not in answer.text
        pages.append(answer.text.replace(email, "EMAIL"))
    assert pages[0] == pages[1]


def test_an_empty_form_says_what_is_missing(town: Town) -> None:
    answer = Browser(town.app).post("/equipe/entrar", data={})
    assert answer.status_code == 422
    assert "Digite o seu e-mail" in answer.text
    assert "Digite a sua senha" in answer.text


def test_too_many_wrong_passwords_get_429_with_the_time_to_wait(town: Town, clock: StandingClock) -> None:
    member = town.hire("triager")
    browser = Browser(town.app)
    data = {"email": member.email, "senha": "uma frase errada"}
    assert [browser.post("/equipe/entrar", data=data).status_code for _ in range(5)] == [422] * 5
    refused = browser.post("/equipe/entrar", data={**data, "senha": PASSWORD})
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "61"
    assert "Tente de novo daqui a <strong>1 minuto</strong>" in refused.text
    clock.advance(timedelta(minutes=1))
    assert browser.sign_in(member).status_code == 303


def test_a_closed_account_gets_the_same_answer_as_a_wrong_password(town: Town) -> None:
    member = town.hire("triager")
    with town.services.database.write() as session:
        deactivate(session, get_account(session, member.authority_id, member.email))
    answer = Browser(town.app).sign_in(member)
    assert answer.status_code == 422
    assert WRONG in answer.text


def test_a_session_ends_after_two_idle_hours_and_after_twelve_anyway(town: Town, clock: StandingClock) -> None:
    browser = town.browser("triager")
    for _ in range(7):
        clock.advance(timedelta(minutes=100))
        assert browser.get("/equipe/casos").status_code == 200
    clock.advance(timedelta(minutes=20))
    assert browser.get("/equipe/casos").status_code == 303
    other = town.browser("attendant")
    clock.advance(timedelta(minutes=119))
    assert other.get("/equipe/casos").status_code == 200
    clock.advance(timedelta(minutes=120))
    assert other.get("/equipe/casos").status_code == 303


def test_logging_out_ends_the_session_on_the_server(town: Town) -> None:
    browser = town.browser("triager")
    stolen = browser.cookies[COOKIE]
    answer = browser.submit("/equipe/sair")
    assert answer.headers["location"] == "/equipe/entrar"
    assert 'selo_equipe=""' in answer.headers["set-cookie"]
    thief = Browser(town.app)
    thief.cookies.set(COOKIE, stolen, path="/equipe")
    assert thief.get("/equipe/casos").status_code == 303


def test_nobody_else_can_log_a_person_out(town: Town) -> None:
    browser = town.browser("triager")
    browser.token = ""
    assert browser.submit("/equipe/sair").status_code == 403
    assert browser.get("/equipe/casos").status_code == 200
    assert browser.get("/equipe/sair").status_code == 405
    assert Browser(town.app).post("/equipe/sair").status_code == 303


def test_after_logging_in_one_comes_back_to_the_page_asked_for(town: Town) -> None:
    browser = Browser(town.app)
    sent = browser.get(f"{town.case_address}?feito=triagem").headers["location"]
    page = browser.see(sent)
    assert f'name="volta" value="{town.case_address}?feito=triagem"' in page
    answer = browser.post(
        "/equipe/entrar",
        data={"email": town.hire("triager").email, "senha": PASSWORD, "volta": town.case_address},
    )
    assert answer.headers["location"] == town.case_address


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "/equipe//evil.example",
        "/equipe/../marica/",
        "/marica/reclamar",
        "/equipe/\\evil",
        "/equipe/x\nSet-Cookie: a=b",
        "javascript:alert(1)",
    ],
)
def test_nothing_else_is_come_back_to(elsewhere: str) -> None:
    assert safe_return(elsewhere) == ""


def test_whoever_is_in_already_is_sent_on(town: Town) -> None:
    assert town.browser("triager").get("/equipe/entrar").headers["location"] == "/equipe/"


def test_a_new_log_in_replaces_the_session_of_this_browser(town: Town) -> None:
    browser = Browser(town.app)
    member = town.hire("triager")
    browser.sign_in(member)
    first = browser.cookies[COOKIE]
    browser.sign_in(member)
    other = Browser(town.app)
    other.cookies.set(COOKIE, first, path="/equipe")
    assert other.get("/equipe/casos").status_code == 303


def test_changing_the_password_keeps_this_browser_and_ends_the_others(town: Town) -> None:
    member = town.hire("triager")
    browser, elsewhere = Browser(town.app), Browser(town.app)
    browser.sign_in(member)
    elsewhere.sign_in(member)
    answer = browser.submit("/equipe/senha", atual=PASSWORD, nova="outra frase comprida")
    assert answer.status_code == 303
    assert "Senha trocada" in browser.see(answer.headers["location"])
    assert elsewhere.get("/equipe/casos").status_code == 303
    assert Browser(town.app).sign_in(member).status_code == 422
    assert Browser(town.app).sign_in(member, "outra frase comprida").status_code == 303


@pytest.mark.parametrize(
    ("current", "new", "words"),
    [
        ("errada mesmo", "outra frase comprida", "A senha atual não confere"),
        (PASSWORD, "quatro e 12", "pelo menos 12 caracteres"),
        (PASSWORD, "triager@marica.example", "não pode ser o seu e-mail"),
        (PASSWORD, "aaaaaaaaaaaaaa", "letras mais variadas"),
        (PASSWORD, "abcd" * 60, "no máximo 200"),
    ],
)
def test_a_password_is_not_changed_by_a_wrong_form(small_town: Town, current: str, new: str, words: str) -> None:
    browser = small_town.browser("triager")
    answer = browser.submit("/equipe/senha", atual=current, nova=new)
    assert answer.status_code == 422
    assert words in answer.text
    assert 'name="nova" type="password" value=""' in answer.text
    assert browser.get("/equipe/casos").status_code == 200


@pytest.mark.parametrize(
    ("role", "first"),
    [("attendant", "/equipe/casos"), ("inspector", "/equipe/vistorias"), ("auditor", "/equipe/casos")],
)
def test_the_desk_opens_on_ones_own_work(town: Town, role: str, first: str) -> None:
    assert town.browser(role).get("/equipe/").headers["location"] == first


def test_who_has_no_pages_reads_what_the_role_may_do(town: Town) -> None:
    page = town.browser("administrator").see("/equipe/")
    assert "Administração do sistema" in page
    assert "cadastrar e desativar pessoas da equipe" in page


def test_passwords_tokens_and_emails_are_not_logged(town: Town, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    member = town.hire("triager")
    browser = Browser(town.app)
    browser.post("/equipe/entrar", data={"email": member.email, "senha": "uma frase errada"})
    browser.sign_in(member)
    logged = "\n".join(str(record.__dict__) for record in caplog.records if record.name.startswith("selo"))
    assert logged
    for secret in (PASSWORD, "uma frase errada", browser.cookies[COOKIE], member.email, browser.token):
        assert secret not in logged
