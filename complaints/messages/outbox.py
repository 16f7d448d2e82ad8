"""The outbox: messages written with the change that caused them, sealed, each under a key that is used once."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select, update

from complaints.ids import new_id
from complaints.messages.addresses import lookup_of
from complaints.messages.tables import Outbox
from complaints.sealing import Keyring

LEASE = timedelta(seconds=20)
"""How long a claim holds; longer than any call to a gateway may take."""


@dataclass(frozen=True)
class Message:
    """A row opened for sending. `started_at`: when it was last marked as sending, if it ever was."""

    authority_id: int
    id: UUID
    channel: str
    purpose: str
    recipient: str
    sender: str
    subject: str
    text: str
    attempts: int
    created_at: datetime
    started_at: datetime | None

    @property
    def key(self) -> tuple[int, UUID]:
        """The row's primary key."""
        return self.authority_id, self.id


def enqueue(
    session: Session,
    keyring: Keyring,
    *,
    authority_id: int,
    case_id: UUID | None,
    channel: str,
    purpose: str,
    dedupe_key: str,
    recipient: str,
    text: str,
    now: datetime,
    subject: str = "",
    sender: str = "",
    parked_because: str = "",
    due_at: datetime | None = None,
) -> bool:
    """Write a message; False when the authority's outbox has this dedupe key already (then nothing changes).

    `recipient`: as the channel wants it (`+55…`, `whatsapp:…`, an e-mail address). `sender`: the number to speak
    from, empty for the authority's own. `parked_because`: write it, but leave it to staff.
    """
    session.flush()
    row_id = new_id()
    sealed = {"to": recipient, "from": sender, "subject": subject, "text": text}
    written = session.connection().execute(
        _insert(session)
        .values(
            authority_id=authority_id,
            id=row_id,
            case_id=case_id,
            channel=channel,
            purpose=purpose,
            dedupe_key=dedupe_key,
            recipient_lookup=lookup_of(keyring, channel, recipient),
            sealed=_seal(keyring, row_id, sealed),
            state="parked" if parked_because else "pending",
            attempts=0,
            created_at=now,
            due_at=due_at or now,
            error=parked_because or None,
        )
        .on_conflict_do_nothing(index_elements=["authority_id", "dedupe_key"])
        .returning(col(Outbox.id))
    )
    return written.first() is not None


def reseal_message(keyring: Keyring, row: Outbox, *, recipient: str, sender: str, subject: str, text: str) -> None:
    """Put other words and another recipient into a row."""
    row.sealed = _seal(keyring, row.id, {"to": recipient, "from": sender, "subject": subject, "text": text})


def _seal(keyring: Keyring, row_id: UUID, words: dict[str, str]) -> bytes:
    return keyring.seal(json.dumps(words, ensure_ascii=False).encode(), _context(row_id))


def open_message(keyring: Keyring, row: Outbox) -> Message:
    """Open a row's recipient and text; raises complaints.sealing.CannotOpen."""
    sealed: dict[str, str] = json.loads(keyring.open(row.sealed, _context(row.id)))
    return Message(
        authority_id=row.authority_id,
        id=row.id,
        channel=row.channel,
        purpose=row.purpose,
        recipient=sealed["to"],
        sender=sealed["from"],
        subject=sealed["subject"],
        text=sealed["text"],
        attempts=row.attempts,
        created_at=row.created_at,
        started_at=row.lease_until - LEASE if row.lease_until else None,
    )


def take_for_reading(
    session: Session, keyring: Keyring, recipient_lookup: bytes, now: datetime
) -> tuple[Message, ...]:
    """Deliver to the screen what this very transaction wrote to somebody, before any worker can see it."""
    rows = session.exec(
        select(Outbox)
        .where(Outbox.recipient_lookup == recipient_lookup, Outbox.state == "pending", Outbox.created_at == now)
        .order_by(col(Outbox.id))
    ).all()
    for row in rows:
        row.state, row.sent_at, row.delivered_at = "delivered", now, now
    return tuple(open_message(keyring, row) for row in rows)


def postpone(session: Session, authority_id: int, case_id: UUID, until: datetime) -> None:
    """Let what is written about a case, and not yet on its way, wait."""
    session.exec(
        update(Outbox)
        .where(
            col(Outbox.authority_id) == authority_id,
            col(Outbox.case_id) == case_id,
            col(Outbox.state) == "pending",
        )
        .values(due_at=until)
    )


def _insert(session: Session) -> postgresql.Insert | sqlite.Insert:
    """Both databases spell "or do nothing" alike, but not in one class."""
    on_postgresql = session.get_bind().dialect.name == "postgresql"
    return postgresql.insert(Outbox) if on_postgresql else sqlite.insert(Outbox)


def _context(row_id: UUID) -> str:
    return f"outbox:{row_id.hex}"
