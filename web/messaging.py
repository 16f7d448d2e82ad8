"""Where messages meet the environment: the gateways of the settings, incoming texts, and the worker's tasks."""

import logging
import os
import socket
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from random import SystemRandom
from uuid import UUID, uuid4

from complaints.cases.identity import normal_phone
from complaints.messages.delivery import Delivery
from complaints.messages.gateways import Gateway
from complaints.messages.inbound import answer_inbound
from complaints.messages.inbox import give_up, list_left_behind, store_pairs
from web.services import Services
from web.settings import Settings

TEXT_CHANNELS = ("sms", "whatsapp")
LEFT_BEHIND = timedelta(seconds=20)
"""A text that still waits after this was left by a process that died."""

GIVEN_UP = timedelta(hours=1)
_BATCH = 20

log = logging.getLogger("selo.messages")


def has_twilio(settings: Settings) -> bool:
    """Whether texts go out by the message service."""
    return bool(settings.twilio_account_sid and settings.twilio_auth_tokens)


def list_ways_out(settings: Settings) -> frozenset[str]:
    """The channels by which something can go out; a demonstration shows what has no gateway."""
    if settings.demo:
        return frozenset((*TEXT_CHANNELS, "email"))
    return frozenset((TEXT_CHANNELS if has_twilio(settings) else ()) + (("email",) if settings.smtp_url else ()))


@cache
def open_gateways(settings: Settings) -> Mapping[str, Gateway]:
    """The gateway of each way out; imported here, because only the worker needs their libraries."""
    from complaints.messages.demo_sender import DemoGateway
    from complaints.messages.email_sender import EmailGateway

    gateways: dict[str, Gateway] = {channel: DemoGateway() for channel in list_ways_out(settings)}
    if settings.smtp_url:
        gateways["email"] = EmailGateway(settings.smtp_url, settings.public_url)
    if settings.twilio_account_sid and has_twilio(settings):
        from complaints.messages.twilio_sender import TwilioGateway

        twilio = TwilioGateway(
            settings.twilio_account_sid,
            settings.twilio_auth_tokens[0],
            settings.public_url,
            settings.twilio_base_url,
        )
        gateways |= dict.fromkeys(TEXT_CHANNELS, twilio)
    return gateways


def deliver_messages(services: Services, now: datetime) -> int:
    """Worker's task: hand over what is due."""
    return _delivery(services).send_due()


def reconcile_messages(services: Services, now: datetime) -> int:
    """Worker's task: ask the gateways about what a crash or a silence left unknown."""
    return _delivery(services).reconcile()


def answer_left_behind(services: Services, now: datetime) -> int:
    """Worker's task: answer texts whose process died after storing them; after an hour leave them to people."""
    with services.database.read() as session:
        waiting = list_left_behind(session, now - LEFT_BEHIND, _BATCH)
    for row_id, received_at in waiting:
        try:
            _answer(services, row_id)
        except Exception:
            log.exception("text not answered", extra={"text_id": row_id.hex})
            if now - received_at > GIVEN_UP:
                with services.database.write() as session:
                    give_up(session, row_id)
    return len(waiting)


def receive_text(services: Services, pairs: Sequence[tuple[str, str]]) -> None:
    """Store a text, commit, then answer it. What fails after the first commit is left to the worker."""
    with services.database.write() as session:
        row_id = store_pairs(session, services.keyring, pairs, services.clock())
    try:
        _answer(services, row_id)
    except Exception:
        log.exception("text not answered", extra={"text_id": row_id.hex})


def written_text(phone: str, to: str, body: str) -> list[tuple[str, str]]:
    """The form of a text that nobody sent: what a simulated telephone hands to receive_text."""
    fields = {"MessageSid": f"simulated-{uuid4().hex}", "From": _dialled(phone), "To": to, "Body": body}
    return list(fields.items())


def _dialled(phone: str) -> str:
    """A number as the service would name it, even one that no plan knows: made-up ones are meant here."""
    if phone.startswith("whatsapp:"):
        return phone
    known = normal_phone(phone)
    digits = "".join(character for character in phone if character.isdigit()).lstrip("0")
    if known.startswith("+") or not digits:
        return known
    return f"+{digits}" if digits.startswith("55") and len(digits) > 11 else f"+55{digits}"


def _answer(services: Services, row_id: UUID) -> None:
    with services.database.write() as session:
        answer_inbound(session, services.keyring, row_id, services.clock())


def _delivery(services: Services) -> Delivery:
    return Delivery(
        transactions=services.database,
        keyring=services.keyring,
        gateways=open_gateways(services.settings),
        public_url=services.settings.public_url,
        clock=services.clock,
        owner=f"{socket.gethostname()[:60]}:{os.getpid()}",
        random=SystemRandom(),
    )
