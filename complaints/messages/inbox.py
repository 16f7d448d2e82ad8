"""The inbox: every text that came in, kept whole and sealed before anything is done with it."""

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from sqlalchemy import ColumnElement, or_
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from complaints.authorities.tables import Authority
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


def store_pairs(session: Session, keyring: Keyring, pairs: Sequence[tuple[str, str]], now: datetime) -> UUID:
    """Keep a message whole, or find the one with its id: the same id is the same message. Returns the row's id.

    Whose it is gets known when it is answered.
    """
    inbound = read_pairs(pairs)
    known = _find_id(session, inbound.sid)
    if known:
        return known
    row_id = new_id()
    row = InboundMessage(
        id=row_id,
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


def reseal_inbound(keyring: Keyring, row: InboundMessage, pairs: str) -> None:
    """Put other form fields (JSON pairs) into a row."""
    row.sealed = keyring.seal(pairs.encode(), _context(row.id))


def lock_inbound(session: Session, row_id: UUID) -> InboundMessage:
    """The row as it stands now, locked until the transaction ends."""
    return session.exec(
        select(InboundMessage)
        .where(InboundMessage.id == row_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one()


def recent_messages(
    session: Session, row: InboundMessage, span: timedelta, limit: int = 30
) -> tuple[InboundMessage, ...]:
    """What the sender of `row` wrote in the time before it, to whichever authority, the newest first."""
    return tuple(
        session.exec(
            select(InboundMessage)
            .where(
                col(InboundMessage.authority_id).in_(select(Authority.id)),
                InboundMessage.sender_lookup == row.sender_lookup,
                InboundMessage.received_at >= row.received_at - span,
                _came_before(row),
            )
            .order_by(col(InboundMessage.received_at).desc(), col(InboundMessage.id).desc())
            .limit(limit)
        ).all()
    )


def list_unanswered(session: Session, row: InboundMessage) -> tuple[UUID, ...]:
    """What the sender of `row` wrote up to it and nobody has looked at yet, the oldest first, `row` included."""
    return tuple(
        session.exec(
            select(InboundMessage.id)
            .where(
                col(InboundMessage.authority_id).is_(None),
                InboundMessage.sender_lookup == row.sender_lookup,
                InboundMessage.understood_as == RECEIVED,
                or_(_came_before(row), col(InboundMessage.id) == row.id),
            )
            .order_by(col(InboundMessage.received_at), col(InboundMessage.id))
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


def list_left_behind(session: Session, before: datetime, limit: int) -> tuple[tuple[UUID, datetime], ...]:
    """Messages from before an instant that nobody has looked at yet, with when they came; the oldest first."""
    return tuple(
        session.exec(
            select(InboundMessage.id, InboundMessage.received_at)
            .where(
                col(InboundMessage.authority_id).is_(None),
                InboundMessage.understood_as == RECEIVED,
                InboundMessage.received_at <= before,
            )
            .order_by(col(InboundMessage.received_at), col(InboundMessage.id))
            .limit(limit)
        ).all()
    )


def give_up(session: Session, row_id: UUID) -> None:
    """Leave a message that cannot be answered to people."""
    row = lock_inbound(session, row_id)
    if row.understood_as == RECEIVED:
        row.understood_as = "failed"


def _came_before(row: InboundMessage) -> ColumnElement[bool]:
    same_instant = (col(InboundMessage.received_at) == row.received_at) & (col(InboundMessage.id) < row.id)
    return or_(col(InboundMessage.received_at) < row.received_at, same_instant)


def _find_id(session: Session, sid: str) -> UUID | None:
    return session.exec(select(InboundMessage.id).where(InboundMessage.message_sid == sid)).first()


def _clean(text: str) -> str:
    """Without control characters and lone surrogates, which no database takes."""
    return "".join(sign for sign in text if sign in "\n\t" or unicodedata.category(sign) not in ("Cc", "Cs"))


def _context(row_id: UUID) -> str:
    return f"inbound:{row_id.hex}"
