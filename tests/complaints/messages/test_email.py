"""Mail to a real server on this machine."""

import email.policy
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any
from uuid import UUID

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword

from complaints.messages.email_sender import EmailGateway
from complaints.messages.gateways import CannotTell, NoAnswer, Refused
from complaints.messages.outbox import Message

MESSAGE = Message(
    authority_id=3,
    id=UUID(int=7),
    channel="email",
    purpose="receipt",
    recipient="ana@example.org",
    sender="Empresa Pública de Transportes de Maricá",
    subject="[EPT] Recebemos: protocolo 1234 5678 9018",
    text="Recebemos o que você enviou.\n\nProtocolo: 1234 5678 9018\n",
    attempts=0,
    created_at=datetime(2026, 11, 30, 15, tzinfo=UTC),
    started_at=None,
)


class Mailbox:
    """Takes mail, or answers as told: to the recipient, or to the text."""

    def __init__(self, to_recipient: str = "", to_text: str = "") -> None:
        self.to_recipient, self.to_text = to_recipient, to_text
        self.taken: list[EmailMessage] = []

    async def handle_RCPT(
        self, server: object, session: object, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answer to the recipient."""
        envelope.rcpt_tos.append(address)
        return self.to_recipient or "250 OK"

    async def handle_DATA(self, server: object, session: object, envelope: Envelope) -> str:
        """Answer to the text."""
        if not self.to_text:
            content = envelope.original_content or b""
            parsed = email.message_from_bytes(content, policy=email.policy.default)
            assert isinstance(parsed, EmailMessage)
            self.taken.append(parsed)
        return self.to_text or "250 OK"


@contextmanager
def mail_server(mailbox: Mailbox, **options: Any) -> Iterator[int]:
    """A server with this mailbox; its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    controller = Controller(mailbox, hostname="127.0.0.1", port=port, **options)
    controller.start()
    try:
        yield port
    finally:
        controller.stop()


def gateway(port: int, log_in: str = "") -> EmailGateway:
    return EmailGateway(f"smtp://{log_in}127.0.0.1:{port}", "https://transporte.example")


def test_a_mail_is_plain_text_with_an_id_that_names_its_row() -> None:
    mailbox = Mailbox()
    with mail_server(mailbox) as port:
        trace = gateway(port).send(MESSAGE)
    (mail,) = mailbox.taken
    assert mail["Message-ID"] == trace.gateway_id == f"<3-{MESSAGE.id.hex}@transporte.example>"
    assert mail["To"] == "ana@example.org"
    assert mail["From"].addresses[0].display_name == "Empresa Pública de Transportes de Maricá"
    assert mail["From"].addresses[0].addr_spec == "selo@transporte.example"
    assert mail["Subject"] == MESSAGE.subject
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail.get_content_type() == "text/plain"
    assert mail.get_content().replace("\r\n", "\n") == MESSAGE.text
    assert trace.status == "sent"


@pytest.mark.parametrize(
    ("to_recipient", "to_text", "code"),
    [
        ("550 no such mailbox", "", "smtp-recipient"),
        ("450 busy", "", "smtp-temporary"),
        ("", "451 try later", "smtp-temporary"),
        ("", "554 we think this is spam", "smtp-refused"),
    ],
)
def test_what_the_server_refuses_was_surely_not_taken(to_recipient: str, to_text: str, code: str) -> None:
    with mail_server(Mailbox(to_recipient, to_text)) as port, pytest.raises(Refused) as refusal:
        gateway(port).send(MESSAGE)
    assert refusal.value.code == code


def test_a_server_that_cannot_be_reached_took_nothing() -> None:
    with pytest.raises(Refused) as refusal:
        gateway(9).send(MESSAGE)
    assert refusal.value.code == "unreachable"


def test_a_connection_lost_after_the_text_says_nothing_and_cannot_be_asked_later() -> None:
    with mail_server(Mailbox(to_text="221 gone")) as port, pytest.raises(NoAnswer):
        gateway(port).send(MESSAGE)
    with pytest.raises(CannotTell):
        gateway(9).find(MESSAGE)


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.parametrize(("password", "code"), [("right", None), ("wrong", "smtp-login")])
def test_the_log_in_of_the_address_is_used(password: str, code: str | None) -> None:
    def check(
        server: object, session: object, envelope: object, mechanism: str, data: LoginPassword
    ) -> AuthResult:
        return AuthResult(success=data == LoginPassword(b"selo@example.org", b"right"), handled=False)

    mailbox = Mailbox()
    with mail_server(mailbox, authenticator=check, auth_require_tls=False, auth_required=True) as port:
        box = gateway(port, f"selo%40example.org:{password}@")
        if code:
            with pytest.raises(Refused) as refusal:
                box.send(MESSAGE)
            assert refusal.value.code == code
        else:
            box.send(MESSAGE)
            assert mailbox.taken[0]["From"].addresses[0].addr_spec == "selo@example.org"


@pytest.mark.parametrize("recipient", ["ana@example.org\nBcc: all@example.org", "ánã@exämple.org", "a\r\n@b"])
def test_an_address_that_is_none_is_refused_and_never_becomes_a_header(recipient: str) -> None:
    mailbox = Mailbox()
    with mail_server(mailbox) as port, suppress(Refused):
        gateway(port).send(replace(MESSAGE, recipient=recipient))
    for mail in mailbox.taken:
        assert mail["Bcc"] is None
        assert len(mail["To"].addresses) == 1


def test_a_line_break_in_a_subject_becomes_a_blank() -> None:
    mailbox = Mailbox()
    with mail_server(mailbox) as port:
        gateway(port).send(replace(MESSAGE, subject="um\nBcc: all@example.org"))
    assert mailbox.taken[0]["Subject"] == "um Bcc: all@example.org"
    assert mailbox.taken[0]["Bcc"] is None
