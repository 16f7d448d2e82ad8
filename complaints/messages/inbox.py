"""The inbox: every text that came in, kept whole and sealed before anything is done with it."""

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from complaints.ids import new_id
from complaints.messages.addresses import TextAddress, lookup_of, read_address
from complaints.messages.tables import InboundMessage
from complaints.sealing import Keyring

RECEIVED = "received"
"""`understood_as` of a message that nobody has looked at yet."""


@dataclass(frozen=True)
class Inbound:
    """A text as the gateway handed it over. `to` is the number texted; `media` how many files came with it."""

    sid: str
    sender: TextAddress
    to: str
    body: str
    media: int = 0
    opt_out_type: str = ""


def read_pairs(pairs: Sequence[tuple[str, str]]) -> Inbound:
    """The message in the form fields of a webhook. One without an id gets one from its content."""
    fields = {name: _clean(value) for name, value in reversed(pairs)}
    media = fields.get("NumMedia", "")
    digest = sha256(json.dumps(pairs).encode()).hexdigest()
    return Inbound(
        sid=(fields.get("MessageSid") or fields.get("SmsSid") or f"none:{digest[:59]}")[:64],
        sender=read_address(fields.get("From", ""), fields.get("ExternalUserId", "")),
        to=fields.get("To", ""),
        body=fields.get("Body", ""),
        media=int(media) if media.isascii() and media.isdigit() else 0,
        opt_out_type=fields.get("OptOutType", ""),
    )


def store_pairs(
    session: Session, keyring: Keyring, pairs: Sequence[tuple[str, str]], authority_id: int | None, now: datetime
) -> UUID:
    """Keep a message whole, or find the one with its id: the same id is the same message. Returns the row's id."""
    inbound = read_pairs(pairs)
    known = _find_id(session, inbound.sid)
    if known:
        return known
    row_id = new_id()
    row = InboundMessage(
        id=row_id,
        authority_id=authority_id,
        message_sid=inbound.sid,
        channel=inbound.sender.channel,
        sender_lookup=lookup_of(keyring, inbound.sender.channel, inbound.sender.person),
        sealed=keyring.seal(json.dumps(pairs).encode(), _context(row_id)),
        received_at=now,
        understood_as=RECEIVED,
    )
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        faster = _find_id(session, inbound.sid)
        if faster is None:
            raise
        return faster
    return row_id


def open_inbound(keyring: Keyring, row: InboundMessage) -> Inbound:
    """Open a stored message; raises complaints.sealing.CannotOpen."""
    pairs = json.loads(keyring.open(row.sealed, _context(row.id)))
    return read_pairs([(name, value) for name, value in pairs])


def lock_inbound(session: Session, row_id: UUID) -> InboundMessage:
    """The row as it stands now, locked until the transaction ends."""
    return session.exec(
        select(InboundMessage)
        .where(InboundMessage.id == row_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one()


def recent_messages(
    session: Session, authority_id: int, sender_lookup: bytes, since: datetime, limit: int = 20
) -> tuple[InboundMessage, ...]:
    """What one sender wrote to one authority since an instant, the newest first."""
    return tuple(
        session.exec(
            select(InboundMessage)
            .where(
                InboundMessage.authority_id == authority_id,
                InboundMessage.sender_lookup == sender_lookup,
                InboundMessage.received_at >= since,
            )
            .order_by(col(InboundMessage.received_at).desc(), col(InboundMessage.id).desc())
            .limit(limit)
        ).all()
    )


def find_number_texted(session: Session, keyring: Keyring, authority_id: int, sender_lookup: bytes) -> str:
    """The number this person last wrote to, so that answers come from it; empty if they never wrote."""
    row = session.exec(
        select(InboundMessage)
        .where(InboundMessage.authority_id == authority_id, InboundMessage.sender_lookup == sender_lookup)
        .order_by(col(InboundMessage.received_at).desc(), col(InboundMessage.id).desc())
        .limit(1)
    ).first()
    return open_inbound(keyring, row).to if row else ""


def list_unhandled(session: Session, before: datetime, limit: int) -> tuple[UUID, ...]:
    """Messages that came before an instant and still wait to be looked at, the oldest first."""
    return tuple(
        session.exec(
            select(InboundMessage.id)
            .where(InboundMessage.understood_as == RECEIVED, InboundMessage.received_at <= before)
            .order_by(col(InboundMessage.received_at), col(InboundMessage.id))
            .limit(limit)
        ).all()
    )


def _find_id(session: Session, sid: str) -> UUID | None:
    return session.exec(select(InboundMessage.id).where(InboundMessage.message_sid == sid)).first()


def _clean(text: str) -> str:
    """Without control characters and lone surrogates, which no database takes."""
    return "".join(sign for sign in text if sign in "\n\t" or unicodedata.category(sign) not in ("Cc", "Cs"))


def _context(row_id: UUID) -> str:
    return f"inbound:{row_id.hex}"
