"""The fare checker: a question at a time, the answer with its article, open readings not shown as settled."""

import re
from collections.abc import Mapping
from datetime import date, timedelta

import pytest
from starlette.testclient import TestClient

from complaints.authorities.choices import add_choice
from complaints.authorities.tables import Authority
from web.services import Services

TODAY = date(2026, 11, 30)


def page(client: TestClient, town: str, **answers: str) -> str:
    answer = client.post(f"/{town}/tarifas/consulta", data=answers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return re.sub(r"\s+", " ", answer.text)


def years_ago(years: int, days: int = 0) -> str:
    return (TODAY.replace(year=TODAY.year - years) + timedelta(days=days)).strftime("%d/%m/%Y")


@pytest.mark.parametrize(
    ("town", "answers", "asked"),
    [
        (
            "marechal-floriano",
            {"servico": "regular", "quem": "military_police"},
            "Está trabalhando na hora da viagem?",
        ),
        (
            "marechal-floriano",
            {"servico": "regular", "quem": "military_police", "on_duty": "sim"},
            "Está de uniforme?",
        ),
        ("conceicao-de-macabu", {"servico": "regular", "nascimento": years_ago(3)}, "Onde a pessoa vai?"),
        ("canaa-dos-carajas", {"servico": "regular", "quem": "disabled"}, "Que deficiência?"),
        ("marica", {"quem": "student"}, "De que rede é a escola?"),
    ],
)
def test_the_law_says_what_to_ask_next(
    client: TestClient, towns: Mapping[str, Authority], town: str, answers: dict[str, str], asked: str
) -> None:
    text = page(client, town, **answers)
    assert asked in text
    for name, value in answers.items():
        assert f'name="{name}" value="{value}"' in text


@pytest.mark.parametrize(
    ("town", "answers", "told"),
    [
        (
            "marechal-floriano",
            {"servico": "regular", "quem": "military_police", "on_duty": "sim", "uniformed": "sim"},
            ("Não paga", "art. 25, II"),
        ),
        (
            "marechal-floriano",
            {"servico": "regular", "quem": "postman", "on_duty": "sim", "uniformed": "nao"},
            ("Paga inteira", "estar de uniforme"),
        ),
        ("conceicao-de-macabu", {"servico": "regular", "nascimento": years_ago(70)}, ("Não paga", "art. 71, I")),
        ("canaa-dos-carajas", {"servico": "seletivo", "quem": "student"}, ("Paga inteira", "não tem o desconto")),
        ("canaa-dos-carajas", {"servico": "regular", "quem": "student"}, ("Paga metade", "Lei Orgânica")),
        ("marica", {"quem": "student", "network": "municipal"}, ("Hoje ninguém paga", "Não paga")),
        ("conceicao-de-macabu", {"servico": "regular", "nascimento": years_ago(40)}, ("Paga inteira", "a idade")),
    ],
)
def test_the_answer_has_its_article_or_what_is_missing(
    client: TestClient, towns: Mapping[str, Authority], town: str, answers: dict[str, str], told: tuple[str, ...]
) -> None:
    text = page(client, town, **answers)
    for words in told:
        assert words in text


def test_a_disputed_reading_is_not_shown_as_settled_until_the_authority_decides(
    client: TestClient, towns: Mapping[str, Authority], services: Services
) -> None:
    sixty_today = {"servico": "regular", "nascimento": years_ago(60)}
    text = page(client, "conceicao-de-macabu", **sixty_today)
    assert "A lei não deixa claro" in text
    assert "ainda não decidiu qual vale" in text
    with services.database.write() as session:
        add_choice(
            session,
            towns["conceicao-de-macabu"].id,
            "setting",
            "age.over",
            "day_after",
            instrument="Decreto 1",
            effective_from=TODAY,
            today=TODAY,
            now=services.clock(),
        )
    decided = page(client, "conceicao-de-macabu", **sixty_today)
    assert "A lei não deixa claro" not in decided
    assert "Paga inteira" in decided


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({"servico": "foguete"}, "Escolha o serviço"),
        ({"quem": "rei"}, "Escolha uma das opções"),
        ({"nascimento": "31/02/1960"}, "Escreva a data de nascimento"),
        ({"nascimento": "01/01/2999"}, "Escreva a data de nascimento"),
    ],
)
def test_a_wrong_answer_is_asked_again(
    client: TestClient, towns: Mapping[str, Authority], answers: dict[str, str], told: str
) -> None:
    answer = client.post("/canaa-dos-carajas/tarifas/consulta", data=answers)
    assert answer.status_code == 422
    assert told in answer.text


def test_the_first_page_says_that_nothing_is_kept_and_is_linked(
    client: TestClient, towns: Mapping[str, Authority]
) -> None:
    assert "/marica/tarifas/consulta" in client.get("/marica/tarifas").text
    assert "Nada do que você responder fica guardado." in client.get("/marica/tarifas/consulta").text


def test_school_transport_has_no_fare_to_check(client: TestClient, towns: Mapping[str, Authority]) -> None:
    assert client.get("/rio-das-ostras/tarifas/consulta").status_code == 404
    assert "consulta" not in client.get("/rio-das-ostras/tarifas").text
