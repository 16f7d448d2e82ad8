"""The pages of a seal and of a vehicle, and the search, as somebody without JavaScript sees them."""

import re
from datetime import date, datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from complaints.authorities.tables import Authority
from complaints.registry.seals import issue_seal, revoke_seal
from complaints.registry.tables import Holder, Permit, Seal, Vehicle
from complaints.registry.vehicles import register_vehicle, withdraw_vehicle
from web.services import Services

if TYPE_CHECKING:
    from tests.conftest import StandingClock

Towns = dict[str, Authority]
LAST_DAY = date(2027, 11, 30)


@pytest.fixture
def van(services: Services, towns: Towns) -> Vehicle:
    """A van of Maricá with a holder nobody may learn of."""
    with services.database.write() as session:
        marica = towns["marica"].id
        holder = Holder(authority_id=marica, name="Fulano Permissionário")
        session.add(holder)
        session.flush()
        permit = Permit(
            authority_id=marica, number="P-1", holder_id=holder.id, act="Portaria", starts_on=date(2024, 1, 1)
        )
        session.add(permit)
        session.flush()
        return register_vehicle(
            session,
            marica,
            "ABC-1234",
            kind="van",
            service="complementary",
            fleet_number="E-014",
            colour="branca",
            model="Sprinter",
            permit_id=permit.id,
            line_id="r01",
            line_name="E01 Centro x Itaipuaçu",
        )


@pytest.fixture
def seal(services: Services, van: Vehicle, now: datetime) -> Seal:
    """A valid seal of the van."""
    with services.database.write() as session:
        return issue_seal(session, van, LAST_DAY, None, now, own_number="SV-77")


def words(html: str) -> str:
    """The text of a page, one blank between words."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def test_a_valid_seal_answers_at_both_addresses_in_any_case(client: TestClient, seal: Seal) -> None:
    code = seal.code
    for typed in (code, code.lower(), f"{code[:3]} {code[3:6]}-{code[6:]}"):
        for address in (f"/s/{typed}", f"/S/{typed}"):
            response = client.get(address)
            assert (response.status_code, address) == (200, address)
            assert "Selo válido até 30 de novembro de 2027" in words(response.text)
            assert '<data id="situacao-do-selo" value="valid">' in response.text
            assert f'href="/marica/reclamar?selo={code}"' in response.text


def test_the_page_of_a_seal_says_what_the_vehicle_is(client: TestClient, seal: Seal) -> None:
    response = client.get(f"/s/{seal.code}")
    page = words(response.text)
    for said in ("A placa confere?", "ABC1C34", "ABC-1234", "Van", "E-014", "branca", "Sprinter", "E01 Centro x"):
        assert said in page
    assert response.text.count("<h1") == 1
    assert response.headers["cache-control"] == "no-cache"


def test_nothing_private_is_on_the_pages(
    client: TestClient, services: Services, seal: Seal, van: Vehicle, now: datetime
) -> None:
    with services.database.write() as session:
        revoke_seal(session, session.get_one(Seal, (seal.authority_id, seal.id)), "Dívida de Fulano", now)
    for path in (f"/s/{seal.code}", f"/marica/veiculos/{van.public_id}", "/marica/veiculos?q=E-014"):
        page = client.get(path).text
        assert "Fulano" not in page
        assert "Dívida" not in page
        assert "P-1" not in page


def test_an_expired_seal_says_until_when_it_was_valid(
    client: TestClient, services: Services, van: Vehicle, now: datetime
) -> None:
    with services.database.write() as session:
        old = issue_seal(session, van, date(2026, 11, 1), None, now - timedelta(days=365))
    response = client.get(f"/s/{old.code}")
    assert response.status_code == 200
    assert "Selo vencido: valia até 1º de novembro de 2026" in words(response.text)
    assert f"/marica/reclamar?selo={old.code}" in response.text


def test_a_revoked_seal_says_since_when(client: TestClient, services: Services, seal: Seal, now: datetime) -> None:
    with services.database.write() as session:
        late = datetime.fromisoformat("2026-11-30T02:00:00+00:00")
        revoke_seal(session, session.get_one(Seal, (seal.authority_id, seal.id)), "Reprovado", late)
    response = client.get(f"/s/{seal.code}")
    assert response.status_code == 200
    page = words(response.text)
    assert "Selo cancelado em 29 de novembro de 2026" in page
    assert "Selo válido" not in page
    assert f"/marica/reclamar?selo={seal.code}" in response.text


def test_the_last_day_is_counted_on_the_towns_clocks(
    client: TestClient, services: Services, van: Vehicle, now: datetime, clock: "StandingClock"
) -> None:
    with services.database.write() as session:
        ends_today = issue_seal(session, van, date(2026, 11, 30), None, now)
    clock.now = datetime.fromisoformat("2026-12-01T02:30:00+00:00")
    assert "Selo válido até 30" in words(client.get(f"/s/{ends_today.code}").text)
    clock.now = datetime.fromisoformat("2026-12-01T03:30:00+00:00")
    assert "Selo vencido: valia até 30" in words(client.get(f"/s/{ends_today.code}").text)


@pytest.mark.parametrize(
    ("newest", "said"),
    [
        ("valid", ["Selo válido até 30 de novembro de 2027", "O mais novo vale até 1º de dezembro de 2027"]),
        ("revoked", ["Selo cancelado em 30 de novembro de 2026", "O mais novo foi cancelado em 30 de novembro"]),
    ],
)
def test_an_older_seal_tells_of_the_newest_which_decides(
    client: TestClient, services: Services, van: Vehicle, seal: Seal, now: datetime, newest: str, said: list[str]
) -> None:
    with services.database.write() as session:
        new = issue_seal(session, van, date(2027, 12, 1), None, now + timedelta(hours=1))
        if newest == "revoked":
            revoke_seal(session, new, "Reprovado", now)
    page = words(client.get(f"/s/{seal.code}").text)
    assert "Este não é o selo mais novo deste veículo" in page
    for sentence in said:
        assert sentence in page
    assert "não é o selo mais novo" not in words(client.get(f"/s/{new.code}").text)


def test_an_unknown_code_is_not_found_and_every_town_takes_the_complaint(client: TestClient, towns: Towns) -> None:
    response = client.get("/s/7k2m9pxqv")
    assert response.status_code == 404
    assert "7K2 M9P XQV está bem escrito, mas nenhum município daqui emitiu" in words(response.text)
    for slug in towns:
        assert f"/{slug}/reclamar?selo=7K2M9PXQV" in response.text


MISTYPED = {
    "7K2M9PXQW": "Há um caractere errado, ou dois trocaram de lugar.",
    "7K2M9PX": "Foram lidos 7 caracteres; o código do selo tem 9.",
    "7K2M9PXÇV": "O código do selo nunca tem Ç.",
}


def test_a_mistyped_code_says_what_is_wrong_and_leaves_ways_on(client: TestClient, towns: Towns) -> None:
    for typed, said in MISTYPED.items():
        response = client.get(f"/s/{typed}")
        assert response.status_code == 404
        page = words(response.text)
        assert said in page
        assert "Leia o selo de novo" in page
        assert "Você quis dizer" not in page
        assert 'action="/s"' in response.text
        for slug in towns:
            assert f"/{slug}/reclamar?selo=" in response.text
            assert f"/{slug}/veiculos?q=" in response.text


def test_a_look_alike_offers_the_only_code_it_can_be(client: TestClient, towns: Towns) -> None:
    response = client.get("/s/7K2M9PX0V")
    assert response.status_code == 404
    assert "Você quis dizer 7K2 M9P XQV ?" in words(response.text)
    assert 'href="/s/7K2M9PXQV"' in response.text


def test_hostile_codes_are_answered_calmly(client: TestClient, towns: Towns) -> None:
    for typed in ("%3Cscript%3Ealert(1)", "A" * 3000, "%00%0A", "%F0%9F%9A%8C", "%ff%fe", "..%5C..%5Cetc"):
        response = client.get(f"/s/{typed}")
        assert response.status_code in (400, 404)
        assert "<script>alert" not in response.text
        assert "A" * 41 not in response.text


def test_one_hit_answers_as_the_page_of_the_seal_does(client: TestClient, seal: Seal) -> None:
    for query in ("ABC1C34", "abc-1234", "E-014", "e014", "SV77", "ABC", seal.code.lower()):
        response = client.get("/marica/veiculos", params={"q": query})
        assert response.status_code == 200
        page = words(response.text)
        for said in ("Selo válido até 30 de novembro de 2027", "A placa confere?", "ABC1C34", "E01 Centro x"):
            assert said in page
        filled = "placa=ABC1C34" if query != seal.code.lower() else f"selo={seal.code}"
        assert f'href="/marica/reclamar?{filled}"' in response.text
        assert response.text.count("<h1") == 1


def test_several_hits_are_a_short_list_with_the_state_of_each(
    client: TestClient, services: Services, seal: Seal, towns: Towns, today: date
) -> None:
    with services.database.write() as session:
        gone = register_vehicle(session, towns["marica"].id, "ABC1D23", kind="onibus", service="complementary")
        withdraw_vehicle(session, gone, today)
        register_vehicle(session, towns["marica"].id, "ABC1D24", kind="microonibus", service="complementary")
    response = client.get("/marica/veiculos?q=ABC")
    page = words(response.text)
    assert "3 veículos encontrados" in page
    assert "ABC1C34 Selo válido Van · E-014 · E01 Centro x Itaipuaçu · branca" in page
    assert "ABC1D23 Veículo fora do cadastro Ônibus" in page
    assert "ABC1D24 Veículo sem selo Micro-ônibus" in page
    assert f'href="/marica/veiculos/{gone.public_id}"' in response.text
    assert '/marica/reclamar"' in response.text


def test_a_long_list_says_that_it_was_cut(client: TestClient, services: Services, towns: Towns) -> None:
    with services.database.write() as session:
        for number in range(21):
            register_vehicle(
                session, towns["marica"].id, f"QQQ1A{number:02d}", kind="van", service="complementary"
            )
    page = words(client.get("/marica/veiculos?q=qqq").text)
    assert "Mostramos os primeiros 20" in page


UNKNOWN = {"ZZZ1Z11": "placa", "E-999": "prefixo", "7K2M9PXQV": "selo", "van azul": "prefixo"}


def test_no_hit_is_said_plainly_with_a_way_to_complain(client: TestClient, towns: Towns) -> None:
    for query, field in UNKNOWN.items():
        response = client.get("/marica/veiculos", params={"q": query})
        assert response.status_code == 200
        page = words(response.text)
        assert f"Não achamos “{query}”" in page
        assert "não é preciso que o veículo esteja no cadastro" in page
        assert f'href="/marica/reclamar?{field}={query.replace(" ", "+")}"' in response.text


def test_a_slip_in_a_code_is_explained_in_the_search_too(client: TestClient, seal: Seal) -> None:
    page = words(client.get("/marica/veiculos?q=7K2M9PXOV").text)
    assert "O código do selo nunca tem O. Você quis dizer 7K2 M9P XQV ?" in page
    assert "dois trocaram de lugar" in words(client.get("/marica/veiculos?q=7K2M9PXQW").text)


def test_a_seal_of_another_town_is_said_to_be_that(client: TestClient, seal: Seal) -> None:
    response = client.get(f"/rio-das-ostras/veiculos?q={seal.code}")
    assert "Este selo é de outro município." in words(response.text)
    assert f'href="/s/{seal.code}"' in response.text
    assert "ABC1C34" not in response.text


def test_without_a_question_there_is_only_the_form(client: TestClient, towns: Towns) -> None:
    for query in ("", "?q=", "?q=%20-%20", "?outro=1"):
        response = client.get(f"/marica/veiculos{query}")
        assert response.status_code == 200
        page = words(response.text)
        assert "Não achamos" not in page
        assert "Reclame assim mesmo" in page


def test_the_page_of_a_vehicle_shows_its_newest_seal_without_its_code(
    client: TestClient, van: Vehicle, seal: Seal
) -> None:
    response = client.get(f"/marica/veiculos/{van.public_id.lower()}")
    assert response.status_code == 200
    page = words(response.text)
    assert "Veículo ABC1C34" in page
    assert "Selo válido até 30 de novembro de 2027" in page
    assert "Selo emitido em 30 de novembro de 2026" in page
    assert seal.code not in response.text


def test_a_vehicle_without_a_seal_and_a_withdrawn_one_say_so(
    client: TestClient, services: Services, van: Vehicle, seal: Seal, towns: Towns, today: date
) -> None:
    with services.database.write() as session:
        bare = register_vehicle(session, towns["marica"].id, "DEF5G67", kind="van", service="complementary")
        withdraw_vehicle(session, session.get_one(Vehicle, (van.authority_id, van.id)), today)
    page = words(client.get(f"/marica/veiculos/{bare.public_id}").text)
    assert "Veículo sem selo" in page
    assert "nenhum selo foi emitido" in page
    for path in (f"/marica/veiculos/{van.public_id}", f"/s/{seal.code}"):
        page = words(client.get(path).text)
        assert "Veículo fora do cadastro desde 30 de novembro de 2026" in page
        assert "Reclamar deste veículo" in page


def test_a_vehicle_of_another_town_is_not_found_there(client: TestClient, van: Vehicle) -> None:
    assert client.get(f"/rio-das-ostras/veiculos/{van.public_id}").status_code == 404
    assert client.get("/marica/veiculos/nada").status_code == 404
    assert client.get("/lugar-nenhum/veiculos").status_code == 404


def test_school_vans_are_spoken_of_as_such_and_have_no_line(
    client: TestClient, services: Services, towns: Towns, now: datetime
) -> None:
    with services.database.write() as session:
        school = towns["rio-das-ostras"].id
        bus = register_vehicle(session, school, "KQX5A12", kind="van", service="school")
        code = issue_seal(session, bus, LAST_DAY, None, now).code
    page = words(client.get(f"/s/{code}").text)
    assert "Van escolar" in page
    assert "Transporte escolar" in page
    assert "Linha" not in page
    search = words(client.get("/rio-das-ostras/veiculos").text)
    assert "Conferir transporte escolar" in search
    assert "van ou o ônibus escolar" in search


def test_each_town_says_what_its_own_law_says_of_the_seal(
    client: TestClient, services: Services, towns: Towns, now: datetime
) -> None:
    said = {}
    with services.database.write() as session:
        for slug, town in towns.items():
            vehicle = register_vehicle(session, town.id, "ABC1D23", kind="van", service="regular")
            said[slug] = issue_seal(session, vehicle, LAST_DAY, None, now).code
    citations = {
        "marica": "Lei municipal nº 2.627/2015, art. 27, caput",
        "rio-das-ostras": "art. 15, V; art. 37, VI",
        "conceicao-de-macabu": "art. 29",
        "marechal-floriano": "art. 40, § 1º; art. 40, § 2º",
        "canaa-dos-carajas": "art. 34",
    }
    for slug, code in said.items():
        page = words(client.get(f"/s/{code}").text)
        assert citations[slug] in page
        assert "A lei não o exige." in page


def test_htmx_gets_the_answer_alone(client: TestClient, seal: Seal) -> None:
    headers = {"HX-Request": "true", "HX-Request-Type": "partial"}
    response = client.get("/marica/veiculos?q=E-014", headers=headers)
    assert "<h1" not in response.text
    assert "Selo válido até" in response.text
    assert "HX-Request" in response.headers["vary"]
    assert "Não achamos" in client.get("/marica/veiculos?q=nada", headers=headers).text


@pytest.fixture
def today() -> date:
    """The day of `now` in Maricá."""
    return date(2026, 11, 30)
