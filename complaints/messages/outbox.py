"""The outbox: messages written with the change that caused them, claimed by workers, and what became of each.

pending -> sending (committed before the gateway is called) -> sent -> delivered. A refusal leads back to pending,
to parked (people must act) or to failed; an answer that never came leads to unknown, from where only the
gateway's own word leads on.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import or_
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select, update

from complaints.ids import new_id
from complaints.messages.addresses import lookup_of
from complaints.messages.tables import Outbox
from complaints.sealing import Keyring

LEASE = timedelta(seconds=30)
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
            sealed=keyring.seal(json.dumps(sealed, ensure_ascii=False).encode(), _context(row_id)),
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


def claim(
    session: Session, owner: str, now: datetime, limit: int, channels: Collection[str]
) -> tuple[Outbox, ...]:
    """Take up to `limit` pending messages that are due, oldest first; nobody else gets them during the lease.

    Only for `channels` that can be served: without a gateway a message waits.
    """
    free = or_(col(Outbox.lease_until).is_(None), col(Outbox.lease_until) <= now)
    rows = session.exec(
        select(Outbox)
        .where(Outbox.state == "pending", Outbox.due_at <= now, free, col(Outbox.channel).in_(channels))
        .order_by(col(Outbox.due_at), col(Outbox.id))
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    for row in rows:
        row.lease_owner, row.lease_until = owner, now + LEASE
    session.flush()
    return tuple(rows)


def mark_sending(session: Session, key: tuple[int, UUID], owner: str, now: datetime) -> bool:
    """Say, before the gateway is called, that it will be; commit this first.

    False when the claim is no longer ours or the message has moved on: then do not call.
    """
    result = session.exec(
        update(Outbox)
        .where(
            col(Outbox.authority_id) == key[0],
            col(Outbox.id) == key[1],
            col(Outbox.state) == "pending",
            col(Outbox.lease_owner) == owner,
        )
        .values(state="sending", attempts=Outbox.attempts + 1, lease_until=now + LEASE, error=None)
    )
    return result.rowcount == 1


def mark_accepted(session: Session, key: tuple[int, UUID], gateway_id: str, state: str, now: datetime) -> None:
    """The gateway has it (`sent`) or the person has it (`delivered`); never undoes what a callback said first."""
    row = lock(session, key)
    if row.state in ("pending", "sending", "unknown"):
        row.state, row.error = state, None
        row.sent_at = row.sent_at or now
        row.delivered_at = now if state == "delivered" else None
    row.gateway_id = row.gateway_id or gateway_id
    _free(row)


def mark_refused(
    session: Session, key: tuple[int, UUID], state: str, error: str, retry_at: datetime | None = None
) -> None:
    """The gateway surely did not take it: `pending` again at `retry_at`, else `parked` or `failed`."""
    row = lock(session, key)
    if row.state != "sending":
        return
    row.state, row.error = state, error[:200]
    row.due_at = retry_at or row.due_at
    _free(row)


def park(session: Session, key: tuple[int, UUID], error: str) -> None:
    """Leave a pending message that cannot even be tried to staff."""
    row = lock(session, key)
    if row.state == "pending":
        row.state, row.error = "parked", error[:200]
        _free(row)


def mark_unknown(session: Session, key: tuple[int, UUID], error: str, look_at: datetime) -> None:
    """Nobody knows whether the gateway took it; ask the gateway at `look_at`. The lease keeps when it started."""
    row = lock(session, key)
    if row.state in ("sending", "unknown"):
        row.state, row.error, row.due_at, row.lease_owner = "unknown", error[:200], look_at, None


def find_stranded(session: Session, now: datetime, limit: int, channels: Collection[str]) -> tuple[Outbox, ...]:
    """Messages whose sender died in the middle, and unknown ones whose time to be looked at has come.

    The first become unknown here, in the caller's transaction; each is looked at again a lease later unless the
    caller says otherwise.
    """
    died = (col(Outbox.state) == "sending") & (col(Outbox.lease_until) <= now)
    waiting = (col(Outbox.state) == "unknown") & (col(Outbox.due_at) <= now)
    rows = session.exec(
        select(Outbox)
        .where(or_(died, waiting), col(Outbox.channel).in_(channels))
        .order_by(col(Outbox.due_at), col(Outbox.id))
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    for row in rows:
        row.error = "the sender stopped before the gateway answered" if row.state == "sending" else row.error
        row.state, row.due_at = "unknown", now + LEASE
    session.flush()
    return tuple(rows)


def release(session: Session, key: tuple[int, UUID], now: datetime) -> bool:
    """Make an unknown, parked or failed message pending again; False when it is in none of these states."""
    row = lock(session, key)
    if row.state not in ("unknown", "parked", "failed"):
        return False
    row.state, row.due_at, row.gateway_id = "pending", now, None
    _free(row)
    return True


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


def lock(session: Session, key: tuple[int, UUID]) -> Outbox:
    """The row as it stands now, locked until the transaction ends."""
    return session.exec(
        select(Outbox)
        .where(Outbox.authority_id == key[0], Outbox.id == key[1])
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one()


def _insert(session: Session) -> postgresql.Insert | sqlite.Insert:
    """Both databases spell "or do nothing" alike, but not in one class."""
    on_postgresql = session.get_bind().dialect.name == "postgresql"
    return postgresql.insert(Outbox) if on_postgresql else sqlite.insert(Outbox)


def _free(row: Outbox) -> None:
    row.lease_owner = row.lease_until = None


def _context(row_id: UUID) -> str:
    return f"outbox:{row_id.hex}"
