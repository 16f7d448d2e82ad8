"""What a gateway is: it takes a message, and can be asked later whether it did."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from complaints.messages.outbox import Message


@dataclass(frozen=True)
class Trace:
    """What a gateway says of one message: its own id for it, its word for the status, an error code or none."""

    gateway_id: str
    status: str
    error_code: str = ""


class Refused(Exception):
    """The gateway surely did not take the message; `code` is a row of gateway_errors.toml."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class NoAnswer(Exception):
    """Nobody knows whether the gateway took the message; says why, without personal data."""


class CannotTell(Exception):
    """The gateway cannot say now, or ever, whether it has a message."""


class Gateway(Protocol):
    """One way out."""

    def send(self, message: Message) -> Trace:
        """Hand the message over, within seconds; raises Refused or NoAnswer."""

    def find(self, message: Message) -> Sequence[Trace]:
        """What the gateway has that may be this message, sent from `started_at` on; raises CannotTell.

        Equal messages to one person look alike, so there may be several; none means that it surely has none.
        """
