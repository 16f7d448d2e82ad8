"""Messages on their way: claimed by a worker, marked before and after each call, decided where nobody knows.

pending -> sending (committed before the gateway is called) -> sent -> delivered. A refusal leads back to pending,
to parked (people must act) or to failed; an answer that never came leads to unknown, from where only the
gateway's own word, or a person's, leads on.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, or_
from sqlmodel import Session, col, func, select, update

from complaints.messages.outbox import LEASE
from complaints.messages.tables import Outbox

Key = tuple[int, UUID]
"""Authority and id: the primary key of a message."""


def is_due(now: datetime) -> ColumnElement[bool]:
    """Pending, its time has come, and no worker holds it."""
    free = or_(col(Outbox.lease_until).is_(None), col(Outbox.lease_until) <= now)
    return and_(col(Outbox.state) == "pending", col(Outbox.due_at) <= now, free)


def is_stranded(now: datetime) -> ColumnElement[bool]:
    """Its sender died in the middle, or it is unknown and the time to look again has come."""
    died = and_(col(Outbox.state) == "sending", col(Outbox.lease_until) <= now)
    return or_(died, and_(col(Outbox.state) == "unknown", col(Outbox.due_at) <= now))


@dataclass(frozen=True)
class Waiting:
    """Messages due and not sent: how many, by which channels, the age of the oldest in seconds; and those that
    are unknown, or parked for people."""

    due: int
    channels: frozenset[str]
    oldest_seconds: int | None
    unknown: int
    parked: int


def count_waiting(session: Session, now: datetime) -> Waiting:
    """Look at the whole outbox, for health checks."""
    by_state = select(Outbox.state, Outbox.channel, func.count(), func.min(Outbox.due_at))
    due = or_(
        col(Outbox.state).in_(("unknown", "parked")),
        and_(col(Outbox.state) == "pending", col(Outbox.due_at) <= now),
    )
    rows = session.exec(by_state.where(due).group_by(col(Outbox.state), col(Outbox.channel))).all()
    pending = [row for row in rows if row[0] == "pending"]
    oldest = min((row[3] for row in pending), default=None)
    return Waiting(
        due=sum(row[2] for row in pending),
        channels=frozenset(row[1] for row in pending),
        oldest_seconds=int((now - oldest).total_seconds()) if oldest else None,
        unknown=sum(row[2] for row in rows if row[0] == "unknown"),
        parked=sum(row[2] for row in rows if row[0] == "parked"),
    )


def is_any(session: Session, condition: ColumnElement[bool], channels: Collection[str]) -> bool:
    """Whether some message of these channels meets a condition."""
    found = session.exec(select(Outbox.id).where(condition, col(Outbox.channel).in_(channels)).limit(1))
    return found.first() is not None


def claim(
    session: Session, owner: str, now: datetime, limit: int, channels: Collection[str]
) -> tuple[Outbox, ...]:
    """Take up to `limit` pending messages that are due, oldest first; nobody else gets them during the lease.

    Only for `channels` that can be served: without a gateway a message waits.
    """
    rows = session.exec(
        select(Outbox)
        .where(is_due(now), col(Outbox.channel).in_(channels))
        .order_by(col(Outbox.due_at), col(Outbox.id))
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    for row in rows:
        row.lease_owner, row.lease_until = owner, now + LEASE
    session.flush()
    return tuple(rows)


def mark_sending(session: Session, key: Key, owner: str, now: datetime) -> bool:
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


def mark_accepted(session: Session, key: Key, gateway_id: str, state: str, now: datetime) -> None:
    """The gateway has it (`sent`) or the person has it (`delivered`); never undoes what a callback said first."""
    row = lock(session, key)
    if row.state in ("pending", "sending", "unknown"):
        row.state, row.error = state, None
        row.sent_at = row.sent_at or now
        row.delivered_at = now if state == "delivered" else None
    row.gateway_id = row.gateway_id or gateway_id
    _free(row)


def mark_refused(session: Session, key: Key, state: str, error: str, retry_at: datetime | None = None) -> None:
    """The gateway surely did not take it: `pending` again at `retry_at`, else `parked` or `failed`."""
    row = lock(session, key)
    if row.state != "sending":
        return
    row.state, row.error = state, error[:200]
    row.due_at = retry_at or row.due_at
    _free(row)


def park(session: Session, key: Key, error: str) -> None:
    """Leave a pending message that cannot even be tried to staff."""
    row = lock(session, key)
    if row.state == "pending":
        row.state, row.error = "parked", error[:200]
        _free(row)


def mark_unknown(session: Session, key: Key, error: str, look_at: datetime) -> None:
    """Nobody knows whether the gateway took it; ask the gateway at `look_at`. The lease keeps when it started."""
    row = lock(session, key)
    if row.state in ("sending", "unknown"):
        row.state, row.error, row.due_at, row.lease_owner = "unknown", error[:200], look_at, None


def find_stranded(session: Session, now: datetime, limit: int, channels: Collection[str]) -> tuple[Outbox, ...]:
    """Messages whose sender died in the middle, and unknown ones whose time to be looked at has come.

    The first become unknown here, in the caller's transaction; each is looked at again a lease later unless the
    caller says otherwise.
    """
    rows = session.exec(
        select(Outbox)
        .where(is_stranded(now), col(Outbox.channel).in_(channels))
        .order_by(col(Outbox.due_at), col(Outbox.id))
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    for row in rows:
        row.error = "the sender stopped before the gateway answered" if row.state == "sending" else row.error
        row.state, row.due_at = "unknown", now + LEASE
    session.flush()
    return tuple(rows)


def release(session: Session, key: Key, now: datetime) -> bool:
    """Make an unknown, parked or failed message pending again; False when it is in none of these states."""
    row = lock(session, key)
    if row.state not in ("unknown", "parked", "failed"):
        return False
    row.state, row.due_at, row.gateway_id = "pending", now, None
    _free(row)
    return True


def decide(session: Session, key: Key, decision: str, now: datetime) -> bool:
    """What a person decides where the gateway cannot: `resend`, `sent` or `drop`; False when there is nothing to
    decide, because the message is neither unknown nor parked nor failed."""
    if decision == "resend":
        return release(session, key, now)
    row = lock(session, key)
    if row.state not in ("unknown", "parked", "failed"):
        return False
    row.state = "sent" if decision == "sent" else "failed"
    row.sent_at = now if decision == "sent" else row.sent_at
    _free(row)
    return True


def lock(session: Session, key: Key) -> Outbox:
    """The row as it stands now, locked until the transaction ends."""
    return session.exec(
        select(Outbox)
        .where(Outbox.authority_id == key[0], Outbox.id == key[1])
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one()


def _free(row: Outbox) -> None:
    row.lease_owner = row.lease_until = None
