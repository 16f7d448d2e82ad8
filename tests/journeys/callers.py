"""Programs that use the pages as a browser without JavaScript would: read a form, fill it in, send it."""

from collections.abc import Mapping
from dataclasses import dataclass

import httpx2

from tests.browser.markup import Markup
from tests.journeys.people import Receipt

SECONDS = 60.0


@dataclass(frozen=True)
class Caller:
    """Somebody without cookies who talks to one server."""

    address: str

    def get(self, path: str, status: int = 200) -> Markup:
        """Open a page."""
        answer = httpx2.get(self.address + path, timeout=SECONDS)
        assert answer.status_code == status, answer.text
        return Markup(answer.text)

    def post(self, path: str, fields: Mapping[str, str], status: int = 200) -> Markup:
        """Send a form; raises httpx2.TransportError when no answer comes."""
        answer = httpx2.post(self.address + path, data=dict(fields), timeout=SECONDS)
        assert answer.status_code == status, answer.text
        return Markup(answer.text)

    def begin(self, town: str) -> dict[str, str]:
        """The hidden fields of a fresh complaint form."""
        return self.get(f"/{town}/reclamar").hidden()

    def file(self, town: str, fields: Mapping[str, str]) -> Receipt:
        """Send the complaint form; returns what the receipt says."""
        return read_receipt(self.post(f"/{town}/reclamar", fields))

    def follow(self, town: str, receipt: Receipt) -> Markup:
        """The page of the case."""
        return self.post(f"/{town}/acompanhar", {"protocolo": receipt.protocol, "chave": receipt.key})


def read_receipt(page: Markup) -> Receipt:
    """Protocol, key and term of a receipt."""
    return Receipt(page.data("protocolo"), page.data("chave"), page.data("prazo"))


@dataclass
class DeskCaller:
    """A member of the staff with a session; `client` keeps its cookie."""

    client: httpx2.Client

    def sign_in(self, email: str, password: str) -> None:
        """Log in."""
        fields = Markup(self.client.get("/equipe/entrar").text).hidden()
        answer = self.client.post("/equipe/entrar", data={**fields, "email": email, "senha": password})
        assert answer.status_code == 303, answer.text

    def act(self, protocol: str, act: str, fields: Mapping[str, str]) -> int:
        """Read the form of an act on a case and send it; returns the status, 303 when it is done."""
        address = f"/equipe/casos/{protocol}/{act}"
        page = Markup(self.client.get(address).text)
        hidden = page.hidden()
        answer = self.client.post(address, data={**hidden, **fields})
        return answer.status_code
