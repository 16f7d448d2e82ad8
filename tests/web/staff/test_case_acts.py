"""What staff do with a case by plain forms: done, incomplete, stale, no longer possible."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier
from typing import Any

import pytest
from sqlmodel import col, select

from complaints.cases.dialogue import ask_review
from complaints.cases.handling import load_for_change
from complaints.cases.history import list_events
from complaints.cases.reading import rider_view
from complaints.cases.tables import CaseSubject
from complaints.cases.verification import verify_authority
from complaints.enforcement.tables import Inspection
from complaints.messages.tables import Outbox
from tests.web.staff.conftest import Browser, Town
from web.staff.case_acts import ACTS

CLASSIFIED: dict[str, Any] = {"assunto": ["inf-excesso-de-lotacao", "ass-selo"], "observacao": "Vi o horário"}
ORDERED = {"verificar": "Porta dianteira", "prazo": "2026-12-10", "fundamento": "art. 27, § 1º"}
ANSWERED = {
    "resposta": "O veículo foi vistoriado.",
    "providencia": "Vistoria em 1º de dezembro",
    "desfecho": "inspected",
}
WHOLE: dict[str, dict[str, Any]] = {
    "triagem": {},
    "classificar": CLASSIFIED,
    "vistoria": ORDERED,
    "responder": ANSWERED,
    "prorrogar": {"justificativa": "A garagem só abre em janeiro"},
    "arquivar": {"motivo": "Fato em outro município"},
    "anotar": {"nota": "Liguei e ninguém atendeu"},
    "pedir": {"pergunta": "Em que ponto foi?"},
    "encaminhar": {"orgao": "Detro-RJ", "explicacao": "A linha é intermunicipal"},
}
STATUS_AFTER = {
    "triagem": "in_triage",
    "classificar": "received",
    "vistoria": "in_verification",
    "responder": "answered",
    "prorrogar": "received",
    "arquivar": "archived",
    "anotar": "received",
    "pedir": "complement_requested",
    "encaminhar": "forwarded",
}
TOLD = {
    "vistoria": "inspection_ordered",
    "responder": "answered",
    "prorrogar": "extended",
    "arquivar": "archived",
    "pedir": "complement_requested",
    "encaminhar": "forwarded",
}
LATER = {"reabrir", "manter", "operador", "operador-respondeu", "reunir"}
"""Acts that need more than a new case; each has a test of its own."""

INCOMPLETE = [
    ("classificar", {}, "Escolha pelo menos um assunto"),
    ("classificar", {"assunto": "no-such-subject"}, "Escolha pelo menos um assunto"),
    ("vistoria", {**ORDERED, "verificar": " "}, "Escreva o que o fiscal deve verificar"),
    ("vistoria", {**ORDERED, "prazo": "ontem"}, "Diga até que dia"),
    ("vistoria", {**ORDERED, "prazo": "2026-11-29"}, "não pode já ter passado"),
    ("vistoria", {**ORDERED, "fundamento": "art. 42, I"}, "Escolha o artigo da lei"),
    ("responder", {**ANSWERED, "resposta": ""}, "Escreva a resposta"),
    ("responder", {**ANSWERED, "providencia": " "}, "Diga o que foi feito"),
    ("responder", {**ANSWERED, "providencia": "", "desfecho": "no_action"}, "Diga o que foi feito"),
    ("responder", {**ANSWERED, "desfecho": ""}, "Escolha como o caso termina"),
    ("prorrogar", {}, "Escreva por que o prazo precisa ser prorrogado"),
    ("arquivar", {}, "Escreva o motivo do arquivamento"),
    ("anotar", {}, "Escreva a nota"),
    ("pedir", {}, "Escreva que informação falta"),
    ("encaminhar", {"explicacao": "Outro órgão"}, "Diga para que órgão"),
    ("encaminhar", {"orgao": "Detro"}, "Explique a quem reclamou"),
]


def act_address(town: Town, name: str) -> str:
    return f"{town.case_address}/{name}"


def last_event(town: Town) -> str:
    with town.services.database.read() as session:
        return list_events(session, town.case.authority_id, town.case.id)[-1].kind


def test_the_tables_of_this_file_name_every_act() -> None:
    assert set(WHOLE) == set(STATUS_AFTER) == {act.name for act in ACTS} - LATER


def test_a_closed_case_is_reopened_with_a_reason(small_town: Town) -> None:
    browser = small_town.browser("triager")
    assert browser.submit(act_address(small_town, "reabrir"), versao="1", motivo="cedo demais").status_code == 409
    browser.submit(act_address(small_town, "arquivar"), versao="1", **WHOLE["arquivar"])
    assert browser.submit(act_address(small_town, "reabrir"), versao="2").status_code == 422
    answer = browser.submit(act_address(small_town, "reabrir"), versao="2", motivo="Chegou informação nova")
    assert answer.headers["location"] == f"{small_town.case_address}?feito=reabrir"
    assert (small_town.reload().status, last_event(small_town)) == ("in_triage", "reopened")


def test_the_operator_is_asked_and_answers(small_town: Town) -> None:
    browser = small_town.browser("triager")
    browser.submit(act_address(small_town, "triagem"), versao="1")
    assert browser.submit(act_address(small_town, "operador"), versao="2").status_code == 422
    browser.submit(act_address(small_town, "operador"), versao="2", resumo="Linha 12, manhã de 30/11")
    assert small_town.reload().status == "with_operator"
    assert browser.submit(act_address(small_town, "operador-respondeu"), versao="3").status_code == 422
    browser.submit(act_address(small_town, "operador-respondeu"), versao="3", resposta_operador="Pneu furado")
    assert (small_town.reload().status, last_event(small_town)) == ("in_triage", "operator_answered")
    page = browser.see(small_town.case_address)
    assert "Resumo ao operador: Linha 12, manhã de 30/11" in page
    assert "Resposta do operador: Pneu furado" in page


def test_a_review_is_settled_only_when_it_was_asked_for(small_town: Town) -> None:
    browser = small_town.browser("triager")
    browser.submit(act_address(small_town, "responder"), versao="1", **ANSWERED)
    assert "Manter a resposta" not in browser.see(small_town.case_address)
    with small_town.services.database.write() as session:
        case = load_for_change(session, small_town.authority.id, small_town.case.protocol)
        ask_review(session, case, "Não resolveu", small_town.services.clock())
    assert "Manter a resposta" in browser.see(small_town.case_address)
    assert browser.submit(act_address(small_town, "manter"), versao="3").status_code == 422
    browser.submit(act_address(small_town, "manter"), versao="3", motivo="Nada de novo")
    assert (small_town.reload().review_requested, last_event(small_town)) == (False, "review_settled")


def test_a_case_is_joined_to_a_similar_older_one_from_its_page(town: Town) -> None:
    newer = town.file(text="A mesma porta", plate="ABC1D23")
    browser = town.browser("triager")
    page = browser.see(f"/equipe/casos/{newer.protocol}")
    assert "Casos parecidos" in page
    assert town.case.protocol in page
    address = f"/equipe/casos/{newer.protocol}/reunir"
    wrong = browser.submit(address, versao="1", principal="12")
    assert (wrong.status_code, wrong.text.count("Digite os 12 números")) == (422, 2)
    assert browser.submit(address, versao="7", principal=town.case.protocol).status_code == 409
    answer = browser.submit(address, versao="1", principal=town.case.protocol)
    assert answer.status_code == 303
    assert town.reload(newer).status == "merged"
    assert f'href="/equipe/casos/{newer.protocol}"' in browser.see(town.case_address)
    assert f'href="/equipe/casos/{town.case.protocol}"' in browser.see(answer.headers["location"])


def test_no_act_on_a_complaint_leads_to_a_penalty(small_town: Town) -> None:
    page = small_town.browser("triager", "transport_head", "president").see(small_town.case_address).lower()
    assert "multa" not in page
    assert "autuar" not in page
    assert "reclamação não é infração" in page


@pytest.mark.parametrize("name", list(WHOLE))
def test_each_act_writes_its_event_moves_the_case_and_comes_back_to_it(town: Town, name: str) -> None:
    browser = town.browser("triager")
    answer = browser.submit(act_address(town, name), versao="1", **WHOLE[name])
    assert (answer.status_code, answer.headers["location"]) == (303, f"{town.case_address}?feito={name}")
    act = next(act for act in ACTS if act.name == name)
    assert last_event(town) == act.event
    case = town.reload()
    assert (case.status, case.version) == (STATUS_AFTER[name], 2)
    page = browser.see(answer.headers["location"])
    assert act.done in page
    for text in WHOLE[name].values():
        if name not in ("classificar", "responder", "vistoria"):
            assert text in page
    with town.services.database.read() as session:
        purposes = session.exec(select(Outbox.purpose).order_by(col(Outbox.id))).all()
        assert list(purposes) == ["receipt", *([TOLD[name]] if name in TOLD else [])]
        assert verify_authority(session, case.authority_id).faults == ()


@pytest.mark.parametrize(("name", "fields", "words"), INCOMPLETE)
def test_an_incomplete_act_says_what_to_correct_and_keeps_what_was_typed(
    small_town: Town, name: str, fields: dict[str, str], words: str
) -> None:
    browser = small_town.browser("triager")
    answer = browser.submit(act_address(small_town, name), versao="1", **fields)
    assert answer.status_code == 422
    assert answer.text.count(words) == 2
    assert 'role="alert"' in answer.text
    for field, text in fields.items():
        if text.strip() and field in ("resposta", "providencia", "verificar"):
            assert text in answer.text
    assert small_town.reload().version == 1


@pytest.mark.parametrize("name", list(WHOLE))
def test_a_stale_form_gets_409_with_the_typed_text_and_what_changed(town: Town, name: str) -> None:
    first, second = town.browser("triager"), town.browser("president", "transport_head")
    first.submit(act_address(town, "anotar"), versao="1", nota="Nota de outra pessoa")
    answer = (second if name in ("vistoria", "responder") else first).submit(
        act_address(town, name), versao="1", **WHOLE[name]
    )
    assert answer.status_code == 409
    assert "O caso mudou enquanto você escrevia" in answer.text
    assert "Nota de outra pessoa" in answer.text
    assert "triager" in answer.text
    for field, typed in WHOLE[name].items():
        for text in typed if isinstance(typed, list) else [typed]:
            assert text in answer.text, field
    for chosen in WHOLE[name].get("assunto", ()):
        assert f'value="{chosen}" checked' in answer.text
    assert 'name="versao" value="2"' in answer.text
    assert town.reload().version == 2


def test_the_stale_form_can_be_sent_again_as_it_is(town: Town) -> None:
    browser = town.browser("triager")
    browser.submit(act_address(town, "anotar"), versao="1", nota="x")
    assert browser.submit(act_address(town, "responder"), versao="1", **ANSWERED).status_code == 409
    assert browser.submit(act_address(town, "responder"), versao="2", **ANSWERED).status_code == 303
    assert town.reload().status == "answered"


@pytest.mark.parametrize("version", ["", "0", "x", "-1", "99", "٢"])
def test_a_form_without_a_right_version_is_stale(small_town: Town, version: str) -> None:
    browser = small_town.browser("triager")
    answer = browser.submit(act_address(small_town, "responder"), versao=version, **ANSWERED)
    assert answer.status_code == 409
    assert ANSWERED["resposta"] in answer.text
    assert small_town.reload().version == 1


def test_what_is_no_longer_possible_keeps_the_text_to_copy(town: Town) -> None:
    browser = town.browser("triager")
    browser.submit(act_address(town, "arquivar"), versao="1", motivo="Fato em outro município")
    for version in ("1", "2"):
        answer = browser.submit(act_address(town, "responder"), versao=version, **ANSWERED)
        assert answer.status_code == 409
        assert "isto não é mais possível" in answer.text
        assert ANSWERED["resposta"] in answer.text
        assert "<textarea" not in answer.text
    page = browser.see(town.case_address)
    assert "Responder e avisar" not in page
    assert "Gravar a nota" in page
    assert "não é possível agora" in browser.see(act_address(town, "responder"))


def test_two_people_answering_at_once_give_one_answer(town: Town) -> None:
    browsers = [town.browser("triager"), town.browser("president"), town.browser("transport_head")]
    together = Barrier(len(browsers))

    def answer(browser: Browser) -> int:
        together.wait(timeout=30)
        return int(browser.submit(act_address(town, "responder"), versao="1", **ANSWERED).status_code)

    with ThreadPoolExecutor(len(browsers)) as pool:
        assert sorted(pool.map(answer, browsers)) == [303, 409, 409]
    with town.services.database.read() as session:
        purposes = list(session.exec(select(Outbox.purpose)).all())
        assert purposes.count("answered") == 1


def test_classifying_freezes_label_and_article_and_shows_the_candidates(town: Town) -> None:
    browser = town.browser("triager")
    browser.submit(act_address(town, "classificar"), versao="1", **CLASSIFIED)
    with town.services.database.read() as session:
        rows = session.exec(select(CaseSubject).where(CaseSubject.case_id == town.case.id)).all()
        assert {(row.key, row.chosen_by) for row in rows} == {(key, "staff") for key in CLASSIFIED["assunto"]}
        labels = [row.label for row in rows]
    page = browser.see(town.case_address)
    for label in labels:
        assert f"<h3>{label}</h3>" in page
    assert "art. 42" in page
    assert 'value="ass-selo" checked' in page


def test_an_urgent_subject_moves_the_case_up(town: Town) -> None:
    browser = town.browser("triager")
    browser.submit(act_address(town, "classificar"), versao="1", assunto="violencia")
    assert town.reload().urgent
    assert town.reload().queue_rank == 0
    assert "Urgente" in browser.see("/equipe/casos")


def test_the_rider_reads_the_answer_and_never_the_notes(town: Town) -> None:
    browser = town.browser("triager")
    browser.submit(act_address(town, "anotar"), versao="1", nota="Suspeita de trote")
    browser.submit(act_address(town, "classificar"), versao="2", assunto="ass-selo", observacao="Só da equipe")
    browser.submit(act_address(town, "responder"), versao="3", **ANSWERED)
    with town.services.database.read() as session:
        view = rider_view(session, town.reload())
        told = " ".join(text for entry in view.timeline for text in entry.content.values())
    assert ANSWERED["resposta"] in told
    assert ANSWERED["providencia"] in told
    assert "trote" not in told
    assert "Só da equipe" not in told


def test_the_term_is_extended_once_and_the_new_day_is_said_before(town: Town) -> None:
    browser = town.browser("triager")
    assert "29 de janeiro de 2027" in browser.see(act_address(town, "prorrogar"))
    browser.submit(act_address(town, "prorrogar"), versao="1", justificativa="Perícia")
    assert town.reload().due_on == date(2027, 1, 29)
    page = browser.see(town.case_address)
    assert "Prorrogar uma vez" not in page
    again = browser.submit(act_address(town, "prorrogar"), versao="2", justificativa="De novo")
    assert again.status_code == 422
    assert "A lei permite uma vez só" in again.text


def test_an_order_on_the_case_is_found_among_the_inspections(town: Town) -> None:
    browser = town.browser("triager")
    browser.submit(act_address(town, "vistoria"), versao="1", **ORDERED)
    with town.services.database.read() as session:
        inspection = session.exec(select(Inspection)).one()
        assert inspection.vehicle_id == town.van.id
    assert f"/equipe/vistorias/{inspection.public_id}" in browser.see(town.case_address)
    assert "Porta dianteira" in browser.see("/equipe/vistorias")


def test_only_the_acts_of_ones_permissions_are_offered(small_town: Town) -> None:
    attendant = small_town.browser("attendant").see(small_town.case_address)
    assert "Gravar o assunto" in attendant
    for button in ("Responder e avisar", "Determinar vistoria", "Arquivar", "Prorrogar uma vez"):
        assert button not in attendant
    auditor = small_town.browser("auditor").see(small_town.case_address)
    assert "O que fazer" not in auditor
