"""A rider's own data: seen with the key, corrected, and erased from every copy."""

import re

import pytest
from sqlmodel import select
from starlette.testclient import TestClient

from complaints.authorities.tables import Authority
from complaints.cases.handling import Act, answer, load_for_change
from complaints.cases.identity import Identity, contact_of, is_reporter_phone
from complaints.cases.tables import CaseFile, Reporter
from complaints.cases.verification import verify_authority
from complaints.ids import new_id
from complaints.messages.outbox import open_message
from complaints.messages.tables import InboundMessage, Outbox
from tests.web.test_complaint_pages import file, value_of
from web.messaging import receive_text, written_text
from web.services import Services

pytestmark = pytest.mark.usefixtures("towns")

NAME, PHONE, EMAIL = "Beatriz Passageira", "+5521999990000", "bia@correio.example"


class Person:
    """Somebody who complained in Maricá with a name, a phone and an address."""

    def __init__(self, client: TestClient, services: Services, town: Authority, receipt: str) -> None:
        self.client, self.services, self.town = client, services, town
        self.keys = {"protocolo": value_of(receipt, "protocolo"), "chave": value_of(receipt, "chave")}

    def post(self, end: str = "", **fields: str) -> tuple[int, str]:
        """One of the pages of their data."""
        response = self.client.post(f"/marica/acompanhar/dados{end}", data={**self.keys, **fields})
        assert response.headers["cache-control"] == "no-store"
        return response.status_code, response.text

    def case(self) -> CaseFile:
        """The case as stored; it must be what its history says."""
        with self.services.database.read() as session:
            assert verify_authority(session, self.town.id).faults == ()
            return session.exec(select(CaseFile).where(CaseFile.protocol == self.keys["protocolo"])).one()

    def kept(self) -> Identity:
        """What is kept of them."""
        with self.services.database.read() as session:
            return contact_of(session, self.services.keyring, self.case())

    def answered(self) -> None:
        """Staff answer."""
        act = Act(self.services.keyring, self.town, new_id(), self.services.clock())
        with self.services.database.write() as session:
            case = load_for_change(session, self.town.id, self.keys["protocolo"])
            answer(session, act, case, text="Feito.", measure="Nada.", outcome="informed")

    def messages(self) -> list[tuple[str, str, str]]:
        """Purpose, state and recipient of all that was written to them."""
        with self.services.database.read() as session:
            rows = session.exec(select(Outbox)).all()
            return sorted(
                (row.purpose, row.state, open_message(self.services.keyring, row).recipient) for row in rows
            )


@pytest.fixture
def person(client: TestClient, services: Services, towns: dict[str, Authority]) -> Person:
    """A named complaint."""
    receipt = file(client, nome=NAME, telefone=PHONE, email=EMAIL, sigilo="identificado")
    return Person(client, services, towns["marica"], receipt)


def test_the_page_shows_what_is_kept_and_nothing_that_was_told(person: Person) -> None:
    status, page = person.post()
    assert (status, page.count("<h1")) == (200, 1)
    for words in (NAME, "(21) 99999-0000", EMAIL):
        assert words in page
    assert "padaria" not in page
    case_page = person.client.post("/marica/acompanhar", data=person.keys).text
    assert NAME not in case_page
    assert "Ver, corrigir ou apagar meus dados" in case_page


def test_corrections_are_kept_once_and_change_where_notices_go(person: Person) -> None:
    for _ in range(2):
        status, page = person.post("/corrigir", nome="Bia", telefone="21 98888-1111", email="")
        assert (status, "Seus dados foram corrigidos" in page) == (200, True)
    assert person.kept() == Identity("Bia", "+5521988881111", "", "")
    assert person.case().event_count == 2
    with person.services.database.read() as session:
        case = person.case()
        assert is_reporter_phone(session, person.services.keyring, case, "21988881111")
        assert not is_reporter_phone(session, person.services.keyring, case, PHONE)
    person.answered()
    assert ("answered", "pending", "+5521988881111") in person.messages()


@pytest.mark.parametrize(
    ("fields", "told"),
    [({}, "Escreva pelo menos um dos três"), ({"email": "bia"}, "com @"), ({"nome": "a" * 121}, "no máximo 120")],
)
def test_what_cannot_be_kept_is_told_beside_its_field(person: Person, fields: dict[str, str], told: str) -> None:
    status, page = person.post("/corrigir", **fields)
    assert (status, page.count(told)) == (422, 2)
    assert person.kept().name == NAME


def test_erasing_reaches_the_identity_and_every_copy_in_messages(person: Person) -> None:
    assert person.post("/apagar")[0] == 422
    assert person.kept().name == NAME
    for _ in range(2):
        status, page = person.post("/apagar", confirmo="sim")
        assert (status, "Seus dados foram apagados" in page) == (200, True)
    assert "Não guardamos nome" in page
    case = person.case()
    assert (case.confidentiality, case.event_count) == ("anonymous", 2)
    assert person.kept().is_empty()
    assert {row[1:] for row in person.messages()} == {("failed", "")}
    person.answered()
    assert {row[1:] for row in person.messages()} == {("failed", "")}, "nobody is left to tell"
    with person.services.database.read() as session:
        assert session.exec(select(Reporter)).all() == []
    status, page = person.post("/corrigir", nome=NAME)
    assert (status, NAME in page) == (200, False)
    opened = person.client.post("/marica/acompanhar", data=person.keys).text
    assert "Você apagou seus dados" in opened


def test_a_text_that_filed_the_case_is_emptied_too(
    client: TestClient, services: Services, towns: dict[str, Authority]
) -> None:
    number = towns["marica"].sms_number
    assert number
    receive_text(services, written_text(PHONE, number, "A van passou direto no ponto da padaria agora de manhã"))
    with services.database.read() as session:
        texts = [open_message(services.keyring, row).text for row in session.exec(select(Outbox)).all()]
    found = re.search(r"(\d{4} \d{4} \d{4})", " ".join(texts))
    key = re.search(r"[Cc]have:? ([A-Z0-9]{8}|[A-Z0-9]{4} [A-Z0-9]{4})", " ".join(texts))
    assert found, texts
    assert key, texts
    keys = {"protocolo": found[1], "chave": key[1], "confirmo": "sim"}
    assert client.post("/marica/acompanhar/dados/apagar", data=keys).status_code == 200
    with services.database.read() as session:
        rows = session.exec(select(InboundMessage)).all()
        plain = [services.keyring.open(row.sealed, f"inbound:{row.id.hex}") for row in rows]
    assert len(plain) == 1
    assert b"99999" not in plain[0]
    assert b"padaria" not in plain[0]


def test_without_the_key_nothing_is_shown(person: Person) -> None:
    for end in ("", "/corrigir", "/apagar"):
        response = person.client.post(
            f"/marica/acompanhar/dados{end}", data={**person.keys, "chave": "22222222", "confirmo": "sim"}
        )
        assert (response.status_code, NAME in response.text) == (422, False)
    assert person.kept().name == NAME
