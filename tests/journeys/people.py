"""The people of the journeys and what they do in their browsers, one page after the other."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, FilePayload

from tests.browser.chromium import PHONE
from tests.browser.watching import Watched

TOLD = "A van passou direto no ponto da padaria com lugar livre, e chovia."
WHEN = "ontem, 7h30"
WHERE = "Ponto da padaria, Rua Abreu Rangel"
NAME = "Joana d'Arc Gonçalves"
PHONE_TYPED = "(21) 98765-4321"
PHONE_NUMBER = "+5521987654321"


@dataclass(frozen=True)
class Receipt:
    """What a rider notes down."""

    protocol: str
    key: str
    term: str


@contextmanager
def browsing(browser: Browser, address: str, scripts: bool, device: dict[str, Any] = PHONE) -> Iterator[Watched]:
    """A person's browser with a profile of its own."""
    page = Watched(browser, address, scripts, device)
    yield page
    page.close()


def photo() -> FilePayload:
    """A photograph as phones make them: JPEG with the place where it was taken."""
    exif = Image.Exif()
    exif.get_ifd(0x8825)[1] = "S"
    exif[0x010F] = "Telefone"
    kept = BytesIO()
    Image.new("RGB", (640, 480), "#7a8b99").save(kept, "JPEG", exif=exif)
    return {"name": "IMG_0001.jpg", "mimeType": "image/jpeg", "buffer": kept.getvalue()}


def complain(rider: Watched) -> Receipt:
    """On the form: send it empty by mistake, then fill in everything and send it."""
    rider.press("Enviar", 422)
    assert rider.page.locator("#erros a").all_inner_texts() == [
        "Conte o que aconteceu ou escolha pelo menos um assunto"
    ]
    page = rider.page
    page.locator("input[name=assunto]").first.check()
    page.get_by_label("O que aconteceu?").fill(TOLD)
    page.get_by_label("Quando foi?").fill(WHEN)
    page.get_by_label("Onde foi?").fill(WHERE)
    page.get_by_label("Fotos").set_input_files(photo())
    page.locator("input[name=sigilo][value=identificado]").check()
    rider.reveal("Receber a resposta")
    page.get_by_role("textbox", name="Nome").fill(NAME)
    page.get_by_label("Celular").fill(PHONE_TYPED)
    page.get_by_label("Tipo").select_option("reclamacao")
    rider.press("Enviar")
    return Receipt(rider.data("protocolo"), rider.data("chave"), rider.data("prazo"))


def open_case(rider: Watched, receipt: Receipt, town: str) -> str:
    """Type protocol and key; returns the situation."""
    rider.open(f"/{town}/acompanhar")
    _give(rider, receipt.protocol, receipt.key)
    rider.press("Ver o caso")
    return rider.data("situacao")


def mistype_key(rider: Watched, receipt: Receipt) -> None:
    """Try to open the case with a wrong key."""
    _give(rider, receipt.protocol, "2" * 8)
    rider.press("Ver o caso", 422)
    assert "Protocolo e chave não combinam" in rider.text()


def sign_in(staff: Watched, email: str, password: str) -> None:
    """Log in at the door of the desk."""
    staff.open("/equipe/entrar")
    staff.page.get_by_label("E-mail").fill(email)
    staff.page.get_by_label("Senha").fill(password)
    staff.press("Entrar")


def act(staff: Watched, title: str, button: str, typed: Mapping[str, str], status: int = 200) -> None:
    """On a case: unfold an act, fill it in (field to value; a choice is checked) and send it."""
    staff.reveal(title)
    part = staff.page.locator("details", has=staff.page.locator("summary", has_text=title)).first
    for name, value in typed.items():
        choice = part.locator(f'input[name="{name}"][value="{value}"]')
        if choice.count():
            choice.check()
        else:
            part.locator(f'[name="{name}"]').fill(value)
    staff.click(part.get_by_role("button", name=button), status)


def _give(rider: Watched, protocol: str, key: str) -> None:
    rider.page.get_by_label("Protocolo").fill(f"{protocol[:4]} {protocol[4:8]} {protocol[8:]}")
    rider.page.get_by_label("Chave").fill(f"{key[:4].lower()} {key[4:]}")
