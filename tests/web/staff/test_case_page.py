"""The page of a case: what it shows, what it hides, who asked for the identity, the clean copies."""

import io
import logging
import re
from html.parser import HTMLParser

import pytest
from PIL import Image
from sqlmodel import select

from complaints.cases.evidence import attach_evidence, prepare_evidence
from complaints.cases.handling import load_for_change
from complaints.cases.tables import CaseFile, IdentityAccess
from complaints.cases.verification import verify_authority
from tests.desk_seeds import add_town
from tests.web.staff.conftest import Browser, Town

SECRET = "O motorista Fulano me seguiu"
NAME, PHONE = "Beatriz Passageira", "99999-0000"
INLINE = re.compile(r"\sstyle=|\son[a-z]+=|<style|javascript:|<script(?![^>]*\ssrc=)", re.IGNORECASE)


class Structure(HTMLParser):
    """Counts headings, collects ids and what labels point at."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.h1 = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.h1 += tag == "h1"
        if given.get("id"):
            self.ids.append(str(given["id"]))
        for name in ("for", "aria-describedby"):
            self.targets += str(given.get(name) or "").split()


def photo() -> bytes:
    image = Image.new("RGB", (640, 480), "navy")
    exif = image.getexif()
    exif[0x010F] = "CameraSecreta"
    target = io.BytesIO()
    image.save(target, "JPEG", exif=exif)
    return target.getvalue()


def attach(town: Town, case: CaseFile) -> str:
    prepared, refused = prepare_evidence(town.services.storage, town.services.keyring, [("a.jpg", photo())])
    assert refused == ()
    with town.services.database.write() as session:
        loaded = load_for_change(session, case.authority_id, case.protocol)
        attach_evidence(session, loaded, prepared, town.services.clock())
    return prepared[0].public_id


def test_the_page_tells_what_was_said_found_and_due(small_town: Town) -> None:
    page = small_town.browser("triager").see(small_town.case_address)
    for words in (
        "A porta abriu com a van andando",
        "ABC1D23",
        "E01 Centro x Itaipuaçu",
        "válido, até 30/06/2027",
        "faltam 30 dias",
        "Lei federal",
        "Como este prazo foi contado",
        "Caso registrado",
        '<data id="situacao" value="received">',
        '<time id="prazo" datetime="2026-12-30">',
    ):
        assert words in page, words


def test_each_page_of_a_case_has_one_heading_own_ids_and_no_inline_code(small_town: Town) -> None:
    browser = small_town.browser("triager", "inspector", "auditor", "president")
    browser.submit(
        f"{small_town.case_address}/vistoria",
        versao="1",
        verificar="Porta",
        prazo="2026-12-10",
        fundamento="art. 27, § 1º",
    )
    inspection = re.findall(r"/equipe/vistorias/\w+", browser.see("/equipe/vistorias"))[0]
    pages = ["/equipe/casos", "/equipe/casos/novo", small_town.case_address, inspection, "/equipe/veiculos"]
    pages += [
        f"{small_town.case_address}/{name}" for name in ("classificar", "vistoria", "responder", "identidade")
    ]
    for address in pages:
        html = browser.see(address)
        found = Structure(html)
        assert found.h1 == 1, address
        assert len(found.ids) == len(set(found.ids)), (address, sorted(found.ids))
        assert set(found.targets) <= set(found.ids), (address, set(found.targets) - set(found.ids))
        assert INLINE.findall(html) == [], address


def test_what_people_type_is_escaped(small_town: Town) -> None:
    case = small_town.file(text="<script>alert(1)</script>", plate='"><img src=x>')
    page = small_town.browser("triager").see(f"/equipe/casos/{case.protocol}")
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "&lt;script&gt;" in page


def test_the_page_never_shows_who_complained(small_town: Town) -> None:
    for role in ("triager", "inspector", "auditor", "president"):
        page = small_town.browser(role).see(small_town.case_address)
        assert NAME not in page
        assert "999990000" not in page


@pytest.mark.parametrize(
    ("role", "reads"),
    [
        ("attendant", True),
        ("triager", True),
        ("transport_head", True),
        ("president", True),
        ("inspector", False),
        ("auditor", False),
        ("mayor", False),
        ("board", False),
    ],
)
def test_a_confidential_case_is_read_only_by_those_entitled(small_town: Town, role: str, reads: bool) -> None:
    case = small_town.file(text=SECRET, name=NAME, confidentiality="confidential")
    public_id = attach(small_town, case)
    browser = small_town.browser(role)
    page = browser.see(f"/equipe/casos/{case.protocol}")
    assert (SECRET in page) is reads
    assert ("Este caso é sigiloso" in page) is not reads
    assert (public_id in page) is reads
    assert browser.get(f"/equipe/evidencia/{public_id}").status_code == (200 if reads else 404)


FREE = {
    "plate": "João da esquina",
    "fleet_number": "mora ao lado",
    "seal": "ele me viu sair 5x",
    "line_name": "minha rua é a 7",
}
PLAIN = {"plate": "lzz-1023", "fleet_number": "22 B", "seal": "7k2 m9p xqv", "line_name": "12"}


@pytest.mark.parametrize(("role", "reads"), [("triager", True), ("inspector", False), ("auditor", False)])
def test_words_in_the_fields_for_the_vehicle_are_as_confidential_as_the_rest(
    small_town: Town, role: str, reads: bool
) -> None:
    case = small_town.file(text=SECRET, name=NAME, confidentiality="confidential", **FREE)
    plain = small_town.file(text=SECRET, name=NAME, confidentiality="confidential", **PLAIN)
    browser = small_town.browser(role)
    page, queue = browser.see(f"/equipe/casos/{case.protocol}"), browser.see("/equipe/casos")
    for typed in FREE.values():
        assert (typed in page) is reads
        assert typed not in queue
    page = browser.see(f"/equipe/casos/{plain.protocol}")
    assert all(typed in page for typed in PLAIN.values()), "what helps to find the vehicle is for every reader"


def test_notes_about_a_confidential_case_are_hidden_too_but_not_the_inspection(small_town: Town) -> None:
    case = small_town.file(text=SECRET, name=NAME, confidentiality="confidential")
    triager, inspector = small_town.browser("triager"), small_town.browser("inspector")
    address = f"/equipe/casos/{case.protocol}"
    triager.submit(f"{address}/anotar", versao="1", nota="A vítima mora perto")
    triager.submit(
        f"{address}/vistoria", versao="2", verificar="Porta", prazo="2026-12-10", fundamento="art. 27, § 1º"
    )
    page = inspector.see(address)
    assert "A vítima mora perto" not in page
    assert "Motivo: Porta" in page


def test_the_identity_needs_a_reason_and_each_look_is_kept(town: Town) -> None:
    browser = town.browser("triager")
    address = f"{town.case_address}/identidade"
    assert NAME not in browser.see(address)
    empty = browser.submit(address, motivo="  ")
    assert empty.status_code == 422
    assert NAME not in empty.text
    shown = browser.submit(address, motivo="Ligar para confirmar o local")
    assert shown.status_code == 200
    assert NAME in shown.text
    assert PHONE in shown.text
    with town.services.database.read() as session:
        look = session.exec(select(IdentityAccess)).one()
        assert (look.case_id, look.reason, look.at) == (
            town.case.id,
            "Ligar para confirmar o local",
            town.services.clock(),
        )
    assert "Ligar para confirmar o local" in town.browser("auditor").see(town.case_address)
    assert "Ligar para confirmar" not in town.browser("inspector").see(town.case_address)


@pytest.mark.parametrize("role", ["inspector", "president", "auditor", "administrator", "mayor", "clerk"])
def test_others_are_refused_the_identity_and_nothing_is_logged(small_town: Town, role: str) -> None:
    browser = small_town.browser(role)
    answer = browser.submit(f"{small_town.case_address}/identidade", motivo="curiosidade")
    assert answer.status_code == 403
    with small_town.services.database.read() as session:
        assert session.exec(select(IdentityAccess)).all() == []


def test_an_anonymous_case_has_no_identity_to_see(small_town: Town) -> None:
    case = small_town.file(text="Sem nome", confidentiality="anonymous")
    browser = small_town.browser("triager")
    assert "Ver quem reclamou" not in browser.see(f"/equipe/casos/{case.protocol}")
    assert browser.get(f"/equipe/casos/{case.protocol}/identidade").status_code == 404


def test_evidence_is_shown_only_as_its_clean_copy(town: Town) -> None:
    public_id = attach(town, town.case)
    browser = town.browser("triager")
    page = browser.see(town.case_address)
    assert f'src="/equipe/evidencia/{public_id}"' in page
    assert 'width="320" height="240"' in page
    answer = browser.get(f"/equipe/evidencia/{public_id}")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cache-control"] == "no-store"
    assert b"CameraSecreta" not in answer.content
    assert Image.open(io.BytesIO(answer.content)).size == (640, 480)


def test_hidden_evidence_is_gone_from_page_and_address_until_it_is_shown_again(town: Town) -> None:
    public_id = attach(town, town.case)
    browser = town.browser("triager")
    address = f"/equipe/evidencia/{public_id}"
    browser.see(f"{address}/ocultar")
    assert browser.submit(f"{address}/ocultar", acao="ocultar").status_code == 422
    for _ in range(2):
        assert browser.submit(f"{address}/ocultar", acao="ocultar", motivo="Mostra uma criança").status_code == 303
    assert public_id not in town.browser("attendant").see(town.case_address)
    for gone in (address, f"{address}/original"):
        answer = browser.get(gone)
        assert (answer.status_code, answer.headers["cache-control"]) == (410, "no-store")
    assert browser.submit(f"{address}/original", motivo="ver").status_code == 410
    assert browser.get("/equipe/evidencia/22222222222A").status_code == 404
    assert town.reload().version == 2, "hidden once"
    browser.submit(f"{address}/ocultar", acao="mostrar", motivo="Era um boneco")
    assert browser.get(address).status_code == 200
    page = browser.see(town.case_address)
    assert "Motivo: Mostra uma criança" in page
    with town.services.database.read() as session:
        assert verify_authority(session, town.authority.id).faults == ()


def test_an_original_is_handed_over_with_a_reason_that_is_kept(town: Town) -> None:
    voice = b"OggS" + bytes(50)
    prepared, _ = prepare_evidence(town.services.storage, town.services.keyring, [("voz.ogg", voice)])
    with town.services.database.write() as session:
        loaded = load_for_change(session, town.case.authority_id, town.case.protocol)
        attach_evidence(session, loaded, prepared, town.services.clock())
    public_id = prepared[0].public_id
    browser = town.browser("triager")
    page = browser.see(town.case_address)
    assert "áudio, 54 bytes, guardado lacrado" in page
    assert f'src="/equipe/evidencia/{public_id}"' not in page
    assert browser.get(f"/equipe/evidencia/{public_id}").status_code == 410
    address = f"/equipe/evidencia/{public_id}/original"
    browser.see(address)
    assert browser.submit(address).status_code == 422
    answer = browser.submit(address, motivo="Ouvir o relato")
    assert answer.content == voice
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].endswith('.ogg"')
    assert "sandbox" in answer.headers["content-security-policy"]
    with town.services.database.read() as session:
        assert session.exec(select(IdentityAccess.reason)).all() == ["arquivo original: Ouvir o relato"]
    for role in ("attendant", "inspector", "auditor", "clerk"):
        assert town.browser(role).get(address).status_code == 403, role


def test_an_original_of_a_confidential_case_or_another_town_is_not_there(town: Town) -> None:
    public_id = attach(town, town.case)
    with town.services.database.write() as session:
        case = load_for_change(session, town.case.authority_id, town.case.protocol)
        case.confidentiality = "confidential"
        session.add(case)
    other = add_town(town.services.database, "rio-das-ostras")
    stranger = Browser(town.app)
    stranger.sign_in(town.hire("triager", authority=other))
    for address in (f"/equipe/evidencia/{public_id}{end}" for end in ("", "/original", "/ocultar")):
        assert stranger.get(address).status_code == 404
    assert town.browser("inspector").get(f"/equipe/evidencia/{public_id}").status_code == 404


TIMETABLE = {
    "version": 3,
    "day": "2026-11-30",
    "clock": "07:30",
    "span": ["07:00", "08:00"],
    "stops": [
        {
            "name": "Mercado", "given": True, "departures": [["07:05", "Praia", True], ["07:40", "Praia", False]],
            "count": 2, "every": [], "untimed": False,
        },
        {
            "name": "Praça", "given": False, "departures": [], "count": 0,
            "every": [["05:00", "09:00", 20, "Bairro"]], "untimed": False,
        },
        {"name": "Porto", "given": False, "departures": [], "count": 0, "every": [], "untimed": False},
    ],
    "fare": {"free": False, "full": "R$ 4,50", "rows": [["Estudante", "não paga"]]},
}  # fmt: skip


def test_the_timetable_of_the_moment_is_shown_to_who_may_read_the_case(small_town: Town) -> None:
    case = small_town.file(text="Não veio", timetable=TIMETABLE)
    page = small_town.browser("triager").see(f"/equipe/casos/{case.protocol}")
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    for part in (
        "O que o horário publicado prometia",
        "30/11/2026, das 07:00 às 08:00. Versão 3",
        "07:05 (estimado) para Praia; 07:40 para Praia",
        "(começo do sentido: o lugar não é um ponto desta linha): das 05:00 às 09:00, a cada 20 min para Bairro",
        "nenhuma saída prometida",
        "Tarifa nesse dia: R$ 4,50. Estudante: não paga.",
    ):
        assert part in words, part
    secret = small_town.file(
        text="Não veio", timetable=TIMETABLE, phone="21999990000", confidentiality="confidential"
    )
    assert "prometia" not in small_town.browser("inspector").see(f"/equipe/casos/{secret.protocol}")


def test_nothing_typed_reaches_the_logs(town: Town, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    browser = town.browser("triager")
    browser.get(f"/equipe/casos?busca={town.case.protocol}")
    browser.see(town.case_address)
    browser.submit(f"{town.case_address}/identidade", motivo="Motivo sigiloso")
    browser.submit(f"{town.case_address}/responder", versao="1", resposta="Resposta secreta")
    browser.submit("/equipe/casos/novo", canal="phone", relato=SECRET, nome=NAME, telefone="21999990000")
    logged = "\n".join(str(record.__dict__) for record in caplog.records if record.name.startswith("selo"))
    assert "/equipe/casos/{protocol}/responder" in logged
    for secret in (
        NAME,
        "99999",
        "Motivo sigiloso",
        "Resposta secreta",
        SECRET,
        town.case.protocol,
        "porta abriu",
    ):
        assert secret not in logged
