"""Inspections on a phone: the list of the day, the result, the seal, the stale form."""

import re

import pytest
from sqlmodel import col, select

from complaints.enforcement.tables import Inspection
from complaints.registry.seals import newest_seals, seal_state
from complaints.registry.tables import Seal
from tests.desk_seeds import add_van
from tests.web.staff.conftest import Browser, Town

ORDER = {"versao": "1", "verificar": "Porta dianteira", "prazo": "2026-12-10", "fundamento": "art. 27, § 1º"}


def order(town: Town, triager: Browser) -> str:
    """The page of an inspection just ordered for the case of the town."""
    assert triager.submit(f"{town.case_address}/vistoria", **ORDER).status_code == 303
    return first_address(triager.see("/equipe/vistorias"))


def first_address(html: str) -> str:
    found = re.search(r"/equipe/vistorias/\w+", html)
    assert found
    return found[0]


def stored(town: Town) -> Inspection:
    with town.services.database.read() as session:
        return session.exec(select(Inspection)).one()


def test_the_inspector_finds_the_van_and_records_what_was_found(town: Town) -> None:
    address = order(town, town.browser("triager"))
    inspector = town.browser("inspector")
    listed = inspector.see("/equipe/vistorias")
    for words in ("ABC1D23", "prefixo E-23", "Porta dianteira", "até 10/12", "E01 Centro x Itaipuaçu"):
        assert words in listed
    page = inspector.see(address)
    for words in ("art. 27, § 1º", "válido", "Veículo apreendido (art. 55)", "10 de dezembro de 2026"):
        assert words in page
    answer = inspector.submit(
        f"{address}/resultado",
        versao="1",
        resultado="rejected",
        medida=["retention", "apprehension"],
        observacao="Pneus lisos",
        cancelar_selo="1",
    )
    assert (answer.status_code, answer.headers["location"]) == (303, f"{address}?feito=resultado")
    done = inspector.see(answer.headers["location"])
    for words in ("Gravado.", "Reprovado", "Veículo retido até o conserto, Veículo apreendido", "Pneus lisos"):
        assert words in done
    assert (stored(town).state, stored(town).result) == ("done", "rejected")
    with town.services.database.read() as session:
        newest = newest_seals(session, town.van.authority_id, [town.van.id])[town.van.id]
        assert seal_state(newest, town.services.clock().date()) == "revoked"
    assert "Nenhuma vistoria a fazer" in inspector.see("/equipe/vistorias")


def test_an_approved_van_gets_its_seal_until_the_day_the_form_proposes(town: Town) -> None:
    address = order(town, town.browser("triager"))
    inspector = town.browser("inspector")
    assert 'name="validade" type="date" value="2027-11-30"' in inspector.see(address)
    inspector.submit(
        f"{address}/resultado", versao="1", resultado="approved", novo_selo="1", validade="2027-11-30"
    )
    with town.services.database.read() as session:
        seals = session.exec(select(Seal).order_by(col(Seal.issued_at))).all()
        assert [seal.valid_until.isoformat() for seal in seals] == ["2027-06-30", "2027-11-30"]
        assert stored(town).seal_id == seals[1].id


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Escolha o resultado da vistoria"),
        ({"resultado": "rejected"}, "Descreva o que foi encontrado"),
        ({"resultado": "rejected", "observacao": "x", "medida": "fine"}, "Escolha só medidas que a lei"),
        ({"resultado": "no_show", "observacao": "x", "medida": "retention"}, "Sem o veículo presente"),
        ({"resultado": "rejected", "observacao": "x", "novo_selo": "1"}, "Só veículo aprovado recebe selo"),
        ({"resultado": "approved", "novo_selo": "1", "validade": "2020-01-01"}, "já passou"),
    ],
)
def test_a_wrong_result_says_what_to_correct(small_town: Town, fields: dict[str, str], words: str) -> None:
    address = order(small_town, small_town.browser("triager"))
    answer = small_town.browser("inspector").submit(f"{address}/resultado", versao="1", **fields)
    assert answer.status_code == 422
    assert answer.text.count(words) == 2
    assert stored(small_town).state == "ordered"


def test_a_stale_result_is_refused_and_the_notes_stay(town: Town) -> None:
    address = order(town, town.browser("triager"))
    first, second = town.browser("inspector"), town.browser("inspector", "triager")
    first.submit(f"{address}/resultado", versao="1", resultado="approved")
    answer = second.submit(f"{address}/resultado", versao="1", resultado="rejected", observacao="Freio gasto")
    assert answer.status_code == 409
    assert "A vistoria mudou enquanto você escrevia" in answer.text
    assert "Freio gasto" in answer.text
    assert "Aprovado" in answer.text
    assert stored(town).result == "approved"


def test_an_order_is_cancelled_with_a_reason(town: Town) -> None:
    triager = town.browser("triager")
    address = order(town, triager)
    empty = triager.submit(f"{address}/cancelar", versao="1", motivo=" ")
    assert empty.status_code == 422
    assert "Escreva por que a vistoria não será feita" in empty.text
    assert triager.submit(f"{address}/cancelar", versao="1", motivo="Van vendida").status_code == 303
    assert "Van vendida" in triager.see(address)
    assert town.reload().status == "in_triage"


def test_the_form_is_offered_only_to_inspectors_and_cancelling_only_to_those_who_order(small_town: Town) -> None:
    triager = small_town.browser("triager")
    address = order(small_town, triager)
    assert "Registrar o resultado" not in triager.see(address)
    assert "Cancelar esta vistoria" in triager.see(address)
    inspector = small_town.browser("inspector").see(address)
    assert "Registrar o resultado" in inspector
    assert "Cancelar esta vistoria" not in inspector
    registrar = small_town.browser("registrar").see(address)
    assert small_town.case.protocol not in registrar


@pytest.mark.parametrize("what", ["resultado", "cancelar"])
def test_reloading_after_an_error_goes_back_to_the_inspection(small_town: Town, what: str) -> None:
    address = order(small_town, small_town.browser("triager"))
    answer = small_town.browser("inspector", "triager").get(f"{address}/{what}")
    assert (answer.status_code, answer.headers["location"]) == (303, address)


def test_a_case_without_a_known_vehicle_is_checked_on_the_street(small_town: Town) -> None:
    case = small_town.file(text="Van branca sem placa")
    triager = small_town.browser("triager")
    triager.submit(f"/equipe/casos/{case.protocol}/vistoria", **ORDER)
    address = first_address(triager.see("/equipe/vistorias"))
    page = small_town.browser("inspector").see(address)
    assert "não tem veículo do cadastro" in page
    assert "novo_selo" not in page


def test_vehicles_are_listed_and_found_with_the_state_of_their_seal(small_town: Town) -> None:
    add_van(small_town.services.database, small_town.authority, "XYZ9Z99")
    browser = small_town.browser("registrar")
    page = browser.see("/equipe/veiculos")
    assert page.index("ABC1D23") < page.index("XYZ9Z99")
    assert '<span class="tag good">válido</span>' in page
    assert "Casos</a>" not in page
    found = browser.see("/equipe/veiculos?busca=abc1323")
    assert "ABC1D23" in found
    assert "XYZ9Z99" not in found
    assert "Nenhum veículo encontrado" in browser.see("/equipe/veiculos?busca=QQQ0Q00")
    for query in ("pagina=9", "pagina=x", "pagina=-1"):
        browser.see(f"/equipe/veiculos?{query}")
