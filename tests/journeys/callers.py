"""Programs that use the pages as a browser without JavaScript would: read a form, fill it in, send it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import httpx2

from tests.browser.markup import Markup
from tests.journeys.people import Receipt

SECONDS = 60.0
NoAnswer = httpx2.TransportError
"""The server died, or is not there."""


@dataclass(frozen=True)
class Caller:
    """Somebody without cookies who talks to one server; every call has a connection of its own."""

    address: str

    def get(self, path: str, status: int = 200) -> Markup:
        """Open a page."""
        answer = httpx2.get(self.address + path, timeout=SECONDS, verify=False)
        assert answer.status_code == status, answer.text
        return Markup(answer.text)

    def post(self, path: str, fields: Mapping[str, str], status: int = 200) -> Markup:
        """Send a form; raises NoAnswer when none comes."""
        answer = httpx2.post(self.address + path, data=dict(fields), timeout=SECONDS, verify=False)
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


@dataclass(frozen=True)
class DeskCaller:
    """A member of the staff; `client` keeps the session's cookie from one server process to the next."""

    client: httpx2.Client

    def sign_in(self, email: str, password: str) -> None:
        """Log in."""
        fields = Markup(self.client.get("/equipe/entrar").text).hidden()
        answer = self.client.post("/equipe/entrar", data={**fields, "email": email, "senha": password})
        assert answer.status_code == 303, answer.text

    def form(self, protocol: str, act: str) -> dict[str, str]:
        """The hidden fields of the form of an act on a case."""
        return Markup(self.client.get(f"/equipe/casos/{protocol}/{act}").text).hidden()

    def send(self, protocol: str, act: str, fields: Mapping[str, str]) -> int:
        """Send such a form; returns the status, 303 when it is done. Raises NoAnswer."""
        return self.client.post(f"/equipe/casos/{protocol}/{act}", data=dict(fields)).status_code

    def act(self, protocol: str, act: str, fields: Mapping[str, str]) -> int:
        """Read the form and send it."""
        return self.send(protocol, act, {**self.form(protocol, act), **fields})


@contextmanager
def desk(address: str, email: str, password: str) -> Iterator[DeskCaller]:
    """Somebody signed in."""
    with httpx2.Client(base_url=address, timeout=SECONDS, verify=False) as client:
        caller = DeskCaller(client)
        caller.sign_in(email, password)
        yield caller
