"""The complaint form, its receipt and the page of a case, as a browser without JavaScript sees them."""

import io
import re
from datetime import timedelta

import pytest
from PIL import Image
from sqlmodel import select
from starlette.testclient import TestClient

from complaints.authorities.tables import Authority
from complaints.cases.tables import CaseFile, Evidence
from complaints.law.rulebook import get_rulebook
from complaints.messages.tables import Outbox
from complaints.registry.seals import issue_seal
from complaints.registry.vehicles import register_vehicle
from tests.conftest import StandingClock
from web.services import Services

pytestmark = pytest.mark.usefixtures("towns")

TEXT = "A van passou direto no ponto da padaria."


def value_of(html: str, element: str) -> str:
    """The `value` or `datetime` of the element with this id."""
    found = re.search(rf'<(?:data|time)[^>]*\bid="{element}"[^>]*\b(?:value|datetime)="([^"]*)"', html)
    found = found or re.search(rf'<(?:data|time)[^>]*\b(?:value|datetime)="([^"]*)"[^>]*\bid="{element}"', html)
    assert found, element
    return found.group(1)


def hidden_key(client: TestClient, address: str = "/marica/reclamar") -> str:
    """The idempotency key of a fresh form."""
    found = re.search(r'name="envio" value="([^"]+)"', client.get(address).text)
    assert found
    return found.group(1)


def file(client: TestClient, town: str = "marica", **fields: object) -> str:
    """File a complaint through the form and return the receipt's page."""
    data = {"envio": hidden_key(client, f"/{town}/reclamar"), "relato": TEXT, **fields}
    answer = client.post(f"/{town}/reclamar", data=data)
    assert answer.status_code == 200
    return answer.text


def follow(client: TestClient, receipt: str, town: str = "marica") -> str:
    """Open the case of a receipt and return its page."""
    keys = {"protocolo": value_of(receipt, "protocolo"), "chave": value_of(receipt, "chave")}
    answer = client.post(f"/{town}/acompanhar", data=keys)
    assert answer.status_code == 200
    return answer.text


def test_a_form_with_an_overlong_key_is_filed_once_like_any_other(client: TestClient) -> None:
    receipts = [client.post("/marica/reclamar", data={"relato": TEXT, "envio": "k" * 200}) for _ in range(2)]
    assert [answer.status_code for answer in receipts] == [200, 200]
    assert len({value_of(answer.text, "protocolo") for answer in receipts}) == 1


@pytest.mark.parametrize(
    "town", ["marica", "marechal-floriano", "conceicao-de-macabu", "rio-das-ostras", "canaa-dos-carajas"]
)
def test_a_text_alone_gives_protocol_key_and_term_in_every_town(client: TestClient, town: str) -> None:
    receipt = file(client, town)
    assert re.fullmatch(r"[0-9]{12}", value_of(receipt, "protocolo"))
    assert re.fullmatch(r"[2-9A-Z]{8}", value_of(receipt, "chave"))
    assert value_of(receipt, "prazo") == "2026-12-30"
    assert "Lei Federal 13.460" in receipt or "13.460/2017" in receipt
    page = follow(client, receipt, town)
    assert value_of(page, "situacao") == "received"
    assert TEXT in page


def test_the_form_has_the_fields_of_the_contract(client: TestClient) -> None:
    names = set(re.findall(r'name="([a-z]+)"', client.get("/marica/reclamar").text))
    wanted = "tipo assunto relato quando onde selo placa prefixo linha nome telefone email sigilo anexo envio"
    assert names >= set(wanted.split())


def test_a_school_town_asks_for_no_line(client: TestClient) -> None:
    assert 'name="linha"' not in client.get("/rio-das-ostras/reclamar").text


def test_nothing_said_shows_the_form_again_with_what_was_typed(client: TestClient) -> None:
    answer = client.post("/marica/reclamar", data={"envio": "k", "relato": "  ", "quando": "ontem 7h30"})
    assert answer.status_code == 422
    assert "<title>Erro: " in answer.text
    assert 'href="#campo-relato"' in answer.text
    assert 'value="ontem 7h30"' in answer.text
    assert 'name="envio" value="k"' in answer.text


def test_too_long_a_text_is_said_and_not_cut(client: TestClient, services: Services) -> None:
    answer = client.post("/marica/reclamar", data={"envio": "k", "relato": "a" * 5001})
    assert answer.status_code == 422
    assert "a" * 5001 in answer.text
    with services.database.read() as session:
        assert session.exec(select(CaseFile)).all() == []


def test_the_same_form_twice_is_one_case_and_the_same_receipt(client: TestClient, services: Services) -> None:
    key = hidden_key(client)
    data = {"envio": key, "relato": TEXT, "telefone": "21 99999-1234"}
    first, second = (client.post("/marica/reclamar", data=data).text for _ in range(2))
    for element in ("protocolo", "chave", "prazo"):
        assert value_of(first, element) == value_of(second, element)
    with services.database.read() as session:
        assert len(session.exec(select(CaseFile)).all()) == 1
        assert len(session.exec(select(Outbox)).all()) == 1


def test_the_same_key_with_other_words_offers_to_add_them(client: TestClient) -> None:
    key = hidden_key(client)
    first = client.post("/marica/reclamar", data={"envio": key, "relato": TEXT}).text
    second = client.post("/marica/reclamar", data={"envio": key, "relato": "E a porta ficou aberta."}).text
    assert value_of(second, "protocolo") == value_of(first, "protocolo")
    assert "E a porta ficou aberta.</textarea>" in second
    keys = {"protocolo": value_of(second, "protocolo"), "chave": value_of(second, "chave")}
    for _ in range(2):
        page = client.post(
            "/marica/acompanhar/acrescentar", data={**keys, "texto": "E a porta ficou aberta."}
        ).text
    assert page.count("E a porta ficou aberta.") == 1
    assert TEXT in page


def test_forms_without_a_key_are_separate_cases(client: TestClient) -> None:
    receipts = [client.post("/marica/reclamar", data={"relato": TEXT}).text for _ in range(2)]
    assert value_of(receipts[0], "protocolo") != value_of(receipts[1], "protocolo")


@pytest.fixture
def seal_code(services: Services, towns: dict[str, Authority]) -> str:
    """A valid seal on a van of Maricá."""
    with services.database.write() as session:
        vehicle = register_vehicle(
            session,
            towns["marica"].id,
            "SEL0A01",
            kind="van",
            service="complementary",
            fleet_number="101",
            line_id="V01",
            line_name="V01 Centro x Araçatiba",
        )
        return issue_seal(session, vehicle, None, None, services.clock()).code


def test_the_address_of_a_seal_fills_the_form(client: TestClient, services: Services, seal_code: str) -> None:
    page = client.get(f"/marica/reclamar?selo={seal_code}").text
    assert f'value="{seal_code}"' in page
    assert "V01 Centro x Araçatiba" in page
    file(client, selo=seal_code.lower())
    with services.database.read() as session:
        (case,) = session.exec(select(CaseFile)).all()
    assert case.vehicle_id
    assert case.seal_id
    assert case.line_name == "V01 Centro x Araçatiba"
    assert case.service == "regulated"


def test_an_unknown_seal_is_kept_as_typed_and_said(client: TestClient) -> None:
    receipt = file(client, selo="7K2M9PXQV")
    assert "não está no cadastro" in receipt


def test_several_subjects_and_an_urgent_one_show_the_emergency_numbers(client: TestClient) -> None:
    subjects = get_rulebook("marica-2627-2015").subjects
    urgent = next(subject for subject in subjects if subject.urgency == "drunk_driver")
    receipt = file(client, assunto=[subjects[0].key, urgent.key])
    assert 'href="tel:190"' in receipt
    page = follow(client, receipt)
    assert urgent.label in page
    assert subjects[0].label in page


def test_every_offered_subject_can_be_filed(client: TestClient, services: Services) -> None:
    keys = set(re.findall(r'name="assunto" value="([^"]+)"', client.get("/marica/reclamar").text))
    known = {subject.key for subject in get_rulebook("marica-2627-2015").subjects}
    assert len(keys) > 40
    assert keys <= known


def test_photos_are_kept_clean_and_others_refused_with_words(client: TestClient, services: Services) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (30, 20)).save(picture, "PNG")
    files = [
        ("anexo", ("foto.png", picture.getvalue(), "image/png")),
        ("anexo", ("nota.txt", b"nota", "application/pdf")),
    ]
    answer = client.post("/marica/reclamar", data={"relato": TEXT, "envio": hidden_key(client)}, files=files)
    assert answer.status_code == 200
    assert "nota.txt: este tipo não é aceito" in answer.text
    with services.database.read() as session:
        (row,) = session.exec(select(Evidence)).all()
    assert row.state == "clean"


def test_a_replayed_form_with_a_photo_leaves_no_second_file(client: TestClient, services: Services) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (30, 20)).save(picture, "JPEG")
    key = hidden_key(client)
    for _ in range(2):
        files = [("anexo", ("foto.jpg", picture.getvalue(), "image/jpeg"))]
        client.post("/marica/reclamar", data={"relato": TEXT, "envio": key}, files=files)
    assert len(list((services.settings.data_dir / "evidence").rglob("original"))) == 1


@pytest.mark.parametrize("address", ["/marica/reclamar", "/marica/acompanhar"])
def test_forms_are_never_stored(client: TestClient, address: str) -> None:
    headers = client.get(address).headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_receipt_and_case_are_never_stored_and_no_link_carries_the_key(client: TestClient) -> None:
    receipt = file(client)
    key = value_of(receipt, "chave")
    assert not [link for link in re.findall(r'(?:href|action|src)="([^"]*)"', receipt) if key in link]
    keys = {"protocolo": value_of(receipt, "protocolo"), "chave": key}
    for answer in (
        client.post("/marica/reclamar", data={"relato": TEXT}),
        client.post("/marica/acompanhar", data=keys),
        client.post("/marica/acompanhar/acrescentar", data={**keys, "texto": "mais"}),
    ):
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("protocol", "field"),
    [
        ("123", "protocolo"),
        ("ABCDEFGHJKMN", "protocolo"),
        ("000000005725", "protocolo"),
        ("000000005724", "chave"),
    ],
)
def test_a_wrong_protocol_or_key_says_which_to_check(client: TestClient, protocol: str, field: str) -> None:
    answer = client.post("/marica/acompanhar", data={"protocolo": protocol, "chave": "22222222"})
    assert answer.status_code == 422
    assert f'href="#campo-{field}"' in answer.text
    assert f'value="{protocol}"' in answer.text
    assert "22222222" not in answer.text


def test_guessing_keys_is_stopped_and_opens_again_after_an_hour(client: TestClient, clock: StandingClock) -> None:
    receipt = file(client)
    wrong = {"protocolo": value_of(receipt, "protocolo"), "chave": "22222222"}
    statuses = [client.post("/marica/acompanhar", data=wrong).status_code for _ in range(12)]
    assert statuses == [422] * 10 + [429] * 2
    right = {**wrong, "chave": value_of(receipt, "chave")}
    assert client.post("/marica/acompanhar", data=right).status_code == 429
    clock.advance(timedelta(hours=1, minutes=1))
    assert client.post("/marica/acompanhar", data=right).status_code == 200


def test_the_protocol_in_the_address_fills_the_form_and_shows_nothing(client: TestClient) -> None:
    protocol = value_of(file(client), "protocolo")
    page = client.get(f"/marica/acompanhar?protocolo={protocol}").text
    assert f'value="{protocol}"' in page
    assert TEXT not in page


def test_an_anonymous_case_keeps_no_contact(client: TestClient, services: Services) -> None:
    receipt = file(client, sigilo="anonimo", nome="Maria Planted", telefone="21 99999-1234")
    assert "não pode" in receipt
    with services.database.read() as session:
        assert session.exec(select(Outbox)).all() == []


def test_html_in_a_text_stays_text(client: TestClient) -> None:
    page = follow(client, file(client, relato="<script>alert(1)</script> & <b>oi</b>"))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;oi&lt;/b&gt;" in page


@pytest.mark.parametrize(
    "text", ["emoji 👏👏", "nul\x00meio", "quebra\r\nde linha", "ção é ü ñ 日本", "\ud83d só metade"]
)
def test_any_text_people_type_is_kept(client: TestClient, text: str) -> None:
    from urllib.parse import quote

    body = f"envio={hidden_key(client)}&relato={quote(text.encode('utf-8', 'surrogatepass'))}"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = client.post("/marica/reclamar", content=body, headers=headers)
    assert answer.status_code == 200
    page = follow(client, answer.text)
    assert text.split("\x00")[0].split("\r")[0].replace("\ud83d", "").strip()[:3] in page
