"""E-mail through one mail server, as plain text."""

import smtplib
import ssl
from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import formataddr, formatdate, parseaddr
from typing import NoReturn
from urllib.parse import SplitResult, unquote, urlsplit

from complaints.messages.gateways import CannotTell, NoAnswer, Refused, Trace
from complaints.messages.outbox import Message

TIMEOUT_SECONDS = 10
_PORTS = {"smtp": 587, "smtps": 465}


class EmailGateway:
    """One mail server: `smtp://user:password@host:port`, encrypted by STARTTLS when it offers that, or `smtps://`.

    `public_url` gives the domain of message ids and of the sender, when the user name is no address.
    """

    def __init__(self, smtp_url: str, public_url: str) -> None:
        self._server = urlsplit(smtp_url)
        self._domain = urlsplit(public_url).hostname or "localhost"

    def send(self, message: Message) -> Trace:
        """Hand the mail to the server; raises Refused before its text was sent, NoAnswer when lost after that."""
        try:
            mail = self._write(message)
        except ValueError:
            raise Refused("smtp-recipient") from None
        try:
            connection = self._connect()
        except smtplib.SMTPAuthenticationError:
            raise Refused("smtp-login") from None
        except (OSError, smtplib.SMTPException):
            raise Refused("unreachable") from None
        try:
            connection.send_message(mail)
        except smtplib.SMTPException as error:
            _explain(error)
        except OSError as error:
            raise NoAnswer(f"connection lost: {type(error).__name__}") from None
        finally:
            connection.close()
        return Trace(self._message_id(message), "sent")

    def find(self, message: Message) -> Sequence[Trace]:
        """Mail servers cannot be asked."""
        raise CannotTell("a mail server does not say what it has")

    def _connect(self) -> smtplib.SMTP:
        server = self._server
        host, port = server.hostname or "", server.port or _PORTS[server.scheme]
        context = ssl.create_default_context()
        if server.scheme == "smtps":
            connection: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=TIMEOUT_SECONDS, context=context)
        else:
            connection = smtplib.SMTP(host, port, timeout=TIMEOUT_SECONDS)
        try:
            _log_in(connection, server, context)
        except BaseException:
            connection.close()
            raise
        return connection

    def _write(self, message: Message) -> EmailMessage:
        mail = EmailMessage()
        mail["From"] = formataddr((message.sender, self._sender_address()))
        mail["To"] = parseaddr(message.recipient)[1]
        mail["Subject"] = " ".join(message.subject.split())
        mail["Date"] = formatdate(message.created_at.timestamp())
        mail["Message-ID"] = self._message_id(message)
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(message.text)
        return mail

    def _sender_address(self) -> str:
        user = unquote(self._server.username or "")
        return user if "@" in user else f"selo@{self._domain}"

    def _message_id(self, message: Message) -> str:
        return f"<{message.authority_id}-{message.id.hex}@{self._domain}>"


def _log_in(connection: smtplib.SMTP, server: SplitResult, context: ssl.SSLContext) -> None:
    """A password is only sent over an encrypted connection, or to this very machine."""
    connection.ehlo_or_helo_if_needed()
    if server.scheme == "smtp" and connection.has_extn("starttls"):
        connection.starttls(context=context)
        connection.ehlo()
    elif server.scheme == "smtp" and server.username and server.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise smtplib.SMTPAuthenticationError(530, b"no encryption offered")
    if server.username:
        connection.login(unquote(server.username), unquote(server.password or ""))


def _explain(error: smtplib.SMTPException) -> NoReturn:
    """A code of 400 and more says that the server did not take the mail; anything else says nothing."""
    if isinstance(error, smtplib.SMTPNotSupportedError):
        raise Refused("smtp-recipient") from None
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
        raise Refused("smtp-recipient" if all(code >= 500 for code in codes) else "smtp-temporary") from None
    if isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 400:
        raise Refused("smtp-refused" if error.smtp_code >= 500 else "smtp-temporary") from None
    raise NoAnswer(f"no answer: {type(error).__name__}") from None
