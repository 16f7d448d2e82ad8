"""The pages on fares and rights, for every town and as the authority's acts change."""

import re
from collections.abc import Callable
from datetime import date, datetime
from itertools import pairwise

import pytest
from starlette.testclient import TestClient

from complaints.authorities.choices import Choice, add_choice
from complaints.authorities.fares import read_fare
from complaints.authorities.tables import Authority
from complaints.law.rulebook import get_rulebook
from tests.machine import DATABASES
from web.rider.rule_links import find_shared_subject
from web.services import Services

TOWNS = ("marica", "marechal-floriano", "conceicao-de-macabu", "rio-das-ostras", "canaa-dos-carajas")
Choose = Callable[[str, str, str, object, str], None]

PATHS = tuple(f"/{town}/{page}" for town in TOWNS for page in ("tarifas", "direitos"))
WITH_FARES = tuple(town for town in TOWNS if town != "rio-das-ostras")

pytestmark = [
    pytest.mark.usefixtures("towns"),
    # The pages read one choice at a time: one database is enough.
    pytest.mark.parametrize("database", DATABASES[:1], indirect=True),
]


def words_of(client: TestClient, path: str) -> str:
    """The text of the page's content, tags out, blanks folded."""
    response = client.get(path)
    assert response.status_code == 200
    content = response.text.partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", content).split())


@pytest.fixture
def choose(services: Services, towns: dict[str, Authority], now: datetime) -> Choose:
    """Records an act of an authority, in force from the day of the test."""

    def add(slug: str, kind: str, key: str, value: object, instrument: str) -> None:
        with services.database.write() as session:
            add_choice(
                session,
                towns[slug].id,
                kind,
                key,
                value,
                instrument=instrument,
                effective_from=now.date(),
                today=now.date(),
                now=now,
            )

    return add


def test_pages_of_the_law_exist_in_every_town(client: TestClient) -> None:
    for path in PATHS:
        response = client.get(path)
        assert response.status_code == 200, path
        assert response.text.count("<h1") == 1, path
        assert 'lang="pt-BR"' in response.text
        assert re.search(r"\(art\.\s\d", response.text), path


@pytest.mark.parametrize("page", ["tarifas", "direitos"])
def test_unknown_town_has_no_pages_of_the_law(client: TestClient, page: str) -> None:
    assert client.get(f"/lugar-nenhum/{page}").status_code == 404


def test_every_complaint_offered_is_a_subject_of_the_town(client: TestClient, towns: dict[str, Authority]) -> None:
    for path in PATHS:
        town = path.split("/")[1]
        offered = re.findall(rf'href="/{town}/reclamar\?assunto=([a-z0-9-]+)"', client.get(path).text)
        assert offered, path
        assert all(get_rulebook(towns[town].law_id).find_subject(key) for key in offered), path


def test_ids_of_a_page_are_unique_and_headings_never_skip_a_level(client: TestClient) -> None:
    for path in PATHS:
        html = client.get(path).text
        ids = re.findall(r'\sid="([^"]+)"', html)
        assert len(ids) == len(set(ids)), path
        levels = [int(level) for level in re.findall(r"<h([1-6])", html)]
        assert all(later - earlier <= 1 for earlier, later in pairwise(levels)), path


def test_pages_are_light(client: TestClient) -> None:
    for path in PATHS:
        response = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert int(response.headers["content-length"]) < 8 * 1024, path


def test_marica_says_first_that_nobody_pays_and_by_which_act(client: TestClient) -> None:
    words = words_of(client, "/marica/tarifas")
    first = words.index("A passagem é grátis para todos")
    assert "Desde 5 de janeiro de 2026, ninguém paga." in words
    assert "Ato: Tarifa Zero nas vans" in words
    assert first < words.index("Se a passagem voltar a ser cobrada") < words.index("Crianças de até cinco anos")
    assert "R$" not in words


def test_marica_offers_charged_while_free_as_the_first_complaint(client: TestClient) -> None:
    html = client.get("/marica/tarifas").text
    offered = re.findall(r"assunto=([a-z0-9-]+)", html)
    assert offered[0] == "inf-tarifa-diferente-gratis"
    assert "Reclamar: Cobraram passagem" in html


def test_marica_charging_again_shows_the_price_and_no_longer_the_free_complaint(
    client: TestClient, choose: Choose
) -> None:
    choose("marica", "fare", "all", {"cents": 370, "everyone": False}, "Decreto 1/2026")
    words = words_of(client, "/marica/tarifas")
    assert "Passagem: R$ 3,70" in words
    assert "Ato: Decreto 1/2026." in words
    assert "grátis para todos" not in words
    assert "Cobraram passagem?" not in words
    assert "inf-tarifa-diferente-gratis" not in client.get("/marica/tarifas").text


@pytest.mark.parametrize("town", [town for town in WITH_FARES if town != "marica"])
def test_town_without_an_act_invents_no_price(client: TestClient, town: str) -> None:
    words = words_of(client, f"/{town}/tarifas")
    assert "Preço não informado" in words
    assert "R$" not in words


@pytest.mark.parametrize(("cents", "half"), [(450, "Paga metade: R$ 2,25."), (375, "Paga metade.")])
def test_half_fare_is_printed_only_in_whole_cents(
    client: TestClient, choose: Choose, cents: int, half: str
) -> None:
    choose("marechal-floriano", "fare", "all", {"cents": cents}, "Decreto 2/2026")
    assert half in words_of(client, "/marechal-floriano/tarifas")


@pytest.mark.parametrize("town", WITH_FARES)
def test_every_title_is_shown_with_its_article(client: TestClient, towns: dict[str, Authority], town: str) -> None:
    words = words_of(client, f"/{town}/tarifas")
    for rule in get_rulebook(towns[town].law_id).fare_rules:
        assert rule.label in words
        assert f"({'; '.join(rule.citations)})" in words


@pytest.mark.parametrize("town", WITH_FARES)
def test_disputed_readings_are_never_shown_as_settled(
    client: TestClient, towns: dict[str, Authority], town: str
) -> None:
    words = words_of(client, f"/{town}/tarifas")
    rulebook = get_rulebook(towns[town].law_id)
    disputes = [dispute for rule in rulebook.fare_rules for dispute in rule.disputes]
    disputes += [dispute for exclusion in rulebook.fare_exclusions for dispute in exclusion.disputes]
    assert disputes
    assert words.count("Em aberto:") == words.count("ainda não decidiu.") == len(disputes)


def test_reading_the_authority_has_decided_is_no_longer_open(client: TestClient, choose: Choose) -> None:
    choose("marica", "setting", "gratuity.senior_limit", "completed_65", "Portaria EPT 7/2026")
    words = words_of(client, "/marica/tarifas")
    assert "Decidido pelo órgão: Portaria EPT 7/2026, desde 30 de novembro de 2026." in words
    assert "se o direito começa no dia em que a pessoa faz 65" not in words


def test_canaas_seletivo_has_no_free_travel(client: TestClient) -> None:
    words = words_of(client, "/canaa-dos-carajas/tarifas")
    assert "No serviço seletivo, ninguém tem gratuidade nem desconto. (art. 23, § 1º)" in words
    assert "Vale em: linhas regulares, serviço extraordinário." in words


def test_service_in_dispute_is_not_listed_where_a_title_holds(client: TestClient) -> None:
    words = words_of(client, "/canaa-dos-carajas/tarifas")
    students = words.partition("Estudantes Paga metade.")[2].partition("Policiais civis")[0]
    assert "Vale em: linhas regulares. É certo:" in students
    assert "vale também no serviço extraordinário. O órgão ainda não decidiu." in students


def test_rio_das_ostras_says_plainly_that_there_are_no_fares(client: TestClient) -> None:
    words = words_of(client, "/rio-das-ostras/tarifas")
    assert "Aqui não há passagem" in words
    assert "transporte escolar. Ele não tem linhas nem preço de passagem." in words
    assert "Não paga" not in words


@pytest.mark.parametrize("town", TOWNS)
def test_term_to_answer_stands_under_the_federal_law(client: TestClient, town: str) -> None:
    words = words_of(client, f"/{town}/direitos")
    municipal, _, federal = words.partition("Lei federal nº 13.460/2017")
    assert "A resposta sai em 30 dias." in federal
    assert "30 dias" not in municipal
    assert "Não fixa prazo" in federal


def test_goal_is_not_shown_beside_the_legal_term(client: TestClient, choose: Choose) -> None:
    choose("marica", "setting", "clock.goal_days", 10, "Portaria EPT 8/2026")
    assert "não é prazo legal" not in words_of(client, "/marica/direitos")


def test_authority_without_the_federal_clock_shows_its_goal_as_a_goal(
    client: TestClient, services: Services, towns: dict[str, Authority], choose: Choose
) -> None:
    choose("marica", "setting", "clock.goal_days", 10, "Portaria EPT 8/2026")
    with services.database.write() as session:
        session.get_one(Authority, towns["marica"].id).clock_law_id = None
    words = words_of(client, "/marica/direitos")
    assert "Meta do órgão, não é prazo legal: responder em 10 dias." in words
    assert "A resposta sai em 30 dias." not in words


def test_marica_lists_the_six_reasons_to_refuse_and_one_complaint_for_them(client: TestClient) -> None:
    words = words_of(client, "/marica/direitos")
    for item in ("I", "II", "III", "IV", "V", "VI"):
        assert f"(art. 39, {item})" in words
    assert words.count("Reclamar: Recusou me levar") == 1


def test_marica_says_what_must_be_displayed(client: TestClient) -> None:
    words = words_of(client, "/marica/direitos")
    assert words.count("(art. 26, § 1º)") == 3
    assert "O selo fica dentro da van" in words


def test_town_without_duties_or_refusals_shows_no_empty_heading(client: TestClient) -> None:
    words = words_of(client, "/rio-das-ostras/direitos")
    assert "Quando o motorista pode recusar" not in words
    assert "Os seus deveres" not in words


@pytest.mark.parametrize("page", ["tarifas", "direitos"])
def test_unchanged_page_answers_304_and_a_new_act_changes_it(
    client: TestClient, choose: Choose, page: str
) -> None:
    first = client.get(f"/marica/{page}")
    again = client.get(f"/marica/{page}", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    choose("marica", "fare", "all", {"cents": 500}, "Decreto 3/2026")
    choose("marica", "setting", "clock.goal_days", 9, "Portaria 9/2026")
    changed = client.get(f"/marica/{page}", headers={"If-None-Match": first.headers["etag"]})
    assert changed.status_code == 200


@pytest.mark.parametrize(
    ("value", "free"),
    [
        ({"cents": 0, "everyone": True}, True),
        ({"cents": 0, "everyone": False}, False),
        ({"cents": 0}, False),
        ({"cents": 100, "everyone": True}, False),
    ],
)
def test_only_a_zero_fare_for_everyone_is_free(value: dict[str, object], free: bool) -> None:
    act = read_fare(Choice(value, "ato", None, date(2026, 1, 5)))
    assert act is not None
    assert act.free is free


def test_no_act_is_no_price() -> None:
    assert read_fare(None) is None


def test_one_link_serves_a_list_that_leads_to_one_complaint() -> None:
    marica, marechal = get_rulebook("marica-2627-2015"), get_rulebook("marechal-floriano-955-2009")
    shared = find_shared_subject(marechal, marechal.fare_rules)
    assert shared is not None
    assert shared.key == "dever-respeitar-gratuidade"
    assert find_shared_subject(marica, marica.fare_rules) is None
    assert find_shared_subject(marica, ()) is None
