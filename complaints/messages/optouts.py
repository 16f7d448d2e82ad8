"""Who asked for no more messages: read from what they wrote and from what the gateway refused."""

from datetime import datetime

from sqlmodel import Session, col, select

from complaints.messages.tables import InboundMessage, Outbox

STOPPED = "stopped"
STARTED = "started"
"""`understood_as` of the messages that ask for silence, and for messages again."""

REFUSED_BY_PERSON = "21610"
"""The gateway's code for a person who stopped us there; the error of such a message starts with it."""


def has_stopped(session: Session, authority_id: int, lookup: bytes) -> bool:
    """Whether this person's last word, here or at the gateway, is to get no more messages."""
    said = session.exec(
        select(InboundMessage)
        .where(
            InboundMessage.authority_id == authority_id,
            InboundMessage.sender_lookup == lookup,
            col(InboundMessage.understood_as).in_((STOPPED, STARTED)),
        )
        .order_by(col(InboundMessage.received_at).desc(), col(InboundMessage.id).desc())
        .limit(1)
    ).first()
    if said and said.understood_as == STOPPED:
        return True
    return _was_refused(session, authority_id, lookup, said.received_at if said else None)


def _was_refused(session: Session, authority_id: int, lookup: bytes, since: datetime | None) -> bool:
    query = select(Outbox.id).where(
        Outbox.authority_id == authority_id,
        Outbox.recipient_lookup == lookup,
        col(Outbox.error).startswith(REFUSED_BY_PERSON),
    )
    if since:
        query = query.where(Outbox.created_at >= since)
    return session.exec(query.limit(1)).first() is not None
