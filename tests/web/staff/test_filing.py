"""Filing for somebody on the phone: what is kept, what is read aloud, the same form twice."""

import io
import re

import pytest
from PIL import Image
from sqlmodel import select

from complaints.cases.follow import open_case
from complaints.cases.history import list_events
from complaints.cases.identity import contact_of
from complaints.cases.tables import CaseFile, Evidence
from complaints.messages.tables import Outbox
from tests.web.staff.conftest import Browser, Town

ADDRESS = "/equipe/casos/novo"
TOLD = {"canal": "phone", "relato": "A van não parou para a senhora", "placa": "ABC1D23", "envio": "form-1"}


def data_of(html: str, name: str) -> str:
    found = re.search(rf'<data[^>]* id="{name}" value="([^"]+)">', html)
    assert found, name
    return found[1]


def cases(town: Town) -> list[CaseFile]:
    with town.services.database.read() as session:
        return [case for case in session.exec(select(CaseFile)).all() if case.id != town.case.id]


def test_a_case_from_the_phone_gives_protocol_key_and_term_to_read_aloud(town: Town) -> None:
    member_page = town.browser("attendant").submit(ADDRESS, **TOLD, nome="Dona Ivone", telefone="(21) 99999-1111")
    assert member_page.status_code == 200
    (case,) = cases(town)
    assert (case.channel, case.vehicle_id, case.confidentiality) == ("phone", town.van.id, "named")
    protocol, key = data_of(member_page.text, "protocolo"), data_of(member_page.text, "chave")
    assert protocol == case.protocol
    assert f"{protocol[:4]} {protocol[4:8]} {protocol[8:]}" in member_page.text
    assert f"{key[:4]} {key[4:]}" in member_page.text
    assert '<time id="prazo" datetime="2026-12-30">' in member_page.text
    with town.services.database.read() as session:
        keyring = town.services.keyring
        assert open_case(session, keyring, case.authority_id, protocol, key).id == case.id
        identity = contact_of(session, keyring, case)
        assert (identity.name, identity.phone) == ("Dona Ivone", "+5521999991111")
        assert list_events(session, case.authority_id, case.id)[0].actor.startswith("staff:")
        assert session.exec(select(Outbox).where(Outbox.case_id == case.id)).one().purpose == "receipt"


@pytest.mark.parametrize(("channel", "stored"), [("phone", "phone"), ("counter", "counter"), ("letter", "letter")])
def test_the_channel_is_chosen(small_town: Town, channel: str, stored: str) -> None:
    small_town.browser("attendant").submit(ADDRESS, **{**TOLD, "canal": channel})
    assert [case.channel for case in cases(small_town)] == [stored]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"canal": ""}, "Escolha por onde a pessoa falou"),
        ({"canal": "web"}, "Escolha por onde a pessoa falou"),
        ({"relato": " "}, "Escreva o que a pessoa contou"),
        ({"relato": "", "assunto": "no-such-subject"}, None),
        ({"relato": "x" * 5001}, "no máximo 5000"),
        ({"placa": "x" * 41}, "no máximo 40"),
    ],
)
def test_a_form_to_correct_keeps_what_was_typed(
    small_town: Town, changed: dict[str, str], words: str | None
) -> None:
    answer = small_town.browser("attendant").submit(ADDRESS, **{**TOLD, "onde": "Na padaria", **changed})
    if words is None:
        assert answer.status_code in (200, 422)
        return
    assert answer.status_code == 422
    assert words in answer.text
    assert 'value="Na padaria"' in answer.text
    assert 'name="envio" value="form-1"' in answer.text
    assert cases(small_town) == []


def test_the_same_form_sent_twice_is_one_case_with_the_same_receipt(town: Town) -> None:
    browser = town.browser("attendant")
    first, second = browser.submit(ADDRESS, **TOLD), browser.submit(ADDRESS, **TOLD)
    assert data_of(first.text, "protocolo") == data_of(second.text, "protocolo")
    assert data_of(first.text, "chave") == data_of(second.text, "chave")
    assert len(cases(town)) == 1
    other = browser.submit(ADDRESS, **{**TOLD, "relato": "Outra coisa"})
    assert "já tinha sido enviado com outro conteúdo" in other.text
    assert len(cases(town)) == 1


def test_each_new_form_has_its_own_key(small_town: Town) -> None:
    browser = small_town.browser("attendant")
    keys = {re.findall(r'name="envio" value="([^"]+)"', browser.see(ADDRESS))[0] for _ in range(2)}
    assert len(keys) == 2


def test_a_line_is_kept_as_it_was_told(small_town: Town) -> None:
    small_town.browser("attendant").submit(ADDRESS, **{**TOLD, "placa": "", "linha": "a van de Itaipuaçu"})
    (case,) = cases(small_town)
    assert (case.line_id, case.line_name) == (None, "a van de Itaipuaçu")


def test_an_anonymous_caller_leaves_nothing_and_is_told_about_the_key(small_town: Town) -> None:
    answer = small_town.browser("attendant").submit(
        ADDRESS, **TOLD, sigilo="anonimo", nome="Dona Ivone", telefone="21999991111"
    )
    (case,) = cases(small_town)
    assert case.confidentiality == "anonymous"
    with small_town.services.database.read() as session:
        assert contact_of(session, small_town.services.keyring, case).is_empty()
    assert "não pode</strong> ser enviada de novo" in answer.text


def test_danger_shows_the_emergency_numbers(small_town: Town) -> None:
    answer = small_town.browser("attendant").submit(ADDRESS, **TOLD, assunto="violencia")
    assert "190" in answer.text
    assert cases(small_town)[0].urgent


def test_a_photo_brought_to_the_counter_is_kept_clean(small_town: Town) -> None:
    browser = small_town.browser("attendant")
    target = io.BytesIO()
    Image.new("RGB", (32, 32), "red").save(target, "PNG")
    files = [("anexo", ("a.png", target.getvalue(), "image/png")), ("anexo", ("b.txt", b"text", "text/plain"))]
    answer = browser.post(ADDRESS, data={"csrf": browser.token, **TOLD}, files=files)
    assert answer.status_code == 200
    assert "b.txt: este tipo não é aceito" in answer.text
    with small_town.services.database.read() as session:
        assert session.exec(select(Evidence)).one().state == "clean"


def test_who_may_not_file_for_others_is_refused(small_town: Town) -> None:
    browser: Browser = small_town.browser("inspector")
    assert browser.submit(ADDRESS, **TOLD).status_code == 403
    assert cases(small_town) == []
