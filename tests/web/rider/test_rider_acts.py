"""What a rider does about a case of their own by plain forms: add, send files, take back, rate, ask again."""

import io
from typing import Any

import pytest
from PIL import Image
from sqlmodel import select
from starlette.testclient import TestClient

from complaints.authorities.tables import Authority
from complaints.cases.dialogue import ask_complement
from complaints.cases.evidence import REFUSALS
from complaints.cases.handling import Act, answer, load_for_change
from complaints.cases.tables import CaseFile, Evidence
from complaints.cases.verification import verify_authority
from complaints.ids import new_id
from tests.web.test_complaint_pages import file, value_of
from web.services import Services

pytestmark = pytest.mark.usefixtures("towns")


class Rider:
    """One rider with protocol and key."""

    def __init__(self, client: TestClient, services: Services, town: Authority, receipt: str) -> None:
        self.client, self.services, self.town = client, services, town
        self.keys = {"protocolo": value_of(receipt, "protocolo"), "chave": value_of(receipt, "chave")}

    def see(self) -> str:
        """The page of the case."""
        return self.client.post("/marica/acompanhar", data=self.keys).text

    def do(self, name: str, files: list[bytes] | None = None, **fields: str) -> tuple[int, str]:
        """Send one of the forms; status and page."""
        sent = [("anexo", (f"{n}.jpg", content, "image/jpeg")) for n, content in enumerate(files or [])]
        more: dict[str, Any] = {"files": sent} if sent else {}
        answer = self.client.post(f"/marica/acompanhar/{name}", data={**self.keys, **fields}, **more)
        return answer.status_code, answer.text

    def staff(self, what: object, *words: object, **more: object) -> None:
        """Let somebody of the staff act."""
        act = Act(self.services.keyring, self.town, new_id(), self.services.clock())
        with self.services.database.write() as session:
            case = load_for_change(session, self.town.id, self.keys["protocolo"])
            what(session, act, case, *words, **more)  # type: ignore[operator]

    def case(self) -> CaseFile:
        """The case as stored; it must be what its history says."""
        with self.services.database.read() as session:
            assert verify_authority(session, self.town.id).faults == ()
            return session.exec(select(CaseFile).where(CaseFile.protocol == self.keys["protocolo"])).one()


@pytest.fixture
def rider(client: TestClient, services: Services, towns: dict[str, Authority]) -> Rider:
    """Somebody who complained in Maricá without a name."""
    return Rider(client, services, towns["marica"], file(client))


def end(rider: Rider) -> None:
    rider.staff(answer, text="Vistoriamos a van.", measure="Vistoria", outcome="inspected")


def picture(colour: str = "red") -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (30, 20), colour).save(target, "PNG")
    return target.getvalue()


def test_the_page_offers_only_what_the_case_allows(rider: Rider) -> None:
    page = rider.see()
    assert "Retirar a manifestação" in page
    assert "Resolveu?" not in page
    end(rider)
    page = rider.see()
    assert "Resolveu?" in page
    assert "Pedir que revejam o caso" in page
    assert "Retirar a manifestação" not in page


def test_files_are_kept_once_and_listed_without_their_pictures(rider: Rider) -> None:
    for _ in range(2):
        status, page = rider.do("acrescentar", [picture(), b"%PDF-1.7"], texto="A foto da porta")
        assert (status, page.count("A foto da porta")) == (200, 1)
    assert "<li>foto, " in page
    assert "<li>documento PDF, 8 bytes</li>" in page
    assert "/evidencia/" not in page
    assert rider.do("acrescentar", [picture("blue")])[0] == 200, "a file needs no words"
    with rider.services.database.read() as session:
        assert len(session.exec(select(Evidence)).all()) == 3
    stored = list((rider.services.settings.data_dir / "evidence").rglob("original"))
    assert len(stored) == 3
    assert rider.case().event_count == 4


def test_too_many_files_and_wrong_ones_are_told_and_the_words_are_kept(rider: Rider) -> None:
    rider.do("acrescentar", [picture(colour) for colour in ("red", "blue", "green")])
    status, page = rider.do(
        "acrescentar", [picture("pink"), picture("gold"), picture("grey"), b"junk", b""], texto="Mais fotos"
    )
    assert status == 200
    assert "Mais fotos" in page
    assert REFUSALS["count"] in page
    assert REFUSALS["type"] in page
    assert REFUSALS["empty"] in page
    with rider.services.database.read() as session:
        assert len(session.exec(select(Evidence)).all()) == 5
    assert 'name="anexo"' not in page


def test_nothing_to_add_is_told_beside_the_field(rider: Rider) -> None:
    status, page = rider.do("acrescentar", texto=" ")
    assert (status, page.count("Escreva o que quer acrescentar ou escolha um arquivo")) == (422, 2)
    status, page = rider.do("acrescentar", texto="a" * 5001)
    assert (status, "a" * 5001 in page) == (422, True)


def test_a_question_is_shown_with_its_last_day_and_answered_on_the_same_page(rider: Rider) -> None:
    rider.staff(ask_complement, "Em que ponto foi?")
    page = rider.see()
    assert "Em que ponto foi?" in page
    assert "Mandar a informação pedida" in page
    assert '<time datetime="2026-12-20">20 de dezembro de 2026</time>' in page
    assert "Como você se identificou: <strong>Sem me identificar</strong>." in page
    assert "O prazo para responder está parado" in page
    status, page = rider.do("acrescentar", texto="No ponto da praça")
    assert (status, rider.case().status) == (200, "in_triage")
    assert "Último dia" in page


def test_a_photo_alone_answers_a_question(rider: Rider) -> None:
    rider.staff(ask_complement, "Tem uma foto?")
    assert rider.do("acrescentar", [picture()])[0] == 200
    assert (rider.case().status, rider.case().complement_due_on) == ("in_triage", None)


def test_files_that_are_all_refused_are_not_called_added(rider: Rider) -> None:
    status, page = rider.do("acrescentar", [b"junk"])
    assert (status, "foi acrescentada" in page) == (200, False)
    assert REFUSALS["type"] in page
    assert rider.case().event_count == 1


def test_taking_back_needs_a_tick_and_no_reason(rider: Rider) -> None:
    status, page = rider.do("retirar", retirada="Resolvi")
    assert (status, page.count("Marque que quer retirar a manifestação")) == (422, 2)
    assert "Resolvi</textarea>" in page
    status, page = rider.do("retirar", confirmo="sim")
    assert (status, rider.case().status) == (200, "withdrawn")
    assert "Retirada por você" in page
    status, page = rider.do("acrescentar", [picture()], texto="Esperem")
    assert status == 422
    assert "foi encerrado" in page
    assert list((rider.services.settings.data_dir / "evidence").rglob("original")) == []
    assert rider.do("retirar", confirmo="sim")[0] == 422


def test_a_rating_counts_once(rider: Rider) -> None:
    assert rider.do("avaliar", resolveu="yes")[0] == 422
    end(rider)
    status, page = rider.do("avaliar", resolveu="talvez")
    assert (status, page.count("Escolha uma das respostas")) == (422, 2)
    for word in ("no", "yes"):
        status, page = rider.do("avaliar", resolveu=word, avaliacao="Continua igual")
        assert (status, "Obrigado pela avaliação" in page) == (200, True)
    assert rider.case().rating == "no"
    assert "Não resolveu" in page
    assert "O seu problema foi resolvido?" not in page


def test_a_review_needs_a_reason_and_is_asked_for_once_at_a_time(rider: Rider) -> None:
    end(rider)
    status, page = rider.do("revisao", revisao="")
    assert (status, page.count("Escreva o que a resposta não resolveu")) == (422, 2)
    for _ in range(2):
        status, page = rider.do("revisao", revisao="A van continua sem porta")
        assert (status, "uma pessoa da equipe vai rever" in page) == (200, True)
    case = rider.case()
    assert (case.review_requested, case.event_count) == (True, 3)


@pytest.mark.parametrize("name", ["acrescentar", "retirar", "avaliar", "revisao"])
def test_without_the_key_nothing_is_done_and_nothing_is_kept(rider: Rider, name: str) -> None:
    answer = rider.client.post(
        f"/marica/acompanhar/{name}",
        data={
            **rider.keys,
            "chave": "22222222",
            "texto": "x",
            "confirmo": "sim",
            "resolveu": "no",
            "revisao": "x",
        },
    )
    assert answer.status_code == 422
    assert "Protocolo e chave não combinam" in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert rider.case().event_count == 1
